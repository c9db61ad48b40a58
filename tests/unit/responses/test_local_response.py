"""Local best responses: closed forms, best responses as upper bounds, figures of a result."""

import numpy as np
import pytest

from counterfold.blueprints.blueprint import Blueprint
from counterfold.blueprints.enumerated import evaluate_enumerated
from counterfold.bots.played_run import policy_of
from counterfold.bots.policy import make_policy
from counterfold.errors import AbstractionError, MatchError, UnsupportedGameError
from counterfold.games.holdem import VARIANTS
from counterfold.games.holdem import betting_kernels as betting
from counterfold.responses.local_response import find_responder, local_response, respond_locally
from counterfold.responses.responder import Responder
from counterfold.training.plan import Plan
from counterfold.training.recipe import parse_recipe
from helpers.leduc_callers import won_from_a_caller
from helpers.trained_runs import always, scripted_bot

LIMIT = VARIANTS["limit"]()
LEDUC = VARIANTS["leduc-variant"]()


def respond_to(variant, kind, hands):
    bot = scripted_bot(variant, "min", always(kind))
    return respond_locally(find_responder(bot.cards.dealer, bot.policy, bot.cards), hands)


def test_a_bot_that_always_folds_loses_its_blind():
    found = respond_to(LIMIT, betting.FOLD, 40)
    assert [(rate.mean, rate.interval) for rate in found.seats] == [(1000, 0), (500, 0)]
    assert (found.exploitability.mean, found.exploitability.interval) == (750, 0)
    assert found.streets[0].hands == 1


@pytest.mark.parametrize("name", ["auction", "toss"])
def test_a_bot_that_always_folds_loses_its_blind_in_other_games(name):
    bot = scripted_bot(
        VARIANTS[name](),
        "100%, allin; bids: 50%" * (name == "auction") or "100%",
        always(betting.FOLD),
    )
    found = respond_locally(find_responder(bot.cards.dealer, bot.policy, bot.cards), 40)
    assert [(rate.mean, rate.interval) for rate in found.seats] == [(1000, 0), (500, 0)]


def test_a_bot_that_always_folds_pays_the_bounties_that_are_hit():
    """A bounty is in a hand of two ranks with probability 2 / 13, in a pair with 1 / 13."""
    bot = scripted_bot(VARIANTS["bounty"](), "100%", always(betting.FOLD))
    found = respond_locally(find_responder(bot.cards.dealer, bot.policy, bot.cards), 8000)
    hit = (2 - 3 / 51) / 13
    blinds = 2, 1
    # Half a chip of the small blind's win is rounded by the number of the last action.
    for rate, blind in zip(found.seats, blinds, strict=True):
        best = [blind + hit * (won - blind) for won in (1.5 * blind + 10, 1.5 * blind + 10.5)]
        assert (
            best[0] - 2 * rate.interval / 500 < rate.mean / 500 < best[1] + 2 * rate.interval / 500
        )


def test_a_bot_that_always_calls_is_bet_into_with_the_better_half():
    """Nobody raises back: a bet on each street wherever the hand wins more often than it loses."""
    total = won_from_a_caller()
    found = respond_to(LEDUC, betting.CALL, 20_000)
    for rate in (found.exploitability, *found.seats):
        assert rate.mean == pytest.approx(1000 * total, abs=1.5 * rate.interval)


# What best responses win from these bots, by Johanson et al. (2011).
@pytest.mark.parametrize(("kind", "best"), [(betting.CALL, 1163.48), (betting.RAISE, 3697.69)])
def test_simple_bots_of_limit_holdem_lose_most_of_what_can_be_won(kind, best):
    found = respond_to(LIMIT, kind, 2000)
    assert 0.7 * best < found.exploitability.mean + 1.5 * found.exploitability.interval
    assert found.exploitability.mean - 1.5 * found.exploitability.interval < best


