import numpy as np
import pytest

from counterfold.blueprints.enumerated import Knowledge, ListedGame
from counterfold.blueprints.reduced import evaluate_enumerated, unmerged
from counterfold.errors import TooLargeError
from counterfold.tree import evaluate
from helpers.compiled_games import compiled
from helpers.lifted_blueprints import lift, random_blueprint
from helpers.small_recipes import DISCARD, RIVER_OF_BLOOD, plan

# One raise is legal wherever any is, so that a menu with it leaves the game as it is.
SHORT_RUNS = "river-of-blood(stack=4, deck='QKA/cd', board=(1,))"
ROUNDING = 1e-9  # of sums over some thousand deals


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
    assert lifted.values == pytest.approx(reference.values, abs=ROUNDING)
    assert lifted.responses == pytest.approx(reference.responses, abs=ROUNDING)
    assert lifted.nash_conv == pytest.approx(reference.nash_conv, abs=ROUNDING)
    assert not lifted.bound
    # Who answers inside knows less, and at least as much as nothing: the strategy itself.
    assert inside.values == lifted.values
    assert inside.nash_conv >= -ROUNDING
    assert inside.nash_conv <= lifted.nash_conv + ROUNDING


@pytest.mark.parametrize(
    ("cards", "features", "bound"),
    [
        ("exact", "history * cards", False),
        ("listed-percentile(2, recall=sequence)", "history * cards", False),
        ("listed-percentile(2)", "history * cards", True),
        ("exact", "raises * cards", True),
    ],
)
@pytest.mark.parametrize("variant", ["leduc-variant", DISCARD, RIVER_OF_BLOOD])
def test_forgetting_makes_the_figure_inside_a_bound(rng, variant, cards, features, bound):
    made, card_map, blueprint = prepare(rng, variant=variant, cards=cards, features=features)
    inside, lifted = evaluate_enumerated(blueprint, card_map, *made.exact)
    assert inside.bound == bound
    assert inside.nash_conv <= lifted.nash_conv + ROUNDING
    if cards == "exact":
        assert inside.responses == pytest.approx(lifted.responses, abs=ROUNDING)
    else:
        assert inside.nash_conv < lifted.nash_conv


@pytest.mark.parametrize("variant", ["leduc-variant", DISCARD, RIVER_OF_BLOOD])
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
    listed, labels = ListedGame(made.dealer, deals), cards.label(deals)
    values = [
        listed.expected_value(Knowledge(game, labels), blueprint.probabilities())
        for game in (blueprint.game, tree)
    ]
    assert values[0] == pytest.approx(values[1], abs=ROUNDING)


def test_a_tree_that_does_not_fit_is_refused(monkeypatch):
    made = plan(variant=DISCARD, features="pot * cards")
    monkeypatch.setattr("counterfold.memory.free_memory_bytes", lambda: 1000)
    with pytest.raises(TooLargeError, match="the values of all betting histories and deals need"):
        unmerged(made.game(made.cards().n_buckets), made.cards().n_buckets, 1000)
