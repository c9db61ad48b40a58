"""Nash's demand game: two players who ask at once for shares of a sum (Nash 1953).

Every split of the whole is an equilibrium, and so is asking too much on both sides; general-sum.
"""

from dataclasses import dataclass
from functools import lru_cache

from counterfold.games.matrix import Matrix, MatrixState
from counterfold.games.protocol import Game, check_parameter


@dataclass(frozen=True)
class NashBargaining(Game):
    """Both demand 0 to `units`; compatible demands are met, others leave both with nothing."""

    word = "nash-bargaining"
    zero_sum = False
    units: int = 10

    def __post_init__(self) -> None:
        check_parameter("units", self.units, 1, 1000)

    def root(self) -> MatrixState:
        """Before the first demand, which the second player does not see."""
        return _demands(self.units).root()


@lru_cache(maxsize=8)
def _demands(units: int) -> Matrix:
    """The game as a pair of matrices, rows and columns being demands."""
    asks = range(units + 1)
    return Matrix(
        tuple(tuple(float(mine * (mine + yours <= units)) for yours in asks) for mine in asks),
        tuple(tuple(float(yours * (mine + yours <= units)) for yours in asks) for mine in asks),
    )
