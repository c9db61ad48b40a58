from typing import get_args

import pytest
import tomli_w

from counterfold.discounting import DISCOUNTINGS
from counterfold.errors import CounterfoldError, RecipeError, UnknownNameError
from counterfold.games.holdem import VARIANTS
from counterfold.games.holdem import betting_kernels as betting
from counterfold.training.plan import Plan
from counterfold.training.recipe import (
    DiscountingName,
    Recipe,
    change_recipe,
    load_recipe,
    parse_recipe,
    shipped_recipes,
)
from helpers.small_recipes import content

SHIPPED = {
    "cprg-5", "cprg-6", "cprg-8", "cprg-10", "cprg-10-nested", "cprg-12-nested", "psopti", "ehs-5",
    "pineapple", "discard-winner", "ep-white", "limit-best", "limit-safe", "limit-safe-large",
    "nolimit-quick", "nolimit-best", "acpc-nolimit-best", "discard-quick",
    "discard-best", "river-of-blood-quick", "river-of-blood-best",
}  # fmt: skip


def test_recipes_may_name_every_discounting_of_constant_exponents():
    assert set(get_args(DiscountingName)) == set(DISCOUNTINGS)


def test_the_recipes_of_the_mission_are_shipped():
    assert set(shipped_recipes()) >= SHIPPED


@pytest.mark.parametrize("name", sorted(shipped_recipes()))
def test_shipped_recipes_can_be_read_and_say_what_they_are(name):
    short, recipe = load_recipe(name)
    assert short == name
    assert recipe.about.endswith(".")
    assert recipe.budget.time is not None
    plan = Plan(recipe)
    assert plan.variant.name == recipe.variant
    assert plan.spec is not None
    assert plan.abstraction.cards
    assert parse_recipe(recipe.model_dump(), "itself") == recipe


@pytest.mark.parametrize(
    ("name", "variant", "decisions"),
    [
        ("psopti", "limit", 2_286),  # the thesis; limit hold'em itself has 6,378
        ("discard-winner", "discard", 14_217),  # 14,201 if there were no 4-bets
        ("ep-white", "river-of-blood", 44_786),  # merged
    ],
)
def test_recipes_of_the_literature_abstract_the_real_game(name, variant, decisions):
    plan = Plan(load_recipe(name)[1])
    assert plan.variant.name == variant
    assert plan.graph.decisions.size == decisions


def test_the_recipe_of_the_acpc_is_nolimit_best_with_its_chips():
    own, acpc = (load_recipe(name)[1] for name in ("nolimit-best", "acpc-nolimit-best"))
    changed = {"about": acpc.about, "variant": acpc.variant}
    assert own.model_copy(update=changed) == acpc
    assert Plan(acpc).variant == VARIANTS["nolimit"](20_000, (50, 100))


def test_the_best_recipe_of_discard_is_not_too_fine_for_minutes():
    quick, best = (Plan(load_recipe(name)[1]) for name in ("discard-quick", "discard-best"))
    sizes = [each.game(each.most_buckets()).n_infosets for each in (quick, best)]
    assert sizes[1] < 2 * sizes[0]


@pytest.mark.parametrize("name", ["river-of-blood-quick", "river-of-blood-best", "ep-white"])
def test_recipes_of_river_of_blood_know_whether_another_card_follows(name):
    plan = Plan(load_recipe(name)[1])
    game = plan.game(plan.most_buckets())
    nodes = game.graph.decisions
    final = game.graph.field(betting.FINAL)[nodes] == 1
    ends, goes_on = (set(game.classes[nodes[each]].tolist()) for each in (final, ~final))
    assert min(len(ends), len(goes_on)) > 1_000
    assert not ends & goes_on


def test_ep_white_clusters_strength_at_the_end_of_the_run_on_every_street():
    by_street = Plan(load_recipe("ep-white")[1]).spec.abstraction.factors.by_street
    assert [each.metric for each in by_street.streets[:3]] == ["run"] * 3
    assert [each.n for each in by_street.streets] == [8, 40, 40, 40]
    assert by_street.run.n == 40  # which has the fifth card, unless the board is over


@pytest.fixture
def write(tmp_path):
    def write(text):
        path = tmp_path / "mine.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_files_are_read_and_named_by_their_stem(write):
    name, recipe = load_recipe(write(tomli_w.dumps(content())))
    assert name == "mine"
    assert recipe.variant == "leduc-variant"
    assert recipe.solver.epoch == 500


