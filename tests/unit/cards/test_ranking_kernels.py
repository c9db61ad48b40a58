"""Hand ranking by itself: the order of all hands, the ways to ask, and what is refused."""

import hashlib
from collections import Counter
from itertools import chain, combinations, pairwise
from math import comb

import numpy as np
import pytest

from counterfold.cards import ranking_kernels
from counterfold.cards.ranking import (
    HAND_CATEGORIES,
    hand_category,
    rank,
    rank_hands,
    showdown_strength,
)
from counterfold.errors import CardError, CounterfoldError

# The ranks as little-endian int16; a slow test derives the same from phevaluator.
ALL_FIVE_CARD_HANDS = "915368d8101d00b07f992aa5df74de3677e75b25e89d7e8d087e24e1fad77ef2"

FIVE_CARD_COUNTS = {
    "high card": 1_302_540,
    "pair": 1_098_240,
    "two pair": 123_552,
    "three of a kind": 54_912,
    "straight": 10_200,
    "flush": 5_108,
    "full house": 3_744,
    "four of a kind": 624,
    "straight flush": 40,
}
SEVEN_CARD_COUNTS = {
    "high card": 23_294_460,
    "pair": 58_627_800,
    "two pair": 31_433_400,
    "three of a kind": 6_461_620,
    "straight": 6_180_020,
    "flush": 4_047_644,
    "full house": 3_473_184,
    "four of a kind": 224_848,
    "straight flush": 41_584,
}

# Weakest first; equal hands in one row.
LADDER = [
    ["7c 5d 4h 3s 2c", "7s 5s 4s 3c 2s"],
    ["Kc Qd Jh Ts 8c"],
    ["Ac 6d 4h 3s 2c"],
    ["Ac Kd Qh Js 9c"],
    ["2c 2d 5h 4s 3c"],
    ["Ac Ad Kh Qs Jc"],
    ["3c 3d 2h 2s 4c"],
    ["3c 3d 2h 2s Ac"],
    ["Ac Ad Kh Ks Qc", "Ac Ad Kh Ks Qc 9d 9h", "Ac Ad Kh Ks Qc Qd 9h 9s"],
    ["2c 2d 2h 4s 3c"],
    ["Ac Ad Ah Ks Qc"],
    ["5c 4d 3h 2s Ac", "5c 4d 3h 2s Ac Ad Ah"],
    ["6c 5d 4h 3s 2c", "Ac 6c 5d 4h 3s 2c 2d"],
    ["Ac Kd Qh Js Tc"],
    ["7c 5c 4c 3c 2c"],
    ["Ac Kc Qc Jc 9c", "Ac Kc Qc Jc 9c 8c Td"],
    ["2c 2d 2h 3s 3c"],
    ["Ac Ad Ah Ks Kc", "Ac Ad Ah Ks Kc Kd Qs"],
    ["2c 2d 2h 2s 3c"],
    ["Ac Ad Ah As Kc", "Ac Ad Ah As Kc Kd Kh Qs"],
    ["5c 4c 3c 2c Ac", "Kc 5c 4c 3c 2c Ac"],
    ["Ac Kc Qc Jc Tc"],
]


def cards(text):
    return ["23456789TJQKA".index(card[0]) * 4 + "cdhs".index(card[1]) for card in text.split()]


def deal(rng, n_hands, n_cards):
    return rng.random((n_hands, 52)).argsort(axis=1)[:, :n_cards].astype(np.uint8)


def count_classes(n_hands_of_rank):
    counts = dict.fromkeys(HAND_CATEGORIES, 0)
    for value, n in enumerate(n_hands_of_rank.tolist()):
        counts[hand_category(value)] += n
    return counts


@pytest.fixture(scope="module")
def five_card_hands():
    flat = chain.from_iterable(combinations(range(52), 5))
    return np.fromiter(flat, np.uint8, 5 * comb(52, 5)).reshape(-1, 5)


