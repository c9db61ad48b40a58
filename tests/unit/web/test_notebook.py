"""The widget of a notebook: it goes where its line says, and tells what is wrong."""

import pytest

import counterfold as cf
from counterfold.bots.trained_bot import TrainedBot
from counterfold.errors import CounterfoldError, StrategyError
from counterfold.web.html_page import tell_decision


@pytest.fixture(scope="module")
def bot(small_runs):
    return TrainedBot(small_runs["nolimit"])


def test_a_widget_follows_its_line(bot):
    widget = cf.widget(bot, "c")
    assert widget.told == tell_decision(bot, "c")
    widget.line = "c k"
    assert widget.told["place"]["end"] == "deal"
    assert widget.told["hands"] == []
    widget.line = "c k | Ac"
    assert len(widget.told["hands"]) == len(bot.strategy(history="c k | Ac").rows)


def test_a_wrong_line_is_told_and_changes_nothing(bot):
    widget = cf.widget(bot, "c")
    widget.line = "c zzz"
    assert "zzz" in widget.error
    assert widget.told == tell_decision(bot, "c")
    widget.line = "c k"
    assert widget.error == ""
    with pytest.raises(CounterfoldError, match="nowhere"):
        cf.widget(bot, "nowhere")


def test_the_widgets_module_needs_nothing_else(bot):
    module = cf.widget(bot)._esm
    assert "import " not in str(module).replace("@import", "import ")
    assert str(module).count("export ") == 1


def test_a_solved_game_has_no_grid():
    strategy = cf.uniform_strategy(cf.compile_game(cf.parse_game("kuhn")))
    with pytest.raises(StrategyError, match="print it with"):
        cf.widget(strategy)
