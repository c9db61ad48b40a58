"""Run-outs of a board and their opponents, one by one."""

import numpy as np

from counterfold.buckets.run_histograms.run_strength_kernels import (
    N_OPPONENTS,
    NO_RANK,
    deal_run_outs,
    make_run_scratch,
)
from counterfold.cards import FULL, parse_cards, rank
from counterfold.cards.ranking_kernels import rank_tables

BOARD = np.array(parse_cards("2c7cTs9d3h"), np.uint8)


def bits(value):
    return [card for card in range(52) if value >> card & 1]


def dealt(seed=0):
    scratch = make_run_scratch(50)
    n = deal_run_outs(BOARD, np.array(FULL.cards), seed, False, rank_tables(), scratch)
    return n, scratch


def test_every_next_card_has_one_run_out_that_ends_with_the_first_black_card():
    n, scratch = dealt()
    assert n == 47
    for first in range(n):
        run = bits(int(scratch.runs[first]))
        assert scratch.left[first] in run
        assert not set(run) & set(BOARD.tolist())
        n_black = sum(card % 4 not in (1, 2) for card in run)
        assert n_black == 1
        assert len(run) > 1 or run[0] % 4 not in (1, 2)
        weight = np.prod([(47 - k) / (47 - k - 2) for k in range(1, len(run))])
        assert scratch.weights[first] == weight or np.isclose(scratch.weights[first], weight)


def test_opponents_are_one_from_each_eighth_by_present_strength():
    n, scratch = dealt()
    hands = sorted(
        (rank([a, b, *BOARD.tolist()]), (int(a), int(b)))
        for i, a in enumerate(scratch.left[:n])
        for b in scratch.left[i + 1 : n]
    )
    ranks = np.array([each for each, _ in hands])
    n_met = 0
    for first in range(n):
        for k in range(N_OPPONENTS):
            pair = bits(int(scratch.opponents[first, k]))
            own = rank([*pair, *BOARD.tolist()])
            low, high = (ranks[min(at * ranks.size // 8, ranks.size - 1)] for at in (k, k + 1))
            assert low <= own <= high
            run = bits(int(scratch.runs[first]))
            if set(run) & set(pair):
                assert scratch.theirs[first, k] == NO_RANK
            else:
                n_met += 1
                assert scratch.theirs[first, k] == rank([*pair, *BOARD.tolist(), *run])
    assert n_met > 0.85 * n * N_OPPONENTS


def test_another_seed_deals_others():
    one, other = dealt(0)[1], dealt(1)[1]
    assert (one.opponents != other.opponents).any()
