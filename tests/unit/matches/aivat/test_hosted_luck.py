"""AIVAT of hosted matches: that of the same hands in kernels, and only known players corrected."""

from dataclasses import replace

import pytest

from counterfold.bots import Bot
from counterfold.errors import MatchError
from counterfold.matches.entrants import baseline_entrant, bot_entrant, run_entrant
from counterfold.matches.hosted_match import IN_PROCESS, play_hosted
from counterfold.matches.policy_match import play_policies
from helpers.parameters import crossed


class Caller(Bot):
    """Checks and calls, keeps its cards."""

    def act(self, view):
        return next(action for action in view.plain_actions() if action[0] in "kcs")


GAMES = ["discard", "discard-tabled", "nolimit", "river-of-blood", "swap", "bounty", "auction",
         "auction-sealed", "toss"]  # fmt: skip
OTHERS = ["bounty-exact", "dealt", "dealt-tabled", "four-cards", "looks", "lay-or-not",
          "pineapple", "drop-or-not", "show-two", "show-or-not", "draw-then-lay",
          "draw-two-tabled"]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "duplicate"),
    [
        *crossed(GAMES, [True, False]),
        *(pytest.param(name, True, marks=pytest.mark.slow) for name in OTHERS),
    ],
)
def test_an_engine_finds_the_luck_of_the_same_hands_in_kernels(name, duplicate, small_runs):
    run = small_runs[name]
    players = run_entrant(run, "a"), run_entrant(run, "b")
    options = {"aivat": True, "duplicate": duplicate, "seed": 3}
    expected = play_policies(run.plan.variant, players, 200, **options)
    result = play_hosted(run.plan.variant, players, 200, IN_PROCESS, **options)
    assert result.aivat == expected.aivat


def test_a_player_without_a_policy_is_not_corrected(small_runs):
    run = small_runs["nolimit"]
    players = bot_entrant(Caller), run_entrant(run, "a")
    result = play_hosted(run.plan.variant, players, 2000, IN_PROCESS, aivat=True)
    assert result.aivat.known == ("a",)
    assert result.aivat.chips_interval < 0.8 * result.plain_interval
    assert abs(result.aivat.chips - result.plain_chips) < 2.3 * result.plain_interval


def test_cards_alone_are_corrected_where_no_strategy_is_known(small_runs):
    variant = small_runs["nolimit"].plan.variant
    players = bot_entrant(Caller), baseline_entrant("random", variant)
    result = play_hosted(variant, players, 1000, IN_PROCESS, aivat=True)
    assert result.aivat.known == ()
    assert result.aivat.fitted_hands == 0
    assert result.aivat.chips_interval < result.plain_interval


def test_a_run_that_does_not_act_by_its_strategy_is_refused(small_runs):
    run = small_runs["nolimit"]
    said = run_entrant(run, "a")
    liar = replace(said, start=lambda seed, number: Caller())
    with pytest.raises(MatchError, match="a did not act by its strategy in hand"):
        play_hosted(run.plan.variant, (liar, said), 40, IN_PROCESS, aivat=True)
