"""Kernels of the joint tables against plain NumPy: pairs, packed sums, sampled boards."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfold.buckets import joint_tables_kernels
from counterfold.cards import index_pair, removal_kernels
from helpers.hands import by_label, meet


@given(st.data())
def test_pairs_without_a_common_card(data):
    n_cards = data.draw(st.integers(2, 8))
    n = data.draw(st.integers(1, 6))
    hands = np.array(list(combinations(range(n_cards), 2)))
    labels = data.draw(st.lists(st.integers(0, n - 1), min_size=len(hands), max_size=len(hands)))
    labels = np.array(labels, np.int32)
    firsts, seconds = hands.T.astype(np.uint8)
    tally = joint_tables_kernels.make_joint_scratch(n_cards, n)
    totals, held = np.full(n, 9, np.int32), np.full((n_cards, n), 9, np.int32)
    found, pairs = np.zeros(n, np.int32), np.full((n, n), 9, np.int32)
    removal_kernels.take_labels(n, labels, firsts, seconds, totals, held)
    joint_tables_kernels.count_pairs(n, totals, held, found, pairs)
    expected = by_label(meet(hands), labels, n)
    np.testing.assert_array_equal(np.triu(pairs), np.triu(expected))
    assert tally.pairs.shape == (min(n, len(hands)),) * 2


@given(st.lists(st.integers(0, 29), min_size=1, max_size=40))
def test_sequences_that_occur_are_numbered_in_order(sequences):
    numbers = np.full(30, -1, np.int32)
    names, labels = np.zeros(30, np.int32), np.zeros(len(sequences), np.int32)
    n = joint_tables_kernels.number_sequences(np.array(sequences, np.int32), numbers, names, labels)
    assert names[:n].tolist() == sorted({*sequences})
    assert names[labels].tolist() == sequences
    assert (numbers == -1).all()  # as it was


def test_sums_are_packed():
    rng = np.random.default_rng(3)
    names = np.array([1, 4, 5], np.int32)
    pairs, wins = rng.integers(0, 99, (2, 3, 3)).astype(np.int32)
    sums, squares = np.zeros((2, 6, 6), np.int64)
    joint_tables_kernels.add_pairs(3, names, pairs, 2, sums)
    joint_tables_kernels.add_net(3, names, wins, 2, sums)
    joint_tables_kernels.add_squares(3, names, pairs, wins, squares)
    expected = np.zeros((6, 6), int)
    expected[np.ix_(names, names)] = np.triu(pairs) + np.tril(wins - wins.T.astype(int), -1)
    np.testing.assert_array_equal(sums, 2 * expected)
    np.testing.assert_array_equal(squares, expected**2)


def test_a_board_is_tallied_with_its_weight():
    rng = np.random.default_rng(4)
    cards = np.array([3, 8, 9, 20, 21, 40, 51], np.uint8)
    of_pair = rng.integers(0, 9, 1326).astype(np.int32)
    sums = np.ones((9, 9), np.int64)
    joint_tables_kernels.tally_pairs(
        cards, of_pair, 5, joint_tables_kernels.make_joint_scratch(10, 9), sums
    )
    hands = np.array(list(combinations(cards.tolist(), 2)))
    labels = np.array([of_pair[index_pair(*hand)] for hand in hands.tolist()])
    expected = 1 + 5 * np.triu(by_label(meet(hands), labels, 9))
    np.testing.assert_array_equal(sums, expected)


def test_boards_are_drawn_by_number():
    cards = np.arange(20, 32, dtype=np.uint8)
    left = np.zeros(52, np.uint8)
    boards = np.zeros((4000, 5), np.uint8)
    for n in range(len(boards)):
        joint_tables_kernels.draw_board(7, n, cards, left, boards[n])
    assert all(len({*board}) == 5 and {*board} <= {*cards} for board in boards)
    again = np.zeros(5, np.uint8)
    joint_tables_kernels.draw_board(7, 123, cards, left, again)
    assert again.tolist() == boards[123].tolist()
    joint_tables_kernels.draw_board(8, 123, cards, left, again)
    assert again.tolist() != boards[123].tolist()
    # Every card in every place 333 times; five deviations of sqrt(4000 * 11) / 12 are 87.
    for place in range(5):
        counts = np.bincount(boards[:, place], minlength=32)[20:]
        assert counts == pytest.approx(4000 / 12, abs=87)
    assert len({frozenset(board) for board in boards.tolist()}) > 0.95 * comb(12, 5)
