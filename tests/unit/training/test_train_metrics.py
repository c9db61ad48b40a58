import numpy as np
import pytest

from counterfold import artifacts
from counterfold.public.deals import Dealer
from counterfold.public.walk_order import rearrange, walk_graph
from counterfold.runs.run_folder import CHECKPOINT
from counterfold.training.train_metrics import sample_infosets
from counterfold.training.train_run import train
from helpers.small_recipes import DISCARD, plan


def test_metrics_say_what_they_are_named(tmp_path):
    seen = []
    result = train(plan(), tmp_path, iterations=3000, observe=seen.append)
    game = result.blueprint.game
    tables = artifacts.load(tmp_path / CHECKPOINT)[1]
    _, layout = rearrange(walk_graph(game, Dealer(game.graph.variant)), game)
    starts, widths, steps = sample_infosets(game, layout, 10**6)
    visited = trained = 0
    for start, width in zip(starts, widths, strict=True):
        slots = slice(start, start + width)
        trained += bool((tables["averages"][slots] > 0).any())
        visited += bool((tables["averages"][slots] > 0).any() or tables["regrets"][slots].any())
    assert starts.size == game.n_infosets
    assert (steps == 1).all()
    assert (starts + widths).max() == game.n_slots == widths.sum()
    assert result.metrics.trained_infosets == trained / game.n_infosets
    assert result.metrics.visited_infosets == visited / game.n_infosets
    assert seen[-1].trained_infosets == result.metrics.trained_infosets
    # Linear weights: after 6 epochs of 500 deals the first counts 1/7, the last 6/7.
    weight = 500 * sum(range(1, 7)) / 7
    positive = np.maximum(tables["regrets"], 0.0).mean(dtype=np.float64)
    assert result.metrics.mean_positive_regret == pytest.approx(positive / weight)


def test_a_sample_of_information_sets_is_one_of_them():
    game = plan(variant=DISCARD).game(plan(variant=DISCARD).cards().n_buckets)
    every, widths, _ = sample_infosets(game, game.layout, 10**9)
    some, some_widths, _ = sample_infosets(game, game.layout, 100)
    assert some.size == 100
    places = np.searchsorted(every, some)
    np.testing.assert_array_equal(every[places], some)
    np.testing.assert_array_equal(widths[places], some_widths)
