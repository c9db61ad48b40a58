"""Matches and their hand histories, as a user or a script meets them."""

import json

import pytest

SMALL = "nolimit(stack=20)"


@pytest.fixture
def hands(command, tmp_path):
    """A file of hands, and the JSON of their match."""
    file = tmp_path / "hands.jsonl"
    code, out, err = command(
        *("match", "all-in", "random", "--variant", SMALL, "--hands", 400),
        *("--histories", file, "--json"),
    )
    assert code == 0, err
    return file, json.loads(out)


def test_a_match_says_what_was_adjusted_and_how_long_a_decision_takes(command):
    arguments = "match", "all-in", "random", "--variant", SMALL, "--hands", 400
    code, out, _ = command(*arguments)
    assert code == 0
    rows = dict(line.split("  ", 1) for line in out.splitlines())
    assert "counted at their all-in expectation; as the cards fell," in rows["adjusted"]
    assert rows["time"].endswith("µs per decision")
    _, out, _ = command(*arguments, "--no-adjust")
    assert "expectation" not in out


def test_a_match_without_adjustment_is_as_the_cards_fell(command, hands):
    _, adjusted = hands
    arguments = "match", "all-in", "random", "--variant", SMALL, "--hands", 400, "--no-adjust"
    plain = json.loads(command(*arguments, "--json")[1])
    assert adjusted["adjusted"] > 100
    assert plain["adjusted"] == 0
    assert plain["chips"] == adjusted["plain_chips"]
    assert plain["chips_interval"] > adjusted["chips_interval"]
    assert adjusted["decision_microseconds"] > 0


def test_where_there_is_an_ante_alone_rates_are_in_thousandths_of_it(command):
    arguments = "match", "random", "check-fold", "--variant", "leduc-variant", "--hands", 40
    code, out, err = command(*arguments, "--json")
    assert code == 0, err
    found = json.loads(out)
    assert found["big_blind"] == 1
    assert found["mb_per_hand"] == pytest.approx(1000 * found["chips"])
    assert found["chips"] > 0


def test_a_replay_comes_to_the_same_figures(command, hands):
    file, match = hands
    code, out, err = command("replay", file)
    assert code == 0, err
    assert "400 hands of 200 deals" in out
    assert "every chip is right" in out
    assert f"{match['mb_per_hand']:+,.1f} ± {match['mb_interval']:,.1f} mb/hand" in out
    replay = json.loads(command("replay", file, "--json")[1])
    for key in ("variant", "hands", "adjusted", "big_blind"):
        assert replay[key] == match[key]
    for key in ("chips", "chips_interval", "plain_chips", "plain_interval", "mb_per_hand"):
        assert replay[key] == pytest.approx(match[key])
    assert replay["players"] == ["all-in", "random"]


def test_a_hand_is_told_in_words(command, hands):
    file, _ = hands
    lines = file.read_text().splitlines()
    number = next(at for at, line in enumerate(lines, start=1) if "adjusted" in line)
    code, out, _ = command("replay", file, "--hand", number)
    assert code == 0
    told = out.splitlines()
    assert told[0] == f"hand {number}, deal {(number + 1) // 2}, {SMALL}"
    assert "seat 0 posts 1, seat 1 posts 2" in told
    assert told[-1].startswith("once all-in, seat 0 could expect")
    found = json.loads(command("replay", file, "--hand", number, "--json")[1])
    assert found["state"] == json.loads(lines[number - 1])["state"]
    assert "seat 0 posts 1, seat 1 posts 2" in found["words"]


def test_files_are_neither_overwritten_nor_believed(command, hands):
    file, _ = hands
    before = file.read_bytes()
    code, _, err = command("match", "all-in", "random", "--variant", SMALL, "--histories", file)
    assert code == 2
    assert "already exists" in err
    assert file.read_bytes() == before
    file.write_bytes(before.replace(b'"chips": [', b'"chips": [1', 1))
    code, _, err = command("replay", file)
    assert code == 2
    assert "line 1 of" in err
    assert "--histories" in err
    code, _, err = command("replay", file, "--variant", "kuhn")
    assert code == 2
    assert "not a hold'em variant" in err


def test_a_variant_of_ones_own_is_passed_to_a_replay(command, tmp_path):
    rules = tmp_path / "tiny.toml"
    rules.write_text(
        'stack = 6\ndeck = "TJQKA/cd"\n[[streets]]\nfirst = 0\n[[streets]]\ncards = 3\n'
    )
    file = tmp_path / "hands.jsonl"
    arguments = "--variant", rules
    options = (*arguments, "--hands", 400, "--histories", file)
    code, _, err = command("match", "random", "random", *options)
    assert code == 0, err
    code, _, err = command("replay", file)
    assert code == 2
    assert "pass its file as --variant" in err
    code, out, err = command("replay", file, *arguments)
    assert code == 0, err
    assert "every chip is right" in out


TINY = """
name = "Tiny"
stack = {stack}
deck = "QKA/cd"
hole_cards = 1
[[streets]]
first = 0
[[streets]]
cards = 1
"""


def test_rules_are_compared_and_not_their_names(command, tmp_path):
    runs = []
    for stack in (6, 40):
        folder = tmp_path / str(stack)
        folder.mkdir()
        rules = folder / "tiny.toml"
        rules.write_text(TINY.format(stack=stack))
        recipe = folder / "recipe.toml"
        recipe.write_text('variant = "tiny.toml"\ncards = "exact"\nbets = "100%, allin"\n')
        runs.append((folder / "run", rules))
        code, _, err = command("train", recipe, "--out", folder / "run", "--iterations", 100)
        assert code == 0, err
    (one, rules), (two, others) = runs
    code, out, err = command("match", one, "random", "--variant", rules, "--hands", 20)
    assert code == 0, err
    assert "run  " in out
    for arguments in ((one, two), (one, "random", "--variant", others)):
        code, _, err = command("match", *arguments, "--hands", 20)
        assert code == 2
        assert "not for other rules of the same name" in err.replace("\n", " ")


def test_a_tournament_is_as_wide_as_it_must_be(command):
    players = ("random", "always-call", "check-fold", "all-in")
    code, out, err = command("tournament", *players, "--variant", SMALL, "--hands", 200)
    assert code == 0, err
    assert len(out.splitlines()) == 1 + len(players)
    assert "…" not in out


def test_players_and_protocols_that_nobody_knows(command):
    for arguments, message in (
        ((300 * "x", "random"), "unknown baseline or folder"),
        (("random", "all-in", "--protocol", "nonsense"), "unknown protocol"),
    ):
        code, _, err = command("match", *arguments, "--variant", SMALL)
        assert code == 2
        assert message in err.replace("\n", " ")
