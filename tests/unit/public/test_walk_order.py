import numpy as np
import pytest

from counterfold.bets import parse_menu
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.situation import total_spent
from counterfold.public import walk_kernels
from counterfold.public.card_maps.exact_cards import NoCards
from counterfold.public.deals import Dealer
from counterfold.public.graph import build_graph
from counterfold.public.infosets import classify
from counterfold.public.situation_features import parse_public_abstraction
from counterfold.public.walk_order import EnumeratedDeals, SampledDeals, rearrange, walk_graph
from helpers.public_games import variant_of


def walks_of(name, menu, features):
    abstraction = parse_public_abstraction(features)
    merge = not abstraction.needs_histories
    graph = build_graph(variant_of(name), parse_menu(menu), merge=merge)
    dealer = Dealer(graph.variant)
    game = classify(graph, abstraction, [3 + at for at in range(len(dealer.stages))])
    plain = walk_graph(game, dealer)
    return game, plain, *rearrange(plain, game)


GAMES = [
    ("nolimit(stack=20)", "50%, allin", "history * cards"),
    ("nolimit(stack=20)", "50%, allin", "pot * cards"),
    ("discard(stack=10)", "100%, allin", "street * raises * cards"),
    ("river-of-blood(stack=10, deck='9TJQKA/cd', board=(3, 1, 1))", "allin", "pot * run * cards"),
    ("kuhn-variant", "min", "nothing"),
    ("ante is stack", "allin", "cards"),
]


@pytest.mark.parametrize(("name", "menu", "features"), GAMES)
def test_a_layout_has_a_place_for_every_slot(name, menu, features):
    game, _, _, layout = walks_of(name, menu, features)
    taken = np.zeros(game.n_slots, int)
    for c in range(game.n_classes):
        for bucket in range(game.n_buckets[c]):
            start = layout.starts[c] + bucket * layout.strides[c]
            taken[start : start + game.n_actions[c]] += 1
    assert (taken == 1).all()


@pytest.mark.parametrize(("name", "menu", "features"), GAMES)
def test_rearranged_walks_go_the_same_ways(name, menu, features):
    """Node by node from the root: the same actions, ends and classes."""
    game, plain, near, layout = walks_of(name, menu, features)
    classes = {int(start): c for c, start in enumerate(layout.starts)}
    other, stack = {0: 0}, [0]
    while stack:
        node = stack.pop()
        row, moved = plain.nodes[node], near.nodes[other[node]]
        same = [
            walk_kernels.NODE_PHASE,
            walk_kernels.NODE_ACTOR,
            walk_kernels.NODE_DEGREE,
            walk_kernels.NODE_CELL,
            walk_kernels.NODE_STREET,
        ]
        assert row[same].tolist() == moved[same].tolist()
        if game.classes[node] >= 0:
            assert classes[int(moved[walk_kernels.NODE_SLOT])] == game.classes[node]
            assert moved[walk_kernels.NODE_STRIDE] == layout.strides[game.classes[node]]
        else:
            stakes = [walk_kernels.NODE_STAKE_0, walk_kernels.NODE_STAKE_1]
            assert row[stakes].tolist() == moved[stakes].tolist()
        for k in range(row[walk_kernels.NODE_DEGREE]):
            edge, again = row[walk_kernels.NODE_START] + k, moved[walk_kernels.NODE_START] + k
            assert (plain.path_steps[edge] == near.path_steps[again]).all()
            child, there = int(plain.children[edge]), int(near.children[again])
            if child not in other:
                other[child] = there
                stack.append(child)
            assert other[child] == there
    assert sorted(other.values()) == list(range(game.graph.n_nodes))


def test_rows_are_cache_lines():
    _, _, near, _ = walks_of("leduc-variant", "min", "cards")
    assert near.nodes.itemsize * near.nodes.shape[1] == 64
    assert near.nodes.ctypes.data % 64 == 0


