"""Values on the public graph against the same game as a tree of histories."""

import numpy as np
import pytest

from counterfold.blueprints.enumerated import Knowledge
from counterfold.errors import TooLargeError, UnsupportedGameError
from counterfold.public.graph import build_graph
from counterfold.public.infosets import classify
from counterfold.public.situation_features import parse_public_abstraction
from counterfold.tree import Strategy, evaluate
from helpers.public_games import BLOOD, DISCARD, LIMIT, LONG_BLOOD, Small

ROUNDING = 1e-11
GAMES = [
    ("kuhn-variant", "min"),
    ("leduc-variant", "min"),
    (LIMIT, "min"),
    ("one draw", "none"),
    ("draw of two", "none"),
    ("fold when free", "100%, allin"),
    (BLOOD, "allin"),
]
LARGE = [
    ("one draw", "100%, allin"),
    ("draw of two", "allin"),
    ("two draws", "none"),
    ("draw and run", "allin"),
    ("draw of two on a board", "none"),
    ("limit(bets=2, deck='QKA/cd', board=(1, 1), hole_cards=1)", "min"),
    (LONG_BLOOD, "allin; cap 2"),
    (DISCARD, "none"),
]
slow = [pytest.param(*game, marks=pytest.mark.slow) for game in LARGE]


@pytest.mark.parametrize(("name", "menu"), [*GAMES, *slow])
def test_values_and_best_responses_are_those_of_the_tree(name, menu, rng):
    small = Small(name, menu)
    slots = small.slots
    assert np.unique(slots).size == slots.size == small.compiled.n_slots
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
    lifted = lift(knowledge, strategy, own)
    for seat in (0, 1):
        best = merged.listed.best_response_value(seat, knowledge, strategy, own)
        again = merged.listed.best_response_value(seat, own, lifted)
        assert best == pytest.approx(again, abs=ROUNDING)
        assert best >= (value if seat == 0 else -value) - ROUNDING


def lift(coarse, strategy, fine):
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
    with pytest.raises(UnsupportedGameError, match="on two graphs; classify the same"):
        merged.listed.nash_conv(merged.knowledge, strategy, tree.knowledge)


def test_a_response_that_does_not_fit_into_memory(rng, monkeypatch):
    small = Small(LIMIT, "min")
    strategy = small.random_strategy(rng)
    monkeypatch.setattr("counterfold.memory.free_memory_bytes", lambda: 1000)
    with pytest.raises(TooLargeError, match="the values of all nodes and deals need"):
        small.listed.nash_conv(small.knowledge, strategy)
