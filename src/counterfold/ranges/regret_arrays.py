"""Regret matching and fading in NumPy, for solvers without kernels: a column for each hand.

They do what `regret_kernels` does, with the same threshold. Exported bots search with them.
"""

import numpy as np
from numpy.typing import NDArray

from counterfold.regret_kernels import LEAST_REGRET

Values = NDArray[np.float64]


def match_columns(weights: Values) -> None:
    """Overwrite weights ``[actions, hands]``, none negative, by the probabilities of each column.

    They are even where there is no weight.
    """
    totals = weights.sum(axis=0)
    known = totals > LEAST_REGRET
    weights *= np.where(known, 1.0 / np.where(known, totals, 1.0), 0.0)
    if not known.all():
        weights += np.where(known, 0.0, 1.0 / len(weights))


def fade_regrets(regrets: Values, factors: Values) -> None:
    """Multiply positive and negative regrets by the first two of `factors`."""
    regrets *= np.where(regrets > 0, factors[0], factors[1])
    regrets[np.abs(regrets) <= LEAST_REGRET] = 0.0
