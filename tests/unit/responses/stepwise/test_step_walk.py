"""Hands that are played step by step: ranges by Bayes, chips by the rules, secrets kept."""

import numpy as np
import pytest

from counterfold.bets import parse_menu
from counterfold.bots.played_run import policy_of
from counterfold.bots.policy import make_policy
from counterfold.bots.policy_kernels import NO_EDGE
from counterfold.games import parse_game
from counterfold.public.card_maps import ExactCards, with_bounties
from counterfold.public.deals import Dealer
from counterfold.public.deals_kernels import NO_COLUMN, STAGE_PRIZE
from counterfold.public.graph import build_graph
from counterfold.public.infosets import classify
from counterfold.public.situation_features import parse_public_abstraction
from counterfold.responses.stepwise import step_walk
from counterfold.responses.stepwise.step_responder import StepResponder
from helpers.naive.naive_step_ranges import Bayes, KnownWalk, Replayed, SeenWalk, play_walks
from helpers.played_deals import play_deal
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
TABLED = [*NAMES, "bounty", "toss-tabled", "lay-two-tabled", "auction"]


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


@pytest.mark.parametrize("name", TABLED)
def test_chips_of_a_known_hand_are_those_of_the_rules(responder_of, name):
    responder = responder_of(name)
    dealer = responder.game.dealer
    for walk, (chips, _) in play_walks(responder, 40, walk=KnownWalk):
        deals, row = walk.deals, walk.row
        bots = [Replayed(walk.words(seat)) for seat in (0, 1)]
        won, _ = play_deal(dealer, deals.cards[row], bots, deals.bounties[row])
        assert chips == pytest.approx(won if walk.seat == 0 else -won, abs=1e-9)
        assert next(bots[0].actions, None) is next(bots[1].actions, None) is None


@pytest.mark.parametrize("name", TABLED)
def test_the_mean_over_hands_is_that_of_the_hand_that_the_bot_holds(responder_of, name):
    """By how much each hand differs varies; the mean of it is nothing but chance."""
    responder, n = responder_of(name), 150
    means = [value for _, (value, _) in play_walks(responder, n)]
    known = [value for _, (value, _) in play_walks(responder, n, walk=KnownWalk)]
    differences = (np.array(known) - means).reshape(n, 2).mean(axis=1)
    assert differences.std() > 0.1
    assert abs(differences.mean()) < 3.5 * differences.std() / np.sqrt(n)


def with_other_secrets(walk, rng):
    """The deal of a walk, but with another hand and bounty of the bot that fit what was seen."""
    dealer, deals, row = walk.game.dealer, walk.deals, walk.row
    h, bot = dealer.variant.hole_cards, 1 - walk.seat
    gone = [card for seat, *_, cards in walk.events for card in cards if seat == bot]
    cards = deals.cards[row].copy()
    hidden = [*range(bot * h, bot * h + h)]
    prizes = dealer.layout.stages[:, STAGE_PRIZE]
    hidden += (prizes[prizes != NO_COLUMN] + bot).tolist()
    known = {*np.delete(cards, hidden).tolist(), *gone}
    rest = rng.permutation([c for c in dealer.variant.deck.cards.tolist() if c not in known])
    cards[hidden] = [*gone, *rest[: len(hidden) - len(gone)]]
    bounties = deals.bounties[row : row + 1].copy()
    if bounties.size:
        bounties[0, bot] = rng.choice(dealer.variant.deck.ranks)
    return dealer.complete(cards[None], deals.lengths[row : row + 1], np.ones(1), bounties)


def repeat(walk, other):
    """What the bot did in a walk, in place of what it decides in another."""
    told = iter([event for event in walk.events if event[0] == 1 - walk.seat])

    def decide(*_):
        *_, kind, amount, gone = next(told)
        if gone:
            amount = Bayes.number_of(other.hole(1 - other.seat), gone)
        return kind, amount, NO_EDGE, 0

    return decide


@pytest.mark.parametrize("name", TABLED)
def test_the_responder_goes_only_by_what_it_has_seen(responder_of, name, monkeypatch, rng):
    """The bot does the same with another hand: what the responder does stays the same."""
    responder = responder_of(name)
    for walk, (chips, _) in play_walks(responder, 12):
        deals = with_other_secrets(walk, rng)
        buckets = responder.game.cards.label(deals)
        other = SeenWalk(
            responder.game, walk.bot, deals, buckets, 0, walk.seat, walk.stream, walk.seed
        )
        with monkeypatch.context() as patch:
            patch.setattr(step_walk, "decide", repeat(walk, other))
            found, _ = other.play()
        assert other.decisions == walk.decisions
        if walk.private is None:
            assert found == chips
