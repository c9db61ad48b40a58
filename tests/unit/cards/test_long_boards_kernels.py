"""Runs of River of Blood, sampled from few cards, against all of their ends."""

from itertools import combinations
from math import comb, sqrt

import numpy as np
import pytest

from counterfold.cards import long_boards_kernels, parse_cards, rank
from counterfold.cards.ranking_kernels import rank_tables

HOLE = np.array(parse_cards("AhKc"), np.uint8)
LEFT = np.array(sorted(parse_cards("Ac Kd Qd Qs 9h 9c 8s 3c 2s")), np.uint8)  # three are red


def sample(board, n_samples, seed=0, first=0, cards=LEFT):
    strengths = np.empty(n_samples)
    long_boards_kernels.sample_runs(
        first,
        seed,
        HOLE,
        np.array(board, np.uint8),
        cards,
        False,
        rank_tables(),
        np.empty(52, np.uint8),
        np.empty(52, np.uint8),
        np.empty(1326, np.int16),
        strengths,
    )
    return strengths


def list_ends(board, cards, p=1.0):
    """Every final board with its probability and the cards left."""
    if len(board) >= 5 and board[-1] % 4 in (0, 3):
        return [(p, board, cards)]
    ends = []
    for card in cards:
        rest = [other for other in cards if other != card]
        ends += list_ends([*board, card], rest, p / len(cards))
    return ends


def strength(board, cards):
    own = rank([*HOLE.tolist(), *board])
    others = [rank([*hand, *board]) for hand in combinations(cards, 2)]
    return sum((own > other) + (own == other) / 2 for other in others) / len(others)


def test_colours():
    assert [long_boards_kernels.is_red(card) for card in parse_cards("2c2d2h2sAcAdAhAs")] == [
        False, True, True, False, False, True, True, False,
    ]  # fmt: skip


@pytest.mark.parametrize(
    "board", ["2c 5d 7h", "2c 5d 7h Jd", "2c 5d 7h Jd Jh", "2c 5d 7h Jd Jh 4d"]
)
def test_mean_and_deviation_over_all_ends(board):
    board = list(parse_cards(board))
    ends = list_ends(board, LEFT.tolist())
    chances = np.array([p for p, _, _ in ends])
    values = np.array([strength(end, cards) for _, end, cards in ends])
    assert chances.sum() == pytest.approx(1)
    mean = chances @ values
    deviation = sqrt(chances @ (values - mean) ** 2)
    n = 20_000
    found = sample(board, n)
    # Beyond four standard errors once in 16,000 seeds.
    assert found.mean() == pytest.approx(mean, abs=4 * deviation / sqrt(n))
    assert found.std() == pytest.approx(deviation, rel=0.05)
    assert set(found.round(12)) <= set(values.round(12))


def test_a_sample_has_its_own_stream():
    board = parse_cards("2c 5d 7h")
    whole = sample(board, 100, seed=9)
    parts = [sample(board, 30, seed=9), sample(board, 70, seed=9, first=30)]
    assert np.array_equal(whole, np.concatenate(parts))
    assert not np.array_equal(whole, sample(board, 100, seed=10))


def test_a_score_counts_wins_twice_and_ties_once():
    board = np.array(parse_cards("2c 5d 7h Jd Jh"), np.uint8)
    ranks = np.empty(comb(LEFT.size, 2), np.int16)
    score = long_boards_kernels.score_hand(HOLE, board, LEFT, False, rank_tables(), ranks)
    assert score / (2 * ranks.size) == pytest.approx(strength(board.tolist(), LEFT.tolist()))
