"""Strength on boards of any length, and the boards of River of Blood."""

from itertools import combinations
from math import comb, sqrt

import numpy as np
import pytest

from counterfold.cards import Range, index_pair, parse_cards, parse_range, rank, unindex_pair
from counterfold.cards.equity import equity
from counterfold.cards.long_boards import (
    StrengthEstimate,
    expected_strength,
    final_sizes,
    hand_strength,
    hand_strengths,
)
from counterfold.errors import CardError

RED = (1, 2)  # diamonds and hearts


def deal(rng, n_cards, clustering=1.0):
    """Two hole cards and a board, of a few suits more often than by chance."""
    order = np.argsort(rng.random(52) + clustering * np.tile(rng.random(4), 13)).tolist()
    return order[:2], order[2 : 2 + n_cards]


def strength_by_hand(hole, board, first_flush_suit_only=False):
    own = rank([*hole, *board], first_flush_suit_only=first_flush_suit_only)
    rest = [card for card in range(52) if card not in (*hole, *board)]
    score = 0
    for other in combinations(rest, 2):
        theirs = rank([*other, *board], first_flush_suit_only=first_flush_suit_only)
        score += 2 * (own > theirs) + (own == theirs)
    return score / (2 * comb(len(rest), 2))


@pytest.mark.parametrize("n_board", [3, 4, 5, 6, 7, 8, 10, 13, 20, 31])
@pytest.mark.parametrize("first_flush_suit_only", [False, True])
def test_agrees_with_ranking_every_opponent(n_board, first_flush_suit_only):
    rng = np.random.default_rng(n_board)
    for _ in range(3):
        hole, board = deal(rng, n_board)
        expected = strength_by_hand(hole, board, first_flush_suit_only)
        assert hand_strength(hole, board, first_flush_suit_only) == expected
        assert hand_strengths(board, first_flush_suit_only)[index_pair(*hole)] == expected


@pytest.mark.parametrize("first_flush_suit_only", [False, True])
def test_all_hands_of_a_board_are_its_hands_one_by_one(first_flush_suit_only):
    for n_board in (3, 5, 12, 31):
        _, board = deal(np.random.default_rng(n_board), n_board)
        strengths = hand_strengths(board, first_flush_suit_only)
        left = [pair for pair in range(1326) if not {*unindex_pair(pair)} & {*board}]
        assert np.flatnonzero(~np.isnan(strengths)).tolist() == left
        expected = [
            hand_strength(unindex_pair(pair), board, first_flush_suit_only) for pair in left
        ]
        assert strengths[left].tolist() == expected
        assert strengths[left].mean() == pytest.approx(0.5)  # every win is another's loss


def test_the_first_flush_suit_makes_a_difference():
    # Five spades lie on the board; the hand's straight flush in diamonds does not count.
    hole, board = parse_cards("KdQd"), parse_cards("As8s6s4s2sJdTd9d")
    assert hand_strength(hole, board) == 1.0
    assert hand_strength(hole, board, first_flush_suit_only=True) < 1.0


def test_is_the_equity_against_a_random_hand():
    for n_board in (5, 9):
        hole, board = deal(np.random.default_rng(n_board), n_board)
        hand = np.zeros(1326)
        hand[index_pair(*hole)] = 1
        found = equity(Range(hand), parse_range("random"), board)
        assert hand_strength(hole, board) == pytest.approx(found.equity, abs=1e-15)


def test_final_sizes_as_measured():
    # Shares of 150,000 deals; three decimals, four below .01. Four standard errors: one false
    # alarm in a thousand for all ten.
    measured = {5: 0.502, 6: 0.254, 7: 0.127, 8: 0.062, 9: 0.029, 10: 0.014}
    measured |= {11: 0.0063, 12: 0.0027, 13: 0.0013}
    sizes = final_sizes()
    assert sizes.sum() == pytest.approx(1)
    assert sizes @ np.arange(32) == pytest.approx(5.96, abs=0.005 + 4 * 1.4 / sqrt(150_000))
    for size, share in measured.items():
        p = sizes[size]
        digit = 0.0005 if share > 0.01 else 0.00005
        assert share == pytest.approx(p, abs=digit + 4 * sqrt(p * (1 - p) / 150_000))
    assert sizes[14:].sum() == pytest.approx(0.0009, abs=0.00005 + 4 * sqrt(0.0009 / 150_000))


def sizes_by_steps(hole, board):
    """The same step by step: each card is red with the share of red cards left."""
    red = 26 - sum(card % 4 in RED for card in (*hole, *board))
    black = 26 - sum(card % 4 not in RED for card in (*hole, *board))
    chances = {(len(board), red, black, len(board) < 5 or board[-1] % 4 in RED): 1.0}
    sizes = np.zeros(32)
    while chances:
        after = {}
        for (size, red, black, goes_on), p in chances.items():
            if not goes_on:
                sizes[size] += p
                continue
            for is_red, n in ((True, red), (False, black)):
                if n:
                    state = (size + 1, red - is_red, black - (not is_red), is_red or size + 1 < 5)
                    after[state] = after.get(state, 0.0) + p * n / (red + black)
        chances = after
    return sizes


