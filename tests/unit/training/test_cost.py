import tracemalloc

import numpy as np
import pytest
from pydantic import ByteSize

from counterfold import artifacts
from counterfold.cli.estimate import estimate_rows
from counterfold.errors import BudgetError, TooLargeError
from counterfold.runs.run_folder import CHECKPOINT
from counterfold.training import cost, rates, solver_factory
from counterfold.training.cost import check_estimate, estimate_plan
from counterfold.training.plan import Plan
from counterfold.training.recipe import load_recipe, parse_recipe, shipped_recipes
from counterfold.training.solver_factory import build_solver, find_chance
from counterfold.training.train_run import train
from helpers.small_recipes import DISCARD, RIVER_OF_BLOOD, content, plan, recipe

JOINT_DECK = "limit(deck='9TJQKA/cd')"


@pytest.mark.parametrize("variant", ["leduc-variant", DISCARD, RIVER_OF_BLOOD])
def test_sizes_are_those_of_the_run(variant, tmp_path, monkeypatch):
    monkeypatch.setattr(rates, "_TIMED_SECONDS", 0.01)
    made = plan(variant=variant, cards="listed-percentile(3)")
    found = estimate_plan(made)
    game = train(made, tmp_path / "run", iterations=1).blueprint.game
    assert (found.infosets, found.slots) == (game.n_infosets, game.n_slots)
    assert (found.nodes, found.edges) == (game.graph.n_nodes, game.graph.n_edges)
    assert found.classes == game.n_classes
    assert found.bot_bytes == game.n_slots
    assert found.tables_bytes == found.tables.disk_bytes == 0
    assert estimate_plan(made, bits=16).bot_bytes == 2 * game.n_slots


@pytest.mark.parametrize("algorithm", ["public-chance", "cfr-br", "joint-tables"])
def test_tables_must_fit_into_the_memory_of_a_gpu(algorithm, monkeypatch):
    """NumPy stands in for one."""
    monkeypatch.setattr(solver_factory, "gpu_library", lambda: np)
    monkeypatch.setattr(rates, "_TIMED_SECONDS", 0.01)
    monkeypatch.setattr(cost, "gpu_name", lambda: "a GPU")
    if algorithm == "joint-tables":
        made = Plan(parse_recipe(_method(algorithm, JOINT_DECK, "history(2)"), "a test"))
    else:
        made = plan(algorithm=algorithm, epoch=20)
    made.device = "gpu"
    found = estimate_plan(made)
    cards = made.cards()
    solver = build_solver(made, made.game(cards.n_buckets), find_chance(made, cards))
    assert found.device == "a GPU"
    assert found.device_bytes == sum(table.nbytes for table in solver.tables.values())
    monkeypatch.setattr(cost, "free_gpu_bytes", lambda: found.device_bytes)
    check_estimate(made.recipe, found)
    assert ("GPU memory", f"more than {found.device_bytes / 1e6:,.1f} MB, for tables alone") in (
        estimate_rows(found)
    )
    monkeypatch.setattr(cost, "free_gpu_bytes", lambda: found.device_bytes - 1)
    with pytest.raises(TooLargeError, match=r"GB of the GPU's memory, .* use --device cpu, or use"):
        check_estimate(made.recipe, found)


def test_tables_take_the_bytes_of_their_slots(monkeypatch, tmp_path):
    """Regrets and averages in 32 bits; with joint tables averages have 64."""
    made = plan()
    n_slots = train(made, tmp_path / "run", iterations=2).blueprint.game.n_slots
    tables = artifacts.load(tmp_path / "run" / CHECKPOINT)[1]
    assert sum(table.nbytes for table in tables.values()) == 8 * n_slots
    joint = Plan(parse_recipe(_method("joint-tables", JOINT_DECK, "history(2)"), "a test"))
    games = [(each, each.game(each.most_buckets())) for each in (made, joint)]
    before, joint_before = (cost.training_bytes(*each, 8) for each in games)
    monkeypatch.setattr(cost, "AVERAGES", np.float64)
    after, joint_after = (cost.training_bytes(*each, 8) for each in games)
    # Four bytes for each slot, and four of what is written at a time.
    assert after - before == 2 * 4 * n_slots
    assert joint_after == joint_before


def test_no_rate_is_timed_for_what_does_not_fit(monkeypatch):
    monkeypatch.setattr(cost, "free_memory_bytes", lambda: 1000)
    monkeypatch.setattr(cost, "expected_rate", lambda *_, **__: pytest.fail("timed"))
    found = estimate_plan(plan())
    assert found.iterations_per_second != found.iterations_per_second


def test_what_does_not_fit_is_refused_with_the_figure_and_what_to_reduce(monkeypatch):
    monkeypatch.setattr(rates, "_TIMED_SECONDS", 0.01)
    found = estimate_plan(plan())
    check_estimate(recipe(), found)
    monkeypatch.setattr(cost, "free_memory_bytes", lambda: 1000)
    with pytest.raises(
        TooLargeError, match=r"0\.00 GB of memory are free; use fewer buckets, bets"
    ):
        check_estimate(recipe(), found)
    tight = recipe().model_copy(
        update={"budget": recipe().budget.model_copy(update={"memory": ByteSize(1000)})}
    )
    with pytest.raises(BudgetError, match=r"budget\.memory is 1\.0KB; use fewer buckets, bets"):
        check_estimate(tight, found)


