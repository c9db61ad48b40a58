"""Hands by what is left of them once cards are given away: their order and their buckets.

What is left is a class of two hole cards on a board, and its *level*: E[HS] in `N_LEVELS` steps. Of
more than two cards that are left, the best pair counts.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from counterfold.games.holdem.street import Discard
from counterfold.public.stages import CardStage

TRIO = 3
PAIR_CARDS = 2
TABLED_BOARDS = (0, 3, 4, 5)  # cards on the boards that tables know
N_LEVELS = 255  # so that a level is a byte
COSTS = (4, 13)  # levels between what the best and the next best choice leave: 1.5% and 5%
N_COSTS = len(COSTS) + 1

Numbers = NDArray[np.int64]
Cards = NDArray[np.uint8]
LevelsOf = Callable[[Cards], Numbers]  # [n] of hands [n, 2 + board]
GivenSteps = Mapping[tuple[int, int], Discard]  # what must go, by cards of hand and board


def sort_levels(levels: Numbers, classes: Numbers) -> NDArray[np.intp]:
    """[n, k] the places of `levels` from the highest down; of equal ones the lower class first."""
    return np.argsort((N_LEVELS - levels) << 32 | classes, axis=1, kind="stable")


def join_costs(labels: Numbers, levels: Numbers, order: NDArray[np.intp]) -> Numbers:
    """[n] the bucket that the best choice leaves, in `labels`, joined with the cost of the next."""
    best, next_best = np.take_along_axis(levels, order[:, :2], axis=1).T
    found: Numbers = labels * N_COSTS + np.searchsorted(COSTS, best - next_best, side="right")
    return found


def sort_sets(
    hands: Cards, held: int, count: int, to_board: bool, levels_of: LevelsOf
) -> tuple[NDArray[np.intp], Numbers, NDArray[np.intp]]:
    """Which `count` of the first `held` cards of hands ``[n, held + board]`` to give away.

    Returns ``[n, held]`` the places of the hole cards: first those without which the hand has the
    highest level, from the lowest card up. Of single cards all are in that order. Then the level
    ``[n, sets]`` that each set leaves, and the order of the sets by it. Of equal levels that of the
    lower cards comes first. With `to_board` the cards lie on the board afterwards.
    """
    lowest_first = np.argsort(hands[:, :held], axis=1, kind="stable")
    hole = np.take_along_axis(hands[:, :held], lowest_first, axis=1)
    sets, chosen = _sets_and_orders(held, count)
    board = hands[:, held:]
    levels = np.zeros((len(hands), len(sets)), np.int64)
    known: dict[tuple[int, ...], Numbers] = {}
    for number, gone in enumerate(sets):
        kept = [place for place in range(held) if place not in gone]
        laid = hole[:, gone] if to_board else hole[:, :0]
        for pair in combinations(kept, PAIR_CARDS):
            key = (*pair, *(gone if to_board else ()))
            if key not in known:
                known[key] = levels_of(np.concatenate([hole[:, pair], board, laid], axis=1))
            levels[:, number] = np.maximum(levels[:, number], known[key])
    order = np.argsort(-levels, axis=1, kind="stable")
    places = order if count == 1 else chosen[order[:, 0]]
    return np.take_along_axis(lowest_first, places, axis=1), levels, order


@cache
def _sets_and_orders(held: int, count: int) -> tuple[list[tuple[int, ...]], NDArray[np.intp]]:
    """Sets of places of `held` cards, and for each the order in which its cards come first."""
    sets = [*combinations(range(held), count)]
    orders = [[*gone, *(place for place in range(held) if place not in gone)] for gone in sets]
    return sets, np.array(orders)


def given_steps(stages: Sequence[CardStage]) -> GivenSteps | None:
    """What must go; None if there is nothing, or if buckets of two cards do not know the rest.

    They do if hands have one size at each stage, and if every hand that gives cards away keeps two
    cards or more on a board that has buckets.
    """
    found: dict[tuple[int, int], Discard] = {}
    for stage in stages:
        if any(step.kind == "win" or step.discard.resizes for step in stage.steps):
            return None
        if stage.gives and stage.choice is not None:
            discard, n_held, board = stage.choice.discard, stage.choice.n_held, stage.n_on_board
            after = board + discard.count * discard.to_board
            known = after in TABLED_BOARDS or after > TABLED_BOARDS[-1]
            must = discard.forced and not discard.redraw
            if not (must and known) or n_held - discard.count < PAIR_CARDS:
                return None
            same = found.setdefault((n_held, board), discard)
            if (same.count, same.to_board) != (discard.count, discard.to_board):
                return None
    return found or None
