"""Buckets on boards longer than five cards."""

import numpy as np
import pytest

from counterfold.buckets.long_board_buckets import BLOCKED, LongBoardBuckets
from counterfold.cards import hand_strength, index_pair, parse_cards, parse_deck, unindex_pair
from counterfold.cards.long_boards import NO_SCORE, hand_scores
from counterfold.errors import AbstractionError, CardError

BOARD = parse_cards("2h 7d Tc Qh 3d 9h 4s")


def test_a_bucket_is_a_width_of_exact_strength():
    buckets = LongBoardBuckets(10)
    for hand in ("AhKh", "QsQc", "2c3s", "5c6c"):
        hole = parse_cards(hand)
        expected = min(int(hand_strength(hole, BOARD) * 10), 9)
        assert buckets.bucket(hole, BOARD) == expected


@pytest.mark.parametrize("n", [50, 100, 330, 903])
def test_a_strength_at_the_edge_of_a_bucket_is_in_the_upper_one(n):
    # Some products of a rounded strength with the number of buckets are just below the edge.
    scores, most = hand_scores(BOARD)
    expected = [BLOCKED if s == NO_SCORE else min(int(s) * n // most, n - 1) for s in scores]
    found = LongBoardBuckets(n).buckets(BOARD)
    assert found.tolist() == expected
    at_edge = [pair for pair, score in enumerate(scores) if score > 0 and score * n % most == 0]
    for pair in at_edge[:20]:
        assert LongBoardBuckets(n).bucket(unindex_pair(pair), BOARD) == expected[pair]
    assert at_edge


def test_all_hands_of_a_board_agree_with_single_ones():
    buckets = LongBoardBuckets(7)
    found = buckets.buckets(BOARD)
    rng = np.random.default_rng(3)
    left = [card for card in range(52) if card not in BOARD]
    for _ in range(40):
        a, b = rng.choice(left, 2, replace=False).tolist()
        assert found[index_pair(a, b)] == buckets.bucket((a, b), BOARD)


def test_hands_that_share_a_card_with_the_board_have_no_bucket():
    found = LongBoardBuckets(5).buckets(BOARD)
    # 1326 pairs less the 45 * 44 / 2 of the cards that are left.
    assert np.count_nonzero(found == BLOCKED) == 1326 - 990
    assert set(found.tolist()) == {BLOCKED, 0, 1, 2, 3, 4}


def test_buckets_of_a_board_hold_about_equally_many_hands():
    found = LongBoardBuckets(5).buckets(BOARD)
    shares = np.bincount(found[found != BLOCKED]) / 990
    # Strength is the share of hands beaten, so only ties and card removal keep it from one fifth.
    assert shares == pytest.approx(0.2, abs=0.05)


def test_a_short_deck_has_its_own_order_of_hands():
    deck = parse_deck("6789TJQKA/cdhs")
    board = parse_cards("6h 7d 8c Qh Qd 9h")
    buckets = LongBoardBuckets(50, deck=deck, ranking="short-deck")
    found = buckets.buckets(board)
    assert np.count_nonzero(found != BLOCKED) == 30 * 29 // 2
    straight, house = index_pair(*parse_cards("AcTs")), index_pair(*parse_cards("QcQs"))
    assert found[straight] < found[house] == 49  # A6789, and four queens
    for text in ("AcTs", "KhAh", "6c6s", "JcTd"):
        hole = parse_cards(text)
        assert found[index_pair(*hole)] == buckets.bucket(hole, board)
    flush, full = parse_cards("KhAh"), parse_cards("6c6s")
    assert buckets.bucket(full, board) < buckets.bucket(flush, board)
    usual = LongBoardBuckets(50, deck=deck)
    assert usual.bucket(full, board) > usual.bucket(flush, board)


def test_what_makes_no_sense_is_refused():
    with pytest.raises(AbstractionError, match="whole number of buckets of at least 1, not 0"):
        LongBoardBuckets(0)
    with pytest.raises(CardError):
        LongBoardBuckets(5).bucket(parse_cards("2hAh"), BOARD)
