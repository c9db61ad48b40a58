from collections import Counter

import numpy as np
import pytest
import tomli_w

from counterfold.errors import RecipeError
from counterfold.public.card_spec import ExactSpec, TabledSpec
from counterfold.public.enumerated_cards import EnumeratedPercentile
from counterfold.public.infosets import classify
from counterfold.public.stages import LowestFirst
from counterfold.training import plan as planning
from counterfold.training import rates
from counterfold.training.cost import estimate_plan
from counterfold.training.plan import Plan, make_plan
from counterfold.training.recipe import load_recipe, parse_recipe
from counterfold.training.train_run import train
from helpers.small_recipes import DISCARD, RIVER_OF_BLOOD, content, plan, recipe


@pytest.fixture
def calls(monkeypatch):
    """How often the costly parts of a plan are made."""
    counts = Counter()

    def count(owner, name):
        original = getattr(owner, name)

        def counted(*args, **options):
            counts[name] += 1
            return original(*args, **options)

        monkeypatch.setattr(owner, name, counted)

    count(planning, "build_graph")
    count(planning, "classify")
    for spec in (ExactSpec, EnumeratedPercentile, TabledSpec):
        count(spec, "card_map")
    return counts


TABLED = {"variant": "nolimit(stack=6, deck='9TJQKA/cd')", "cards": "percentile(4)"}


@pytest.mark.parametrize(
    "keys",
    [
        {"cards": "listed-percentile(2)"},
        {"variant": DISCARD},
        {"variant": RIVER_OF_BLOOD, "features": "pot * to_call * cards"},
        {"algorithm": "public-chance"},
        TABLED,
        TABLED | {"algorithm": "public-chance"},
    ],
    ids=str,
)
def test_estimate_and_train_make_every_part_once(tmp_path, monkeypatch, calls, keys):
    monkeypatch.setenv("COUNTERFOLD_HOME", str(tmp_path / "tables"))
    monkeypatch.setattr(rates, "_TIMED_SECONDS", 0.01)
    made = plan(**keys)
    estimate_plan(made)
    train(made, tmp_path / "run", iterations=20)
    expected = {"build_graph": 1, "classify": 1, "card_map": 1}
    assert calls == expected
    estimate_plan(made)  # card tables are there now
    train(made, tmp_path / "run", iterations=40, resume=True)
    assert calls == expected


