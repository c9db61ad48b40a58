"""Hands of kernels, written down, read back and replayed by the exact rules."""

import json
from dataclasses import replace

import pytest

from counterfold.errors import HistoryError
from counterfold.games import parse_game
from counterfold.matches import (
    batch,
    format_history,
    parse_history,
    read_histories,
    replay_hand,
    replay_histories,
    writing_histories,
)
from counterfold.matches.entrants import baseline_entrant
from counterfold.matches.policy_match import play_policies
from counterfold.matches.replay import find_hand
from helpers.entrants import policy_entrant
from helpers.parameters import crossed
from helpers.public_games import CARD_VARIANTS
from helpers.trained_runs import random_bot

VARIANTS = [
    "nolimit(stack=20)",
    "nolimit(20000, (50, 100))",
    "nolimit(stack=2, blinds=(2, 2))",
    "river-of-blood(stack=2, blinds=(2, 2))",
    "potlimit(stack=60)",
    "limit",
    "discard(stack=40)",
    "river-of-blood(stack=40)",
    "swap(stack=20)",
    "auction(stack=20)",
    "auction(stack=40, sealed=True)",
    "bounty(stack=31)",
    "permuted(stack=20, order='2357TJ469Q8AK')",
    "toss(stack=40)",
    "leduc-variant",
    "kuhn-variant",
    "discard(stack=8, deck='JQKA/cd', board=(1, 1))",
]


def no_tables():
    raise AssertionError("these baselines look at no tables")


def baselines(variant, *names):
    return tuple(baseline_entrant(name, variant, no_tables) for name in names)


def write(path, variant, players, hands=600, **options):
    with writing_histories(path) as add:
        return play_policies(variant, players, hands, histories=add, **options)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "hands.jsonl"


def check_replay(file, result, variant=None):
    """The exact rules come to the result of the kernels, in all figures."""
    found = replay_histories(file, variant)
    sign = 1 if found.players[0] == result.sides[0].name else -1
    assert (found.hands, found.adjusted) == (result.hands, result.adjusted)
    assert sign * found.chips == pytest.approx(result.chips)
    assert sign * found.plain_chips == pytest.approx(result.plain_chips)
    assert found.chips_interval == pytest.approx(result.chips_interval)
    assert found.plain_interval == pytest.approx(result.plain_interval)
    assert found.big_blind == result.big_blind


@pytest.mark.parametrize(("name", "duplicate"), crossed(VARIANTS, [True, False]))
def test_the_exact_rules_replay_what_kernels_played(file, name, duplicate):
    variant = parse_game(name)
    players = baselines(variant, "random", "all-in")
    result = write(file, variant, players, duplicate=duplicate, seed=5)
    check_replay(file, result)
    decisions = sum(
        event[0].islower()
        for _, history in read_histories(file)
        for event in replay_hand(history, variant).events
        if event[0] not in "+~="
    )
    # Cards begin with a rank, of which none is a small letter.
    assert decisions == sum(side.decisions for side in result.sides)


@pytest.mark.parametrize(("name", "duplicate"), crossed([*CARD_VARIANTS], [True, False]))
def test_the_exact_rules_replay_cards_that_come_by_the_way(file, name, duplicate):
    variant = CARD_VARIANTS[name]
    players = baselines(variant, "random", "all-in")
    result = write(file, variant, players, hands=200, duplicate=duplicate, seed=5)
    check_replay(file, result, variant)


@pytest.mark.parametrize("name", ["nolimit(stack=40)", "discard(stack=40)", "river-of-blood(40)"])
def test_the_exact_rules_replay_strategies(file, name):
    variant = parse_game(name)
    bot, cards = random_bot(variant)
    player = policy_entrant("strategy", bot.policy, cards, cards.dealer)
    result = write(file, variant, (player, *baselines(variant, "random")), seed=5)
    check_replay(file, result)


def test_writing_changes_nothing(file):
    variant = parse_game("discard")
    players = baselines(variant, "random", "random")
    assert write(file, variant, players, seed=2) == play_policies(variant, players, 600, seed=2)