def test_all_five_card_hands_are_in_order(five_card_hands):
    ranks = rank_hands(five_card_hands)
    assert hashlib.sha256(ranks.astype("<i2").tobytes()).hexdigest() == ALL_FIVE_CARD_HANDS
    n_hands_of_rank = np.bincount(ranks)
    assert n_hands_of_rank.size == ranking_kernels.N_HAND_RANKS == 7462
    assert n_hands_of_rank.min() == 4  # each straight flush, and quads with a given kicker
    assert count_classes(n_hands_of_rank) == FIVE_CARD_COUNTS


@pytest.mark.slow
def test_all_seven_card_hands_fall_into_the_known_classes(five_card_hands):
    # In lexicographic order the last five cards above `second` are the end of all five-card hands.
    n_hands_of_rank = np.zeros(ranking_kernels.N_HAND_RANKS, dtype=np.int64)
    for first, second in combinations(range(52), 2):
        start = np.searchsorted(five_card_hands[:, 0], second, side="right")
        hands = np.empty((len(five_card_hands) - start, 7), dtype=np.uint8)
        hands[:, 0], hands[:, 1], hands[:, 2:] = first, second, five_card_hands[start:]
        n_hands_of_rank += np.bincount(rank_hands(hands), minlength=ranking_kernels.N_HAND_RANKS)
    assert n_hands_of_rank.sum() == 133_784_560
    assert count_classes(n_hands_of_rank) == SEVEN_CARD_COUNTS


def test_the_ladder_of_hands():
    ranks = [{rank(cards(hand)) for hand in equals} for equals in LADDER]
    assert all(len(equals) == 1 for equals in ranks)
    ascending = [next(iter(equals)) for equals in ranks]
    assert ascending == sorted(set(ascending))
    assert (ascending[0], ascending[-1]) == (0, 7461)


@pytest.mark.parametrize("n_cards", [5, 6, 7])
def test_look_up_agrees_with_masks(n_cards):
    hands = deal(np.random.default_rng(n_cards), 300, n_cards)
    assert rank_hands(hands).tolist() == [rank(hand) for hand in hands]


def test_of_two_flushes_the_better_counts():
    hand = cards("As 8s 6s 4s 2s Kd Qd Jd Td 9d")
    assert hand_category(rank(hand)) == "straight flush"
    assert rank(hand) == rank(cards("Kc Qc Jc Tc 9c"))
    assert rank(hand, first_flush_suit_only=True) == rank(cards("As 8s 6s 4s 2s"))


@pytest.mark.parametrize(
    ("better", "worse"), [("c", "s"), ("d", "s"), ("h", "s"), ("d", "c"), ("h", "c"), ("h", "d")]
)
def test_first_flush_suit_is_spades_then_clubs_diamonds_hearts(better, worse):
    first = cards(" ".join(r + worse for r in "97542"))
    second = cards(" ".join(r + better for r in "AKQJ8"))
    assert rank(first + second) == rank(second)
    assert rank(first + second, first_flush_suit_only=True) == rank(first)


def test_first_flush_suit_does_not_hide_quads_or_full_houses():
    flush, quads = cards("9s 7s 5s 4s 2s"), cards("Kc Kd Kh Ks")
    hand = flush + quads + cards("Qd Jd Td Ad")
    assert hand_category(rank(hand)) == "straight flush"
    assert hand_category(rank(hand, first_flush_suit_only=True)) == "four of a kind"
    hand.remove(quads[-1])
    hand += cards("Qh")
    assert hand_category(rank(hand)) == "straight flush"
    assert hand_category(rank(hand, first_flush_suit_only=True)) == "full house"


