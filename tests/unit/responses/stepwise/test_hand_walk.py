"""Hands that are played step by step: ranges by Bayes, chips by the rules, secrets kept."""

import numpy as np
import pytest

from counterfold.bets import parse_menu
from counterfold.bots.played_run import policy_of
from counterfold.bots.policy import make_policy
from counterfold.games import parse_game
from counterfold.public.card_maps import ExactCards, with_bounties
from counterfold.public.deals import Dealer
from counterfold.public.graph import build_graph
from counterfold.public.infosets import classify
from counterfold.public.situation_features import parse_public_abstraction
from counterfold.responses.stepwise.step_responder import StepResponder
from helpers.played_deals import play_deal
from helpers.stepwise_hands import Bayes, KnownWalk, Replayed, play_walks
from helpers.trained_runs import randomized, train_small



def bounty_hit():
    """A bot that knows its cards, and of its bounty whether it is hit; random play."""
    dealer = Dealer(parse_game("bounty(stack=7, deck='QKA/cd', board=(1, 1), extra=2)"))
    cards = with_bounties(ExactCards(dealer, dealer.enumerate()), "hit")
    graph = build_graph(dealer.variant, parse_menu("50%, 100%, allin; cap 3"), merge=False)
    game = classify(graph, parse_public_abstraction("history * cards"), cards.n_buckets)
    quantized = np.random.default_rng(4).integers(1, 50, game.n_slots).astype(np.uint8)
    return dealer, make_policy(game, dealer, quantized, cards.n_buckets), cards


@pytest.fixture(scope="module")
def responder_of(small_runs, tmp_path_factory):
    made = {}

    def make(name, menu=None):
        if (name, menu) not in made:
            if name == "bounty-hit":
                made[name, menu] = StepResponder(*bounty_hit(), menu)
                return made[name, menu]
            if name == "auction-told":
                folder = tmp_path_factory.mktemp("runs") / name
                variant = "auction(stack=12, deck='QKA/cdh', board=(3,), sealed=False)"
                run = train_small("auction-sealed", folder, variant=variant)
            else:
                run = small_runs[name]
            run = randomized(run, 2)
            responder = StepResponder(run.plan.dealer, policy_of(run), run.cards, menu)
            made[name, menu] = responder
        return made[name, menu]

    return make


NAMES = ["bounty-exact", "bounty-hit", "toss", "show-two", "auction-sealed", "auction-told"]


def weights_by_hand(walk):
    """The range of a walk by hand, as `Bayes.posterior` has it."""
    columns, found = walk.range.columns, {}
    total = walk.range.total
    for j in np.flatnonzero(total):
        h, k = divmod(int(j), columns.n_secrets)
        hand = tuple(columns.cards[h].tolist()) + ((k,) if walk.secrets else ())
        found[hand] = found.get(hand, 0.0) + total[j]
    return {hand: weight / total.sum() for hand, weight in found.items()}


@pytest.mark.parametrize("name", NAMES)
def test_ranges_are_those_of_bayes_at_every_decision(responder_of, name):
    menu = "50%, 100%, allin" + ("; bids: 40%, 100%, allin" if "auction" in name else "")
    responder = responder_of(name, menu)  # with bets that the bot reads in two ways
    bayes, n_checked = Bayes(responder), 0

    def decides(walk):
        nonlocal n_checked
        expected = bayes.posterior(walk)
        found = weights_by_hand(walk)
        assert found.keys() == expected.keys()
        assert found == pytest.approx(expected, abs=1e-12)
        n_checked += 1

    for _ in play_walks(responder, 16, decides=decides):
        pass
    assert n_checked > 20


@pytest.mark.parametrize("name", [*NAMES, "bounty", "toss-tabled", "auction"])
def test_chips_of_a_known_hand_are_those_of_the_rules(responder_of, name):
    responder = responder_of(name)
    dealer = responder.game.dealer
    for walk, (chips, _) in play_walks(responder, 40, walk=KnownWalk):
        deals, row = walk.deals, walk.row
        bots = [Replayed(walk.words(seat)) for seat in (0, 1)]
        won, _ = play_deal(dealer, deals.cards[row], bots, deals.bounties[row])
        assert chips == pytest.approx(won if walk.seat == 0 else -won, abs=1e-9)
        assert next(bots[0].actions, None) is next(bots[1].actions, None) is None


@pytest.mark.parametrize("name", [*NAMES, "bounty", "toss-tabled", "auction"])
def test_the_mean_over_hands_is_that_of_the_hand_that_the_bot_holds(responder_of, name):
    """By how much each hand differs varies; the mean of it is nothing but chance."""
    responder, n = responder_of(name), 250
    means = [value for _, (value, _) in play_walks(responder, n)]
    known = [value for _, (value, _) in play_walks(responder, n, walk=KnownWalk)]
    differences = (np.array(known) - means).reshape(n, 2).mean(axis=1)
    assert differences.std() > 0.1
    assert abs(differences.mean()) < 3.5 * differences.std() / np.sqrt(n)
