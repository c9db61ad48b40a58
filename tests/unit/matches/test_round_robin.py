"""Tournaments: a match for each pair, and a table of them."""

from dataclasses import replace
from itertools import combinations

import pytest

from counterfold.errors import MatchError
from counterfold.matches import play_match, play_tournament, round_robin
from counterfold.matches.match_result import AivatRates

SMALL = "nolimit(stack=20)"
NAMES = "random", "all-in", "check-fold"


def test_everybody_plays_everybody():
    told = []
    result = play_tournament(
        NAMES, variant=SMALL, hands=100, seed=2, progress=lambda *done: told.append(done)
    )
    pairs = [("random", "all-in"), ("random", "check-fold"), ("all-in", "check-fold")]
    expected = [play_match(*pair, variant=SMALL, hands=100, seed=2) for pair in pairs]
    assert result.matches == tuple(expected)
    assert (result.variant, result.seed, result.names) == (SMALL, 2, NAMES)
    assert result.rate(0, 2) == expected[1].rate()
    assert result.rate(2, 0) == expected[1].rate(-1)
    assert told[-1] == ("all-in – check-fold", 50, 50)
    rows = result.to_dict()["matches"]
    assert [(row["first"], row["second"]) for row in rows] == pairs
    assert rows[0]["mb_per_hand"] == expected[0].mb


def test_a_tournament_prints_as_a_table():
    result = play_tournament(NAMES, variant=SMALL, hands=100)
    head, *rows = str(result).splitlines()
    assert head.split()[-3:] == [*NAMES]
    assert [row.split()[0] for row in rows] == [*NAMES]
    for i, row in enumerate(rows):
        for j in range(len(NAMES)):
            assert i == j or result.rate(i, j) in row
    assert len({len(row) for row in [head, *rows[:2]]}) == 1  # the last column of the last is empty


def test_a_frame_has_a_row_per_match(monkeypatch):
    monkeypatch.setattr(round_robin, "make_frame", lambda rows: rows)
    result = play_tournament(NAMES, variant=SMALL, hands=100)
    rows = result.to_frame()
    assert [(row["first"], row["second"]) for row in rows] == [*combinations(NAMES, 2)]
    assert [row["mb_per_hand"] for row in rows] == [match.mb for match in result.matches]
    assert all(row["hands"] == 100 and "aivat_mb_per_hand" not in row for row in rows)
    rates = AivatRates(2.0, 0.5, (), 10, "", 0, 2)
    known = replace(result, matches=(replace(result.matches[0], aivat=rates),))
    (row,) = known.to_frame()
    assert (row["aivat_mb_per_hand"], row["aivat_mb_interval"]) == (1000.0, 250.0)


def test_two_or_more_take_part_and_each_once():
    for names in (["random"], ["random", "random"]):
        with pytest.raises(MatchError, match="at least two players, each named once"):
            play_tournament(names, variant=SMALL, hands=10)
