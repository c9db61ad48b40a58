"""Values on the public graph against the same game as a tree of histories."""

import numpy as np
import pytest

from counterfold.blueprints.enumerated import (
    EnumeratedGame,
    Knowledge,
    evaluate_enumerated,
    unmerged,
)
from counterfold.errors import TooLargeError, UnsupportedGameError
from counterfold.public.graph import build_graph
from counterfold.public.infosets import classify
from counterfold.public.situation_features import parse_public_abstraction
from counterfold.tree import Strategy, evaluate
from helpers import small_recipes
from helpers.compiled_games import compiled
from helpers.lifted_blueprints import lift, random_blueprint
from helpers.parameters import crossed
from helpers.public_games import BLOOD, BOUNTY, DISCARD, LIMIT, LONG_BLOOD, PERMUTED, Small
from helpers.small_recipes import RIVER_OF_BLOOD, plan

ROUNDING = 1e-11
GAMES = [
    ("kuhn-variant", "min"),
    ("leduc-variant", "min"),
    (LIMIT, "min"),
    ("one draw", "none"),
    ("draw of two", "none"),
    ("fold when free", "100%, allin"),
    (BLOOD, "allin"),
    (BOUNTY, "allin"),
    (PERMUTED, "allin"),
    ("told bids", "none; bids: 50%"),
    ("sealed bids", "none; bids: 50%, allin"),
    ("first price", "none; bids: 50%"),
    ("no betting on a street", "allin"),
    ("no betting at first", "100%, allin"),
    ("dealt later", "allin"),
    ("unequal hands", "none"),
    ("one swap", "none"),
    ("look at one", "none; bids: 50%"),
    ("both lay a card", "none"),
    ("both show a card", "none"),
    ("one shown for another", "none"),
]
LARGE = [
    ("one swap", "allin"),
    ("both may lay a card", "allin"),
    ("both lay a card", "allin"),
    ("one draw", "100%, allin"),
    ("draw of two", "allin"),
    ("two draws", "none"),
    ("draw and run", "allin"),
    ("draw of two on a board", "none"),
    ("limit(bets=2, deck='QKA/cd', board=(1, 1), hole_cards=1)", "min"),
    (LONG_BLOOD, "allin; cap 2"),
    (DISCARD, "none"),
    ("told bids", "preflop: none; flop: allin; bids: 50%, allin"),
    ("sealed bids", "preflop: none; flop: allin; bids: 50%"),
    ("three cards", "none"),
    ("dealt by the way", "none"),
    ("swapped twice", "allin"),
    ("look at one", "allin; bids: 50%, allin"),
    ("look at two", "none; bids: 50%, allin"),
    ("two looks", "none; bids: allin"),
]
slow = [pytest.param(*game, marks=pytest.mark.slow) for game in LARGE]


@pytest.mark.parametrize(("name", "menu"), [*GAMES, *slow])
def test_values_and_best_responses_are_those_of_the_tree(name, menu, rng):
    small = Small(name, menu)
    slots = small.slots
    assert np.unique(slots).size == slots.size == small.compiled.n_slots
    compare_with_tree(small, rng)


def test_exact_cards_forget_the_order_of_board_cards_between_which_nobody_acts(rng):
    small = Small("dealt at first", "allin")
    assert np.unique(small.slots).size < small.compiled.n_slots
    compare_with_tree(small, rng)


def compare_with_tree(small, rng):
    """Values and best responses of random strategies, on the graph and on the tree."""
    slots = small.slots
    for pure in (0.0, 0.5):
        strategy = small.random_strategy(rng, pure)
        figures = evaluate(Strategy(small.compiled, strategy[slots]))
        listed, knowledge = small.listed, small.knowledge
        value = listed.expected_value(knowledge, strategy)
        responses = [listed.best_response_value(seat, knowledge, strategy) for seat in (0, 1)]
        assert value == pytest.approx(figures.values[0], abs=ROUNDING)
        assert responses == pytest.approx(figures.responses, abs=ROUNDING)
        nash_conv = listed.nash_conv(knowledge, strategy)
        assert nash_conv == pytest.approx(figures.nash_conv, abs=ROUNDING)


