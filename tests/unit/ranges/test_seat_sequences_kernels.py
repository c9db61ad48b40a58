"""Kernels along lines against whole-array operations of NumPy."""

import numpy as np
import pytest

from counterfold.ranges import seat_sequences_kernels
from counterfold.ranges.array_traversal import ArrayTraversal
from counterfold.ranges.traversal import BlasTraversal
from helpers.joint_games import SMALL, random_weights, small_game

FACTORS = np.array([0.9, 0.5, 0.8])


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("predictive", [False, True])
@pytest.mark.parametrize("threads", [1, 2])
def test_updates_agree_with_whole_arrays(name, predictive, threads, rng):
    small = small_game(name)
    n = small.game.n_slots
    regrets, averages = rng.normal(size=n), random_weights(small.game, rng)
    instant_regrets = rng.normal(size=n) if predictive else np.zeros(1)
    found = []
    for passes in (
        BlasTraversal(small.game, small.joint, np.float64, threads),
        ArrayTraversal(small.game, small.joint, np, "float64"),
    ):
        tables = seat_sequences_kernels.Tables(
            regrets.copy(), averages.copy(), instant_regrets.copy()
        )
        guesses = tables.instant_regrets if predictive else None
        for seat in (0, 1):
            reach = [passes.reach(p, tables.regrets, guesses) for p in (0, 1)]
            passes.update(seat, reach[1 - seat], reach[seat], FACTORS, tables, predictive)
        found.append(tables)
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)
    assert (found[0].regrets != regrets).any()


@pytest.mark.parametrize("name", SMALL)
def test_reach_of_a_street_is_a_realization_plan(name, rng):
    # Sequences that follow one decision share out what comes to it; starts repeat their source.
    small = small_game(name)
    passes = BlasTraversal(small.game, small.joint, np.float64)
    for seat in (0, 1):
        reach = passes.reach(seat, random_weights(small.game, rng))
        above = np.ones((1, 1))
        for street, vectors, n in zip(passes.streets, reach, passes.n_buckets, strict=True):
            lines = street.seats[seat]
            for j in range(lines.slot.size):
                after = lines.row[lines.first[j] : lines.first[j] + lines.n_actions[j]]
                before = vectors[lines.row[lines.parent[j]]]
                np.testing.assert_allclose(vectors[after].sum(axis=0), before, atol=1e-12)
            begun = vectors[lines.row[lines.starts[:-1]]]
            assert (begun == above[lines.source].repeat(n, axis=1)).all()
            above = vectors


def test_fading_entries_become_zero():
    # Halved, a regret of 1e-30 would go through denormal numbers, on which processors are slow.
    small = small_game("kuhn")
    passes = BlasTraversal(small.game, small.joint, np.float32)
    n = small.game.n_slots
    tables = seat_sequences_kernels.Tables(
        *(np.full(n, x, np.float32) for x in (-1e-30, 1e-30, 0.0))
    )
    nowhere = [np.zeros_like(vectors) for vectors in passes.reach(0, tables.regrets)]
    for seat in (0, 1):
        passes.update(seat, nowhere, nowhere, FACTORS.astype(np.float32), tables, False)
    assert not tables.regrets.any()
    assert not tables.averages.any()
