import time

import numpy as np
import pytest

from counterfold.bots import BASELINES, Bot, MatchInfo, decide, first_view
from counterfold.bots.baselines import AllIn, AlwaysCall, CheckFold, HandRank, Outs, PotOdds, Random
from counterfold.cards import parse_cards
from counterfold.contest import host_match
from counterfold.contest.wire import PROTOCOLS
from counterfold.errors import UnsupportedGameError
from counterfold.games.holdem import VARIANTS
from helpers.recordings.recorded_matches import Script


def view_after(variant, actions, seat=0, hole="AhKs"):
    view = first_view(VARIANTS[variant](), seat, parse_cards(hole))
    for action in actions:
        cards = action[0] in "23456789TJQKA"
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


@pytest.mark.parametrize(
    ("hole", "flop", "by_rank", "by_outs"),
    [
        ("AhAd", "AcKs7d", "s", "s"),  # three of a kind
        ("2hKd", "Kc9s7d", "d2h", "d2h"),  # a pair and a card of no use
        ("KdKh", "2c7s9d", "s", "s"),
        ("5h4h", "6h7h8h", "s", "s"),  # a straight flush
        ("3h2d", "7c9sKd", "d2d", "d2d"),  # either is of no use: the lower one
    ],
)
def test_discards(hole, flop, by_rank, by_outs):
    view = view_after("discard", ["c", "k", flop], seat=1, hole=hole)
    assert PotOdds().act(view) == by_rank
    assert HandRank().act(view) == by_rank
    assert Outs().act(view) == by_outs


@pytest.mark.parametrize(
    ("hole", "actions", "action"),
    [
        ("AhAd", ["c"], "r6"),  # the pot
        ("7h2d", ["c"], "k"),
        ("AhAd", ["r6"], "r18"),
        ("7h2d", ["r200"], "f"),
        ("KhQd", ["r6"], "c"),  # neither
        ("AhAd", ["r400"], "c"),  # no raise is left
        ("AhAd", ["r300"], "r400"),  # no more than the stack
    ],
)
def test_pot_odds(hole, actions, action):
    assert PotOdds().act(view_after("nolimit", actions, seat=1, hole=hole)) == action


def test_hand_rank():
    def act(hole, *actions):
        return HandRank().act(view_after("nolimit", actions, seat=1, hole=hole))

    assert act("AhAd", "r10") == "r30"
    assert act("QhJd", "r10") == "c"
    assert act("7h2d", "r10") == "f"
    assert act("7h2d", "c") == "k"
    assert act("AhAd", "c", "k", "As2d7c") == "r4"
    assert act("7h2d", "c", "k", "As3d8c") == "k"


@pytest.mark.parametrize("bot", [PotOdds, Outs, HandRank])
def test_one_card_is_no_hand(bot):
    with pytest.raises(UnsupportedGameError):
        bot().begin_match(MatchInfo(VARIANTS["leduc-variant"]()))


@pytest.mark.parametrize("bot", [PotOdds, Outs, HandRank])
@pytest.mark.parametrize("protocol", ["mit-2017", "mit-2023", "acpc"])
def test_who_ranks_hands_beats_folding_and_answers_quickly(bot, protocol, monkeypatch):
    # The engine's clock shows the work of this thread: others on the machine do not count.
    monkeypatch.setattr(time, "perf_counter", time.thread_time)
    results = [
        host_match((bot(), other()), PROTOCOLS[protocol], n_hands=20, seed=1)
        for other in (CheckFold, AlwaysCall, AllIn, Random)
    ]
    assert all(result.n_faults == (0, 0) for result in results)
    assert results[0].chips[0] > 0
    thinking = np.sum([30.0 - result.seconds_left[0] for result in results])
    assert thinking / 80 < 0.03  # a hand has a few decisions of a millisecond


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
