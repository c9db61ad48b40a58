"""Measures before a match how long searches take here.

The first search of a kind loads or compiles kernels, so that only the second one counts. A flop is
tried out with every hand, since what is prepared for all-ins there grows with pairs of hands.
"""

from collections.abc import Callable
from contextlib import suppress

import numpy as np

from counterfold.errors import CounterfoldError
from counterfold.games.holdem import Variant
from counterfold.ranges.betting_tree import spot_root
from counterfold.search.hand_ranges import HandRanges
from counterfold.search.search_clock import SearchClock
from counterfold.search.street_solver import (
    LEAST_ITERATIONS,
    Deadline,
    StreetSolver,
    StreetSpot,
)

_FEW_HANDS, _SOME_HANDS = 40, 200  # to load kernels, and for a turn
_FLOP_ITERATIONS = 2


def rehearse(
    variant: Variant,
    ranges: HandRanges,
    solver: StreetSolver,
    first_street: int,
    clock: SearchClock,
) -> None:
    """Solve spots of each street from `first_street` on; the solver notes how long they take.

    Streets whose spots take too much memory are left out, as they will be at the table, and so are
    flops if they would take longer than any search may, even at the speed of turns.
    """
    if variant.stack <= variant.big_blind:
        return  # everyone is all-in before the first board
    for street in reversed(range(first_street, len(variant.streets))):
        n_streets = len(variant.streets) - street
        every = _make_spot(variant, ranges, street, None)
        with suppress(CounterfoldError, MemoryError):
            if n_streets > 2 and solver.plan(every, clock.longest) is None:
                continue
            for most in _list_hands(n_streets):
                _try_out(solver, _make_spot(variant, ranges, street, most), clock.now)


def _try_out(solver: StreetSolver, spot: StreetSpot, now: Callable[[], float]) -> None:
    plan = solver.plan(spot, float("inf"))
    if plan is not None:
        solver.speed.forget(spot.n_streets)
        iterations = LEAST_ITERATIONS if spot.n_streets <= 2 else _FLOP_ITERATIONS
        solver.solve(spot, plan, Deadline(iterations, now=now))


def _list_hands(n_streets: int) -> tuple[int | None, ...]:
    """Hands with which to try spots with as many streets out, one after another; None for all."""
    if n_streets == 1:
        return None, None
    return _FEW_HANDS, _SOME_HANDS if n_streets == 2 else None


def _make_spot(variant: Variant, ranges: HandRanges, street: int, most: int | None) -> StreetSpot:
    """A spot at the start of a street, with at most `most` hands of each seat."""
    board = tuple(variant.deck.cards[: variant.board_cards(street)].tolist())
    blind = variant.big_blind
    _, root, _ = spot_root(variant, len(board), 2 * blind, variant.stack - blind)
    every = ranges.possible_hands(board)
    if most is not None:
        every[np.flatnonzero(every)[most:]] = 0.0
    return StreetSpot(variant, root, board, (every, every), 0, None, lambda tree, boards: iter(()))
