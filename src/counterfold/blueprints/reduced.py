"""Exact figures of a trained strategy on decks whose deals can be listed.

Inside its abstraction the one who answers sees what the strategy sees, and remembers: its own
buckets and all of the betting. Where the strategy itself forgets, that is an upper bound. Lifted,
the one who answers sees its cards. Both are computed on the tree of betting histories, which has
the same classes as a graph on which equal situations were merged.
"""

from dataclasses import replace

import numpy as np

from counterfold.blueprints.blueprint import Blueprint
from counterfold.blueprints.enumerated import Knowledge, ListedGame, Values
from counterfold.errors import UnsupportedGameError
from counterfold.memory import check_memory
from counterfold.public.card_maps import CardMap, ExactCards
from counterfold.public.deals import Deals
from counterfold.public.enumerated_cards import remember
from counterfold.public.graph import build_graph
from counterfold.public.infosets import PublicGame, classify
from counterfold.public.situation_features import HISTORY, PublicAbstraction
from counterfold.tree.exact_evaluation import Evaluation

EXACT = PublicAbstraction((HISTORY,))


def evaluate_enumerated(
    blueprint: Blueprint, cards: CardMap, deals: Deals, exact: ExactCards
) -> tuple[Evaluation, Evaluation]:
    """The figures inside the abstraction and in the exact game, in chips a hand.

    `cards` are what the strategy was trained with, `deals` and `exact` all deals of the variant.
    """
    dealer = exact.dealer
    game = unmerged(blueprint.game, cards.n_buckets, len(deals))
    labels = cards.label(deals)
    strategy = blueprint.probabilities()
    opponent = Knowledge(game, labels)
    recalled, counts = remember(dealer, deals, labels)
    forgets = not (game.abstraction.needs_histories and counts == cards.n_buckets)
    inside = Knowledge(classify(game.graph, EXACT, counts), recalled)
    outside = Knowledge(classify(game.graph, EXACT, exact.n_buckets), exact.label(deals))
    listed = ListedGame(dealer, deals)
    value = listed.expected_value(opponent, strategy)
    within = _figures(listed, opponent, strategy, inside, value)
    return replace(within, bound=forgets), _figures(listed, opponent, strategy, outside, value)


def unmerged(game: PublicGame, n_buckets: tuple[int, ...], n_deals: int = 1) -> PublicGame:
    """The same classes on the tree of betting histories.

    Raises `TooLargeError` where the tree with values for so many deals would not fit.
    """
    graph = game.graph
    if not graph.merged:
        return game
    n_nodes = graph.count_tree()
    check_memory("the values of all betting histories and deals", int(16 * n_nodes * n_deals))
    tree = build_graph(graph.variant, graph.menu, merge=False)
    found = classify(tree, game.abstraction, n_buckets)
    if not np.array_equal(found.offsets, game.offsets):
        raise UnsupportedGameError(
            f"the classes of {graph.variant.name} by {game.abstraction.name!r} differ on its tree"
        )
    return found


def _figures(
    listed: ListedGame, opponent: Knowledge, strategy: Values, own: Knowledge, value: float
) -> Evaluation:
    responses = tuple(listed.best_response_value(seat, opponent, strategy, own) for seat in (0, 1))
    nash_conv = sum(responses)
    return Evaluation((value, -value), responses, nash_conv, nash_conv / 2.0, False)
