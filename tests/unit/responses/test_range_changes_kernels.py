"""Ranges through discards and swaps, against one hand and one card at a time."""

from itertools import combinations

import numpy as np
import pytest

from counterfold.bots import policy_kernels
from counterfold.bots.played_run import policy_of
from counterfold.bots.tracking.deck_hands import list_hands
from counterfold.bots.tracking.range_room import empty_range, range_room
from counterfold.games import parse_game
from counterfold.games.holdem import betting_kernels as betting
from counterfold.responses.range_changes_kernels import (
    NO_CARD_SHOWN,
    _draw,
    deals_after_draw,
    range_after_discard,
    range_after_swap,
)
from helpers.trained_runs import randomized


@pytest.fixture(scope="module")
def bot(small_runs):
    return randomized(small_runs["discard-history"], 1)


def discarded(bot, node, hands, weights, labels, firsts, shown):
    """[H] the weights after a discard: whoever gives a card away may draw any but its own."""
    policy, graph = policy_of(bot), bot.blueprint.game.graph
    places = graph.amounts[graph.starts[node] : graph.starts[node + 1]]
    kinds = graph.kinds[graph.starts[node] : graph.starts[node + 1]]
    numbers = {tuple(cards): h for h, cards in enumerate(hands.cards.tolist())}
    after, chances = np.zeros(weights.size), np.zeros(kinds.size)
    for cards, h in numbers.items():
        if not policy_kernels.find_chances(policy, node, labels[h], chances):
            continue  # it keeps its cards
        for kind, place, chance in zip(kinds, places, chances, strict=True):
            at = int(place) ^ int(firsts[h])
            if kind == betting.DISCARD and shown in (NO_CARD_SHOWN, cards[at]):
                for drawn in set(hands.deck.tolist()) - {*cards}:
                    changed = tuple(sorted((cards[1 - at], drawn)))
                    after[numbers[changed]] += weights[h] * chance
    return after


def test_discards_move_weights_to_all_hands_that_may_be_drawn(bot, rng):
    game, policy, variant = bot.blueprint.game, policy_of(bot), bot.plan.variant
    graph, hands = game.graph, list_hands(variant)
    n = hands.bits.size
    held, room = empty_range(n), range_room(n, policy, max(bot.cards.n_buckets))
    nodes = graph.decisions[graph.phase[graph.decisions] == betting.DRAW]
    for node in rng.choice(nodes, 4, replace=False):
        situation = graph.situations[node].astype(np.int64)
        children = graph.children[graph.starts[node] : graph.starts[node + 1]]
        for shown in (NO_CARD_SHOWN, int(hands.deck[4])):
            weights = rng.random(n) * (rng.random(n) < 0.5)
            labels = rng.integers(game.n_buckets[game.classes[node]], size=n).astype(np.int32)
            firsts = rng.integers(2, size=n).astype(np.int8)
            held.n[0], held.nodes[0], held.weights[0] = 1, node, weights
            range_after_discard(
                hands, policy, variant.rules, situation, int(game.stage[node]), labels, firsts,
                shown, held, room,
            )  # fmt: skip
            expected = discarded(bot, node, hands, weights, labels, firsts, shown)
            assert expected.any()
            assert (held.n[0], held.nodes[0]) == (1, children[-1])
            np.testing.assert_allclose(held.weights[0], expected, atol=1e-12)


