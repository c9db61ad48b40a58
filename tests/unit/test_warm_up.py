"""Kernels that were compiled beforehand are not compiled again by a command."""

import os

import pytest
from numba.core import event

from counterfold.training.plan import Plan
from counterfold.training.recipe import parse_recipe
from counterfold.training.train_run import train
from counterfold.warm_up import warm_up
from helpers.trained_runs import RECIPES


@pytest.mark.slow
def test_a_training_after_the_examples_compiles_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("COUNTERFOLD_HOME", str(tmp_path / "tables"))
    seen = []
    assert warm_up(seen.append) > 0.0
    assert seen[0] == "solving"
    assert os.environ["COUNTERFOLD_HOME"] == str(tmp_path / "tables")
    assert not (tmp_path / "tables").exists()
    with event.install_recorder("numba:compile") as compiled:
        for name in ("discard-tabled", "nolimit"):
            recipe = parse_recipe(RECIPES[name], name)
            train(Plan(recipe, name), tmp_path / name, iterations=20)
    assert compiled.buffer == []