@pytest.mark.parametrize(
    ("name", "menu"), [(LIMIT, "min"), ("one draw", "allin"), (BLOOD, "allin")]
)
def test_a_merged_graph_has_the_value_of_the_tree(name, menu, rng):
    """A strategy that forgets the betting, on either graph; the answer remembers it."""
    features = "pot * to_call * raises * self_discarded * opponent_discarded * cards"
    merged, exact = Small(name, menu, features), Small(name, menu)
    tree = build_graph(merged.variant, merged.menu, merge=False)
    forgetful = classify(tree, parse_public_abstraction(features), merged.cards.n_buckets)
    exact_game = classify(tree, exact.game.abstraction, exact.cards.n_buckets)
    strategy = merged.random_strategy(rng)
    knowledge = Knowledge(forgetful, merged.buckets)
    value = merged.listed.expected_value(merged.knowledge, strategy)
    assert merged.listed.expected_value(knowledge, strategy) == pytest.approx(value, abs=ROUNDING)

    own = Knowledge(exact_game, exact.buckets)
    blind = Knowledge(
        classify(tree, exact.game.abstraction, (1,) * len(exact.cards.n_buckets)),
        np.zeros_like(exact.buckets),
    )
    lifted = refine(knowledge, strategy, own)
    for seat in (0, 1):
        best = merged.listed.best_response_value(seat, knowledge, strategy, own)
        again = merged.listed.best_response_value(seat, own, lifted)
        assert best == pytest.approx(again, abs=ROUNDING)
        assert best >= (value if seat == 0 else -value) - ROUNDING
        found = merged.listed.best_response_values(seat, knowledge, strategy, [own, blind, own])
        assert found[0] == found[2] == best > found[1]


def refine(coarse, strategy, fine):
    """A strategy of `coarse` for the classes of `fine` on the same graph, bucket for bucket."""
    lifted = np.empty(fine.game.n_slots)
    for node in fine.game.graph.decisions:
        c = fine.game.classes[node]
        size = fine.game.offsets[c + 1] - fine.game.offsets[c]
        start = coarse.game.node_offsets[node]
        lifted[fine.game.offsets[c] : fine.game.offsets[c + 1]] = strategy[start : start + size]
    return lifted


def test_a_response_must_remember_the_betting(rng):
    small = Small(LIMIT, "min", "pot * cards")
    strategy = small.random_strategy(rng)
    with pytest.raises(UnsupportedGameError, match=r"'cards \* pot'.*with the feature history"):
        small.listed.nash_conv(small.knowledge, strategy)


def test_strategy_and_answer_are_on_one_graph(rng):
    merged, tree = Small(LIMIT, "min", "pot * cards"), Small(LIMIT, "min")
    strategy = merged.random_strategy(rng)
    with pytest.raises(UnsupportedGameError, match="on different graphs; classify the same"):
        merged.listed.nash_conv(merged.knowledge, strategy, tree.knowledge)


def test_a_response_that_does_not_fit_into_memory(rng, monkeypatch):
    small = Small(LIMIT, "min")
    strategy = small.random_strategy(rng)
    monkeypatch.setattr("counterfold.memory.free_memory_bytes", lambda: 1000)
    with pytest.raises(TooLargeError, match="the values of all nodes and deals need"):
        small.listed.nash_conv(small.knowledge, strategy)


# One raise is legal wherever any is, so that a menu with it leaves the game as it is.
SHORT_RUNS = "river-of-blood(stack=4, deck='QKA/cd', board=(1,))"
SUM_ROUNDING = 1e-9  # of sums over some thousand deals


def prepare(rng, **keys):
    made = plan(**keys)
    cards = made.cards()
    blueprint = random_blueprint(made.game(cards.n_buckets), rng)
    return made, cards, blueprint


