"""Trained strategies as strategies of the tree of histories, one information set at a time."""

import re

import numpy as np

from counterfold.blueprints.betting_line import follow, offers
from counterfold.blueprints.blueprint import quantize
from counterfold.blueprints.hand_buckets import HandBuckets
from counterfold.cards import parse_cards
from counterfold.games.holdem import betting_kernels as betting
from counterfold.tree import Strategy

WORDS = re.compile(r"[fkcs/!]|r\d+|d")


def random_blueprint(game, rng):
    """Any strategy, in places untrained."""
    averages = rng.exponential(size=game.n_slots).astype(np.float32)
    averages[rng.random(game.n_slots) < 0.3] = 0.0
    return quantize(game, averages, 16)[0]


def lift(blueprint, cards, deals, dealer, compiled):
    """The strategy of `compiled`, the exact tree of a variant without draws."""
    graph = blueprint.game.graph
    hand_buckets = HandBuckets(dealer, cards, deals)
    probabilities = np.empty(compiled.n_slots)
    found = {}
    for i, infoset in enumerate(compiled.tree.infosets):
        facts = dict(infoset.facts)
        board = parse_cards(facts["board"].replace("/", ""))
        key = facts["history"], board
        if key not in found:
            line = follow(graph, " ".join(WORDS.findall(facts["history"])), board)
            seat = int(graph.field(betting.ACTOR)[line.node])
            assert seat == infoset.player
            stage = int(blueprint.game.stage[line.node])
            hands = hand_buckets.hands(board)
            held = hand_buckets.find(stage, seat, line.discarded[seat], hands, board)
            found[key] = line.node, {each.hand: each.buckets for each in held}
        node, buckets = found[key]
        words = tuple(offer.word for offer in offers(graph, node))
        assert words == infoset.actions
        (bucket,) = buckets[tuple(sorted(parse_cards(facts["cards"]), reverse=True))]
        known = blueprint.at(node, bucket)
        slots = slice(compiled.offsets[i], compiled.offsets[i + 1])
        probabilities[slots] = 1.0 / len(words) if known is None else known
    return Strategy(compiled, probabilities)
