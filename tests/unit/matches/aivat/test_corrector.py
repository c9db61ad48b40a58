"""AIVAT of matches in kernels: same mean, less variance, whoever plays whichever variant."""

from math import sqrt

import numpy as np
import pytest

from counterfold.bots.policy import make_policy
from counterfold.games import parse_game
from counterfold.games.holdem import Auction
from counterfold.matches.aivat import value_fit
from counterfold.matches.aivat.corrector import most_hands
from counterfold.matches.aivat.worth_kernels import ValueFunction
from counterfold.matches.batch import BatchRunner
from counterfold.matches.entrants import baseline_entrant, run_entrant
from counterfold.matches.policy_match import play_policies
from counterfold.public.deals import Dealer
from helpers.entrants import policy_entrant
from helpers.parameters import thinned
from helpers.public_games import CARD_VARIANTS
from helpers.trained_runs import cardless_game

VARIANTS = ["limit", "nolimit(stack=40)", "discard(stack=40)", "river-of-blood(stack=40)",
            "swap(stack=40)", "bounty(stack=40)", "auction(stack=40)",
            "toss(stack=40)"]  # fmt: skip


def no_tables():
    raise AssertionError("these baselines look at no tables")


def random_entrant(variant, seed):
    """A player of a real variant that ignores its cards and plays random numbers."""
    bets = "limit-4" if variant.betting == "limit" else "100%, allin; cap 3"
    if variant.has_auctions:
        bets += "".join(
            f"; {street}: bids: 50%, allin"
            for street, each in zip(("preflop", "flop", "turn"), variant.streets, strict=False)
            if any(isinstance(step, Auction) for step in each.steps)
        )
    game, cards = cardless_game(variant, bets)
    quantized = np.random.default_rng(seed).integers(0, 50, game.n_slots).astype(np.uint8)
    policy = make_policy(game, cards.dealer, quantized, cards.n_buckets)
    return policy_entrant(f"random {seed}", policy, cards, cards.dealer)


def wrong_values(n_nodes):
    """A value function of random numbers."""
    rng = np.random.default_rng(1)
    return ValueFunction(*(rng.normal(size=each.shape) for each in value_fit.checked_down(n_nodes)))


def check_unbiased(variant, players, n):
    """A value function of random numbers adds something to most hands, and nothing in the mean."""
    runner = BatchRunner(variant, players, 3, adjust=False, keeps_steps=True)
    values = wrong_values(runner.corrector.n_nodes)
    batch = BatchRunner(variant, players, 3, adjust=False, values=values).play(0, n)
    difference = (batch.aivat - batch.plain).mean(axis=0)
    assert difference.std() > 0.1
    assert abs(difference.mean()) < 4.5 * difference.std() / sqrt(n)


BOTH, FIRST, SECOND, NOBODY = (True, True), (True, False), (False, True), (False, False)
KNOWN = [
    *((name, BOTH) for name in VARIANTS),
    (VARIANTS[2], FIRST),
    (VARIANTS[1], SECOND),
    (VARIANTS[3], NOBODY),
]
OTHERS = [
    pytest.param(name, known, marks=pytest.mark.slow)
    for name in VARIANTS
    for known in (FIRST, SECOND, NOBODY)
    if (name, known) not in KNOWN
]


@pytest.mark.parametrize(("name", "known"), [*KNOWN, *OTHERS])
def test_a_wrong_value_function_does_not_bias(name, known):
    variant = parse_game(name)
    other = baseline_entrant("random", variant, no_tables)
    players = tuple(random_entrant(variant, k) if known[k] else other for k in range(2))
    check_unbiased(variant, players, 2000)


REFUSED = "laid and dealt", "dealt between choices"  # see `check_luck`


@pytest.mark.parametrize(
    "title", thinned([name for name in CARD_VARIANTS if name not in REFUSED], fast=(0, 2))
)
def test_cards_by_the_way_do_not_bias(title):
    variant = CARD_VARIANTS[title]
    check_unbiased(variant, (random_entrant(variant, 0), random_entrant(variant, 1)), 2000)


