"""Shipped recipes, trained for moments, as bots and as exported bots; builds card tables."""

import json

import pytest

from counterfold.bots.played_run import bot_of
from counterfold.contest.export import TARGETS
from counterfold.contest.export.package import write_bot
from counterfold.training.plan import Plan
from counterfold.training.recipe import load_recipe
from counterfold.training.train_folder import load_trained
from counterfold.training.train_run import train
from helpers.exported_bots import exported_hands
from helpers.played_deals import check_equal
from helpers.self_play import play_hands

N_HANDS = 2000
RUNS = (
    "preflop: lossless; flop: percentile(40, metric=ehs2); turn: percentile(40, metric=ehs2); "
    "river: percentile(40); run: histogram(40)"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("recipe", "override"),
    [
        ("river-of-blood-quick", "seed=1"),
        ("river-of-blood-quick", f"cards={RUNS}"),
        ("discard-quick", "seed=1"),
        ("nolimit-quick", "seed=1"),
        ("cprg-5", "solver.algorithm=public-chance"),  # joint tables take minutes
        ("pineapple", "solver.warm_up=10"),
    ],
)
def test_kernels_bots_and_exported_bots_play_alike(recipe, override, tmp_path):
    name, content = load_recipe(recipe, [override])
    train(Plan(content, name), tmp_path / "run", seconds=10.0)
    run = load_trained(tmp_path / "run")
    check_equal(run, run, N_HANDS // 2)
    (tmp_path / "bot").mkdir()
    write_bot(name, bot_of(run), run.cards, TARGETS["mit-2023"], tmp_path / "bot")
    ours = play_hands([bot_of(run, 1, player) for player in (0, 1)], 1, N_HANDS)
    theirs = exported_hands(tmp_path / "bot", tmp_path / "bare", 1, N_HANDS)
    assert theirs == json.loads(json.dumps(ours))
