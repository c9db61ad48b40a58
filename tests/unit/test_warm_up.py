"""Kernels that were compiled beforehand are not compiled again by a command."""

import os

import numpy as np
import pytest
from numba.core import event

from counterfold import warm_up as warm_up_module
from counterfold.buckets.clustering.clustered import Histogram
from counterfold.buckets.run_histograms.run_clusters import SIZES, RunClusters
from counterfold.training.plan import Plan
from counterfold.training.recipe import parse_recipe
from counterfold.training.train_run import train
from counterfold.warm_up import _EXAMPLES, warm_up
from helpers.trained_runs import RECIPES


@pytest.mark.slow
def test_a_training_after_the_examples_compiles_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("COUNTERFOLD_HOME", str(tmp_path / "tables"))
    seen = []
    assert warm_up(seen.append) > 0.0
    assert seen == list(_EXAMPLES)
    assert os.environ["COUNTERFOLD_HOME"] == str(tmp_path / "tables")
    assert not (tmp_path / "tables").exists()
    centers = np.zeros((len(SIZES), 3, 9), np.uint16)
    hand, board = np.array([[[50, 51]]], np.uint8), np.arange(6, dtype=np.uint8)[None]
    with event.install_recorder("numba:compile") as compiled:
        RunClusters(Histogram(3), centers).label(hand, board, first_flush_suit_only=True)
        for name in ("discard-tabled", "nolimit"):
            recipe = parse_recipe(RECIPES[name], name)
            train(Plan(recipe, name), tmp_path / name, iterations=20)
    assert compiled.buffer == []


@pytest.mark.parametrize("processes", [1, 2])
def test_examples_are_shared_out_and_announced_in_order(monkeypatch, processes):
    used = []

    class Pool:
        def __init__(self, n, context):
            used.append((n, context.get_start_method()))

        def __enter__(self):
            return self

        def __exit__(self, *error):
            pass

        map = staticmethod(map)

    monkeypatch.setattr(warm_up_module, "ProcessPoolExecutor", Pool)
    monkeypatch.setattr(warm_up_module, "_compile", lambda example: example)
    seen = []
    assert warm_up(seen.append, processes) >= 0.0
    assert seen == list(_EXAMPLES)
    assert used == ([] if processes == 1 else [(2, "spawn")])
