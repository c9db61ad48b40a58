"""The family of counterfactual regret minimization, as data.

After iteration ``t`` positive regrets are multiplied by ``t^alpha / (t^alpha + 1)``, negative ones
by ``t^beta / (t^beta + 1)`` and the sums of the average strategy by ``(t / (t + 1))^gamma`` (Brown
and Sandholm 2019). Each exponent moves linearly from its first to its last value over `horizon`
iterations and stays there: that is the hyperparameter schedule of Zhang, McAleer and Sandholm
(arXiv 2404.09097), and constants are the special case in which nothing moves. The schedules were
published for a run of a known length; a run of another length keeps the horizon it was given.
"""

from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Exponent:
    """An exponent that goes from `start` to `stop` over the horizon."""

    start: float
    stop: float

    def at(self, progress: NDArray[np.float64]) -> NDArray[np.float64]:
        """Its value at `progress`, from 0 to 1, of the horizon."""
        if self.start == self.stop:
            return np.full_like(progress, self.start)
        return self.start + (self.stop - self.start) * progress


@dataclass(frozen=True)
class Discounting:
    """How past regrets and past strategies fade.

    `alpha` = inf keeps positive regrets, `beta` = -inf cuts negative ones to zero (regret matching
    plus), `gamma` = 0 weighs all strategies alike.
    """

    alpha: float | Exponent
    beta: float | Exponent
    gamma: float | Exponent
    predictive: bool = False

    def weights(self, first: int, last: int, horizon: int) -> NDArray[np.float64]:
        """Rows (positive, negative, average) for iterations `first` to `last`, both included."""
        t = np.arange(first, last + 1, dtype=np.float64)
        progress = np.minimum(t / horizon, 1.0)
        alpha, beta, gamma = (
            (x if isinstance(x, Exponent) else Exponent(x, x)).at(progress)
            for x in (self.alpha, self.beta, self.gamma)
        )
        return np.column_stack((_fade(t, alpha), _fade(t, beta), (t / (t + 1.0)) ** gamma))


def _fade(t: NDArray[np.float64], exponent: NDArray[np.float64]) -> NDArray[np.float64]:
    """``t^x / (t^x + 1)``, which is 1 and 0 at the infinities, also for ``t = 1``."""
    with np.errstate(over="ignore"):
        return np.where(
            np.isinf(exponent), (exponent > 0).astype(float), 1.0 / (1.0 + t**-exponent)
        )


CFR = Discounting(alpha=inf, beta=inf, gamma=0.0)
CFR_PLUS = Discounting(alpha=inf, beta=-inf, gamma=1.0)
LINEAR = Discounting(alpha=1.0, beta=1.0, gamma=1.0)
DCFR = Discounting(alpha=1.5, beta=0.0, gamma=2.0)
PCFR_PLUS = Discounting(alpha=inf, beta=-inf, gamma=2.0, predictive=True)
HS_DCFR = Discounting(Exponent(1.0, 4.0), Exponent(-1.0, -3.0), Exponent(30.0, 25.0))
HS_PCFR_PLUS = Discounting(inf, -inf, Exponent(30.0, 25.0), predictive=True)

# The variants whose exponents do not depend on the length of a run, by name.
DISCOUNTINGS = {
    "cfr": CFR,
    "cfr+": CFR_PLUS,
    "linear": LINEAR,
    "dcfr": DCFR,
    "pcfr+": PCFR_PLUS,
}
