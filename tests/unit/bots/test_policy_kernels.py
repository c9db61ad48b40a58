"""Strategies of a small menu where the opponent does what the menu does not have."""

import numpy as np
import pytest

from counterfold.bots import first_view
from counterfold.bots.policy_kernels import FORCED, TRAINED
from counterfold.cards import parse_cards
from counterfold.games.holdem import VARIANTS
from counterfold.games.holdem import betting_kernels as betting
from helpers.trained_runs import scripted_bot

VARIANT = VARIANTS["nolimit"](stack=200)
MENU = "50%, 100%, allin; cap 4"


def fold_to_all_ins(situation, kinds):
    """Fold to an all-in, else call."""
    faced = max(situation[betting.SPENT_0], situation[betting.SPENT_1]) == VARIANT.stack
    return kinds == (betting.FOLD if faced else betting.CALL)


def act(bot, history, hole="Js9s"):
    """What the bot does as the dealer after actions before the flop."""
    view = first_view(bot.variant, 0, parse_cards(hole))
    bot.begin_hand(view)
    for action in history.split():
        view = view.after(action)
    return bot.act(view)


def test_an_all_in_beyond_the_cap_is_met_as_an_earlier_one_would_be():
    bot = scripted_bot(VARIANT, MENU, fold_to_all_ins)
    assert act(bot, "r4 r6 r12 r200") == "f"
    assert bot.last_trace.how == TRAINED
    assert bot.last_trace.readings[-1].endswith("in total as one to 200 in its own game")


def test_a_small_raise_beyond_the_cap_is_not_read_as_an_all_in():
    bot = scripted_bot(VARIANT, MENU, fold_to_all_ins)
    assert act(bot, "r4 r6 r12 r18") == "c"


class OneBucket:
    """Puts every hand into the same bucket."""

    def __init__(self, bucket):
        self._bucket = bucket

    def bucket(self, path):
        return self._bucket


# Of ten buckets; 198 chips for a pot of 400 need to beat half of the hands, 2 of 8 a quarter.
@pytest.mark.parametrize(
    ("bucket", "history", "action"),
    [(0, "c r200", "f"), (4, "c r200", "f"), (5, "c r200", "c"), (9, "c r200", "c"),
     (1, "c r4", "f"), (3, "c r4", "c")],
)  # fmt: skip
def test_where_the_menu_has_no_raise_at_all_the_odds_decide(bucket, history, action):
    bot = scripted_bot(VARIANT, "none", fold_to_all_ins)
    bot.policy = bot.policy._replace(last_buckets=np.full_like(bot.policy.last_buckets, 10))
    bot.cards = OneBucket(bucket)
    assert act(bot, history) == action
    assert bot.last_trace.how == FORCED


@pytest.mark.parametrize(("n_buckets", "action"), [(1, "c"), (10, "f")])
def test_a_bet_that_is_read_as_a_check_is_called_by_the_odds(n_buckets, action):
    bot = scripted_bot(VARIANT, f"{MENU}; flop: none", fold_to_all_ins)
    bot.policy = bot.policy._replace(last_buckets=np.full_like(bot.policy.last_buckets, n_buckets))
    view = first_view(VARIANT, 0, parse_cards("Js9s"))
    bot.begin_hand(view)
    view = view.after("c").after("k").after_board(parse_cards("2c3d4h")).after("r2")
    assert bot.act(view) == action  # in the weakest bucket
    assert bot.last_trace.how == FORCED
