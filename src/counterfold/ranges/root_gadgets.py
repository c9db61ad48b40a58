"""What a seat may do before the root of a spot, so that its hands fix how the other must play.

Re-solving part of a game with the ranges alone may leave hands of the opponent better off than
before, and then it comes there with other hands than expected. A gadget gives each of its hands
something to compare with, its *alternative*: what it wins at best where nothing is re-solved.
Values are totals over all hands of the other that can be met, as passes compute them.
"""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from counterfold.ranges.regret_arrays import fade_regrets, match_columns

Values = NDArray[np.float64]

_LEAST_MET = 1e-5  # of what the hand that meets most does: of less, a mean is rounding


class RootGadget(Protocol):
    """Chooses the weights of a seat's hands at the root, and learns from what they win there."""

    @property
    def seat(self) -> int:
        """Whose hands it chooses."""

    def weights(self) -> Values:
        """Weights for the next iteration, in the order of hands at the root."""

    def learn(self, values: Values, factors: Values) -> None:
        """Take what hands have won; `factors` fade positive and negative regrets."""


class ResolveGadget:
    """Every hand chooses between its alternative and the spot (CFR-D, Burch et al. 2014).

    With `always`, a `share` of these weights enters without a choice, beside the rest that has one.
    """

    def __init__(
        self, seat: int, alternatives: Values, always: Values | None = None, share: float = 0.0
    ) -> None:
        self.seat, self.alternatives = seat, alternatives
        self.regrets = np.zeros((2, alternatives.size))  # of entering, and of the alternative
        self._always = np.zeros(alternatives.size) if always is None else share * always
        self._choosing = 1.0 if always is None else 1.0 - share

    def _enters(self) -> Values:
        """How often each hand enters."""
        shares = np.maximum(self.regrets, 0.0)
        match_columns(shares)
        return np.asarray(shares[0])

    def weights(self) -> Values:
        """One for a hand that always enters."""
        return self._always + self._choosing * self._enters()

    def learn(self, values: Values, factors: Values) -> None:
        """Compare what hands won with their alternatives."""
        enters = self._enters()
        mean = enters * values + (1.0 - enters) * self.alternatives
        fade_regrets(self.regrets, factors)
        self.regrets += np.stack([values, self.alternatives]) - mean


class MarginGadget:
    """One of all hands enters, that which gains most over its alternative (Moravcik et al. 2016).

    `met` is the weight of the hands of the other that each hand can meet: hands are compared by
    what they win from one of them on average. Those that meet next to nothing never enter.
    """

    def __init__(self, seat: int, alternatives: Values, met: Values) -> None:
        self.seat, self.alternatives = seat, alternatives
        able = meets_enough(met)
        self._scale = np.where(able, 1.0 / np.where(able, met, 1.0), 0.0)
        self.regrets = np.zeros(alternatives.size)

    def _chosen(self) -> Values:
        """How often each hand is the one."""
        chosen, able = np.zeros(self.regrets.size), self._scale > 0
        if able.any():
            shares = np.maximum(self.regrets[able, np.newaxis], 0.0)
            match_columns(shares)
            chosen[able] = shares[:, 0]
        return chosen

    def weights(self) -> Values:
        """Weights whose sum over all pairs of hands is that of a range in which all are alike."""
        able = np.count_nonzero(self._scale)
        return np.asarray(self._chosen() * self._scale * able / max(self._scale.mean(), 1e-300))

    def learn(self, values: Values, factors: Values) -> None:
        """Compare what hands gained over their alternatives."""
        gains = (values - self.alternatives) * self._scale
        mean = self._chosen() @ gains
        fade_regrets(self.regrets, factors)
        self.regrets += gains - mean
        self.regrets[self._scale == 0] = 0.0


def meets_enough(met: Values) -> NDArray[np.bool_]:
    """The hands of which it can be said what they win on average from those that they meet."""
    return np.asarray(met > _LEAST_MET * met.max(initial=0.0))
