"""What came of a match: a rate with its interval, and how each side fared."""

from dataclasses import asdict, dataclass, field
from typing import Any

from counterfold.matches.statistics import HandRates


@dataclass(frozen=True)
class EntrantResult:
    """How an entrant fared."""

    name: str
    decisions: int
    # The next three are None for programs and bots of one's own, of which nobody can tell.
    untrained: int | None  # at situations of its game that training never reached
    off_tree: int | None  # beyond its game
    forced: int | None  # calls because its abstract street was over
    # In hosted matches:
    mean_seconds: float | None = None  # of a decision
    slowest_seconds: float | None = None
    faults: int = 0  # answers that were not as they should be
    forfeits: tuple[str, ...] = ()  # why it was not asked any more, for each time it happened


@dataclass(frozen=True)
class MatchResult(HandRates):
    """What the first of `sides` won."""

    variant: str  # its name
    seed: int
    duplicate: bool
    sides: tuple[EntrantResult, EntrantResult]
    decision_seconds: float = field(compare=False)  # of a processor, in all
    seconds: float = field(compare=False)  # by the clock, for the whole match

    @property
    def decision_microseconds(self) -> float:
        """Processor time of a decision, over both sides; looking at the cards is included."""
        return 1e6 * self.decision_seconds / max(1, sum(side.decisions for side in self.sides))

    @property
    def hands_per_second(self) -> float:
        """By the clock; compiling and starting programs are included."""
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
