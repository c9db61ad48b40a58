"""All-in adjustment against the exact rules in plain Python, and what it does to a match."""

from collections import Counter
from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from counterfold.cards.equity import equity
from counterfold.cards.ranges import parse_range
from counterfold.cards.text import format_cards, parse_cards
from counterfold.games import parse_game
from counterfold.matches import policy_match_kernels
from counterfold.matches.all_in_kernels import N_RUN_OUTS
from counterfold.matches.batch import BatchRunner
from counterfold.matches.entrants import baseline_entrant
from counterfold.matches.policy_match import play_policies
from counterfold.matches.replay import replay_hand
from helpers.naive.naive_all_ins import moments, settled_state
from helpers.parameters import crossed

# Decks on which all boards can be listed state by state.
ENUMERATED = [
    "nolimit(stack=10, deck='TJQKA/cd', board=(2, 1, 1))",
    "nolimit(stack=10, deck='QKA/cdh', board=(1, 1))",  # boards too short for five cards
    "discard(stack=10, deck='9TJQKA/cd', board=(1, 1, 1))",
    "swap(stack=10, deck='23456789TJQKA/cd', board=(1, 1, 1))",
    "toss(stack=10, deck='9TJQKA/cd', board=(2, 1, 1))",
    "auction(stack=10, deck='9TJQKA/cd', board=(2, 1, 1))",
]
SAMPLED = ["river-of-blood(stack=10, deck='JQKA/cd', board=(1,))"]


def no_tables():
    raise AssertionError("these baselines look at no tables")


def play(variant, names=("random", "random"), hands=400, **options):
    """A match, and its hands."""
    players = tuple(baseline_entrant(name, variant, no_tables) for name in names)
    histories = []
    result = play_policies(variant, players, hands, histories=histories.extend, **options)
    return result, histories


@pytest.mark.parametrize("name", ENUMERATED)
@pytest.mark.parametrize("duplicate", [True, False])
def test_each_hand_is_adjusted_to_its_exact_expectation(name, duplicate):
    variant = parse_game(name)
    _, histories = play(variant, hands=160, duplicate=duplicate, seed=4)
    n_adjusted = 0
    for history in histories:
        state = settled_state(variant, history)
        assert (state is None) == (history.adjusted is None)
        if state is not None:
            n_adjusted += 1
            assert history.adjusted[0] == pytest.approx(moments(state)[0])
            assert replay_hand(history, variant).utilities == history.chips
    assert n_adjusted >= 10


@pytest.mark.parametrize("name", SAMPLED)
def test_run_outs_have_the_mean_and_variance_of_the_exact_rules(name):
    variant = parse_game(name)
    _, histories = play(variant, hands=2000, duplicate=False, seed=4)
    scores = []
    for history in histories:
        state = settled_state(variant, history)
        assert (state is None) == (history.adjusted is None)
        if state is None:
            continue
        mean, square = moments(state)
        variance = (square - mean**2) / N_RUN_OUTS
        if variance < 1e-9:
            assert history.adjusted[0] == pytest.approx(mean)
        else:
            scores.append((history.adjusted[0] - mean) / sqrt(variance))
    # Standard scores: their mean within four standard errors of 0, their variance near 1.
    assert len(scores) > 100
    assert abs(np.mean(scores)) < 4 / sqrt(len(scores))
    assert np.mean(np.square(scores)) == pytest.approx(1.0, abs=4 * sqrt(2 / len(scores)))


def test_a_full_deck_agrees_with_equity():
    variant = parse_game("nolimit(stack=20)")
    _, histories = play(variant, hands=300, seed=4)
    met = Counter()
    for history in histories:
        state = settled_state(variant, history)
        if state is None or (not state.board and met[0] == 10):  # these take 0.1 s each
            continue
        hands = (parse_range(format_cards(hole)) for hole in state.holes)
        board = [card for street in state.board for card in street]
        met[len(board)] += 1
        found = equity(*hands, board)
        expected = variant.stack * (found.win - found.lose)
        if board:  # the turn has 44 rivers, the flop 990 run-outs: all of them
            assert history.adjusted[0] == pytest.approx(expected)
        else:
            # Five standard errors of a mean of run-outs that are -20, 0 or 20.
            assert history.adjusted[0] == pytest.approx(expected, abs=5 * 20 / sqrt(N_RUN_OUTS))
    assert met.keys() == {0, 3, 4}


