"""How regrets and averages of spots fade.

Discounted CFR with the exponents below needed the fewest iterations to the targets that people set:
70 and 310 to 0.1 and 0.01% of the pot on a river, 80 and 210 to 0.5 and 0.1% on a turn, where
alpha 1.5, beta 0, gamma 2 (Brown and Sandholm 2019) needs 80 and 270, 110 and 240.
Regrets of the first iteration are forgotten at once, since both strategies were uniform then.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from counterfold.discounting import Discounting

SPOT_DISCOUNTING = Discounting(alpha=1.5, beta=0.25, gamma=5.0)


@lru_cache(maxsize=8)
def find_fading(discounting: Discounting, n: int) -> NDArray[np.float64]:
    """[n, 3] factors of positive regrets, negative ones and averages before each iteration.

    Regrets fade as after the iteration before the last.
    """
    rows = np.zeros((n, 3))
    fading = discounting.weights(1, n, 1)
    rows[2:, :2] = fading[: n - 2, :2]
    rows[1:, 2] = fading[: n - 1, 2]
    return rows
