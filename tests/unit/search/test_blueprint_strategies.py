"""What a blueprint does below a street, against its strategy in the tree of histories."""

import pytest

from counterfold.cards import parse_cards
from counterfold.cards.pairs import index_pair
from counterfold.ranges.kept.kept_solvers import KeptSolvers
from counterfold.search.blueprint_strategies import BlueprintStrategies
from counterfold.search.hand_ranges import Act
from helpers.searched_games import random_blueprint

CLOSE = 1e-9
HANDS = "KcQc", "QdQc", "KdQd"


def node_after(tree, acts):
    """The node that actions lead to; a deal has one child."""
    node = 0
    for act in acts:
        edges = range(tree.starts[node], tree.starts[node + 1])
        if act is None:
            node = int(tree.children[edges.start])
            continue
        node = next(
            int(tree.children[e])
            for e in edges
            if Act(int(tree.kinds[e]), int(tree.amounts[e])) == act
        )
    return node


@pytest.mark.parametrize(("boards", "start"), [("Ac Kd", "ck/r2c/"), ("Ac", "ck/")])
def test_the_strategy_below_a_street_is_the_blueprints(rng, boards, start):
    """Of all boards below it, too, where streets are left."""
    found = random_blueprint("limit(bets=2, deck='QKA/cd', board=(1, 1))", rng)
    variant, ranges, lifted = found.plan.variant, found.ranges, found.strategy()
    board = tuple(tuple(parse_cards(card)) for card in boards.split())
    infosets = {
        tuple(dict(infoset.facts)[name] for name in ("board", "cards", "history")): i
        for i, infoset in enumerate(lifted.game.tree.infosets)
    }
    n_checked = n_never = 0
    for seat in (0, 1):
        street = ranges.follow(variant, board, start, seat)
        weights = ranges.weights(street.held[0]), ranges.weights(street.held[1])
        tree, solver = KeptSolvers().solver(variant, street.root, None, street.board, weights)
        strategies = {
            (solver.boards[each.board].board, each.node): each.shares
            for each in BlueprintStrategies(ranges, street.held[seat], seat)(tree, solver.boards)
        }
        for (dealt, cards, history), i in infosets.items():
            if cards not in HANDS or not history.startswith(start):
                continue
            if lifted.game.tree.infosets[i].player != seat:
                continue
            streets = [tuple(parse_cards(card)) for card in dealt.split("/")]
            if streets[: len(board)] != list(board):
                continue
            followed = ranges.follow(variant, streets, history, seat)
            acts = [*followed.acts]
            if len(streets) > len(board):
                acts = [*followed.earlier[-1], None, *acts]
            key = tuple(card for cards in streets for card in cards), node_after(tree, acts)
            slots = slice(lifted.game.offsets[i], lifted.game.offsets[i + 1])
            shares = strategies[key][:, index_pair(*parse_cards(cards))]
            if not shares.any():  # its own bet before this is a rounded zero
                assert history.count("r") > start.count("r")
                n_never += 1
                continue
            assert shares == pytest.approx(lifted.probabilities[slots], abs=CLOSE)
            n_checked += 1
    assert n_checked >= 12
    assert n_never <= 1
