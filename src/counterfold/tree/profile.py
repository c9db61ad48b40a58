"""Behavioral strategies of all players: one distribution per information set."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from counterfold.errors import StrategyError
from counterfold.tree.compiled_game import CompiledGame

_SUM_TOLERANCE = 1e-6  # float32 tables must pass


@dataclass(frozen=True, eq=False)
class Strategy:
    """A profile for `game`: the probability of every slot."""

    game: CompiledGame
    probabilities: NDArray[np.float64]  # [Q] sums to one over each infoset

    def __repr__(self) -> str:
        return f"<Strategy of {self.game.name}, {self.game.n_infosets:,} information sets>"

    def __post_init__(self) -> None:
        if self.probabilities.shape != (self.game.n_slots,):
            raise StrategyError(
                f"{self.probabilities.size} probabilities, but {self.game.name} has "
                f"{self.game.n_slots} actions over all its information sets"
            )
        sums = np.add.reduceat(self.probabilities, self.game.offsets[:-1])
        wrong = np.flatnonzero(~(np.abs(sums - 1.0) < _SUM_TOLERANCE))
        if wrong.size or (self.probabilities < 0.0).any():
            i = int(wrong[0]) if wrong.size else self._infoset_of(self.probabilities < 0.0)
            raise StrategyError(
                f"{self.probabilities[self._slots(i)]} at {self.game.labels[i]!r} "
                "is not a distribution"
            )

    def _infoset_of(self, slots: NDArray[np.bool_]) -> int:
        return int(np.searchsorted(self.game.offsets, np.flatnonzero(slots)[0], side="right")) - 1

    def _slots(self, i: int) -> slice:
        return slice(int(self.game.offsets[i]), int(self.game.offsets[i + 1]))

    def at(self, i: int) -> dict[str, float]:
        """Probability of each action at information set `i`."""
        return dict(
            zip(self.game.actions[i], self.probabilities[self._slots(i)].tolist(), strict=True)
        )

    def lift(self) -> "Strategy":
        """The same behavior in the exact game, where a merged infoset becomes many."""
        exact = self.game.exact
        if exact is self.game:
            return self
        widths = np.diff(exact.offsets)
        own = np.arange(exact.n_slots) - np.repeat(exact.offsets[:-1], widths)
        first = np.repeat(self.game.offsets[self.game.infoset_of], widths)
        return Strategy(exact, self.probabilities[first + own])


def uniform_strategy(game: CompiledGame) -> Strategy:
    """Every action equally often."""
    widths = np.diff(game.offsets)
    return Strategy(game, np.repeat(1.0 / widths, widths))


def normalized(game: CompiledGame, sums: ArrayLike) -> Strategy:
    """The strategy in proportion to `sums`, uniform where they vanish."""
    sums = np.asarray(sums, np.float64)
    widths = np.diff(game.offsets)
    totals = np.repeat(np.add.reduceat(sums, game.offsets[:-1]), widths)
    uniform = np.repeat(1.0 / widths, widths)
    with np.errstate(invalid="ignore", divide="ignore"):
        return Strategy(game, np.where(totals > 0.0, sums / totals, uniform))