def test_a_replay_prints_in_one_line_and_turns_into_json(file):
    variant = parse_game("nolimit(stack=20)")
    write(file, variant, baselines(variant, "all-in", "random"), hands=40)
    found = replay_histories(file)
    assert str(found) == (
        f"all-in against random: {found.rate()} mb/hand (95% interval), "
        "40 hands of 20 deals of nolimit(stack=20), all legal"
    )
    content = json.loads(json.dumps(found.to_dict()))
    assert (content["deals"], content["mb_per_hand"]) == (20, found.mb)


def test_long_hands_find_room(tmp_path, monkeypatch):
    variant = parse_game("limit")
    players = baselines(variant, "random", "always-call")
    result = write(tmp_path / "long", variant, players)
    monkeypatch.setattr(batch, "_FIRST_STEPS", 1)
    assert write(tmp_path / "short", variant, players) == result
    assert (tmp_path / "long").read_bytes() == (tmp_path / "short").read_bytes()


def test_equal_names_are_told_apart(file):
    variant = parse_game("nolimit")
    write(file, variant, baselines(variant, "random", "random"), hands=4)
    histories = [history for _, history in read_histories(file)]
    assert [history.players for history in histories] == [
        ("random", "random (2)"),
        ("random (2)", "random"),
    ] * 2
    assert [history.hand for history in histories] == [1, 2, 3, 4]
    assert [history.deal for history in histories] == [1, 1, 2, 2]
    assert histories[0].state.split()[:2] == histories[1].state.split()[:2]


def test_a_line_is_read_as_it_was_written(file):
    variant = parse_game("river-of-blood(stack=20)")
    write(file, variant, baselines(variant, "random", "all-in"))
    lines = file.read_text().splitlines()
    assert [format_history(parse_history(line)) for line in lines] == lines


def test_a_hand_is_found_by_its_number(file):
    variant = parse_game("nolimit")
    write(file, variant, baselines(variant, "random", "all-in"))
    history, state = find_hand(file, 17)
    assert (history.hand, history.deal) == (17, 9)
    assert state.notation == history.state
    with pytest.raises(HistoryError, match="no hand 601 among its 600"):
        find_hand(file, 601)


GOOD = {
    "hand": 1,
    "deal": 1,
    "variant": "nolimit(stack=20)",
    "players": ["a", "b"],
    "state": "AcAd KcKd r20 c 2h5s7c 9d 3h",
    "chips": [20, -20],
    "adjusted": [12.5, -12.5],
}


