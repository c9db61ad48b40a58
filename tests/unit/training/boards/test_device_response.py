"""CFR-BR in batches of boards against plain recursion; NumPy stands in for a GPU."""

import numpy as np
import pytest

from counterfold import artifacts
from counterfold.discounting import LINEAR
from counterfold.ranges.device.board_pass import place_boards
from counterfold.ranges.device.responding_pass import RespondingPass
from counterfold.runs.run_folder import CHECKPOINT
from counterfold.training import solver_factory
from counterfold.training.boards.device_response import DeviceResponseSolver
from counterfold.training.solver_factory import build_solver, find_chance
from counterfold.training.train_run import train
from helpers.array_libraries import LIBRARIES, library
from helpers.naive.naive_responders import Recursion, add_boards, mixed_regrets
from helpers.small_boards import LIMIT, SmallBoards
from helpers.small_recipes import plan

TWO_STREETS = "limit(bets=2, deck='JQKA/cd', board=(1, 1))"
GAMES = [
    ("kuhn-variant", 0),
    ("leduc-variant", 0),
    ("leduc-variant", 2),
    (LIMIT, 4),
    (TWO_STREETS, 3),
]


@pytest.fixture(params=LIBRARIES)
def xp(request):
    return library(request.param)


def walk(small, xp, boards, tables, dtype):
    """Tables after a batch."""
    passes = RespondingPass(small.game, small.dealer, xp, len(boards), dtype)
    placed = {"regrets": dtype, "responding": dtype, "averages": np.float64}
    found = {name: xp.asarray(tables[name].astype(kind)) for name, kind in placed.items()}
    passes.walk(place_boards(small.dealer, small.boards_by_hand().take(boards)), found)
    passes.wait()
    return {
        name: np.asarray(table.get() if hasattr(table, "get") else table)
        for name, table in found.items()
    }


@pytest.mark.parametrize(("dtype", "bound"), [(np.float64, 1e-6), (np.float32, 1e-4)])
@pytest.mark.parametrize("n_boards", [1, 4])
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_batch_adds_what_recursion_over_its_deals_does(game, n_boards, dtype, bound, xp, rng):
    small = SmallBoards(game[0], "min", game[1])
    by_board = small.deals_of_boards()
    boards = rng.integers(0, len(by_board), n_boards)
    tables = {name: mixed_regrets(small.game, rng) for name in ("regrets", "responding")}
    tables["averages"] = np.zeros(small.game.n_slots)
    found = walk(small, xp, boards, tables, dtype)
    expected = np.zeros((3, small.game.n_slots))
    for player in (0, 1):
        regrets, responding = (
            tables[name] + more
            for name, more in zip(("regrets", "responding"), expected, strict=False)
        )
        each = [Recursion(small, by_board[b], player, regrets, responding) for b in boards]
        expected += add_boards(each)
    for name, added in zip(("regrets", "responding", "averages"), expected, strict=True):
        np.testing.assert_allclose(found[name] - tables[name], added, atol=bound, err_msg=name)
        # In one street a responder has nothing to learn.
        assert added.any() or (name == "responding" and game[0] == "kuhn-variant")


def test_with_few_buckets_it_loses_less_in_the_real_game(xp):
    small = SmallBoards(LIMIT, merge=4)
    plain, responding = (
        make(xp, seed=1, threads=1, discounting=LINEAR, boards_at_once=10)
        for make in (small.batch_solver, small.responding_batch_solver)
    )
    for solver in (plain, responding):
        solver.run(5_000)
    before, after = (small.exploitability(each.tables["averages"]) for each in (plain, responding))
    assert after < 0.7 * before
    assert responding.visited == 2 * plain.visited


def test_neither_calls_nor_threads_change_a_bit(xp):
    small = SmallBoards("leduc-variant", merge=2)
    options = {"seed": 1, "epoch": 25, "boards_at_once": 10, "discounting": LINEAR}
    whole, parts = (small.responding_batch_solver(xp, threads=n, **options) for n in (1, 3))
    whole.run(100)
    while parts.iterations < 100:
        parts.run(1)
    assert set(whole.tables) == {"regrets", "averages", "responding"}
    for name, table in whole.tables.items():
        np.testing.assert_array_equal(parts.tables[name], table)
        assert table.any()


@pytest.fixture
def on_numpy(monkeypatch):
    """A plan for a GPU, for which NumPy stands in."""
    monkeypatch.setattr(solver_factory, "gpu_library", lambda: np)
    made = plan(algorithm="cfr-br", epoch=20)
    made.device = "gpu"
    return made


def test_a_plan_for_a_gpu_makes_it(on_numpy):
    cards = on_numpy.cards()
    solver = build_solver(on_numpy, on_numpy.game(cards.n_buckets), find_chance(on_numpy, cards))
    assert isinstance(solver, DeviceResponseSolver)


def test_a_checkpoint_moves_from_one_device_to_another(on_numpy, tmp_path):
    here = plan(algorithm="cfr-br", epoch=20, threads=1)
    for n, made in ((20, on_numpy), (40, here), (60, on_numpy)):
        found = train(made, tmp_path / "moved", iterations=n, resume=n > 20)
    assert found.metrics.iterations == 60
    train(here, tmp_path / "here", iterations=60)
    moved, alone = (artifacts.load(tmp_path / name / CHECKPOINT)[1] for name in ("moved", "here"))
    assert moved.keys() == alone.keys()
    # Each player comes to as many decisions, though batches meet older strategies.
    assert moved["averages"].sum() == pytest.approx(alone["averages"].sum(), rel=0.1)