def test_overrides_change_single_keys(write):
    path = write(tomli_w.dumps(content()))
    texts = ["solver.threads=2", "seed=7", "features=cards", 'bets="min"', "budget.time=5s"]
    recipe = load_recipe(path, texts)[1]
    assert (recipe.solver.threads, recipe.seed, recipe.features) == (2, 7, "cards")
    assert recipe.budget.time == "5s"
    assert recipe.solver.epoch == 500  # what is not named stays


OWN = """
stack = 6
deck = "JQKA/cd"
[[streets]]
first = 0
[[streets]]
cards = 1
"""


def test_a_variant_of_ones_own_comes_from_a_file_beside_the_recipe(write, tmp_path):
    (tmp_path / "mine-game.toml").write_text(OWN)
    recipe = load_recipe(write(tomli_w.dumps(content(variant="mine-game.toml"))))[1]
    assert recipe.variant == "mine-game"
    (tmp_path / "mine-game.toml").unlink()  # the recipe has all of it
    again = parse_recipe(recipe.model_dump(), "itself")
    variant = Plan(again).variant
    assert (variant.name, variant.stack, variant.deck.name) == ("mine-game", 6, "JQKA/cd")
    with pytest.raises(CounterfoldError, match=r"cannot read .*none\.toml"):
        load_recipe(write(tomli_w.dumps(content(variant="none.toml"))))


def without(key):
    keys = content()
    del keys[key]
    return keys


BAD = {
    "unknown key": (content() | {"card": "x"}, "unknown key 'card'; did you mean cards"),
    "unknown key of a table": (
        content(thread=2),
        "unknown key 'solver.thread'; did you mean solver.threads",
    ),
    "key of an earlier version": (
        content(prune_below=-5000.0),
        "solver.prune_below, which was in chips, is now solver.prune_below_blinds, in big blinds; "
        "divide it by the big blind",
    ),
    "missing key": (without("bets"), "the key 'bets' is missing"),
    "text for a number": (
        content(threads="two"),
        "solver.threads must be a whole number, not 'two'",
    ),
    "fraction for a whole number": (
        content(epoch=1.5),
        "solver.epoch must be a whole number, not 1.5",
    ),
    "number for a text": (content() | {"bets": 3}, "bets must be text, not 3"),
    "text for a table": (content() | {"solver": "x"}, "solver must be a table of keys, not 'x'"),
    "unknown algorithm": (
        content(algorithm="externl"),
        "unknown solver.algorithm 'externl'; did you mean external",
    ),
    "more bins than tables hold": (content() | {"bins": 256}, "bins must be at most 255, not 256"),
    "no threads": (content(threads=0), "solver.threads must be at least 1, not 0"),
    "no exploration": (
        content(algorithm="outcome", epsilon=0.0),
        "solver.epsilon must be above 0.0, not 0.0",
    ),
    "more exploration than there is": (
        content(algorithm="outcome", epsilon=1.5),
        "solver.epsilon must be at most 1.0, not 1.5",
    ),
    "a negative tau": (
        content(algorithm="average-strategy", tau=-0.5),
        "solver.tau must be at least 0.0, not -0.5",
    ),
    "a negative beta": (
        content(algorithm="average-strategy", beta=-0.5),
        "solver.beta must be at least 0.0, not -0.5",
    ),
    "a negative warm-up": (content(warm_up=-1), "solver.warm_up must be at least 0, not -1"),
    "pruning above 0": (
        content(prune_below_blinds=0.5),
        "solver.prune_below_blinds must be at most 0.0, not 0.5",
    ),
    "averages that count later epochs less": (
        content(averages_power=-1.0),
        "solver.averages_power must be at least 0.0, not -1.0",
    ),
    "a seed of too many bits": (
        content() | {"seed": 2**62},
        "seed must be below 4611686018427387904",
    ),
    "a threshold that leaves nothing": (
        content() | {"play": {"threshold": 0.6}},
        "play.threshold must be below 0.5, not 0.6",
    ),
    "a negative threshold": (
        content() | {"play": {"threshold": -0.5}},
        "play.threshold must be at least 0.0, not -0.5",
    ),
    "neither true nor false": (
        content() | {"play": {"purify": 1}},
        "play.purify must be true or false, not 1",
    ),
    "a key that the algorithm does not read": (
        content(tau=3.0),
        "solver.tau has no meaning for solver.algorithm 'external', only for average-strategy",
    ),
    "a time that is none": (
        content() | {"budget": {"time": "10 parsecs"}},
        "cannot read the time '10 parsecs'",
    ),
    "no time": (content() | {"budget": {"time": "0s"}}, "budget.time must be above 0"),
    "no memory": (content() | {"budget": {"memory": "0MB"}}, "budget.memory must be above 0"),
    "memory that is none": (
        content() | {"budget": {"memory": "lots"}},
        "budget.memory must be a size such as 500MB or 4GB, not 'lots'",
    ),
}


