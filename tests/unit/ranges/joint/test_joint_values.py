"""Values, best responses and exploitability by products, against the list of all deals."""

import numpy as np
import pytest

from counterfold.errors import AbstractionError
from counterfold.public import infosets_kernels
from counterfold.ranges.joint.joint_pass import JointPass
from counterfold.ranges.joint.joint_values import JointEvaluation, evaluate_joint, evaluate_with
from helpers.array_traversal import ArrayTraversal
from helpers.joint_games import SMALL, make_game, random_weights, small_game

ROUNDING = 1e-12  # of sums of doubles of the order of one


@pytest.fixture(params=SMALL)
def small(request):
    return small_game(request.param)


@pytest.fixture(params=[None, 0, 1, 2], ids=lambda seed: f"seed {seed}")
def weights(small, request):
    if request.param is None:
        return np.zeros(small.game.n_slots)  # uniform
    return random_weights(small.game, np.random.default_rng(request.param))


def test_figures_are_those_of_the_listed_game(small, weights):
    strategy = normalize(small.game, weights)
    found = evaluate_joint(small.game, small.joint, weights)
    listed, knowledge = small.listed, small.knowledge
    value = listed.expected_value(knowledge, strategy)
    assert found.value == pytest.approx(value, abs=ROUNDING)
    for seat in (0, 1):
        response = listed.best_response_value(seat, knowledge, strategy)
        assert found.responses[seat] == pytest.approx(response, abs=ROUNDING)
    assert found.nash_conv == pytest.approx(listed.nash_conv(knowledge, strategy), abs=ROUNDING)


def normalize(game, weights):
    strategy = np.empty_like(weights)
    infosets_kernels.normalize(weights, game.layout, game.offsets, game.n_actions, strategy)
    return strategy


def test_whole_arrays_and_kernels_agree(small, weights):
    kernels = JointPass(small.game, small.joint, np.float64)
    arrays = ArrayTraversal(small.game, small.joint, np, "float64")
    moved = kernels.slots.from_classes(small.game, weights)
    for seat in (0, 1):
        for one, other in zip(kernels.reach(seat, moved), arrays.reach(seat, moved), strict=True):
            np.testing.assert_allclose(one, other, atol=ROUNDING)
    one, other = (evaluate_with(p, small.variant, moved) for p in (kernels, arrays))
    assert one.value == pytest.approx(other.value, abs=ROUNDING)
    assert one.responses == pytest.approx(other.responses, abs=ROUNDING)


def test_threads_change_nothing(small, weights):
    one, three = (evaluate_joint(small.game, small.joint, weights, threads=n) for n in (1, 3))
    assert one == three


def test_values_of_the_seats_cancel(small, weights):
    passes = JointPass(small.game, small.joint, np.float64)
    moved = passes.slots.from_classes(small.game, weights)
    reach = [passes.reach(seat, moved) for seat in (0, 1)]
    values = [passes.value(seat, reach[1 - seat], moved) for seat in (0, 1)]
    assert sum(values) == pytest.approx(0.0, abs=ROUNDING)


def test_uniform_kuhn():
    # NashConv 11/12 (OpenSpiel).
    small = small_game("kuhn")
    found = evaluate_joint(small.game, small.joint, np.zeros(small.game.n_slots))
    assert found.nash_conv == pytest.approx(11 / 12)
    assert found.exploitability_mb == pytest.approx(1000 * 11 / 24)  # the ante is one chip


def test_units():
    found = JointEvaluation(0.1, (0.25, 0.15), big_blind=2)
    assert found.exploitability == pytest.approx(0.2)
    assert found.exploitability_mb == pytest.approx(100.0)


def test_a_game_with_other_buckets_is_refused():
    small = small_game("leduc")
    other = make_game(small.variant, "min", (6, 12))
    with pytest.raises(AbstractionError, match=r"6, 12 buckets .* 6, 30 sequences"):
        JointPass(other, small.joint)
