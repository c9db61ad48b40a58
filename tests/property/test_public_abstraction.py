"""Laws of products of public features, on graphs of several variants."""

from functools import cache

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from counterfold.bets import parse_menu
from counterfold.games import parse_game
from counterfold.public.graph import build_graph
from counterfold.public.infosets import classify
from counterfold.public.situation_features import parse_public_abstraction
from counterfold.public.stages import card_stages

GRAPHS = [
    ("nolimit(stack=12)", "50%, allin; cap 3"),
    ("discard(stack=5)", "allin; rounds 1"),
    ("river-of-blood(stack=5, deck='9TJQKA/cd', board=(3, 1))", "allin"),
]
FEATURES = [
    "player",
    "street",
    "run",
    "pot",
    "to_call",
    "raises",
    "opponent_discarded",
    "self_discarded",
    "actions",
    "linear_pot(3)",
    "linear_pot(20)",
    "pot_odds(4)",
    "history",
]
products = st.lists(st.sampled_from([*FEATURES, "cards", "nothing"]), min_size=1, max_size=5)
graphs = st.sampled_from(GRAPHS)


@cache
def tree(variant, menu):
    return build_graph(parse_game(variant), parse_menu(menu), merge=False)


def compiled(graph, names):
    graph = tree(*graph)
    n_buckets = [2 + at for at in range(len(card_stages(graph.variant)))]
    return classify(graph, parse_public_abstraction(" * ".join(names)), n_buckets)


def classes(graph, names):
    game = compiled(graph, names)
    return game.classes[game.graph.decisions]


def refines(fine, coarse):
    """Whether what `fine` puts together `coarse` does, too."""
    pairs = np.unique(np.column_stack([fine, coarse]), axis=0)
    return len(pairs) == np.unique(fine).size


@given(graphs, products, products)
def test_a_product_separates_what_either_separates_and_no_more(graph, a, b):
    both, first, second = classes(graph, a + b), classes(graph, a), classes(graph, b)
    assert refines(both, first)
    assert refines(both, second)
    assert np.unique(np.column_stack([first, second]), axis=0).shape[0] == np.unique(both).size


@given(graphs, products, products)
def test_a_product_commutes_and_repeats_without_effect(graph, a, b):
    game, turned, again = (compiled(graph, names) for names in (a + b, b + a, a + b + a))
    for other in (turned, again):
        assert other.abstraction == game.abstraction
        np.testing.assert_array_equal(other.classes, game.classes)
        np.testing.assert_array_equal(other.offsets, game.offsets)


@given(graphs, products)
def test_nothing_is_the_identity_and_history_tells_all_apart(graph, a):
    np.testing.assert_array_equal(classes(graph, [*a, "nothing"]), classes(graph, a))
    everything = classes(graph, [*a, "history"])
    assert np.unique(everything).size == everything.size


@given(graphs, products)
def test_cards_multiply_buckets_and_leave_classes_alone(graph, a):
    without = [name for name in a if name != "cards"] or ["nothing"]
    blind, seeing = compiled(graph, without), compiled(graph, [*without, "cards"])
    np.testing.assert_array_equal(blind.classes, seeing.classes)
    assert blind.n_infosets == blind.n_classes
    assert (seeing.n_buckets >= 2).all()
