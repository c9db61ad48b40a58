"""Spots out of lines of trained bots."""

from types import SimpleNamespace

import numpy as np
import pytest

from counterfold.bots.bot_spot import begin_after, describe_spot
from counterfold.bots.trained_bot import load_bot
from counterfold.cards import parse_range
from counterfold.errors import CounterfoldError
from counterfold.games.files import format_variant
from counterfold.runs import Budget
from counterfold.spots.spot_options import read_spot_options
from counterfold.spots.spot_run import solve_spot


@pytest.fixture(scope="module")
def bot(small_runs):
    return load_bot(small_runs.path_of("nolimit-listed"))


def test_ranges_pot_and_stacks_are_those_of_the_line(bot):
    found = describe_spot(bot, "c k", {"board": "Jc"})
    assert found.words == ()
    assert (found.content["pot"], found.content["stack"]) == (4, 18)
    for text, seat in zip(found.content["ranges"], (1, 0), strict=True):  # the big blind acts first
        expected = bot.range("Jc", "c k", seat)
        np.testing.assert_allclose(parse_range(text).weights, expected / expected.max(), atol=1e-6)
    spot = read_spot_options(found.content).spot
    assert spot.variant.name == bot.variant.name


def test_a_line_within_a_street_is_the_only_one_left(bot):
    found = describe_spot(bot, "c k | Jc | k", {})
    assert found.words == ("k",)
    whole = read_spot_options({**found.content, "bets": "100%, allin"}).spot
    spot = begin_after(whole, found.words)
    root, after = spot.tree.starts[:2]
    assert after - root == 1
    assert len(whole.tree.children) > len(spot.tree.children)
    result = solve_spot(spot, Budget(iterations=20))
    assert result.at().totals()["strategy"] == {"check": pytest.approx(1)}
    assert result.at("k").position == "ip"


def test_rules_of_a_file_come_along(bot):
    recipe = SimpleNamespace(variant="mine", rules=format_variant(bot.variant))
    run = SimpleNamespace(blueprint=bot.run.blueprint, plan=SimpleNamespace(recipe=recipe))
    custom = SimpleNamespace(run=run, variant=bot.variant, range=bot.range)
    spot = read_spot_options(describe_spot(custom, "c k | Jc", {}).content).spot
    assert spot.game == "mine"
    assert spot.variant.streets == bot.variant.streets
    content = describe_spot(custom, "c k | Jc", {"game": "nolimit", "pot": 6}).content
    assert (content["game"], content["pot"]) == ("nolimit", 6)
    assert "rules" not in content


@pytest.mark.parametrize(
    ("history", "board", "message"),
    [
        ("c", "", "ends on the first street"),
        ("c k", "", "has 1 cards, not 0; write them in the history or pass --board"),
        ("c f", "", "does not fit"),
        ("r20 f", "", "the hand is over"),
    ],
)
def test_lines_that_make_no_spot_are_refused(bot, history, board, message):
    with pytest.raises(CounterfoldError, match=message):
        describe_spot(bot, history, {"board": board})


def test_a_bot_without_ranges_is_refused_before_a_board_is_asked_for(small_runs):
    bot = load_bot(small_runs.path_of("toss"))
    with pytest.raises(CounterfoldError, match="a range needs two hole cards that never change"):
        describe_spot(bot, "c k", {})
