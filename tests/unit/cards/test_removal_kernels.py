"""Card removal against pairs of hands looked at one by one."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfold.cards import rank, removal_kernels
from counterfold.cards.ranking_kernels import rank_tables
from counterfold.cards.strength_kernels import make_scratch, score_board
from helpers.hands import by_label, meet

DECK = np.arange(52, dtype=np.uint8)


@given(st.data())
def test_weights_below_a_hand_and_equal_to_it(data):
    n_cards = data.draw(st.integers(2, 8))
    hands = np.array(list(combinations(range(n_cards), 2)), np.uint8)
    size = {"min_size": len(hands), "max_size": len(hands)}
    ranks = np.array(data.draw(st.lists(st.integers(0, 5), **size)))
    kind = data.draw(st.sampled_from([np.int64, np.float64]))
    weights = np.array(data.draw(st.lists(st.integers(0, 99), **size)), kind)
    order = np.argsort(ranks, kind="stable").astype(np.uint16)
    ends = np.append(np.flatnonzero(np.diff(ranks[order])) + 1, len(hands)).astype(np.uint16)
    own = np.array(data.draw(st.lists(st.integers(0, 99), **size)), kind)  # of the other player
    disjoint = meet(hands)
    below = (disjoint & (ranks[:, None] > ranks)) @ weights
    ties = (disjoint & (ranks[:, None] == ranks)) @ weights
    expected = 2 * below + ties - weights
    taken, scores = np.full(n_cards, 7, kind), np.full(len(hands), 7, kind)
    firsts, seconds = hands.T.copy()
    arrays = firsts, seconds, weights, taken, scores
    total = removal_kernels.sweep_groups(len(ends), order, ends, *arrays)
    assert total == weights.sum()
    assert taken.tolist() == [weights[(hands == c).any(axis=1)].sum() for c in range(n_cards)]
    assert scores.tolist() == expected.tolist()
    arrays = firsts, seconds, own, weights, taken, scores
    sums = removal_kernels.sum_groups(len(ends), order, ends, *arrays)
    assert sums == (own @ below, own @ ties)
    # Hands that stand in their order need no order.
    arrays = firsts[order], seconds[order], weights[order], taken, scores
    removal_kernels.sweep_groups(len(ends), None, ends, *arrays)
    assert scores.tolist() == expected[order].tolist()


@pytest.mark.parametrize("n_labels", [1, 7, 200, 1081])
@pytest.mark.parametrize("board", [[0, 5, 10, 15, 51], [48, 44, 40, 36, 32], [0, 1, 2, 3, 4]])
def test_wins_on_a_board(n_labels, board):
    rng = np.random.default_rng(n_labels)
    scratch = make_scratch(52, 5, 0, np.zeros(0, np.uint8))
    scratch.board[:] = board
    score_board(DECK, rank_tables(), scratch)
    n_hands = scratch.firsts.size
    labels = rng.integers(0, n_labels, n_hands).astype(np.int32)
    wins = np.full((n_labels, n_labels), 9, np.int32)  # what an earlier call left
    totals, taken = np.full(n_labels, 9, np.int32), np.full((47, n_labels), 9, np.int32)
    removal_kernels.sweep_labels(
        n_labels,
        scratch.order,
        scratch.ends,
        labels,
        scratch.firsts,
        scratch.seconds,
        totals,
        taken,
        wins,
    )
    hands = scratch.cards[np.stack([scratch.firsts, scratch.seconds], axis=1)]
    ranks = np.array([rank([*hand, *board]) for hand in hands.tolist()])
    expected = by_label(meet(hands) & (ranks[:, None] > ranks), labels, n_labels)
    np.testing.assert_array_equal(wins, expected)
    np.testing.assert_array_equal(totals, np.bincount(labels, minlength=n_labels))
    assert taken.sum() == 2 * n_hands


@given(st.data())
def test_hands_of_each_kind_that_share_no_card(data):
    n_cards = data.draw(st.integers(2, 7))
    hands = np.array(list(combinations(range(n_cards), 2)))
    n_kinds = data.draw(st.integers(1, 3))
    size = {"min_size": len(hands), "max_size": len(hands)}
    kinds = np.array(data.draw(st.lists(st.integers(-1, n_kinds - 1), **size)))
    rows = data.draw(st.lists(st.permutations(range(n_cards)), max_size=4))
    cards = np.array(rows, np.uint8).reshape(-1, n_cards)[:, : data.draw(st.integers(0, n_cards))]
    by_card, by_pair = np.zeros((n_cards, n_kinds), np.int64), np.full((n_cards, n_cards), -1)
    for (a, b), kind in zip(hands, kinds, strict=True):
        by_pair[a, b] = by_pair[b, a] = kind
        if kind >= 0:
            by_card[[a, b], kind] += 1
    totals = np.bincount(kinds[kinds >= 0], minlength=n_kinds)
    left = np.full((len(cards), n_kinds), 9)
    removal_kernels.count_left(np.ascontiguousarray(cards), totals, by_card, by_pair, left)
    for row, found in zip(cards, left, strict=True):
        free = kinds[~np.isin(hands, row).any(axis=1) & (kinds >= 0)]
        assert found.tolist() == np.bincount(free, minlength=n_kinds).tolist()
