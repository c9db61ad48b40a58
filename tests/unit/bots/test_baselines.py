import pytest

from counterfold.bots import BASELINES, PROTOCOLS, Bot, decide, first_view, host_match
from counterfold.bots.baselines import AllIn, AlwaysCall, CheckFold, Random
from counterfold.cards import parse_cards
from counterfold.games.holdem import VARIANTS
from recordings import Script


def view_after(variant, actions, seat=0, hole="AhKs"):
    view = first_view(VARIANTS[variant](), seat, parse_cards(hole))
    for action in actions:
        cards = len(action) > 5
        view = view.after_board(parse_cards(action)) if cards else view.after(action)
    return view


@pytest.mark.parametrize(
    ("bot", "answers"),
    [
        (AlwaysCall(), ["c", "k", "c", "s"]),
        (CheckFold(), ["f", "k", "f", "s"]),
        (AllIn(), ["r200", "r200", "c", "s"]),
    ],
)
def test_what_baselines_do(bot, answers):
    views = [
        view_after("discard", []),
        view_after("discard", ["c"], seat=1),
        view_after("discard", ["r200"], seat=1),
        view_after("discard", ["c", "k", "2c3c4c"], seat=1),
    ]
    assert [bot.act(view) for view in views] == answers


@pytest.mark.parametrize("variant", ["discard", "limit", "nolimit", "river-of-blood"])
def test_random_takes_every_kind_of_action_and_repeats_itself(variant):
    views = [view_after(variant, []), view_after(variant, ["c"], seat=1)]
    bots = [Random(3), Random(3)]
    chosen = [[bot.act(view) for _ in range(60) for view in views] for bot in bots]
    assert chosen[0] == chosen[1]
    assert {action[0] for action in chosen[0]} == {"f", "c", "r", "k"}
    assert all(views[at % 2].is_legal(action) for at, action in enumerate(chosen[0]))


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("name", BASELINES)
def test_baselines_play_matches_without_faults(name, protocol):
    result = host_match((BASELINES[name](), Random(5)), PROTOCOLS[protocol], n_hands=10)
    assert sum(result.chips) == 0
    assert result.n_faults == (0, 0)
    again = host_match((BASELINES[name](), Random(5)), PROTOCOLS[protocol], n_hands=10)
    assert again.log == result.log


class Broken(Bot):
    def act(self, view):
        raise ZeroDivisionError("on purpose")


@pytest.mark.parametrize(
    ("bot", "fault"),
    [(Broken(), "on purpose"), (Script(["r1"]), "'r1'"), (Script([None]), "None")],
)
def test_a_bot_that_fails_folds(bot, fault):
    action, text = decide(bot, view_after("nolimit", []))
    assert action == "f"
    assert fault in text
