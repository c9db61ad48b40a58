"""A trained strategy of a public game in one byte or two per action.

Probabilities are whole steps that add up to `levels` in every information set; one that training
never reached is all zeros.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from counterfold.blueprints import blueprint_kernels
from counterfold.errors import StrategyError
from counterfold.public.infosets import PublicGame, SlotLayout

LEVELS = {8: 255, 16: 65_535}  # by bits
_TYPES = {255: np.uint8, 65_535: np.uint16}


@dataclass(frozen=True)
class RoundingError:
    """What rounding did to the probabilities."""

    largest: float
    mean: float  # over the actions of trained information sets


@dataclass(frozen=True, eq=False)
class Blueprint:
    """Steps of every slot of `game`."""

    game: PublicGame
    quantized: NDArray[np.uint8] | NDArray[np.uint16]  # [Q]
    n_trained: int  # information sets
    visits: NDArray[np.uint8] | None = None  # [I] coded by `blueprint_kernels.code_visits`

    def __post_init__(self) -> None:
        if (
            self.quantized.shape != (self.game.n_slots,)
            or self.quantized.dtype.type not in _TYPES.values()
        ):
            raise StrategyError(
                f"{self.quantized.size} probabilities do not fit the {self.game.n_slots} actions "
                "of the game"
            )
        if self.visits is not None and (
            self.visits.shape != (self.game.n_infosets,) or self.visits.dtype != np.uint8
        ):
            raise StrategyError(
                f"{self.visits.size} visits do not fit the {self.game.n_infosets} information sets "
                "of the game"
            )

    def at(self, node: int, bucket: int) -> NDArray[np.float64] | None:
        """Probabilities of the actions at a node with a bucket; None where it is untrained."""
        probabilities = self.at_many(node, np.array([bucket]))[0]
        return None if np.isnan(probabilities[0]) else probabilities

    def at_many(self, node: int, buckets: NDArray[np.integer]) -> NDArray[np.float64]:
        """[buckets, actions] the same for many buckets; nan where they are untrained."""
        game = self.game
        width = int(game.n_actions[game.classes[node]])
        starts = int(game.node_offsets[node]) + width * buckets.astype(np.int64)
        quantized = self.quantized[starts[:, np.newaxis] + np.arange(width)].astype(np.float64)
        totals = quantized.sum(axis=1, keepdims=True)
        return np.asarray(quantized / np.where(totals > 0, totals, np.nan))

    def visits_at(self, node: int, buckets: NDArray[np.integer]) -> NDArray[np.float64] | None:
        """[buckets] visits behind the probabilities that `at_many` gives, weighted as training
        weights them, to 5%; None if unknown. Visits that discounting has faded count for what is
        left of them. Methods that walk all hands at once count a visit by how likely the player is
        to get there.
        """
        if self.visits is None:
            return None
        steps = self.visits[int(self._first_infoset[self.game.classes[node]]) + buckets]
        return np.asarray(2.0 ** (steps / blueprint_kernels.VISIT_STEPS) - 1.0)

    @cached_property
    def _first_infoset(self) -> NDArray[np.int64]:
        """[C] number of the first information set of each class."""
        return np.cumsum(self.game.n_buckets, dtype=np.int64) - self.game.n_buckets

    def probabilities(self) -> NDArray[np.float64]:
        """[Q] probabilities of all actions, uniform where training never came."""
        game = self.game
        widths = np.repeat(game.n_actions, game.n_buckets)
        starts = np.concatenate([[0], np.cumsum(widths)[:-1]])
        totals = np.repeat(np.add.reduceat(self.quantized.astype(np.int64), starts), widths)
        even = 1.0 / np.repeat(widths, widths)
        return np.where(totals == 0, even, self.quantized / np.maximum(totals, 1))

    @property
    def coverage(self) -> float:
        """Share of the information sets that training reached."""
        return self.n_trained / self.game.n_infosets


def quantize(
    game: PublicGame,
    averages: NDArray[np.floating],
    bits: int = 8,
    layout: SlotLayout | None = None,
) -> tuple[Blueprint, RoundingError]:
    """The average strategy in `bits` per action, and what that loses.

    `layout` is that of `averages`; by default it is that of the strategy.
    """
    check_bits(bits)
    levels = LEVELS[bits]
    quantized = np.empty(game.n_slots, _TYPES[levels])
    figures = np.zeros(3)
    blueprint_kernels.quantize(
        averages, layout or game.layout, game.offsets, game.n_actions, levels, quantized, figures
    )
    n_trained = int(figures[blueprint_kernels.TRAINED])
    mean = figures[blueprint_kernels.TOTAL] / max(1, game.n_slots * n_trained / game.n_infosets)
    visits = np.empty(game.n_infosets, np.uint8)
    blueprint_kernels.code_visits(
        averages, layout or game.layout, game.offsets, game.n_actions, visits
    )
    return Blueprint(game, quantized, n_trained, visits), RoundingError(
        float(figures[blueprint_kernels.LARGEST]), float(mean)
    )


def check_bits(bits: int) -> None:
    """Raise `StrategyError` unless `bits` is a size that probabilities can be stored in."""
    if bits not in LEVELS:
        raise StrategyError(f"a probability must be stored in 8 or 16 bits, not {bits!r}")