@pytest.mark.parametrize("variant", ["leduc-variant", DISCARD, RIVER_OF_BLOOD])
@pytest.mark.parametrize("features", ["history * cards", "pot * cards", "raises"])
def test_numbers_of_buckets_are_put_in_afterwards(rng, variant, features):
    made = plan(variant=variant, features=features)
    counts = rng.integers(1, 9, len(made.dealer.stages)).tolist()
    found, expected = made.game(counts), classify(made.graph, made.abstraction, counts)
    for name in ("stage", "classes", "n_buckets", "n_actions", "offsets", "node_offsets"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    assert found.n_infosets == expected.n_infosets
    with pytest.raises(ValueError, match="numbers of buckets for the"):
        made.game([*counts, 1])


def test_a_plan_is_made_of_a_name_a_file_a_recipe_or_a_plan(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(tomli_w.dumps(content()))
    assert make_plan("discard-quick").name == "discard-quick"
    assert make_plan(path).recipe == make_plan(str(path)).recipe
    assert make_plan(path, name="other").name == "mine"
    itself = make_plan(recipe(), ["seed=8"], "mine")
    assert (itself.name, itself.recipe.seed) == ("mine", 8)
    assert make_plan(itself) is itself
    changed = make_plan(itself, ["solver.epoch=7"])
    assert (changed.name, changed.recipe.seed, changed.epoch) == ("mine", 8, 7)
    with pytest.raises(RecipeError, match=r"has no meaning for solver\.algorithm 'external'"):
        make_plan(recipe(), ["solver.tau=2"])


@pytest.mark.parametrize(
    ("keys", "unit", "epoch"),
    [
        ({"algorithm": "external"}, "deals", 100_000),
        ({"algorithm": "public-chance"}, "boards", 100),
        ({"algorithm": "cfr-br"}, "boards", 100),
        ({"algorithm": "joint-tables"}, "iterations", 100_000),
        ({"algorithm": "external", "epoch": 30}, "deals", 30),
        ({"algorithm": "auto"}, "boards", 100),
        ({"algorithm": "auto", "variant": DISCARD}, "deals", 100_000),
    ],
    ids=str,
)
def test_units_and_epochs_are_those_of_the_algorithm(keys, unit, epoch):
    solver = {name: keys[name] for name in ("algorithm", "epoch") if name in keys}
    variant = keys.get("variant", "leduc-variant")
    made = Plan(parse_recipe(content(variant=variant) | {"solver": solver}, "a test"))
    assert (made.unit, made.epoch) == (unit, epoch)


# What `auto` chose when each was measured: see decisions 19 and 33.
CHOICES = {
    "nolimit-quick": "external",
    "nolimit-best": "external",
    "limit-best": "external",
    "discard-best": "external",
    "river-of-blood-quick": "external",
    "psopti": "public-chance",
    "cprg-5": "public-chance",
    "cprg-12-nested": "public-chance",
}


@pytest.mark.parametrize("name", CHOICES)
def test_auto_takes_what_was_measured_to_be_better(name):
    """Also where the recipe itself names another."""
    _, shipped = load_recipe(name)
    bare = shipped.model_dump(include={"variant", "cards", "bets", "features", "discards"})
    assert Plan(parse_recipe(bare, "a test")).algorithm == CHOICES[name]


@pytest.mark.parametrize(
    ("cards", "features", "choice"),
    [
        ("exact", "history * cards", "public-chance"),
        ("listed-percentile(3, recall=sequence)", "history * cards", "public-chance"),
        ("listed-percentile(3)", "history * cards", "external"),
        ("exact", "pot * to_call * raises * cards", "external"),
        ("listed-percentile(3)", "history", "public-chance"),  # which looks at no cards
    ],
)
def test_auto_takes_public_chance_where_everything_is_remembered(cards, features, choice):
    variant = "nolimit(stack=8, deck='JQKA/cd', board=(1,))"
    made = content(variant=variant, cards=cards, features=features)
    assert Plan(parse_recipe(made | {"solver": {}}, "a test")).algorithm == choice


@pytest.mark.parametrize(
    ("variant", "cards", "named", "by_strength"),
    [
        ("toss", "percentile(4)", "auto", True),
        ("toss(deck='QKA/cd', board=(1,), hole_cards=2)", "exact", "auto", False),
        ("toss", "percentile(4)", "by-rank", False),
        ("discard", "percentile(4)", "auto", False),
        ("discard", "percentile(4)", "by-strength", True),
    ],
)
def test_cards_go_by_what_they_leave_where_hands_are_known_by_it(
    variant, cards, named, by_strength
):
    keys = {"variant": variant, "cards": cards, "bets": "allin", "discards": named}
    plan = Plan(parse_recipe(keys, "a test"))
    assert plan.discards_by_strength == by_strength
    if plan.variant.gives_cards:
        assert isinstance(plan.dealer.lay_order, LowestFirst) != by_strength


def test_what_is_not_holdem_is_solved_otherwise():
    with pytest.raises(RecipeError, match="solve it with counterfold solve"):
        _ = plan(variant="goofspiel(4)").variant


def test_tables_are_built_on_every_core_whatever_trains():
    assert Plan(recipe(**TABLED, threads=1)).strength_lookup().threads is None


def test_tables_are_counted_on_the_device_that_the_recipe_asks_for():
    assert Plan(recipe(**TABLED)).strength_lookup().device == "auto"
    assert Plan(recipe(**TABLED, device="cpu")).strength_lookup().device == "cpu"
