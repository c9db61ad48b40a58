"""The CUDA sources themselves, by a C++ compiler on a processor, against their twins."""

import numpy as np
import pytest

from counterfold.discounting import LINEAR
from counterfold.ranges.device.device_pass import DevicePass
from counterfold.ranges.line_kernels import BEST, VALUE
from helpers.cuda.emulated_cuda import pretend_gpu
from helpers.joint_games import small_game
from helpers.small_boards import LIMIT, SmallBoards
from helpers.toy_games import river, turn

SPOTS = [
    river(),
    turn(
        game="nolimit(deck='9TJQKA/cd')", board="9cTcJdQc", oop="AA,KK,KQ", ip="QQ,JJ,AK", rake=0.05
    ),
]
FACTORS = np.array([[0.8, 0.5, 0.9], [0.9, 0.6, 0.7]])


@pytest.fixture
def emulated(monkeypatch):
    return pretend_gpu(monkeypatch)


def to_numpy(table):
    return table.get() if hasattr(table, "get") else table


def assert_close(found, expected, bound):
    for ours, theirs in zip(found, expected, strict=True):
        assert np.isfinite(ours).all()
        np.testing.assert_allclose(ours, theirs, atol=bound * max(abs(theirs).max(), 1))


@pytest.mark.parametrize(("dtype", "bound"), [(np.float64, 1e-12), (np.float32, 1e-4)])
@pytest.mark.parametrize("spot", SPOTS, ids=["river", "turn"])
def test_spots(spot, dtype, bound, emulated, rng):
    random = [rng.random(table.size) for table in spot.solver().tables.values()]
    results = []
    for xp in (np, emulated):
        solver = spot.solver(threads=1, dtype=dtype, xp=xp)
        for table, numbers in zip(solver.tables.values(), random, strict=True):
            table[:] = numbers
        learned, passes = solver.learned, solver.passes
        passes.send(learned)
        won = passes.iterate(FACTORS, learned)
        best = passes.totals([(0, BEST), (1, BEST), (0, VALUE), (1, VALUE)], learned)
        passes.fetch(learned)
        results.append([*won, *best, *solver.tables.values()])
    assert_close(*results, bound)


@pytest.mark.parametrize("make", ["batch_solver", "responding_batch_solver"])
@pytest.mark.parametrize("game", [("leduc-variant", "min", 2), (LIMIT, "min", 4)], ids=str)
def test_boards_in_batches(game, make, emulated, rng):
    small = SmallBoards(*game)
    n, results = small.game.n_slots, []
    random = {name: rng.random(n).astype(np.float32) for name in ("regrets", "responding")}
    random["averages"] = rng.random(n)
    for xp in (np, emulated):
        solver = getattr(small, make)(xp, epoch=3, boards_at_once=3, discounting=LINEAR)
        solver.take_tables({name: random[name] for name in solver.tables})
        solver.run(3)  # a batch and a discount; after that, rounding may choose responses
        regrets, slots = solver.tables["regrets"], np.arange(n - 1, 0, -2)
        np.testing.assert_array_equal(solver.peek("regrets", slots), regrets[slots])
        results.append(list(solver.tables.values()))
    assert_close(*results, 1e-5)
    assert (results[0][0] != random["regrets"]).any()


def test_joint_tables(emulated, rng):
    small, results = small_game("kuhn"), []
    regrets = rng.random(small.game.n_slots)
    for xp in (np, emulated):
        passes = DevicePass(small.game, small.joint, xp, np.float64)
        tables = xp.asarray(regrets.copy()), xp.zeros(regrets.size)
        for seat in (0, 1):
            reach = [passes.reach(p, tables[0]) for p in (0, 1)]
            passes.update(seat, reach[1 - seat], reach[seat], FACTORS[0], *tables)
        value = passes.value(0, passes.reach(1, tables[1]), None)
        results.append([*map(to_numpy, tables), np.array([value])])
    assert_close(*results, 1e-12)
