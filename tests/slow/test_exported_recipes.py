"""Shipped recipes, trained for moments, as bots and as exported bots; builds card tables."""

import json

import pytest

from counterfold.bots.export import TARGETS
from counterfold.bots.export.package import write_bot
from counterfold.runs.budget import Budget
from counterfold.runs.plan import Plan
from counterfold.runs.players import bot_of
from counterfold.runs.recipe import load_recipe
from counterfold.runs.trained import load_training
from counterfold.runs.training import train
from deals import check_equal
from exports import exported_hands
from self_play import play_hands

N_HANDS = 2000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("recipe", "override"),
    [
        ("river-of-blood-quick", "seed=1"),
        ("discard-quick", "seed=1"),
        ("nolimit-quick", "seed=1"),
        ("cprg-5", "solver.algorithm=public-chance"),  # joint tables take minutes
        ("pineapple", "solver.warm_up=10"),
    ],
)
def test_kernels_bots_and_exported_bots_play_alike(recipe, override, tmp_path):
    name, content = load_recipe(recipe, [override])
    train(name, Plan(content), tmp_path / "run", Budget(seconds=10.0))
    run = load_training(tmp_path / "run")
    check_equal(run, run, N_HANDS // 2)
    (tmp_path / "bot").mkdir()
    write_bot(name, bot_of(run), run.cards, TARGETS["mit-2023"], tmp_path / "bot")
    ours = play_hands([bot_of(run, 1, player) for player in (0, 1)], 1, N_HANDS)
    theirs = exported_hands(tmp_path / "bot", tmp_path / "bare", 1, N_HANDS)
    assert theirs == json.loads(json.dumps(ours))
