"""Kernels along the lines of streets against whole-array operations of NumPy."""

import numpy as np
import pytest

from counterfold.ranges.joint import joint_pass_kernels
from counterfold.ranges.joint.joint_pass import JointPass
from helpers.array_traversal import ArrayTraversal
from helpers.joint_games import SMALL, random_weights, small_game

FACTORS = np.array([0.9, 0.5, 0.8])


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("threads", [1, 2])
def test_updates_agree_with_whole_arrays(name, threads, rng):
    small = small_game(name)
    n = small.game.n_slots
    regrets, averages = rng.normal(size=n), random_weights(small.game, rng)
    found = []
    for passes in (
        JointPass(small.game, small.joint, np.float64, threads),
        ArrayTraversal(small.game, small.joint, np, "float64"),
    ):
        tables = regrets.copy(), averages.copy()
        for seat in (0, 1):
            reach = [passes.reach(p, tables[0]) for p in (0, 1)]
            passes.update(seat, reach[1 - seat], reach[seat], FACTORS, *tables)
        found.append(tables)
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)
    assert (found[0][0] != regrets).any()


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("threads", [1, 2])
def test_reach_that_is_left_to_the_pass_up_is_the_same(name, threads, rng):
    small = small_game(name)
    regrets, averages = rng.normal(size=small.game.n_slots), random_weights(small.game, rng)
    found = []
    for whole in (True, False):
        passes = JointPass(small.game, small.joint, np.float32, threads)
        tables = regrets.astype(np.float32), averages.copy()
        for seat in (0, 1):
            reach = [passes.reach(p, tables[0], whole=whole) for p in (0, 1)]
            passes.update(seat, reach[1 - seat], reach[seat], FACTORS, *tables)
        assert all((passes.reach(p, tables[0])[-1] >= 0.0).all() for p in (0, 1))
        found.append(tables)
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("name", SMALL)
def test_without_the_past_regrets_are_those_of_one_iteration(name, rng):
    small = small_game(name)
    passes = JointPass(small.game, small.joint, np.float64)
    regrets, none = rng.normal(size=small.game.n_slots), np.zeros(small.game.n_slots)
    found = []
    for factor in (0.0, 1.0):
        table = regrets.copy()
        reach = [passes.reach(p, table) for p in (0, 1)]
        for seat in (0, 1):
            factors = np.array([factor, factor, 1.0])
            passes.update(seat, reach[1 - seat], reach[seat], factors, table, none.copy())
        found.append(table)
    np.testing.assert_allclose(found[1] - regrets, found[0], atol=1e-12)


@pytest.mark.parametrize("name", SMALL)
def test_reach_of_a_street_is_a_realization_plan(name, rng):
    # Lines that follow one decision share out what comes to it; starts repeat their source.
    small = small_game(name)
    passes = JointPass(small.game, small.joint, np.float64)
    tree = passes.lines
    for seat, lines in enumerate(tree.seats):
        reach = passes.reach(seat, rng.random(small.game.n_slots))
        assert (reach[0][0] == 1.0).all()
        for k, vectors in enumerate(reach):
            first = tree.first_lines[k, seat]
            for j in range(*lines.points[tree.streets[k : k + 2]]):
                after = lines.first[j] - first + np.arange(lines.n_actions[j])
                before = vectors[lines.parent[j] - first]
                np.testing.assert_allclose(vectors[after].sum(axis=0), before, atol=1e-12)
            if k:
                starts = slice(*tree.streets[k : k + 2])
                begun = vectors[lines.starts[starts] - first]
                above = reach[k - 1][lines.source[starts] - tree.first_lines[k - 1, seat]]
                n_buckets = small.joint.n_buckets[k]
                assert (begun == above.repeat(n_buckets, axis=1)).all()


def test_fading_regrets_become_zero():
    # Halved, a regret of 1e-30 would go through denormal numbers, on which processors are slow.
    small = small_game("kuhn")
    passes = JointPass(small.game, small.joint, np.float32)
    n = small.game.n_slots
    regrets, averages = np.full(n, -1e-30, np.float32), np.zeros(n)
    nowhere = [np.zeros_like(vectors) for vectors in passes.reach(0, regrets)]
    for seat in (0, 1):
        passes.update(seat, nowhere, nowhere, FACTORS, regrets, averages)
    assert not regrets.any()


def pack(vectors, ending):
    n = vectors.shape[1]
    rows, places = np.empty(len(ending) * n), np.empty(len(ending), np.int32)
    columns = np.empty(n, np.int32)
    n_rows, n_columns = joint_pass_kernels.pack_rows(
        vectors, np.array(ending), rows, places, columns
    )
    packed = rows[: n_rows * n_columns].reshape(n_rows, n_columns)
    return packed, places.tolist(), columns[:n_columns].tolist()


def test_vectors_and_sequences_that_are_not_played_are_left_out():
    vectors = np.zeros((4, 10))
    vectors[0, 3], vectors[1, 5], vectors[3, 3] = 0.5, 1.0, 0.25
    packed, places, columns = pack(vectors, [0, 2, 3])
    assert places == [0, -1, 1]
    assert columns == [3]
    assert packed.tolist() == [[0.5], [0.25]]
    packed, places, columns = pack(vectors, [2])
    assert (packed.size, places, columns) == (0, [-1], [])


def test_few_sequences_are_not_worth_leaving_out():
    vectors = np.ones((2, 10))
    vectors[:, 4] = 0.0
    packed, places, columns = pack(vectors, [1, 0])
    assert places == [0, 1]
    assert columns == list(range(10))
    assert (packed == vectors).all()
