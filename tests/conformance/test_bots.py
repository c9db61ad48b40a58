"""Every bot that we ship answers legally in every variant that it plays, and twice the same."""

import pytest

from counterfold.bots import BASELINES, Bot
from counterfold.errors import BotError, UnsupportedGameError
from counterfold.games.holdem import VARIANTS
from counterfold.testing import check_bot
from helpers.recordings.recorded_matches import Script

PLAYED = [name for name in VARIANTS if name != "swap"]
SMALL = ("kuhn-variant", "leduc-variant")
RANKS_HANDS = ("outs", "hand-rank", "pot-odds")


@pytest.mark.parametrize("variant", PLAYED)
@pytest.mark.parametrize("name", BASELINES)
def test_baselines_conform(name, variant):
    if name in RANKS_HANDS and variant in SMALL:
        with pytest.raises(UnsupportedGameError):
            check_bot(BASELINES[name], VARIANTS[variant]())
        return
    n_hands = 6 if name in RANKS_HANDS else 30
    checked = check_bot(BASELINES[name], VARIANTS[variant](), n_hands=n_hands)
    assert checked.hands == n_hands
    assert checked.decisions >= n_hands / 2


def test_an_illegal_answer_is_found():
    with pytest.raises(BotError, match="'r1', which is not legal in nolimit"):
        check_bot(lambda: Script(["r1"] * 9), VARIANTS["nolimit"]())


class Fickle(Bot):
    made = 0

    def __init__(self):
        Fickle.made += 1
        self.action = "fc"[Fickle.made % 2]

    def act(self, view):
        return self.action if view.to_call else view.passive_action


def test_a_bot_that_answers_differently_is_found():
    with pytest.raises(BotError, match="a second one answers"):
        check_bot(Fickle, VARIANTS["nolimit"]())