def test_card_tables_are_estimated_and_timed_before_they_are_there(tmp_path, monkeypatch):
    monkeypatch.setenv("COUNTERFOLD_HOME", str(tmp_path))
    monkeypatch.setattr(rates, "_TIMED_SECONDS", 0.01)
    made = plan(variant="nolimit(stack=6, deck='9TJQKA/cd')", cards="percentile(4)")
    before = estimate_plan(made)
    assert before.tables.disk_bytes > 0
    assert before.iterations_per_second > 0
    assert not any(tmp_path.iterdir())  # nothing was built
    made.cards()
    after = estimate_plan(made)
    assert after.tables.disk_bytes == 0
    assert after.slots == before.slots
    assert after.iterations_per_second > 0


def test_boards_are_timed_where_boards_are_walked(monkeypatch):
    monkeypatch.setattr(rates, "_TIMED_SECONDS", 0.01)
    plain, responding = (
        estimate_plan(Plan(parse_recipe(_method(name), "a test")))
        for name in ("public-chance", "cfr-br")
    )
    assert plain.unit == responding.unit == "boards"
    assert plain.iterations_per_second > 0
    assert responding.iterations_per_second > 0
    # Regrets of responders, and a byte for each of five hands at each node.
    nodes, slots = plain.nodes, plain.slots
    assert responding.training_bytes == plain.training_bytes + 4 * slots + 5 * nodes


def test_joint_tables_are_timed_and_their_building_is_counted(tmp_path, monkeypatch):
    monkeypatch.setenv("COUNTERFOLD_HOME", str(tmp_path))
    monkeypatch.setattr(rates, "_TIMED_SECONDS", 0.01)
    few, many = (
        estimate_plan(
            Plan(parse_recipe(_method("joint-tables", JOINT_DECK, f"history({n})"), "a test"))
        )
        for n in (2, 6)
    )
    other = _method("public-chance", JOINT_DECK, "history(6)")
    sampled = estimate_plan(Plan(parse_recipe(other, "a test")))
    assert few.unit == "iterations"
    assert few.iterations_per_second > many.iterations_per_second > 0
    assert many.tables.disk_bytes > sampled.tables.disk_bytes
    assert many.training_bytes > sampled.training_bytes
    assert not any(tmp_path.iterdir())


def _method(algorithm, variant="leduc-variant", cards="exact"):
    keys = content(variant=variant, cards=cards)
    return keys | {"bets": "min", "solver": {"algorithm": algorithm}}


def test_an_order_of_discards_is_estimated_and_not_built(tmp_path, monkeypatch):
    monkeypatch.setenv("COUNTERFOLD_HOME", str(tmp_path))
    monkeypatch.setattr(rates, "_TIMED_SECONDS", 0.01)
    keys = content(variant="discard(stack=6, deck='89TJQKA/cd')", cards="uniform(2)")
    plain, ordered = (
        estimate_plan(Plan(parse_recipe(keys | {"discards": order}, "a test")))
        for order in ("by-rank", "by-strength")
    )
    assert ordered.tables.disk_bytes > plain.tables.disk_bytes > 0
    assert ordered.iterations_per_second > 0
    assert not any(tmp_path.iterdir())


def test_memory_is_within_a_twentieth_of_the_estimate(tmp_path):
    """A game of 23 million actions, saved after every step; its deals and classes are small beside
    them. A strategy that is kept while the next one is made would be a tenth.
    """
    small = plan(variant="nolimit(stack=4, deck='JQKA/cd', board=(1,1))")
    train(small, tmp_path / "small", iterations=1000)  # what it compiles does not count
    keys = content(variant="nolimit(stack=44, deck='JQKA/cd', board=(1,1))")
    large = parse_recipe(keys | {"bets": "33%, 66%, 100%, 200%, allin"}, "a test")
    tracemalloc.start()  # knows the arrays of NumPy, whatever the system makes of them
    try:
        result = train(large, tmp_path / "large", iterations=2, checkpoint_seconds=0.0)
        measured = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    expected = cost.training_bytes(Plan(large), result.blueprint.game, 8)
    assert expected > 100e6
    assert measured == pytest.approx(expected, rel=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("variant", [DISCARD, RIVER_OF_BLOOD])
def test_the_rate_is_of_the_right_size(variant, tmp_path):
    """How near it comes depends on what else the machine does; usually a factor of two."""
    made = plan(variant=variant)
    expected = estimate_plan(made).iterations_per_second
    metrics = train(made, tmp_path / "run", seconds=5.0).metrics
    assert 0.1 < metrics.iterations / metrics.seconds / expected < 10.0


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped_recipes()))
def test_shipped_recipes_are_estimated_without_tables(name, tmp_path, monkeypatch):
    monkeypatch.setenv("COUNTERFOLD_HOME", str(tmp_path))
    found = estimate_plan(Plan(load_recipe(name)[1]))
    assert found.infosets > 10_000
    assert found.tables.disk_bytes > 1e6
    assert found.training_bytes < 8e9
    assert found.iterations_per_second > 0
    assert not any(tmp_path.iterdir())
