"""The result of a match: a rate with its interval, and how each side did."""

from dataclasses import asdict, dataclass, field
from typing import Any

from counterfold.matches.statistics import HandRates


@dataclass(frozen=True)
class EntrantResult:
    """How an entrant did."""

    name: str
    decisions: int
    # The next three are None for programs and custom bots, for which they are unknown.
    untrained: int | None  # in situations of its game that training never reached
    off_tree: int | None  # beyond its game
    forced: int | None  # by pot odds: its own game had nothing to call
    # In hosted matches:
    mean_seconds: float | None = None  # of a decision
    slowest_seconds: float | None = None
    faults: int = 0  # answers that were late, illegal or malformed
    forfeits: tuple[str, ...] = ()  # why it was no longer asked, for each time it happened


@dataclass(frozen=True)
class MatchResult(HandRates):
    """What the first of `sides` won."""

    variant: str  # its name
    seed: int
    duplicate: bool
    sides: tuple[EntrantResult, EntrantResult]
    decision_seconds: float = field(compare=False)  # total processor time
    seconds: float = field(compare=False)  # wall-clock time of the whole match

    @property
    def decision_microseconds(self) -> float:
        """Processor time of a decision, over both sides; looking at the cards is included."""
        return 1e6 * self.decision_seconds / max(1, sum(side.decisions for side in self.sides))

    @property
    def hands_per_second(self) -> float:
        """In wall-clock time, including compilation and the start of programs."""
        return self.hands / max(self.seconds, 1e-9)

    def to_dict(self) -> dict[str, Any]:
        """All figures by name, as JSON has them."""
        return {
            **asdict(self),
            "mb_per_hand": self.mb,
            "mb_interval": self.mb_interval,
            "decision_microseconds": self.decision_microseconds,
            "hands_per_second": self.hands_per_second,
        }

    def __str__(self) -> str:
        first, second = (side.name for side in self.sides)
        kind = "duplicate hands" if self.duplicate else "hands"
        return (
            f"{first} against {second}: {self.rate()} mb/hand (95 % interval), "
            f"{self.hands:,} {kind} of {self.variant}, seed {self.seed}"
        )