@pytest.mark.parametrize(
    ("hole", "board"),
    [
        ("", ""),
        ("AhKh", ""),
        ("AsKs", "2h"),
        ("AsKs", "2h3h4h"),
        ("AhKh", "2s3s4s5c"),
        ("AhKs", "2s3s4s5c6d"),
        ("AhKs", "2s3s4s5c6d7d8h9h"),
        ("AhKs", "2s3s4s5c6c"),
        ("AhKs", "2s3s4s5c6d7c"),
    ],
)
def test_final_sizes_step_by_step(hole, board):
    hole, board = parse_cards(hole), parse_cards(board)
    assert final_sizes(hole, board) == pytest.approx(sizes_by_steps(hole, board), abs=1e-14)


def test_the_longest_board():
    reds = [card for card in range(52) if card % 4 in RED]
    board = [*parse_cards("2c3c4c5c"), *reds[:-1]]
    assert final_sizes((), board)[30:] == pytest.approx([22 / 23, 1 / 23])
    assert final_sizes((), [*board, reds[-1]])[31] == 1


def expectation_by_hand(hole, board):
    """Mean strength at the end of the run, by going through all of its ends."""
    if len(board) >= 5 and board[-1] % 4 not in RED:
        return hand_strength(hole, board)
    rest = [card for card in range(52) if card not in (*hole, *board)]
    return np.mean([expectation_by_hand(hole, [*board, card]) for card in rest])


@pytest.fixture(scope="module")
def late_run():
    """A run with four red cards left, and its exact expectation.

    No straight is without a five or a ten: until one of these comes the hand has quads, and then
    everyone has the straight flush on the board.
    """
    hole, rare = parse_cards("8s8c"), parse_cards("5d5hTdTh")
    reds = [card for card in range(52) if card % 4 in RED and card not in rare]
    board = [*parse_cards("2s3c9cJs"), *reds]
    return hole, board, expectation_by_hand(hole, board)


def test_sampled_expectation_is_within_its_error(late_run):
    hole, board, exact = late_run
    found = expected_strength(hole, board, n_samples=20_000, seed=3)
    assert found.n_samples == 20_000
    # Beyond four standard errors once in 16,000 seeds.
    assert abs(found.mean - exact) < 4 * found.standard_error


def test_standard_error_is_honest(late_run):
    hole, board, exact = late_run
    runs = [expected_strength(hole, board, n_samples=200, seed=seed) for seed in range(400)]
    scores = np.array([(run.mean - exact) / run.standard_error for run in runs])
    # Mean 0 and deviation 1; their own errors are 1/20 and 1/28, and four of them are allowed.
    assert abs(scores.mean()) < 4 / 20
    assert scores.std() == pytest.approx(1, abs=4 / 28)


def test_samples_do_not_depend_on_threads_and_extend_each_other():
    hole, board = parse_cards("AhKh"), parse_cards("2s7sTc")
    few = expected_strength(hole, board, 3_000, seed=5)
    assert few == expected_strength(hole, board, 3_000, seed=5, threads=2)
    assert few != expected_strength(hole, board, 3_000, seed=6)
    first = expected_strength(hole, board, 1_500, seed=5)
    assert few.standard_error == pytest.approx(first.standard_error / sqrt(2), rel=0.1)


def test_a_board_that_is_over_needs_no_samples():
    hole, board = parse_cards("AhKh"), parse_cards("2h7hTc3d4s")
    exact = StrengthEstimate(hand_strength(hole, board), 0.0, 0)
    assert expected_strength(hole, board) == exact


@pytest.mark.parametrize(
    ("hole", "board", "message"),
    [
        ("Ah", "2c3c4c", "a hand must have 2 cards, not 1"),
        ("AhKh", "2c3c", "a board must have 3 to 31 cards here, not 2"),
        ("AhKh", "2cKh3c", "card Kh of the hand AhKh is also number 2 of the board 2cKh3c"),
    ],
)
def test_refuses_what_is_no_deal(hole, board, message):
    with pytest.raises(CardError, match=message):
        hand_strength(parse_cards(hole), parse_cards(board))


def test_refuses_runs_that_cannot_be():
    hole, board = parse_cards("AhKh"), parse_cards("2h7hTc3d4s5d")
    message = "the board 2h7hTc3d4s5d ended with its black card 4s, number 5"
    for ask in (expected_strength, final_sizes):
        with pytest.raises(CardError, match=message):
            ask(hole, board)
    assert 0 < hand_strength(hole, board) < 1  # as a board like any other
    with pytest.raises(CardError, match="at least 2 samples, not 1"):
        expected_strength(hole, [], n_samples=1)
    with pytest.raises(CardError, match="3 to 31 cards here, not 32"):
        hand_strengths(range(32))
