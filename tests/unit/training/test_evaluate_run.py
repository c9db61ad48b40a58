"""Which figures a trained run is measured by, and how they are told."""

import pytest

from counterfold.training import evaluate_run
from counterfold.training.evaluate_run import Measures, measure
from counterfold.training.recipe import parse_recipe
from counterfold.training.train_folder import load_trained
from counterfold.training.train_run import train
from helpers.small_recipes import content, recipe


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "small"
    train(recipe(), folder, iterations=2000)
    return load_trained(folder)


def test_a_small_deck_is_measured_exactly(run):
    found = measure(run, 500)
    assert found.joint is None
    # All cards are known exactly, so both games are one.
    assert found.inside == found.exact
    assert found.exact.values[0] == pytest.approx(-0.0856, abs=0.1)  # Leduc, not solved yet
    assert set(found.to_dict()) >= {"coverage", "exploitability", "exact"}
    assert "in the exact game" in str(found)


def test_the_hands_of_self_play_are_others_than_those_of_training(run, monkeypatch):
    seeds = []
    original = evaluate_run.measure_coverage

    def look(*args, **options):
        seeds.append(options["seed"])
        return original(*args, **options)

    monkeypatch.setattr(evaluate_run, "measure_coverage", look)
    assert measure(run, 500) == measure(run, 500)
    assert len(set(seeds)) == 1
    assert seeds[0] != run.plan.recipe.seed


def test_a_deck_that_is_too_large_says_why_not(run, monkeypatch):
    def refuse(*_):
        raise evaluate_run.TooLargeError("too many deals")

    monkeypatch.setattr(evaluate_run, "evaluate_enumerated", refuse)
    found = measure(run, 500)
    assert (found.inside, found.exact, found.why_not) == (None, None, "too many deals")
    assert found.to_dict()["why_not_exact"] == "too many deals"
    assert str(found).endswith("exploitability not computed: too many deals")


def test_runs_by_joint_tables_are_measured_by_them(tmp_path):
    keys = content(
        variant="limit(bets=2, deck='TJQKA/cd')", cards="history(2)", algorithm="joint-tables"
    )
    keys["solver"].pop("epoch")
    keys["bets"] = "min"
    train(parse_recipe(keys, "a test"), tmp_path / "joint", iterations=20)
    found = measure(load_trained(tmp_path / "joint"), 100)
    assert isinstance(found, Measures)
    assert found.joint.exploitability > 0.0
    assert found.to_dict()["abstract_game"]["exploitability_mb"] == found.joint.exploitability_mb
    assert "mb/g" in str(found)
