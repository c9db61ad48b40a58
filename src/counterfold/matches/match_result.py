"""What came of a match: a rate with its interval, and how each side fared."""

from dataclasses import asdict, dataclass, field
from typing import Any


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
class MatchResult:
    """What the first of `sides` won; rates are per hand."""

    variant: str  # its name
    seed: int
    hands: int
    duplicate: bool
    chips: float  # per hand
    chips_interval: float  # half of the 95 % interval
    plain_chips: float  # as the cards fell, without adjustment
    plain_interval: float
    adjusted: int  # hands whose result is an expectation
    big_blind: int
    sides: tuple[EntrantResult, EntrantResult]
    decision_seconds: float = field(compare=False)  # of a processor, in all
    seconds: float = field(compare=False)  # by the clock, for the whole match

    @property
    def mb(self) -> float:
        """Thousandths of a big blind per hand."""
        return 1000.0 * self.chips / self.big_blind

    @property
    def mb_interval(self) -> float:
        """Half of the 95 % interval of `mb`."""
        return 1000.0 * self.chips_interval / self.big_blind

    @property
    def decision_microseconds(self) -> float:
        """Processor time of a decision, over both sides; looking at the cards is included."""
        return 1e6 * self.decision_seconds / max(1, sum(side.decisions for side in self.sides))

    @property
    def hands_per_second(self) -> float:
        """By the clock; compiling and starting programs are included."""
        return self.hands / max(self.seconds, 1e-9)

    def rate(self, sign: int = 1) -> str:
        """What the first side wins in mb/hand, with its interval; the second with a sign of -1."""
        return f"{sign * self.mb + 0.0:+,.1f} ± {self.mb_interval:,.1f}"

    @property
    def plain_rate(self) -> str:
        """As `rate` of the first side, without adjustment."""
        to_mb = 1000.0 / self.big_blind
        return f"{to_mb * self.plain_chips:+,.1f} ± {to_mb * self.plain_interval:,.1f}"

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