@pytest.mark.parametrize(
    "name", ["limit", "nolimit", "discard", "discard-history", "discard-tabled", "river-of-blood"]
)
def test_who_looks_at_cards_is_not_biased_either(name, small_runs):
    run = small_runs[name]
    variant = run.plan.variant
    check_unbiased(variant, (run_entrant(run, "a"), run_entrant(run, "b")), 3000)
    other = baseline_entrant("random", variant, no_tables)
    check_unbiased(variant, (other, run_entrant(run, "a")), 3000)


@pytest.mark.parametrize("name", thinned(VARIANTS, fast=(2, 3)))
def test_variance_shrinks_around_the_same_mean(name):
    variant = parse_game(name)
    players = random_entrant(variant, 0), random_entrant(variant, 1)
    result = play_policies(variant, players, 4000, aivat=True, seed=5)
    assert result.aivat.known == ("random 0", "random 1")
    plain, less = result.variance_ratios
    assert plain >= less > 2
    assert abs(result.aivat.chips - result.plain_chips) < 2.3 * result.plain_interval


def test_all_ins_are_no_luck():
    """The result of two who are always all-in is a matter of cards alone, before the flop too."""
    variant = parse_game("nolimit(stack=40)")
    players = tuple(baseline_entrant(name, variant, no_tables) for name in ("all-in", "all-in"))
    result = play_policies(variant, players, 4000, aivat=True, duplicate=False)
    assert result.aivat.known == ()
    assert result.aivat.chips_interval < 0.3 * result.plain_interval


COVERED = ["nolimit(stack=20, deck='9TJQKA/cd', board=(1, 1))",
           "bounty(stack=20, deck='9TJQKA/cd', board=(1, 1))",
           "auction(stack=20, deck='789TJQKA/cd', board=(3, 1))",
           "toss(stack=20, deck='789TJQKA/cd', board=(1, 1))"]  # fmt: skip


@pytest.mark.parametrize("name", thinned(COVERED, fast=(0,)))
def test_intervals_cover_in_19_of_20_matches(name):
    """Each of 100 matches has an interval; the mean of all is as good as known beside them."""
    variant = parse_game(name)
    players = random_entrant(variant, 0), random_entrant(variant, 1)
    fitted = value_fit.fit_values(variant, players, 0, n_deals=1000)
    n = 400
    means, intervals = [], []
    for seed in range(100):
        runner = BatchRunner(variant, players, 10 * seed, values=fitted.values)
        units = runner.play(0, n).aivat.mean(axis=0)
        means.append(units.mean())
        intervals.append(1.96 * units.std(ddof=1) / sqrt(n))
    covered = np.sum(np.abs(np.array(means) - np.mean(means)) < intervals)
    # A binomial of 100 and 0.95 has a mean of 95 and a standard deviation of 2.2.
    assert 85 <= covered <= 100


def test_two_threads_correct_as_one(small_runs):
    run = small_runs["discard"]
    players = run_entrant(run, "a"), run_entrant(run, "b")
    results = [
        play_policies(run.plan.variant, players, 6000, aivat=True, threads=threads)
        for threads in (1, 2)
    ]
    assert results[0] == results[1]
    assert len(results[0].aivat.value_function) == 16


def test_the_value_function_is_another_with_another_seed(small_runs):
    run = small_runs["nolimit"]
    players = run_entrant(run, "a"), run_entrant(run, "b")
    found = {
        value_fit.fit_values(run.plan.variant, players, seed, 200).fingerprint for seed in (1, 1, 2)
    }
    assert len(found) == 2


@pytest.mark.parametrize(
    ("name", "n"),
    [("nolimit", 11), ("discard", 5), ("swap", 3), ("river-of-blood", 5), ("leduc-variant", 2),
     ("kuhn-variant", 1)],
)  # fmt: skip
def test_every_deal_leaves_cards_to_imagine(name, n):
    variant = parse_game(name)
    assert most_hands(Dealer(variant)) == n