@pytest.mark.parametrize("swapped", [0, 1])
def test_one_hand_by_hand(swapped):
    """Aces against kings, all in on the turn: the two other kings of 44 rivers win."""
    variant = parse_game("nolimit(stack=20)")
    player = baseline_entrant("always-call", variant, no_tables)
    table = BatchRunner(variant, (player, player), 0)
    cards = np.array([parse_cards("AcAd KcKd 2h5s7c 9d Kh")], np.uint8)
    deals = table.dealer.complete(cards, np.array([3], np.uint8), np.ones(1))
    ends = np.zeros((1, policy_match_kernels.N_END_COLUMNS), np.int64)
    ends[0, policy_match_kernels.SETTLED] = 2
    ends[0, [policy_match_kernels.STAKE_0, policy_match_kernels.STAKE_1]] = 20
    sign = -1 if swapped else 1
    chips, adjusted = np.array([-20.0 * sign]), np.zeros(1, np.uint8)
    table.adjust_hands(deals, 0, ends, np.array([swapped], np.uint8), chips, adjusted)
    assert adjusted[0] == 1
    assert chips[0] == pytest.approx(sign * 20 * (42 - 2) / 44)
    found = equity(parse_range("AcAd"), parse_range("KcKd"), parse_cards("2h5s7c9d"))
    assert chips[0] == pytest.approx(sign * 20 * (found.win - found.lose))


@pytest.mark.parametrize("swapped", [0, 1])
def test_seats_that_have_paid_unequally_lose_what_they_have_put_in(swapped):
    """Seat 0 has won an auction for 5 chips; it holds AcAd3c against KcKd."""
    variant = parse_game("auction(stack=20)")
    player = baseline_entrant("always-call", variant, no_tables)
    table = BatchRunner(variant, (player, player), 0)
    cards = np.array([parse_cards("AcAd KcKd 2h5s7c 9d Kh 3c3d")], np.uint8)
    deals = table.dealer.complete(cards, np.array([3], np.uint8), np.ones(1))
    ends = np.zeros((1, policy_match_kernels.N_END_COLUMNS), np.int64)
    ends[0, policy_match_kernels.SETTLED] = 2
    ends[0, policy_match_kernels.HAND_PATH_0] = 1
    ends[0, policy_match_kernels.STAKE_0] = 20
    ends[0, policy_match_kernels.STAKE_1] = 15
    chips, adjusted = np.array([-20.0]), np.zeros(1, np.uint8)
    table.adjust_hands(deals, 0, ends, np.array([swapped], np.uint8), chips, adjusted)
    # Of 43 rivers the two other kings win for seat 1.
    sign = -1 if swapped else 1
    assert chips[0] == pytest.approx(sign * (41 * 15 - 2 * 20) / 43)


def test_run_outs_are_ranked_as_the_contest_ranks():
    """With ten cards and more two suits may have five: only one of them can make a flush."""
    contest = parse_game("river-of-blood(stack=5)")
    _, ours = play(replace(contest, first_flush_suit_only=False), ("all-in", "all-in"), seed=1)
    _, theirs = play(contest, ("all-in", "all-in"), seed=1)
    changes = [abs(a.adjusted[0] - b.adjusted[0]) for a, b in zip(ours, theirs, strict=True)]
    assert any(changes)
    # Of 100 run-outs hardly any has two such suits; each can change the result by two stacks.
    assert max(changes) <= 10 * 2 * contest.stack / N_RUN_OUTS


@pytest.mark.parametrize(
    ("name", "duplicate"),
    crossed(
        ["nolimit(stack=30)", "discard", "river-of-blood", "swap", "auction(stack=30)"],
        [True, False],
    ),
)
def test_the_interval_shrinks_around_the_same_mean(name, duplicate):
    variant = parse_game(name)
    result, _ = play(variant, hands=20_000, duplicate=duplicate, seed=2)
    assert result.adjusted > 500
    assert result.chips_interval < 0.97 * result.plain_interval
    # The difference has mean 0, and its variance is what the adjustment took away or less.
    assert abs(result.chips - result.plain_chips) < 2 * result.plain_interval
    plain, _ = play(variant, hands=20_000, duplicate=duplicate, seed=2, adjust=False)
    assert plain.adjusted == 0
    assert (plain.chips, plain.chips_interval) == (result.plain_chips, result.plain_interval)


@pytest.mark.parametrize("name", ["nolimit", "river-of-blood", "discard"])
def test_luck_still_cancels_where_both_hands_of_a_deal_are_all_in(name):
    result, _ = play(parse_game(name), ("all-in", "always-call"), hands=400)
    assert result.adjusted == 400
    assert result.chips == result.chips_interval == 0.0


def test_fixed_limits_have_nothing_to_adjust():
    result, _ = play(parse_game("limit"))
    assert result.adjusted == 0


@pytest.mark.parametrize("name", ["nolimit", "river-of-blood"])
def test_two_threads_adjust_as_one(name):
    variant = parse_game(name)
    names = "random", "all-in"
    one, first = play(variant, names, hands=10_000, seed=3, threads=1)
    two, second = play(variant, names, hands=10_000, seed=3, threads=2)
    assert one == two
    assert one.adjusted > 0
    assert first == second
