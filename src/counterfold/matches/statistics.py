"""What one side of a match won per hand, with intervals."""

from dataclasses import dataclass


class ChipsPerHand:
    """Chips per hand in other units; subclasses have the fields."""

    chips: float
    chips_interval: float  # half of the 95% interval
    big_blind: int

    @property
    def mb(self) -> float:
        """Thousandths of a big blind per hand."""
        return 1000.0 * self.chips / self.big_blind

    @property
    def mb_interval(self) -> float:
        """Half of the 95% interval of `mb`."""
        return 1000.0 * self.chips_interval / self.big_blind

    def rate(self, sign: int = 1) -> str:
        """What the side won in mb/hand, with its interval; with a sign of -1, the other side."""
        return f"{sign * self.mb + 0.0:+,.1f} ± {self.mb_interval:,.1f}"


@dataclass(frozen=True)
class HandRates(ChipsPerHand):
    """What one side won per hand, adjusted and as the cards fell."""

    hands: int
    chips: float  # per hand
    chips_interval: float  # half of the 95% interval
    plain_chips: float  # as the cards fell, without adjustment
    plain_interval: float
    adjusted: int  # hands whose result is an expectation
    big_blind: int

    @property
    def plain_rate(self) -> str:
        """As `rate`, without adjustment."""
        to_mb = 1000.0 / self.big_blind
        return f"{to_mb * self.plain_chips:+,.1f} ± {to_mb * self.plain_interval:,.1f}"
