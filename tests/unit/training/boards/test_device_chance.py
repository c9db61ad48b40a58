"""Public chance sampling in batches against that board by board; NumPy stands in for a GPU."""

import numpy as np
import pytest

from counterfold import artifacts
from counterfold.cluster.workers import LocalWorkers
from counterfold.discounting import LINEAR
from counterfold.errors import AlgorithmError
from counterfold.runs.run_folder import CHECKPOINT
from counterfold.training import solver_factory
from counterfold.training.boards.device_chance import DeviceChanceSolver
from counterfold.training.solver_factory import build_solver, find_chance
from counterfold.training.train_run import train
from helpers.array_libraries import LIBRARIES, library
from helpers.small_boards import LIMIT, SmallBoards
from helpers.small_recipes import RIVER_OF_BLOOD, plan


@pytest.fixture(params=LIBRARIES)
def xp(request):
    return library(request.param)


@pytest.fixture
def on_numpy(monkeypatch):
    """A plan for a GPU, for which NumPy stands in."""
    monkeypatch.setattr(solver_factory, "gpu_library", lambda: np)

    def make(**keys):
        made = plan(algorithm="public-chance", **keys)
        made.device = "gpu"
        return made

    return make


@pytest.mark.parametrize("name", ["leduc-variant", LIMIT])
def test_batches_of_one_board_are_walks_board_by_board(name, xp, rng):
    small = SmallBoards(name)
    # From zero, rounding would decide which regrets are positive, and so the strategies.
    regrets = rng.normal(size=small.game.n_slots)
    start = {"regrets": regrets, "averages": np.zeros_like(regrets)}
    options = {"seed": 1, "epoch": 8, "threads": 1, "discounting": LINEAR}
    alone, batches = small.solver(**options), small.batch_solver(xp, boards_at_once=1, **options)
    for solver in (alone, batches):
        solver.take_tables(start)
        solver.run(9)
        assert solver.iterations == 9
    for table, other in zip(alone.tables.values(), batches.tables.values(), strict=True):
        np.testing.assert_allclose(other, table, atol=1e-4)
    np.testing.assert_allclose(batches.average_strategy(), alone.average_strategy(), atol=1e-4)


# Boards to walk; exploitability must be below 1% of the big blind, or of two antes.
CONVERGING = [("kuhn-variant", 2_000), ("leduc-variant", 40_000), (LIMIT, 20_000)]


@pytest.mark.parametrize(("name", "boards"), CONVERGING)
def test_exploitability_falls_below_one_percent(name, boards, xp):
    small = SmallBoards(name)
    solver = small.batch_solver(xp, seed=1, threads=1, discounting=LINEAR, boards_at_once=10)
    solver.run(boards)
    assert solver.visited == 2 * boards * small.game.graph.n_nodes
    assert 0 <= small.exploitability(solver.tables["averages"]) < 0.02


def test_neither_calls_nor_threads_change_a_bit(xp):
    small = SmallBoards("leduc-variant")
    solvers = [
        small.batch_solver(xp, seed=1, epoch=25, boards_at_once=10, threads=n, discounting=LINEAR)
        for n in (1, 1, 3)
    ]
    whole, parts, threads = solvers
    whole.run(100)
    while parts.iterations < 100:
        parts.run(1)
    threads.run(100)
    for other in (parts, threads):
        assert other.iterations == 100
        for ours, theirs in zip(whole.tables.values(), other.tables.values(), strict=True):
            np.testing.assert_array_equal(ours, theirs)


def test_a_call_ends_where_a_batch_does():
    solver = SmallBoards("kuhn-variant").batch_solver(np, epoch=25, boards_at_once=10, threads=1)
    ends = []
    for _ in range(4):
        solver.run(1)
        ends.append(solver.iterations)
    assert ends == [10, 20, 25, 35]
    solver.iterations = 43  # as a processor may have left it
    solver.run(1)
    assert solver.iterations == 45


def test_a_part_of_a_table_is_read_alone(xp):
    solver = SmallBoards("leduc-variant").batch_solver(xp, threads=1)
    solver.run(50)
    for name, table in solver.tables.items():
        for slots in (slice(None, None, 3), np.array([2, 0, 5])):
            np.testing.assert_array_equal(solver.peek(name, slots), table[slots])


def test_a_plan_for_a_gpu_makes_it(on_numpy):
    made = on_numpy(epoch=20)
    cards = made.cards()
    solver = build_solver(made, made.game(cards.n_buckets), find_chance(made, cards))
    assert isinstance(solver, DeviceChanceSolver)
    assert (solver.epoch, solver.seed) == (20, 3)


def test_a_checkpoint_moves_from_one_device_to_another(on_numpy, tmp_path):
    there, here = on_numpy(epoch=20), plan(algorithm="public-chance", epoch=20, threads=1)
    for n, made in ((20, there), (40, here), (60, there)):
        found = train(made, tmp_path / "moved", iterations=n, resume=n > 20)
    assert found.metrics.iterations == 60
    train(here, tmp_path / "here", iterations=60)
    sums = [
        artifacts.load(tmp_path / name / CHECKPOINT)[1]["averages"].sum()
        for name in ("moved", "here")
    ]
    # Each player comes to as many decisions, though batches meet older strategies.
    assert sums[0] == pytest.approx(sums[1], rel=0.1)


def test_workers_walk_on_processors(on_numpy, tmp_path):
    keys = {"epoch": 20, "shares": 2}
    for made, name in ((on_numpy(**keys), "gpu"), (plan(algorithm="public-chance", **keys), "cpu")):
        train(made, tmp_path / name, iterations=40, workers=LocalWorkers(2))
    ours, theirs = (artifacts.load(tmp_path / name / CHECKPOINT)[1] for name in ("gpu", "cpu"))
    for name, table in ours.items():
        np.testing.assert_array_equal(table, theirs[name])


def test_a_gpu_asked_for_and_workers_exclude_each_other(tmp_path):
    asked = plan(algorithm="public-chance", device="gpu")
    with pytest.raises(AlgorithmError, match="workers of a cluster walk on processors"):
        train(asked, tmp_path / "run", iterations=20, workers=LocalWorkers(2))


@pytest.mark.parametrize(
    ("keys", "way"),
    [
        ({"algorithm": "public-chance"}, True),
        ({"algorithm": "cfr-br"}, True),
        ({"algorithm": "external"}, False),
        ({"algorithm": "public-chance", "variant": RIVER_OF_BLOOD}, False),
        ({"algorithm": "public-chance", "features": "pot * cards"}, False),
    ],
)
def test_a_gpu_walks_trees_with_boards_of_one_length(keys, way):
    assert plan(**keys).walks_in_batches == way