@pytest.mark.parametrize(
    ("memory", "n_bytes"),
    [("500MB", 500_000_000), ("4GB", 4_000_000_000), ("1.5 GB", 1_500_000_000), ("1kB", 1000)],
)
def test_memory_is_counted_in_powers_of_ten(write, memory, n_bytes):
    budget = parse_recipe(content() | {"budget": {"memory": memory}}, "here").budget
    assert budget.memory == n_bytes
    again = parse_recipe(content() | {"budget": budget.model_dump(mode="json")}, "here").budget
    assert again == budget  # as a manifest has it


def test_a_recipe_that_was_read_can_be_changed():
    changed = change_recipe(parse_recipe(content(), "here"), ["seed=9", "solver.threads=2"])
    assert (changed.seed, changed.solver.threads, changed.solver.epoch) == (9, 2, 500)
    with pytest.raises(RecipeError, match=r"^the changed recipe: unknown solver.algorithm 'no'"):
        change_recipe(changed, ["solver.algorithm=no"])


def test_seeds_have_63_bits():
    for seed in (-(2**62), 2**62 - 1):
        assert parse_recipe(content() | {"seed": seed}, "here").seed == seed
    with pytest.raises(RecipeError, match="seed must be at least -4611686018427387904"):
        parse_recipe(content() | {"seed": -(2**62) - 1}, "here")


def test_what_is_done_unless_told():
    keys = content()
    del keys["seed"]
    recipe = parse_recipe(keys, "here")
    assert recipe.seed == 0
    solver = recipe.solver
    assert (solver.epsilon, solver.tau, solver.beta) == (0.6, 1000.0, 1e6)
    assert (solver.prune_below_blinds, solver.warm_up) == (0.0, 0)


@pytest.mark.parametrize("case", BAD)
def test_a_bad_recipe_is_refused_in_one_sentence(case, write):
    keys, message = BAD[case]
    with pytest.raises(RecipeError) as caught:
        load_recipe(write(tomli_w.dumps(keys)))
    text = str(caught.value)
    assert message in text
    assert text.startswith("the recipe '")
    assert "\n" not in text
    assert "pydantic" not in text


def test_what_is_no_recipe_is_refused(write, tmp_path):
    with pytest.raises(RecipeError, match="is not valid TOML"):
        load_recipe(write("variant = leduc"))
    with pytest.raises(RecipeError, match="cannot read the recipe"):
        load_recipe(str(tmp_path / "none.toml"))
    with pytest.raises(RecipeError, match="cannot read the recipe"):
        load_recipe(str(tmp_path))
    with pytest.raises(UnknownNameError, match="'discard-quik'; did you mean discard-quick"):
        load_recipe("discard-quik")


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("threads", "cannot read the override 'threads'; write it like solver.threads=2"),
        ("seed.low=3", "cannot set 'seed.low': 'seed' has no keys of its own"),
        ("solver.thread=3", "unknown key 'solver.thread'"),
        ("solver.threads=many", "solver.threads must be a whole number, not 'many'"),
    ],
)
def test_a_bad_override_is_refused(write, override, message):
    with pytest.raises(RecipeError, match=message):
        load_recipe(write(tomli_w.dumps(content())), [override])


UNFIT = {
    "variant": ({"variant": "kuhnn"}, "unknown game 'kuhnn'; did you mean kuhn"),
    "not hold'em": ({"variant": "goofspiel(4)"}, "is not a hold'em variant; solve it with"),
    "features": ({"features": "pots * cards"}, "unknown public feature 'pots'; did you mean pot"),
    "cards": ({"cards": "percentil(3)"}, "unknown bucketing 'percentil'; did you mean percentile"),
    "a table that does not exist": (
        {"cards": "cprg-7"},
        "unknown card abstraction 'cprg-7'; did you mean cprg-",
    ),
    "listed cards": (
        {"cards": "listed-percentile(x)"},
        "n of listed-percentile must be a whole number, not 'x'",
    ),
    "recall": ({"cards": "listed-percentile(3, recall=all)"}, "unknown recall 'all'"),
    "bets": ({"bets": "50%, alin"}, "alin"),
    "menu of fixed limit": ({"bets": "50%, allin"}, "offers 50%, but bets of leduc-variant"),
}


@pytest.mark.parametrize("case", UNFIT)
def test_parts_that_do_not_fit_are_refused_before_any_work(case):
    keys, message = UNFIT[case]
    plan = Plan(Recipe(**(content() | keys)))
    with pytest.raises(CounterfoldError, match=message):
        plan.game(plan.cards().n_buckets)