@pytest.mark.parametrize("n_board", [3, 4, 5, 6, 8, 12, 31])
@pytest.mark.parametrize("first_flush_suit_only", [False, True])
def test_rank_board_ranks_all_pairs(n_board, first_flush_suit_only):
    rng = np.random.default_rng(n_board)
    tables = ranking_kernels.rank_tables()
    for deck in (np.arange(52), np.arange(36, 52), rng.permutation(52)):
        if deck.size < n_board + 2:
            continue
        for _ in range(6):
            # Boards of one suit more often than by chance.
            order = np.argsort(rng.random(deck.size) + rng.random(4)[deck % 4])
            board = deck[order[:n_board]].astype(np.uint8)
            rest = deck[~np.isin(deck, board)].astype(np.uint8)
            first, second = np.triu_indices(rest.size, 1)
            hands = np.column_stack([np.tile(board, (first.size, 1)), rest[first], rest[second]])
            out = np.empty(first.size, dtype=np.int16)
            ranking_kernels.rank_board(board, rest, first_flush_suit_only, tables, out)
            expected = rank_hands(hands, first_flush_suit_only=first_flush_suit_only)
            assert out.tolist() == expected.tolist()


def test_any_integers_in_any_layout_are_cards():
    hands = deal(np.random.default_rng(0), 50, 7)
    expected = rank_hands(hands).tolist()
    assert rank_hands(hands.astype(np.int64)).tolist() == expected
    assert rank_hands(np.asfortranarray(hands)).tolist() == expected
    assert rank_hands(hands[:0]).shape == (0,)
    assert rank(tuple(hands[0].tolist())) == expected[0]


@pytest.mark.parametrize(
    ("hand", "message"),
    [
        ([0, 1, 2, 3], "4 cards cannot be ranked, only 5..33"),
        ([*range(34)], "34 cards"),
        ([0, 1, 2, 3, 52], r"\[0, 1, 2, 3, 52\].* not all in 0..51"),
        ([0, 1, 2, 3, -1], "not all in 0..51"),
        ([0, 1, 2, 3, 259], "not all in 0..51"),
        ([0, 1, 2, 3, 0], "not all different"),
        ([0, 1, 2, 3, 4.0], "integers"),
    ],
)
def test_refuses_what_is_no_hand(hand, message):
    with pytest.raises(CardError, match=message):
        rank(hand)
    with pytest.raises(CardError, match=message):
        rank_hands(np.array([hand]))


def test_says_which_hand_is_wrong():
    hands = np.array([[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [9, 8, 7, 6, 9]])
    with pytest.raises(CardError, match=r"\[9, 8, 7, 6, 9\] of hand 2"):
        rank_hands(hands)
    hands[1, 0] = 52
    with pytest.raises(CardError, match=r"\[52, 6, 7, 8, 9\] of hand 1"):
        rank_hands(hands)
    with pytest.raises(CardError, match="shape"):
        rank_hands(hands[0])
    assert issubclass(CardError, CounterfoldError)


def test_hand_category():
    classes = [hand_category(rank(cards(equals[0]))) for equals in LADDER]
    assert tuple(dict.fromkeys(classes)) == HAND_CATEGORIES
    assert hand_category(0) == "high card"
    assert hand_category(1276) == "high card"
    assert hand_category(1277) == "pair"
    assert hand_category(7451) == "four of a kind"
    assert hand_category(7452) == "straight flush"
    for value in (-1, 7462):
        with pytest.raises(CardError, match=f"{value}"):
            hand_category(value)


@pytest.mark.parametrize(("n_cards", "n_ranks"), [(1, 13), (2, 13), (3, 13), (4, 7)])
def test_short_hands_compare_fours_threes_pairs_then_high_cards(n_cards, n_ranks):
    def plain(hand):
        counts = Counter(card // 4 for card in hand)
        groups = sorted(((n, rank) for rank, n in counts.items()), reverse=True)
        return tuple(zip(*groups, strict=True))  # sizes first, then ranks

    hands = list(combinations(range(4 * n_ranks), n_cards))
    strengths = [showdown_strength(hand) for hand in hands]
    by_strength = sorted(zip(strengths, map(plain, hands), strict=True))
    for (low, worse), (high, better) in pairwise(by_strength):
        assert (low < high) == (worse < better)
        assert (low == high) == (worse == better)


def test_a_short_hand_has_no_straights_and_no_flushes():
    flush, pair = (0, 4, 8, 12), (0, 1, 5, 10)
    assert showdown_strength(flush) < showdown_strength(pair)
