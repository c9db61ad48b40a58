"""A match in one call, whoever takes part."""

import pytest

from counterfold.bots import Bot
from counterfold.contest.export import TARGETS
from counterfold.contest.export.package import write_bot
from counterfold.errors import BudgetError, HistoryError, MatchError, UnknownNameError
from counterfold.games import parse_game
from counterfold.matches import enter, match_play, play_match, replay_histories
from counterfold.matches.match_play import HOSTED_HANDS
from counterfold.matches.policy_match import play_policies
from helpers.trained_runs import random_bot, train_small

SMALL = "nolimit(stack=20)"


class Caller(Bot):
    """As the baseline always-call, asked hand by hand."""

    def act(self, view):
        actions = view.plain_actions()
        return next(action for action in "ckf" if action in actions)


class Illegal(Bot):
    """Never knows what to do."""

    def act(self, view):
        return "maybe"


def test_baselines_meet_in_kernels():
    told = []
    result = play_match(
        "all-in", "random", variant=SMALL, hands=400, progress=lambda *done: told.append(done)
    )
    game, pair = enter(["all-in", "random"], SMALL)
    assert result == play_policies(game, tuple(pair), 400)
    assert (result.variant, result.seed, result.hands, result.duplicate) == (SMALL, 0, 400, True)
    assert [side.name for side in result.sides] == ["all-in", "random"]
    assert result.adjusted > 0
    assert result.seconds > 0
    assert told[-1] == (200, 200)
    again = play_match(*pair, hands=400)
    assert again == result
    plain = play_match("all-in", "random", variant=SMALL, hands=400, adjust=False, duplicate=False)
    assert plain.adjusted == 0
    assert not plain.duplicate


def test_a_bot_of_ones_own_is_asked_in_this_process():
    own = play_match(Caller, "random", variant=SMALL, hands=60, seed=4)
    known = play_match("always-call", "random", variant=SMALL, hands=60, seed=4, adjust=False)
    assert (own.chips, own.chips_interval) == (known.chips, known.chips_interval)
    side = own.sides[0]
    assert (side.name, side.faults, side.untrained, side.off_tree) == ("Caller", 0, None, None)
    assert own.sides[1].untrained == 0
    assert play_match(Illegal, Caller, variant=SMALL, hands=6).sides[0].faults >= 6


def test_a_bot_of_ones_own_plays_where_no_protocol_does():
    result = play_match(Caller, Caller, variant="kuhn-variant", hands=20)
    assert result.hands == 20
    result = play_match(Caller, "check-fold", variant="discard(stack=20)", hands=20)
    assert result.chips > 0


def test_a_run_plays_alike_against_a_baseline_and_its_twin(tmp_path):
    run = train_small("nolimit", tmp_path / "run", iterations=50)
    known = play_match(run, "always-call", hands=40, adjust=False)
    asked = play_match(run, Caller, hands=40)
    assert asked.chips == known.chips
    for field in ("decisions", "untrained", "off_tree", "forced"):
        assert getattr(asked.sides[0], field) == getattr(known.sides[0], field)


def test_hands_are_written_to_a_new_file(tmp_path):
    file = tmp_path / "hands.jsonl"
    result = play_match("all-in", "random", variant=SMALL, hands=100, histories=file)
    found = replay_histories(file)
    assert (found.hands, found.chips) == (100, pytest.approx(result.chips))
    with pytest.raises(HistoryError, match="already exists"):
        play_match("all-in", "random", variant=SMALL, hands=100, histories=file)


@pytest.mark.parametrize(
    "variant", [SMALL, "auction(stack=20)", "toss(stack=20)", "bounty(stack=20)"]
)
@pytest.mark.parametrize("duplicate", [True, False])
def test_hands_that_an_engine_hosts_are_written_too(variant, duplicate, tmp_path):
    file = tmp_path / "hands.jsonl"
    result = play_match(
        "random", Caller, variant=variant, hands=40, seed=3, histories=file, duplicate=duplicate
    )
    found = replay_histories(file)
    assert (found.hands, found.deals) == (40, 20 if duplicate else 40)
    assert found.chips == pytest.approx(
        result.chips if found.players[0] == "random" else -result.chips
    )


def test_what_cannot_be_meant_is_refused():
    for hands in (1, 0, -2):
        with pytest.raises(MatchError, match=f"a match of {hands} hands has no interval"):
            play_match("random", "random", variant=SMALL, hands=hands)
        with pytest.raises(MatchError, match=f"a match of {hands} hands has no interval"):
            play_match(Caller, "random", variant=SMALL, hands=hands)
    with pytest.raises(UnknownNameError, match="unknown protocol"):
        play_match("random", "random", variant=SMALL, protocol="nonsense")
    with pytest.raises(BudgetError, match="game_seconds"):
        play_match("random", Caller, variant=SMALL, clock_seconds=0.0)


def test_an_engine_is_given_fewer_hands_by_default(monkeypatch):
    asked = []

    def play_hosted(game, pair, hands, protocol, **options):
        asked.append((hands, protocol.name))

    monkeypatch.setattr("counterfold.matches.match_play.play_hosted", play_hosted)
    play_match(Caller, "random", variant=SMALL)
    assert asked == [(HOSTED_HANDS, "in-process")]


def test_both_clocks_of_programs_can_be_set(monkeypatch):
    given = {}
    monkeypatch.setattr(
        match_play, "play_hosted", lambda *match, limits, **options: given.update(vars(limits))
    )
    play_match(Caller, Caller, variant=SMALL, clock_seconds=7.0, action_seconds=90.0)
    assert (given["game_seconds"], given["action_seconds"]) == (7.0, 90.0)


def exported(folder, target):
    bot, cards = random_bot(parse_game("nolimit(stack=200, deck='89TJQKA/cd')"))
    folder.mkdir()
    write_bot(folder.name, bot, cards, TARGETS[target], folder)
    return folder


def test_an_exported_bot_is_spoken_to_in_its_own_protocol(tmp_path):
    """No-limit is usually played over mit-plain, which an export for the ACPC does not speak."""
    result = play_match(exported(tmp_path / "bot", "acpc"), "always-call", hands=8)
    assert (result.sides[0].faults, result.sides[0].forfeits) == (0, ())
    assert result.sides[0].decisions > 0


def test_bots_exported_for_different_contests_have_no_protocol_in_common(tmp_path):
    folders = exported(tmp_path / "one", "acpc"), exported(tmp_path / "two", "mit-plain")
    with pytest.raises(MatchError, match="one was exported for acpc and two for mit-plain"):
        play_match(*folders, hands=8)