def test_numbers_of_hands_have_a_limit():
    largest = 10**15
    assert parse_history(json.dumps(GOOD | {"hand": largest})).hand == largest
    with pytest.raises(HistoryError, match="hand 1000000000000001 is not"):
        parse_history(json.dumps(GOOD | {"hand": largest + 1}))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hand": True}, "hand True is not a number of at least 1"),
        ({"hand": 0}, "hand 0 is not"),
        ({"deal": "1"}, "deal '1' is not"),
        ({"deal": 10**30}, "is not a number of at least 1"),
        ({"variant": 3}, "variant 3 is not a text"),
        ({"variant": "evil.py"}, "pass its file as --variant"),
        ({"variant": "leduc"}, "not a hold'em variant"),
        ({"variant": "nolimit(stack=30)"}, "the rules refuse it: word 6"),
        ({"variant": "nolimit(" + "9" * 9000 + ")"}, "99…"),
        ({"state": "AcAd KcKd " + "r4 " * 9000}, "r4 …: action 'r4' is not one of f, c, r6 to r20"),
        ({"players": ["a"]}, "two different names"),
        ({"players": ["a", "a"]}, "two different names"),
        ({"players": ["a", "\u001b[2J"]}, "two different names"),
        ({"state": "AcAd KcKd r21 c"}, "not one of f, c, r4 to r20"),
        ({"state": "AcAd AcKd r20 c"}, "word 2"),
        ({"state": "AcAd KcKd r20"}, "not the end of a hand"),
        ({"state": "AcAd KcKd r20 c 2h5s7c 9d Kh"}, r"\[20, -20\] are not the \[-20, 20\]"),
        ({"chips": [19, -19]}, r"\[19, -19\] are not the \[20, -20\]"),
        ({"chips": [20, -19]}, "add up to 0"),
        ({"chips": [20.0, -20.0]}, "two whole numbers"),
        ({"adjusted": [float("nan"), 0]}, "add up to 0"),
        ({"adjusted": [21, -21]}, "cannot be an expectation"),
        ({"adjusted": [10**400, -(10**400)]}, "add up to 0"),
        ({"state": "AcAd KcKd f", "chips": [-1, 1]}, "1 and 2 of 20 chips"),
        ({"more": 1}, "'more' is not a key"),
    ],
)
def test_bad_lines_are_refused_with_their_place(file, change, message):
    file.write_text(json.dumps(GOOD) + "\n" + json.dumps(GOOD | {"hand": 2, "deal": 2} | change))
    with pytest.raises(HistoryError, match=message) as caught:
        replay_histories(file) if "variant" not in change else find_hand(file, 2)
    assert "line 2 of" in str(caught.value)
    assert "--histories" in str(caught.value)
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ({"hand": 1, "deal": 2}, "hand 1 comes after hand 1"),
        ({"hand": 2}, "deal 1 was already played in these seats"),
        ({"hand": 2, "players": ["a", "c"]}, "one match at a time"),
        ({"hand": 2, "variant": "nolimit"}, "is not 'nolimit.stack=20.'"),
    ],
)
def test_a_file_is_one_match(file, second, message):
    file.write_text(json.dumps(GOOD) + "\n\n" + json.dumps(GOOD | second))
    with pytest.raises(HistoryError, match=message) as caught:
        replay_histories(file)
    assert "line 3 of" in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "has no hands"),
        (b"{", "is not JSON"),
        (b"[" * 90_000, "is not JSON"),
        (b"7", "is not a JSON object"),
        (b"{}", "'hand' is missing"),
        (b"\xff\xfe", "not text in UTF-8"),
        (b"1" * 200_000, "longer than any hand"),
        (b'{"hand": ' + b"9" * 5000 + b"}", "is not JSON"),
    ],
)
def test_what_is_no_history_is_refused(file, content, message):
    file.write_bytes(content)
    with pytest.raises(HistoryError, match=message) as caught:
        replay_histories(file)
    assert len(str(caught.value)) < 500


def test_a_file_appears_when_it_is_complete(file):
    variant = parse_game("nolimit")

    def interrupt(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(file, variant, baselines(variant, "random", "random"), progress=interrupt)
    assert not [*file.parent.iterdir()]
    with writing_histories(file) as add:
        assert not file.exists()
        add([])
    assert file.exists()
    with pytest.raises(HistoryError, match="already exists"), writing_histories(file):
        pass


def test_errors_of_the_match_are_not_those_of_the_file(file):
    with pytest.raises(FileNotFoundError, match="a card table"), writing_histories(file):
        raise FileNotFoundError("a card table")
    assert not any(file.parent.iterdir())


def test_names_are_written_so_that_they_can_be_read(file):
    variant = parse_game("nolimit(stack=20)")
    one, two = baselines(variant, "random", "always-call")
    players = replace(one, name="a\tb" + 300 * "x"), replace(two, name="\udcff")
    write(file, variant, players, 20)
    assert set(replay_histories(file).players) == {"a?b" + 193 * "x", "?"}


def test_a_name_that_no_file_can_have(tmp_path):
    path = tmp_path / (300 * "x")
    with pytest.raises(HistoryError, match="cannot write"), writing_histories(path):
        pytest.fail("written")


def test_files_that_are_not_there(tmp_path):
    for read in (replay_histories, lambda path: list(read_histories(path))):
        with pytest.raises(HistoryError, match="cannot read"):
            read(tmp_path / "none")
    with pytest.raises(HistoryError, match="cannot write"), writing_histories(tmp_path / "a" / "b"):
        pass
