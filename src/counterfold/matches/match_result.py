"""The result of a match: a rate with its interval, and how each side did."""

from dataclasses import asdict, dataclass, field
from typing import Any

from counterfold.frames import make_frame
from counterfold.matches.statistics import ChipsPerHand, HandRates


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
    # Of a bot that searches:
    searched: int | None = None  # decisions
    unsearched: int | None = None  # that should have been, but were left to its strategy


@dataclass(frozen=True)
class AivatRates(ChipsPerHand):
    """What one side won per hand, less the luck that can be computed; see `matches.aivat`."""

    chips: float  # per hand
    chips_interval: float  # half of the 95% interval
    known: tuple[str, ...]  # players whose decisions are corrected, too
    imagined: int  # hands of each of them, including the one that was dealt
    value_function: str  # fingerprint of what was fixed before the first hand
    fitted_hands: int  # that it was fitted to
    big_blind: int

    def to_dict(self) -> dict[str, Any]:
        """All figures by name, as JSON has them."""
        return {**asdict(self), "mb_per_hand": self.mb, "mb_interval": self.mb_interval}


@dataclass(frozen=True)
class MatchResult(HandRates):
    """What the first of `sides` won."""

    variant: str  # its name
    seed: int
    duplicate: bool
    sides: tuple[EntrantResult, EntrantResult]
    decision_seconds: float = field(compare=False)  # total processor time
    seconds: float = field(compare=False)  # wall-clock time of the whole match
    aivat: AivatRates | None = None  # if asked for

    @property
    def decision_microseconds(self) -> float:
        """Processor time of a decision, over both sides; looking at the cards is included."""
        return 1e6 * self.decision_seconds / max(1, sum(side.decisions for side in self.sides))

    @property
    def hands_per_second(self) -> float:
        """In wall-clock time, including compilation and the start of programs."""
        return self.hands / max(self.seconds, 1e-9)

    @property
    def variance_ratios(self) -> tuple[float, float] | None:
        """The variance as the cards fell, and that of the result, in variances of AIVAT."""
        if self.aivat is None or self.aivat.chips_interval == 0.0:
            return None
        ratios = (
            (interval / self.aivat.chips_interval) ** 2
            for interval in (self.plain_interval, self.chips_interval)
        )
        return next(ratios), next(ratios)

    def to_dict(self) -> dict[str, Any]:
        """All figures by name, as JSON has them."""
        ratios = self.variance_ratios
        return {
            **asdict(self),
            "aivat": None
            if self.aivat is None
            else {
                **self.aivat.to_dict(),
                "plain_variance_ratio": ratios and ratios[0],
                "variance_ratio": ratios and ratios[1],
            },
            "mb_per_hand": self.mb,
            "mb_interval": self.mb_interval,
            "decision_microseconds": self.decision_microseconds,
            "hands_per_second": self.hands_per_second,
        }

    def as_row(self) -> dict[str, Any]:
        """What the first won, less luck where that was computed, too; a row of a table."""
        row = {
            "first": self.sides[0].name,
            "second": self.sides[1].name,
            "hands": self.hands,
            "mb_per_hand": self.mb,
            "mb_interval": self.mb_interval,
        }
        if self.aivat is None:
            return row
        aivat = {"aivat_mb_per_hand": self.aivat.mb, "aivat_mb_interval": self.aivat.mb_interval}
        return row | aivat

    def to_frame(self) -> Any:
        """One row, as in the frame of a tournament; needs pandas or polars."""
        return make_frame([self.as_row()])

    def __str__(self) -> str:
        first, second = (side.name for side in self.sides)
        kind = "duplicate hands" if self.duplicate else "hands"
        return (
            f"{first} against {second}: {self.rate()} mb/hand (95% interval), "
            f"{self.hands:,} {kind} of {self.variant}, seed {self.seed}"
        )
