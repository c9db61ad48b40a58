"""Kernels of equity: boards up to like suits, and both ways to play them, against plain NumPy."""

from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest

from counterfold.cards import equity_kernels
from counterfold.cards.pairs import PAIR_CARDS
from counterfold.cards.ranking import rank_hands
from counterfold.cards.ranking_kernels import card_bit, rank_tables

NONE = equity_kernels.NO_SUIT
ALL_LIKE = [NONE, 0, 1, 2]
LIKES = [[NONE] * 4, ALL_LIKE, [NONE, 0, NONE, 2], [NONE, NONE, 0, 1], [NONE, NONE, 1, 2]]


def list_boards(board, cards, likes, n_final=5):
    board, cards = np.array(board, np.uint8), np.array(cards, np.uint8)
    n_more = n_final - board.size
    boards = np.empty((comb(cards.size, n_more), n_final), np.uint8)
    copies = np.empty(len(boards), np.uint8)
    chosen = np.empty(n_final, np.int64)
    n = equity_kernels.list_boards(board, cards, np.array(likes), chosen, boards, copies)
    return boards[:n], copies[:n]


def renamings(likes):
    groups = list(range(4))
    for suit, like in enumerate(likes):
        if like != NONE:
            groups[suit] = groups[like]
    return [p for p in permutations(range(4)) if all(groups[p[s]] == groups[s] for s in range(4))]


@pytest.mark.parametrize("likes", LIKES)
@pytest.mark.parametrize("n_cards", [0, 1, 2, 3])
def test_one_of_each_class_stands_for_all(likes, n_cards):
    names = renamings(likes)
    cards = range(16)
    found = {}
    for chosen in combinations(cards, n_cards):
        masks = sum(int(card_bit(card)) for card in chosen)
        copies = equity_kernels.count_copies(masks, np.array(likes))
        same = {frozenset(card - card % 4 + p[card % 4] for card in chosen) for p in names}
        if copies:
            assert copies == len(same)
            assert frozenset(same) not in found
            found[frozenset(same)] = copies
    assert sum(found.values()) == comb(16, n_cards)


# Boards up to a renaming of suits, as in Waugh 2013.
@pytest.mark.parametrize(("n_cards", "n_classes"), [(3, 1_755), (4, 16_432), (5, 134_459)])
def test_number_of_boards_up_to_suits(n_cards, n_classes):
    boards, copies = list_boards([], range(52), ALL_LIKE, n_cards)
    assert len(boards) == n_classes
    assert copies.sum(dtype=int) == comb(52, n_cards)


def test_boards_start_with_what_lies():
    boards, copies = list_boards([7, 3], [10, 11, 20, 30], [NONE] * 4, 4)
    rows = [[7, 3, a, b] for a, b in combinations([10, 11, 20, 30], 2)]
    assert (boards.tolist(), copies.tolist()) == (rows, [1] * 6)
    boards, copies = list_boards([7, 3, 1, 0, 2], [10, 11], ALL_LIKE)
    assert (boards.tolist(), copies.tolist()) == ([[7, 3, 1, 0, 2]], [1])


def play_plainly(boards, copies, first, second, weights, others):
    wins = ties = 0.0
    clash = (first[:, None, :, None] == second[None, :, None, :]).any(axis=(2, 3))
    for board, n in zip(boards, copies, strict=True):
        a, b = (
            np.array(
                [
                    rank_hands(np.array([[*board, *hand]]))[0] if not {*hand} & {*board} else -1
                    for hand in hands.tolist()
                ]
            )
            for hands in (first, second)
        )
        meet = ~clash & (a[:, None] >= 0) & (b[None, :] >= 0)
        products = np.outer(weights, others) * meet * n
        wins += products[a[:, None] > b[None, :]].sum()
        ties += products[a[:, None] == b[None, :]].sum()
    return wins, ties


@pytest.mark.parametrize("n_board", [3, 5, 8, 31])
@pytest.mark.parametrize("cards", [range(52), range(20, 36)])
def test_comparing_and_sweeping_agree_with_plain_numpy(n_board, cards):
    rng = np.random.default_rng(n_board)
    boards = np.array([rng.permutation(52)[:n_board] for _ in range(3)], np.uint8)
    copies = np.array([1, 4, 24], np.uint8)
    own = np.flatnonzero(np.isin(PAIR_CARDS, list(cards)).all(axis=1))
    either = np.sort(rng.choice(own, 60, replace=False))
    weights = np.where(rng.random(60) < 0.7, rng.random(60), 0.0)
    others = np.where(rng.random(60) < 0.7, rng.random(60), 0.0)
    hands = PAIR_CARDS[either]
    expected = play_plainly(boards, copies, hands, hands, weights, others)

    held = np.unique(hands)
    tables, scratch = rank_tables(), equity_kernels.make_scratch(60)
    swept = equity_kernels.sweep_ranges(
        boards, copies, held, hands, weights, others, tables, scratch
    )
    assert swept == pytest.approx(expected, rel=1e-12)

    clash = (hands[:, None, :, None] == hands[None, :, None, :]).any(axis=(2, 3))
    meets, partners = np.nonzero(~clash)
    starts = np.searchsorted(meets, np.arange(61))
    compared = equity_kernels.compare_matchups(
        boards, copies, held, hands, hands, weights, others, starts, partners, tables, scratch
    )
    assert compared == pytest.approx(expected, rel=1e-12)


def test_whole_weights_give_whole_sums():
    boards, copies = list_boards([0, 5, 10], range(11, 52), [NONE] * 4)
    hands = PAIR_CARDS[np.isin(PAIR_CARDS, range(11, 52)).all(axis=1)]
    weights = np.random.default_rng(1).integers(0, 9, (2, len(hands))).astype(float)
    scratch = equity_kernels.make_scratch(len(hands))
    wins, ties = equity_kernels.sweep_ranges(
        boards, copies, np.unique(hands), hands, weights[0], weights[1], rank_tables(), scratch
    )
    losses, _ = equity_kernels.sweep_ranges(
        boards, copies, np.unique(hands), hands, weights[1], weights[0], rank_tables(), scratch
    )
    held = np.stack([(hands == card).any(axis=1) for card in range(52)]).astype(float)
    total = 0.0
    for board in boards:
        free = 1.0 - held[board].max(axis=0)
        a, b = weights * free
        total += a.sum() * b.sum() - (held @ a) @ (held @ b) + a @ b
    assert wins + ties + losses == total
