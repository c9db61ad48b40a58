import numpy as np
import pytest

from counterfold.discounting import DISCOUNTINGS, Discounting
from counterfold.errors import RecipeError
from counterfold.public.boards import EnumeratedBoards, SampledBoards
from counterfold.public.walk_order import EnumeratedDeals, SampledDeals
from counterfold.training.boards.best_response import BestResponseSolver
from counterfold.training.boards.public_chance import PublicChanceSolver
from counterfold.training.deal_sampling import DealSamplingSolver
from counterfold.training.joint_cfr import JointSolver
from counterfold.training.plan import Plan
from counterfold.training.recipe import load_recipe, shipped_recipes
from counterfold.training.solver_factory import build_solver, find_chance, sampling_of
from helpers.small_recipes import DISCARD, plan, recipe

TABLED = {"variant": "nolimit(stack=6, deck='9TJQKA/cd')", "cards": "uniform(2)"}
JOINT = {"variant": "limit(deck='9TJQKA/cd')", "cards": "history(2)", "epoch": None}


@pytest.fixture(autouse=True)
def own_tables(tmp_path, monkeypatch):
    monkeypatch.setenv("COUNTERFOLD_HOME", str(tmp_path))


def build(**keys):
    made = plan(**keys)
    cards = made.cards()
    chance = find_chance(made, cards)
    return build_solver(made, made.game(cards.n_buckets), chance), chance


@pytest.mark.parametrize(
    ("keys", "solver", "chance"),
    [
        ({"algorithm": "external"}, DealSamplingSolver, EnumeratedDeals),
        ({"algorithm": "chance"}, DealSamplingSolver, EnumeratedDeals),
        (TABLED | {"algorithm": "outcome"}, DealSamplingSolver, SampledDeals),
        ({"algorithm": "public-chance"}, PublicChanceSolver, EnumeratedBoards),
        (TABLED | {"algorithm": "public-chance"}, PublicChanceSolver, SampledBoards),
        ({"algorithm": "cfr-br"}, BestResponseSolver, EnumeratedBoards),
        (TABLED | {"algorithm": "cfr-br"}, BestResponseSolver, SampledBoards),
    ],
    ids=str,
)
def test_an_algorithm_is_given_what_it_walks_over(keys, solver, chance):
    made, cards = build(**keys)
    assert isinstance(made, solver)
    assert isinstance(cards, chance)
    assert made.iterations == 0
    made.run(3)
    assert made.iterations == 3
    assert made.tables["averages"].any()


def test_settings_are_those_of_the_recipe():
    made, _ = build(algorithm="external", discounting="dcfr", epoch=7, threads=2, warm_up=5)
    assert (made.epoch, made.seed, made.threads) == (7, 3, 2)
    assert made.discounting is DISCOUNTINGS["dcfr"]
    assert made.sampling.warm_up == 5
    timed = plan(algorithm="external", warm_up=5)
    cards = timed.cards()
    chance = find_chance(timed, cards)
    plain = build_solver(timed, timed.game(cards.n_buckets), chance, warm_up=False)
    assert plain.sampling.warm_up == 0


@pytest.mark.parametrize("algorithm", ["external", "public-chance", "cfr-br"])
def test_averages_may_count_later_epochs_more(algorithm):
    """Regrets are those of linear CFR; only what they leave in the averages fades faster."""
    made, _ = build(algorithm=algorithm, discounting="linear", averages_power=2.0)
    assert made.discounting == Discounting(alpha=1.0, beta=1.0, gamma=2.0)
    plain, _ = build(algorithm=algorithm, discounting="linear")
    for solver in (made, plain):
        solver.run(3 * solver.epoch)
    assert np.array_equal(made.tables["regrets"], plain.tables["regrets"])
    assert not np.array_equal(made.tables["averages"], plain.tables["averages"])


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"algorithm": "chance"}, {"expand": True}),
        ({"algorithm": "outcome", "epsilon": 0.3}, {"single": True, "epsilon": 0.3}),
        ({"algorithm": "average-strategy", "tau": 9.0, "beta": 8.0}, {"tau": 9.0, "beta": 8.0}),
        (
            {"algorithm": "external", "prune_below_blinds": -2.0},
            {"prune_below": -14.0, "epsilon": 1.0},
        ),
    ],
    ids=str,
)
def test_how_much_a_walk_visits_follows_from_the_algorithm(keys, expected):
    sampling = sampling_of(recipe(**keys).solver, big_blind=7)
    assert {name: getattr(sampling, name) for name in expected} == expected


def trained_with_chips(unit, algorithm, **keys):
    """A solver after some deals or boards, with blinds of `unit` and twice that."""
    variant = f"nolimit(stack={12 * unit}, blinds=({unit}, {2 * unit}), deck='QKA/cd', board=(1,))"
    features = "pot * to_call * raises * cards"
    solver, _ = build(variant=variant, features=features, algorithm=algorithm, **keys)
    solver.run(20 if algorithm == "public-chance" else 4_000)
    return solver


@pytest.mark.parametrize(
    "keys",
    [
        {"algorithm": "external"},
        {"algorithm": "external", "prune_below_blinds": -10.0, "warm_up": 20},
        {"algorithm": "chance"},
        {"algorithm": "outcome"},
        {"algorithm": "average-strategy", "beta": 10.0},
        {"algorithm": "public-chance", "epoch": 5},
    ],
    ids=str,
)
def test_chips_are_a_unit_that_training_does_not_depend_on(keys):
    """To the bit where the unit is a power of two, whose products are exact."""
    small, large = (trained_with_chips(unit, **keys) for unit in (1, 64))
    assert large.visited == small.visited
    assert large.tables["averages"].tobytes() == small.tables["averages"].tobytes()
    assert (large.tables["regrets"] == 64 * small.tables["regrets"]).all()


@pytest.mark.parametrize("limit", [0.0, -10.0])
def test_the_chips_of_the_acpc_train_as_others_do(limit):
    """But for rounding, which tips the balance where regrets happen to cancel; not here."""
    keys = {"algorithm": "external", "prune_below_blinds": limit}
    small, acpc = (trained_with_chips(unit, **keys) for unit in (1, 50))
    assert acpc.visited == small.visited
    assert acpc.average_strategy() == pytest.approx(small.average_strategy(), abs=1e-3)


@pytest.mark.parametrize("name", sorted(shipped_recipes()))
def test_shipped_recipes_prune_as_was_measured_if_at_all(name):
    """In chips, what decisions 21 and 76 measured."""
    made = Plan(load_recipe(name)[1])
    stacks = 50.0 if name == "discard-best" else 25.0
    sampling = sampling_of(made.recipe.solver, made.variant.big_blind)
    assert sampling.prune_below in (0.0, -stacks * made.variant.stack)


@pytest.mark.parametrize(
    "keys", [{"variant": DISCARD}, {"cards": "exact"}, TABLED], ids=["draws", "listed", "forgets"]
)
def test_joint_tables_need_cards_that_are_remembered(keys):
    made = plan(**keys | {"algorithm": "joint-tables", "epoch": None})
    with pytest.raises(RecipeError, match="joint-tables needs the feature history and cards with"):
        find_chance(made, made.cards())


def test_joint_tables_make_a_full_width_solver():
    keys = JOINT | {"algorithm": "joint-tables"}
    made = plan(**keys)
    made = type(made)(made.recipe.model_copy(update={"bets": "min"}), "test")
    cards = made.cards()
    solver = build_solver(made, made.game(cards.n_buckets), find_chance(made, cards))
    assert isinstance(solver, JointSolver)
    solver.run(2)
    assert np.isfinite(solver.tables["regrets"]).all()
