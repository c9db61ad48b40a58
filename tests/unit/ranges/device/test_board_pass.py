"""Batches of boards against plain CFR over their deals; with NumPy the twins go the same way."""

import numpy as np
import pytest

from counterfold.errors import TooLargeError, UnsupportedGameError
from counterfold.ranges.device import board_pass
from counterfold.ranges.device.board_pass import BoardPass, place_boards, walks_in_batches
from helpers.array_libraries import LIBRARIES, library
from helpers.small_boards import LIMIT, RUNS, SmallBoards, full_width

TWO_STREETS = "limit(bets=2, deck='JQKA/cd', board=(1, 1))"
NO_LIMIT = "nolimit(stack=6, deck='JQKA/cd', board=(1,))"
GAMES = [
    ("kuhn-variant", "min", 0),
    ("leduc-variant", "min", 0),
    ("leduc-variant", "min", 2),
    (LIMIT, "min", 4),
    (TWO_STREETS, "min", 3),
    (NO_LIMIT, "100%, allin", 0),
]
SIZES = pytest.mark.parametrize(("dtype", "bound"), [(np.float64, 1e-12), (np.float32, 2e-5)])


@pytest.fixture(params=LIBRARIES)
def xp(request):
    return library(request.param)


def walk(small, xp, boards, regrets, dtype):
    """Regrets and averages after a batch."""
    passes = BoardPass(small.game, small.dealer, xp, len(boards), dtype)
    tables = {
        "regrets": xp.asarray(regrets.astype(dtype)),
        "averages": xp.zeros(small.game.n_slots),
    }
    passes.walk(place_boards(small.dealer, small.boards_by_hand().take(boards)), tables)
    passes.wait()
    found = tables.values()
    return [np.asarray(table.get() if hasattr(table, "get") else table) for table in found]


def plain(small, boards, regrets):
    """The same by plain CFR; each seat learns from all boards before the other does."""
    by_board = small.deals_of_boards()
    averages = np.zeros_like(regrets)
    for seat in (0, 1):
        added = np.zeros_like(regrets)
        for board in boards:
            rows = by_board[board]
            weights = small.deals.weights[rows] / small.deals.weights[rows].sum()
            more = full_width(small, rows, weights, regrets, seat)
            added, averages = added + more[0], averages + more[1]
        regrets = regrets + added
    return regrets, averages


@SIZES
@pytest.mark.parametrize("n_boards", [1, 5])
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_batch_is_worth_as_much_as_all_its_deals(game, n_boards, dtype, bound, xp, rng):
    small = SmallBoards(*game)
    boards = rng.integers(0, len(small.boards), n_boards)
    regrets = rng.normal(size=small.game.n_slots)
    expected = plain(small, boards, regrets)
    found = walk(small, xp, boards, regrets, dtype)
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=bound)
    assert (expected[0] != regrets).any()
    assert expected[1].any()


def test_a_batch_gives_the_same_bits_every_time(xp, rng):
    small = SmallBoards(LIMIT, "min", 4)
    boards = rng.integers(0, len(small.boards), 20)
    regrets = rng.normal(size=small.game.n_slots)
    first, *others = (walk(small, xp, boards, regrets, np.float32) for _ in range(3))
    for other in others:
        for ours, theirs in zip(first, other, strict=True):
            np.testing.assert_array_equal(ours, theirs)


def test_a_short_batch_leaves_nothing_of_a_long_one(rng):
    small = SmallBoards("leduc-variant")
    regrets = rng.normal(size=small.game.n_slots)
    boards = small.boards_by_hand()
    passes = BoardPass(small.game, small.dealer, np, 6)
    found = []
    for n_before in (0, 6):
        tables = {"regrets": regrets.astype(np.float32), "averages": np.zeros(regrets.size)}
        if n_before:
            passes.walk(place_boards(small.dealer, boards.take(np.arange(6))), _copies(tables))
        passes.walk(place_boards(small.dealer, boards.take(np.arange(2))), tables)
        found.append(tables.values())
    for ours, theirs in zip(*found, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def _copies(tables):
    return {name: table.copy() for name, table in tables.items()}


def test_runs_of_boards_are_refused():
    small = SmallBoards(RUNS, "100%, allin")
    assert not walks_in_batches(small.game)
    with pytest.raises(UnsupportedGameError, match="cannot be walked in batches"):
        BoardPass(small.game, small.dealer, np, 2)


def test_batches_are_as_long_as_the_memory_of_a_gpu_allows(monkeypatch):
    small = SmallBoards("leduc-variant")
    passes = BoardPass(small.game, small.dealer, np, 2)
    passes.xp = None  # not NumPy
    monkeypatch.setattr(board_pass, "free_gpu_bytes", lambda: 1_000_000)
    few = passes._most_boards()
    monkeypatch.setattr(board_pass, "free_gpu_bytes", lambda: 2_000_000)
    assert 1 <= 2 * few <= passes._most_boards()
    monkeypatch.setattr(board_pass, "free_gpu_bytes", lambda: 10)
    with pytest.raises(TooLargeError, match=r"a board needs .* of the GPU's memory"):
        passes._most_boards()