def test_listed_deals_are_drawn_by_their_probabilities():
    """A deal with a run is one of many, each less likely than a deal without."""
    dealer = Dealer(variant_of("river-of-blood(stack=10, deck='JQKA/cd', board=(1,))"))
    deals = dealer.enumerate()
    assert np.ptp(deals.weights) > 0.0
    source = EnumeratedDeals(deals, np.zeros((len(deals.weights), 2, 1), np.int32))
    n = 20_000
    found = np.bincount(source.batch(3, 0, n).lengths, minlength=8) / n
    expected = np.bincount(deals.lengths, deals.weights, minlength=8)
    equal = np.bincount(deals.lengths, minlength=8) / deals.lengths.size
    assert np.abs(equal - expected).max() > 0.1
    np.testing.assert_allclose(found, expected, atol=0.015)  # four standard errors


@pytest.mark.parametrize(("name", "menu", "features"), GAMES)
def test_a_walk_knows_who_acts_on_which_street_and_what_a_fold_costs(name, menu, features):
    game, plain, *_ = walks_of(name, menu, features)
    decisions = set(game.graph.decisions.tolist())
    for node, situation in enumerate(game.graph.situations):
        row, actor = plain.nodes[node], situation[betting.ACTOR]
        assert row[walk_kernels.NODE_ACTOR] == actor
        assert row[walk_kernels.NODE_STREET] == situation[betting.STREET]
        if node not in decisions and situation[betting.PHASE] != betting.DEAL:
            stakes = row[walk_kernels.NODE_STAKE_0], row[walk_kernels.NODE_STAKE_1]
            assert stakes == total_spent(tuple(situation.tolist()))


class Labels:
    """Buckets that tell which deal and which seat they are of."""

    n_buckets = (1000,)

    def label(self, deals):
        return np.arange(2 * len(deals), dtype=np.int32).reshape(-1, 2, 1)


def test_sampled_deals_are_those_of_the_dealer_with_their_labels():
    """Each comes twice, the second time with the hands of both seats exchanged."""
    dealer = Dealer(variant_of("river-of-blood(stack=10, deck='9TJQKA/cd', board=(3, 1, 1))"))
    batch = SampledDeals(dealer, Labels()).batch(3, 10, 50)
    deals = dealer.sample(3, 5, 25)
    for first, seats in ((0, [0, 1]), (1, [1, 0])):
        assert np.array_equal(batch.lengths[first::2], deals.lengths)
        assert np.array_equal(batch.strengths[first::2], deals.strengths[:, seats])
        assert np.array_equal(batch.buckets[first::2], Labels().label(deals)[:, seats])


def test_bounties_are_exchanged_with_the_hands():
    dealer = Dealer(variant_of("bounty"))
    batch, deals = SampledDeals(dealer, Labels()).batch(3, 0, 100), dealer.sample(3, 0, 50)
    assert np.array_equal(batch.hits[1::2], deals.hits[:, [1, 0]])
    assert (batch.hits[0::2] != batch.hits[1::2]).any()


def test_where_seats_differ_every_deal_is_one_of_its_own():
    dealer = Dealer(variant_of("toss"))
    batch, deals = SampledDeals(dealer, Labels()).batch(3, 10, 50), dealer.sample(3, 10, 50)
    assert np.array_equal(batch.strengths, deals.strengths)


@pytest.mark.parametrize("name", ["river-of-blood", "bounty", "toss"])
def test_a_sampled_deal_depends_on_its_number_alone(name):
    source = SampledDeals(Dealer(variant_of(name)), NoCards(Dealer(variant_of(name))))
    whole, parts = source.batch(3, 5, 20), [source.batch(3, 5, 8), source.batch(3, 13, 12)]
    for of_whole, *of_parts in zip(whole, *parts, strict=True):
        assert np.array_equal(of_whole, np.concatenate(of_parts))


@pytest.mark.parametrize(("name", "menu", "features"), GAMES)
def test_rows_name_the_seat_that_acts(name, menu, features):
    game, plain, _, _ = walks_of(name, menu, features)
    actors = plain.nodes[:, walk_kernels.NODE_ACTOR]
    assert np.array_equal(actors, game.graph.field(betting.ACTOR))