NO_TURN = """
stack = 6
deck = "QKA/cd"
hole_cards = 1
[[streets]]
first = 0
[[streets]]
cards = 1
betting = false
[[streets]]
cards = 1
"""
REDUCED = {
    "limit": {"variant": "limit(deck='JQKA/cd', board=(1, 1))", "bets": "limit-3"},
    "nolimit": {"variant": "nolimit(stack=12, deck='JQKA/cd', board=(1, 1))"},
    "buckets": {
        "variant": "nolimit(stack=12, deck='JQKA/cd', board=(1, 1))",
        "cards": "listed-percentile(4, recall=sequence)",
    },
    "discard": {"variant": "discard(stack=4, deck='JQKA/cd', board=(1, 1))"},
    "permuted": {"variant": "permuted(stack=6, deck='JQKA/cd', board=(1,), order='AJKQ')"},
    "river-of-blood": {"variant": "river-of-blood(stack=6, deck='QKA/cd', board=(1,))"},
    "no turn": {"variant": "no turn", "rules": NO_TURN},
    "bounty": {"variant": "bounty(stack=7, deck='QKA/cd', board=(1,), extra=2)"},
    "toss": {"variant": "toss(stack=6, deck='JQKA/cd', board=(1,), hole_cards=2)"},
    "sealed bids": {
        "variant": "auction(stack=6, deck='QKA/cdh', board=(3,), sealed=True)",
        "bets": "100%, allin; cap 2; flop: bids: 100%, allin",
    },
    "told bids": {
        "variant": "auction(stack=6, deck='QKA/cdh', board=(3,))",
        "bets": "100%, allin; cap 2; flop: bids: 100%, allin",
    },
}
COMMON = {"cards": "exact", "bets": "100%, allin; cap 3", "seed": 1}


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("name", REDUCED)
def test_no_local_best_response_wins_more_than_the_best_response(name, seed):
    plan = Plan(parse_recipe({**COMMON, **REDUCED[name]}, name), name)
    cards, dealer = plan.cards(), plan.dealer
    game = plan.game(cards.n_buckets)
    quantized = np.random.default_rng(seed).integers(1, 50, game.n_slots).astype(np.uint8)
    blueprint = Blueprint(game, quantized, game.n_infosets)
    _, figures = evaluate_enumerated(blueprint, cards, *plan.exact)
    policy = make_policy(game, dealer, quantized, cards.n_buckets)
    responder = find_responder(dealer, policy, cards, plan.recipe.bets)
    found = respond_locally(responder, 1000, seed=seed)
    for rate, best in zip(found.seats, figures.responses, strict=True):
        assert rate.mean - 1.5 * rate.interval <= 1000 * best / dealer.variant.big_blind
    gained = [
        rate.mean - 1000 * value / dealer.variant.big_blind
        for rate, value in zip(found.seats, figures.values, strict=True)
    ]
    assert sum(gained) > 0  # than the bot itself wins in that seat, which is far from best


def test_the_mean_over_hands_is_that_of_the_hand_that_the_bot_holds(small_runs):
    """If all private deals are the bot's own, no other hand counts."""
    run = small_runs["discard"]
    game = run.blueprint.game
    quantized = np.random.default_rng(5).integers(1, 50, game.n_slots).astype(np.uint8)
    policy = make_policy(game, run.plan.dealer, quantized, run.cards.n_buckets)
    responder = Responder(run.plan.dealer, policy, run.cards)
    values, _ = responder.play(3, 0, 600)
    known = _know_the_hand(responder).play(3, 0, 600)[0]
    differences = known - values
    assert np.abs(differences).max() > 1  # chips
    error = differences.mean(axis=0).std() / np.sqrt(600)
    assert abs(differences.mean()) < 3 * error
    assert values.std() < known.std()


def _know_the_hand(responder):
    plain = responder.deal

    def deal(seed, first, n):
        dealt = plain(seed, first, n)
        private = dealt.private
        own = private.n_paths
        for array in (private.labels, private.given.swapaxes(-1, -2), private.strengths):
            real = array[..., :own]
            array[...] = np.tile(real, array.shape[-1] // own)
        return dealt

    responder.deal = deal
    return responder


def test_figures_do_not_depend_on_threads(small_runs):
    run = small_runs["nolimit"]
    one = local_response(run, hands=200, seed=4, threads=1)
    assert local_response(run, hands=200, seed=4, threads=2) == one
    assert local_response(run, hands=200, seed=5, threads=2) != one


def test_a_result_says_that_it_is_a_lower_bound(small_runs):
    found = local_response(small_runs["nolimit"], hands=64, menu="100%, allin")
    assert str(found).startswith("at least ")
    figures = found.to_dict()
    assert figures["kind"] == "local lower bound"
    assert figures["menu"] == "100%, allin"
    assert figures["hands"] == 64
    assert sum(street.hands for street in found.streets) == pytest.approx(1)
    assert sum(street.mb for street in found.streets) == pytest.approx(found.exploitability.mean)
    assert sum(rate.mean for rate in found.seats) / 2 == pytest.approx(found.exploitability.mean)


def test_progress_is_told_up_to_the_end(small_runs):
    told = []
    local_response(small_runs["nolimit"], hands=130, progress=lambda *n: told.append(n))
    assert told == [(32, 65), (64, 65), (65, 65)]


def test_too_few_hands_are_refused(small_runs):
    with pytest.raises(MatchError, match="at least four hands, not 3"):
        local_response(small_runs["nolimit"], hands=3)


def test_kernels_refuse_bounties(small_runs):
    run = small_runs["bounty"]
    policy, cards = policy_of(run), run.cards
    with pytest.raises(UnsupportedGameError, match=r"needs a pot without .*; pass --learned"):
        Responder(run.plan.dealer, policy, cards)


def test_a_menu_that_does_not_fit_the_variant_is_refused(small_runs):
    with pytest.raises(AbstractionError, match="are fixed"):
        local_response(small_runs["limit"], hands=8, menu="50%")
