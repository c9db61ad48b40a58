"""The passes of a GPU against those of a processor; with NumPy their twins go the same way."""

import numpy as np
import pytest

from counterfold.ranges.device.device_pass import DevicePass
from counterfold.ranges.joint.joint_pass import JointPass
from counterfold.ranges.joint.joint_values import evaluate_with
from helpers.array_libraries import LIBRARIES, library
from helpers.joint_games import SMALL, random_weights, small_game

FACTORS = np.array([0.9, 0.5, 0.8])
SIZES = pytest.mark.parametrize(("dtype", "bound"), [(np.float64, 1e-12), (np.float32, 1e-4)])


@pytest.fixture(params=LIBRARIES)
def xp(request):
    return library(request.param)


@pytest.mark.parametrize("name", SMALL)
@SIZES
def test_updates_agree_with_those_of_the_processor(name, dtype, bound, xp, rng):
    small = small_game(name)
    n = small.game.n_slots
    regrets, averages = rng.normal(size=n).astype(dtype), random_weights(small.game, rng)
    ours = DevicePass(small.game, small.joint, xp, dtype)
    found = []
    for passes, tables in (
        (JointPass(small.game, small.joint, dtype, 1), (regrets.copy(), averages.copy())),
        (ours, (xp.asarray(regrets), xp.asarray(averages))),
    ):
        for seat in (0, 1):
            reach = [passes.reach(p, tables[0]) for p in (0, 1)]
            passes.update(seat, reach[1 - seat], reach[seat], FACTORS, *tables)
        found.append([passes.to_numpy(table) for table in tables])
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, atol=bound)
    assert (found[0][0] != regrets).any()


@pytest.mark.parametrize("name", SMALL)
def test_values_and_best_responses_are_those_of_the_processor(name, xp, rng):
    small = small_game(name)
    weights = random_weights(small.game, rng)
    here = evaluate_with(JointPass(small.game, small.joint, np.float64, 1), small.variant, weights)
    passes = DevicePass(small.game, small.joint, xp, np.float64)
    there = evaluate_with(passes, small.variant, xp.asarray(weights))
    assert there.value == pytest.approx(here.value, abs=1e-12)
    assert there.responses == pytest.approx(here.responses, abs=1e-12)


def test_fading_regrets_become_zero(xp):
    small = small_game("kuhn")
    passes = DevicePass(small.game, small.joint, xp, np.float32)
    n = small.game.n_slots
    regrets, averages = xp.full(n, -1e-30, np.float32), xp.zeros(n)
    nowhere = [xp.zeros_like(vectors) for vectors in passes.reach(0, regrets)]
    for seat in (0, 1):
        passes.update(seat, nowhere, nowhere, FACTORS, regrets, averages)
    assert not passes.to_numpy(regrets).any()
