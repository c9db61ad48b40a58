"""Real bids in the game of a policy, against the rules of translation and exact situations."""

from dataclasses import replace

import numpy as np
import pytest

from counterfold.bets import PublicPlace, Translation, parse_menu
from counterfold.bots import bid_kernels
from counterfold.bots.follow_kernels import follow, follow_auction, follow_deal
from counterfold.bots.policy import make_policy
from counterfold.bots.policy_kernels import LOST
from counterfold.games import parse_game
from counterfold.games.holdem import betting_kernels as betting
from counterfold.public.card_maps import NoCards
from counterfold.public.deals import Dealer
from counterfold.public.graph import build_graph
from counterfold.public.infosets import classify
from counterfold.public.situation_features import parse_public_abstraction

VARIANT = parse_game("auction(stack=100)")
MENU = "100%, allin; cap 3; flop: bids: 50%, 200%, allin"


@pytest.fixture(scope="module", params=["pot * to_call * raises", "history"])
def graph_and_policy(request):
    graph = build_graph(VARIANT, parse_menu(MENU), merge=request.param != "history")
    cards = NoCards(Dealer(VARIANT))
    game = classify(graph, parse_public_abstraction(request.param), cards.n_buckets)
    quantized = np.zeros(game.n_slots, np.uint8)
    return graph, make_policy(game, cards.dealer, quantized, cards.n_buckets)


def auctions(graph):
    """The nodes of first bids."""
    first = (graph.phase == betting.AUCTION) & (graph.field(betting.FIRST_BID) == 0)
    return np.flatnonzero(first).tolist()


def situation_at(graph, node):
    return tuple(graph.situations[node].tolist())


def test_first_bids_are_read_as_translation_does(graph_and_policy):
    graph, policy = graph_and_policy
    translation = Translation(parse_menu(MENU))
    for node in auctions(graph)[:6]:
        situation = situation_at(graph, node)
        place = PublicPlace(VARIANT, situation)
        most = VARIANT.stack - situation[betting.SPENT_0]
        for bid in range(most + 1):
            low, high, share = bid_kernels.read_bid(policy, node, situation, bid, most)
            found = {}
            for edge, chance in ((low, share), (high, 1.0 - share)):
                name = f"a{graph.amounts[edge]}"
                found[name] = found.get(name, 0.0) + chance
            for name, chance in translation.distribution(f"a{bid}", place, place):
                assert found.pop(name) == pytest.approx(chance)
            assert sum(found.values()) == pytest.approx(0.0)


@pytest.mark.parametrize("bids", [(0, 0), (7, 7), (3, 20), (20, 3), (0, 98), (98, 98), (40, 39)])
def test_a_settled_auction_has_the_winners_and_about_the_price(graph_and_policy, bids):
    graph, policy = graph_and_policy
    root = auctions(graph)[0]
    situation = situation_at(graph, root)
    stack = VARIANT.stack
    after_first = betting.after_bid(VARIANT.rules, situation, bids[0])
    node = follow(policy, root, betting.BID, bids[0], situation, stack, 0.5)
    assert policy.raise_nodes[node] == root
    assert follow(policy, node, betting.BID, bids[1], after_first, stack, 0.5) == node
    settled = betting.after_bid(VARIANT.rules, after_first, bids[1])
    found = situation_at(graph, follow_auction(policy, node, settled))
    assert found[betting.DREW] == settled[betting.DREW]
    prices = {
        sum(situation_at(graph, end)[betting.PAID_0 : betting.PAID_1 + 1])
        for end in range(graph.n_nodes)
        if graph.field(betting.STREET)[end] == 1
        and graph.field(betting.DREW)[end] == settled[betting.DREW]
        and graph.phase[end] == betting.BET
        and (graph.situations[end, [betting.SPENT_0]] == settled[betting.SPENT_0]).all()
    }
    paid = found[betting.PAID_0] + found[betting.PAID_1]
    real = settled[betting.PAID_0] + settled[betting.PAID_1]
    pot = 2 * settled[betting.SPENT_0]
    assert paid in prices or found[betting.PHASE] != betting.BET
    least = min(abs(price / (pot + price) - real / (pot + real)) for price in prices)
    assert abs(paid / (pot + paid) - real / (pot + real)) <= least + 1e-12


def test_one_who_is_lost_stays_so(graph_and_policy):
    graph, policy = graph_and_policy
    situation = situation_at(graph, auctions(graph)[0])
    assert follow_auction(policy, LOST, situation) == LOST
    assert follow_auction(policy, 0, situation) == 0  # not at an auction


def test_a_street_begins_with_the_chips_and_the_winners_of_the_auction(graph_and_policy):
    graph, policy = graph_and_policy
    deals = np.flatnonzero((graph.phase == betting.DEAL) & (graph.field(betting.STREET) == 1))
    for node in deals.tolist():
        dealt = betting.after_deal(VARIANT.rules, situation_at(graph, node), False)
        if dealt[betting.PHASE] == betting.BET:
            assert situation_at(graph, follow_deal(policy, node, dealt)) == dealt


@pytest.mark.parametrize(
    ("size", "low", "high", "share"),
    [(0.5, 0.4, 1.0, 1.0), (0.8, 0.4, 1.0, 0.0), (0.3, 0.0, 1.0, 1.0), (0.4, 0.0, 1.0, 0.0)],
)
def test_the_nearest_size_is_that_of_the_larger_ratio(size, low, high, share):
    """Between 0.4 and 1 the middle is their geometric mean, 0.63; above 0, a third of 1 is."""
    assert bid_kernels.share_of_lower(bid_kernels.NEAREST, size, low, high) == share


@pytest.mark.parametrize("blinds", [(0, 1), (1, 20)])
def test_an_auction_before_the_betting_is_found_with_its_price(blinds):
    """Where one seat has put in more than the other, and the pot may be a single chip."""
    first, flop, *others = VARIANT.streets
    streets = (replace(first, steps=flop.steps), replace(flop, steps=()), *others)
    variant = replace(VARIANT, streets=streets, blinds=blinds)
    menu = parse_menu("allin; cap 1; preflop: bids: 100%, 200%, 300%, allin")
    graph = build_graph(variant, menu, merge=False)
    cards = NoCards(Dealer(variant))
    game = classify(graph, parse_public_abstraction("history"), cards.n_buckets)
    policy = make_policy(game, cards.dealer, np.zeros(game.n_slots, np.uint8), cards.n_buckets)
    situation = situation_at(graph, 0)
    assert situation[betting.PHASE] == betting.AUCTION
    for edge in range(graph.starts[0], graph.starts[1]):
        bid = graph.amounts[edge]
        assert bid_kernels.read_bid(policy, 0, situation, bid, 1000) == (edge, edge, 1.0)
        second = graph.children[edge]
        for node in graph.children[graph.starts[second] : graph.starts[second + 1]]:
            settled = situation_at(graph, node)
            found = situation_at(graph, bid_kernels.find_outcome(policy, 0, settled))
            for field in (betting.DREW, betting.PAID_0, betting.PAID_1):
                assert found[field] == settled[field]