@pytest.mark.parametrize("kind", [betting.KEEP, betting.DISCARD])
@pytest.mark.parametrize("shown", [NO_CARD_SHOWN, 3])
def test_private_deals_take_the_hand_path_of_what_is_chosen(bot, rng, kind, shown):
    """At a second draw, when a private deal has come to one of three paths."""
    game, policy = bot.blueprint.game, policy_of(bot)
    graph, n_choices, n_paths, n_deals = game.graph, 3, 9, 4
    n = n_deals * n_paths
    held, room = empty_range(n), range_room(n, policy, max(bot.cards.n_buckets))
    node = int(graph.decisions[graph.phase[graph.decisions] == betting.DRAW][0])
    edges = range(graph.starts[node], graph.starts[node + 1])
    labels = rng.integers(game.n_buckets[game.classes[node]], size=n).astype(np.int32)
    given = rng.integers(2, 5, (n, 2)).astype(np.uint8)
    weights = rng.random(n) * (np.arange(n) % n_paths < n_choices)
    held.n[0], held.nodes[0], held.weights[0] = 1, node, weights
    deals_after_draw(
        policy, bot.plan.variant.rules, graph.situations[node].astype(np.int64),
        int(game.stage[node]), labels, given, n_paths, n_choices, kind, shown, held, room,
    )  # fmt: skip
    expected, chances = np.zeros(n), np.zeros(len(edges))
    for h in np.flatnonzero(weights):
        deal, path = divmod(h, n_paths)
        assert policy_kernels.find_chances(policy, node, labels[h], chances)
        for edge, chance in zip(edges, chances, strict=True):
            place = int(graph.amounts[edge])
            choice = 1 + place if kind == betting.DISCARD else 0
            hidden = kind == betting.KEEP or shown in (NO_CARD_SHOWN, given[h, place])
            if graph.kinds[edge] == kind and hidden:
                at = deal * n_paths + path * n_choices + choice
                expected[at] += weights[h] * chance
    assert held.n[0] == 1
    assert held.nodes[0] in [graph.children[edge] for edge in edges if graph.kinds[edge] == kind]
    np.testing.assert_allclose(held.weights[0], expected, atol=1e-12)


@pytest.mark.parametrize("name", ["leduc-variant", "nolimit(deck='9TJQKA/cd')"])
def test_any_card_but_those_of_the_hand_before_is_drawn(bot, name, rng):
    hands = list_hands(parse_game(name))
    n = hands.bits.size
    room = range_room(n, policy_of(bot), 1)
    expected = np.zeros(n)
    single = hands.cards.shape[1] == 1
    deck = hands.deck.tolist()
    for stays, given in ((a, b) for a in deck for b in deck if single == (a == b)):
        room.moved[stays, given] = rng.random()
        for h, cards in enumerate(hands.cards.tolist()):
            drawn = single or stays in cards
            expected[h] += room.moved[stays, given] * (drawn and given not in cards)
    weights = np.ones(n)
    _draw(hands, room, weights)
    np.testing.assert_allclose(weights, 1.0 + expected, atol=1e-12)


@pytest.mark.parametrize("name", ["leduc-variant", "nolimit(deck='9TJQKA/cd')"])
def test_each_card_is_swapped_by_itself(bot, name, rng):
    hands = list_hands(parse_game(name))
    n, chance = hands.bits.size, 0.3
    held, room = empty_range(n), range_room(n, policy_of(bot), 1)
    numbers = {tuple(cards): h for h, cards in enumerate(hands.cards.tolist())}
    held.n[0] = 2
    held.weights[:2] = rng.random((2, n))
    before, expected = held.weights[:2].copy(), np.zeros((2, n))
    size = hands.cards.shape[1]
    for cards, h in numbers.items():
        unseen = sorted(set(hands.deck.tolist()) - {*cards})
        for n_swapped in range(size + 1):
            ways = list(combinations(unseen, n_swapped))
            share = chance**n_swapped * (1 - chance) ** (size - n_swapped) / len(ways)
            for gone in combinations(cards, n_swapped):
                for came in ways:
                    after = tuple(sorted(({*cards} - {*gone}) | {*came}))
                    expected[:, numbers[after]] += share * before[:, h]
    range_after_swap(hands, chance, len(hands.deck) - size, held, room)
    np.testing.assert_allclose(held.weights[:2], expected, atol=1e-12)
    assert expected.sum() == pytest.approx(before.sum())
