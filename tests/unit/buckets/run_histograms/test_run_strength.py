"""Histograms of strength at the end of a run, against enumeration and slow sampling."""

import numpy as np
import pytest

from counterfold.buckets.run_histograms.run_strength import SHARES, cumulative_run_strengths
from counterfold.cards import Deck, expected_strength, parse_cards
from helpers.naive.naive_runs import final_strengths

SMALL = Deck(6, 3)  # 9TJQKA in clubs, diamonds and hearts
N_SEEDS = 3000


def shares(cumulative):
    """The share of each bin."""
    return np.diff(cumulative / SHARES, axis=-1, prepend=0.0)


def mean_strength(cumulative):
    n_bins = cumulative.shape[-1]
    return shares(cumulative) @ ((np.arange(n_bins) + 0.5) / n_bins)


def of_hand(hole, board, **options):
    holes, boards = np.array([[hole]], np.uint8), np.array([board], np.uint8)
    return cumulative_run_strengths(holes, boards, **options)[0, 0]


@pytest.mark.parametrize(
    ("hand", "board"),
    [
        ("AcAd", "9cTdJcKhKd"),
        ("9h9d", "TcJcKcAdQh"),  # a weak pair below a straight on the board
        ("KhQh", "9hThJcJd9d"),  # draws to a red flush
    ],
)
def test_histograms_are_those_of_all_runs(hand, board):
    hole, cards = tuple(parse_cards(hand)), tuple(parse_cards(board))
    exact = final_strengths(hole, cards, tuple(SMALL.cards.tolist()))
    assert sum(exact.values()) == 1
    found = np.mean(
        [shares(of_hand(hole, cards, n_bins=20, deck=SMALL, seed=s)) for s in range(N_SEEDS)],
        axis=0,
    )
    expected = np.zeros(20)
    for final, chance in exact.items():
        expected[min(int(final * 20), 19)] += float(chance)
    mean = sum(float(final * chance) for final, chance in exact.items())
    middles = (np.arange(20) + 0.5) / 20
    # Strength against eight opponents is coarse, which widens a histogram but does not move it.
    assert found @ middles == pytest.approx(mean, abs=0.03)
    assert np.abs(np.cumsum(found) - np.cumsum(expected)).sum() / 20 < 0.08


@pytest.mark.parametrize("n_board", [5, 6, 7, 9, 12])
def test_means_are_those_of_long_sampling(n_board, rng):
    errors = []
    red = [card for card in range(52) if card % 4 in (1, 2)]
    for _ in range(40):
        run = rng.choice(red, n_board - 4, replace=False).tolist()
        others = rng.permutation([card for card in range(52) if card not in run])[:6].tolist()
        hole, board = others[:2], [*others[2:], *run]
        long = expected_strength(hole, board, 400, seed=1, threads=1)
        errors.append(float(mean_strength(of_hand(hole, board))) - long.mean)
    # A single histogram is off by 0.03 or so, plus what 400 long samples are off.
    assert np.std(errors) < 0.06
    assert abs(np.mean(errors)) < 4 * np.std(errors) / np.sqrt(len(errors)) + 0.01


def test_a_histogram_depends_on_the_cards_alone(rng):
    cards = rng.permutation(52)
    run = [card for card in cards if card % 4 in (1, 2)][:1]
    others = [card for card in cards if card not in run]
    hole, board = others[:2], [*others[2:6], *run]
    once = of_hand(hole, board)
    assert once.tolist() == of_hand(hole[::-1], [*board[:4][::-1], *run]).tolist()
    boards = np.array([board, board], np.uint8)
    holes = np.array([[others[10:12], hole], [hole, others[8:10]]], np.uint8)
    batch = cumulative_run_strengths(holes, boards)
    assert batch[0, 1].tolist() == batch[1, 0].tolist() == once.tolist()


def test_shares_add_up(rng):
    found = of_hand(parse_cards("AhKs"), parse_cards("2c7dTs9c3h"))
    assert found[-1] == SHARES
    assert (np.diff(found.astype(int)) >= 0).all()


def test_a_flush_draw_of_black_cards_needs_the_last_one():
    """Every run ends with a black card, but only half of them have a red one."""
    black = of_hand(parse_cards("AcJc"), parse_cards("2c7cTs9d3h"))
    red = of_hand(parse_cards("AhJh"), parse_cards("2h7hTs9d3c"[:8] + "3d"))
    assert mean_strength(black) > mean_strength(red) + 0.02
