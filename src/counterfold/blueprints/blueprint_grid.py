"""The 13 × 13 grid of what a blueprint does in one situation, and the totals of its actions."""

import numpy as np
from numpy.typing import NDArray

from counterfold.blueprints.action_values import ActionValues
from counterfold.blueprints.strategy_table import StrategyTable
from counterfold.cards.pairs import N_HAND_CLASSES, PAIR_HAND_CLASSES, index_pairs
from counterfold.errors import UnsupportedGameError
from counterfold.spots.strategy_grid import Grid, make_cells


def find_table_cells(
    table: StrategyTable,
    reach: NDArray[np.float64] | None = None,
    values: ActionValues | None = None,
) -> Grid:
    """[13][13] cells of a table of all hands; [rows] `reach` is 1 if it is not given.

    Hands that training never came to have no shares, and count for nothing in their class.
    """
    variant = table.blueprint.game.graph.variant
    if variant.hole_cards != 2:
        raise UnsupportedGameError(f"a grid needs two hole cards, unlike those of {variant.name}")
    strategy, reach = _stack(table), _or_ones(table, reach)
    hands = np.array([row.hand for row in table.rows], np.int64).reshape(-1, 2)
    classes = PAIR_HAND_CLASSES[index_pairs(hands)]
    trained = np.where(np.isnan(strategy[0]), 0.0, reach)
    total = np.bincount(classes, trained, N_HAND_CLASSES)
    shares = [np.bincount(classes, trained * np.nan_to_num(p), N_HAND_CLASSES) for p in strategy]
    return make_cells(
        np.stack(shares) / np.where(total > 0, total, np.nan),
        np.bincount(classes, reach, N_HAND_CLASSES).astype(np.float64),
        table.board,
        _average_evs(table, classes, reach, values),
    )


def _average_evs(
    table: StrategyTable,
    classes: NDArray[np.integer],
    reach: NDArray[np.float64],
    values: ActionValues | None,
) -> NDArray[np.float64]:
    """[169] the mean EV of the hands of each class, nan where it is not known."""
    if values is None:
        return np.full(N_HAND_CLASSES, np.nan)
    evs = np.array([values.of(row.hand)["ev"] for row in table.rows])
    known = np.where(np.isnan(evs), 0.0, reach)
    totals = np.bincount(classes, known, N_HAND_CLASSES)
    sums = np.bincount(classes, known * np.nan_to_num(evs), N_HAND_CLASSES)
    return np.asarray(sums / np.where(totals > 0, totals, np.nan))


def find_totals(table: StrategyTable, reach: NDArray[np.float64] | None = None) -> list[float]:
    """How often each action is taken over all trained hands; all 0 if there are none."""
    strategy, reach = _stack(table), _or_ones(table, reach)
    trained = np.where(np.isnan(strategy[0]), 0.0, reach)
    totals: list[float] = (np.nan_to_num(strategy) @ trained / (trained.sum() or 1.0)).tolist()
    return totals


def _stack(table: StrategyTable) -> NDArray[np.float64]:
    """[actions, hands] shares, nan where untrained."""
    untrained = np.full(len(table.offered), np.nan)
    shares = [untrained if row.probabilities is None else row.probabilities for row in table.rows]
    return np.array(shares).reshape(-1, len(table.offered)).T


def _or_ones(table: StrategyTable, reach: NDArray[np.float64] | None) -> NDArray[np.float64]:
    return np.ones(len(table.rows)) if reach is None else reach
