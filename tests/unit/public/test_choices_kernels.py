"""Choices of cards against those of itertools, and their one home."""

from itertools import combinations
from math import comb

import numpy as np
import pytest

from counterfold.matches import all_in_kernels
from counterfold.matches.aivat import hand_comparison_kernels
from counterfold.public.choices_kernels import NO_MORE, count_choices, next_choice
from counterfold.responses import run_out_kernels

SIZES = [(5, 0), (1, 1), (4, 4), (6, 1), (7, 3), (9, 5)]


@pytest.mark.parametrize(("n", "k"), [*SIZES, (52, 5), (50, 3)])
def test_choices_are_counted(n, k):
    assert count_choices(n, k) == comb(n, k)


@pytest.mark.parametrize(("n", "k"), SIZES)
def test_choices_come_in_their_order(n, k):
    chosen = np.arange(k + 2)  # two more than are looked at
    found, places = [], []
    while True:
        found.append(tuple(chosen[:k].tolist()))
        changed = next_choice(chosen, k, n)
        if changed == NO_MORE:
            break
        places.append(changed)
    assert found == list(combinations(range(n), k))
    for before, after, changed in zip(found, found[1:], places, strict=False):
        assert before[:changed] == after[:changed]
        assert before[changed] != after[changed]
    assert chosen[k:].tolist() == [k, k + 1]


@pytest.mark.parametrize("module", [all_in_kernels, hand_comparison_kernels, run_out_kernels])
def test_who_enumerates_boards_counts_them_alike(module):
    assert module.count_choices is count_choices
    assert module.next_choice is next_choice