@pytest.mark.parametrize("variant", ["leduc-variant", SHORT_RUNS])
@pytest.mark.parametrize(
    ("cards", "features"),
    [
        ("exact", "history * cards"),
        ("exact", "pot * to_call * raises * run * cards"),
        ("listed-percentile(2)", "history * cards"),
        ("listed-percentile(2, recall=sequence)", "history * cards"),
        ("listed-percentile(2)", "raises * cards"),
        ("exact", "nothing"),
    ],
)
def test_figures_are_those_of_the_tree_of_histories(rng, variant, cards, features):
    made, card_map, blueprint = prepare(rng, variant=variant, cards=cards, features=features)
    deals, exact = made.exact
    inside, lifted = evaluate_enumerated(blueprint, card_map, deals, exact)
    reference = evaluate(lift(blueprint, card_map, deals, made.dealer, compiled(variant)))
    assert lifted.values == pytest.approx(reference.values, abs=SUM_ROUNDING)
    assert lifted.responses == pytest.approx(reference.responses, abs=SUM_ROUNDING)
    assert lifted.nash_conv == pytest.approx(reference.nash_conv, abs=SUM_ROUNDING)
    assert not lifted.bound
    # Who answers inside knows less, and at least as much as nothing: the strategy itself.
    assert inside.values == lifted.values
    assert inside.nash_conv >= -SUM_ROUNDING
    assert inside.nash_conv <= lifted.nash_conv + SUM_ROUNDING


@pytest.mark.parametrize(
    ("abstraction", "variant"),
    crossed(
        [
            ("exact", "history * cards", False),
            ("listed-percentile(2, recall=sequence)", "history * cards", False),
            ("listed-percentile(2)", "history * cards", True),
            ("exact", "raises * cards", True),
        ],
        ["leduc-variant", small_recipes.DISCARD, RIVER_OF_BLOOD],
    ),
)
def test_forgetting_makes_the_figure_inside_a_bound(rng, variant, abstraction):
    cards, features, bound = abstraction
    made, card_map, blueprint = prepare(rng, variant=variant, cards=cards, features=features)
    inside, lifted = evaluate_enumerated(blueprint, card_map, *made.exact)
    assert inside.bound == bound
    assert inside.nash_conv <= lifted.nash_conv + SUM_ROUNDING
    if cards == "exact":
        assert inside.responses == pytest.approx(lifted.responses, abs=SUM_ROUNDING)
    else:
        assert inside.nash_conv < lifted.nash_conv


@pytest.mark.parametrize("variant", ["leduc-variant", small_recipes.DISCARD, RIVER_OF_BLOOD])
@pytest.mark.parametrize("features", ["pot * cards", "raises * to_call * cards", "cards"])
def test_a_merged_graph_and_its_tree_have_the_same_classes(rng, variant, features):
    made, cards, blueprint = prepare(rng, variant=variant, features=features)
    deals, _ = made.exact
    tree = unmerged(blueprint.game, cards.n_buckets)
    assert blueprint.game.graph.merged
    assert not tree.graph.merged
    assert tree.n_slots == blueprint.game.n_slots
    np.testing.assert_array_equal(tree.n_buckets, blueprint.game.n_buckets)
    np.testing.assert_array_equal(tree.n_actions, blueprint.game.n_actions)
    listed, labels = EnumeratedGame(made.dealer, deals), cards.label(deals)
    values = [
        listed.expected_value(Knowledge(game, labels), blueprint.probabilities())
        for game in (blueprint.game, tree)
    ]
    assert values[0] == pytest.approx(values[1], abs=SUM_ROUNDING)


def test_a_tree_that_does_not_fit_is_refused(monkeypatch):
    made = plan(variant=small_recipes.DISCARD, features="pot * cards")
    monkeypatch.setattr("counterfold.memory.free_memory_bytes", lambda: 1000)
    with pytest.raises(TooLargeError, match="the values of all betting histories and deals need"):
        unmerged(made.game(made.cards().n_buckets), made.cards().n_buckets, 1000)
