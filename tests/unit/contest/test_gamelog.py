"""The log of a contest, line by line, as engines since 2020 write it."""

import pytest

from counterfold.bots.baselines import AllIn, AlwaysCall, CheckFold
from counterfold.contest import Limits, host_match
from counterfold.contest.gamelog import (
    ACTION_NAMES,
    PLAIN,
    YEAR_2025,
    YEAR_2026,
    format_begin,
    format_end,
)
from counterfold.contest.wire import PROTOCOLS
from counterfold.games.holdem import VARIANTS
from counterfold.games.holdem.action_words import WORDS


def log(protocol, bots, n_hands=1, seed=1):
    return host_match(
        tuple(bot() for bot in bots), PROTOCOLS[protocol], n_hands=n_hands, seed=seed,
        limits=Limits(),
    ).log  # fmt: skip


def test_the_first_line_names_the_lecture_and_both():
    (line,) = format_begin(("A", "B"), VARIANTS["nolimit"](), PLAIN)
    assert line == "6.176 MIT Pokerbots - A vs B"
    (line,) = format_begin(("A", "B"), VARIANTS["bounty"](), YEAR_2025)
    assert line == "6.9630 MIT Pokerbots - A vs B"


@pytest.mark.parametrize(
    ("n_hands", "line"), [(2, "Final, A (5), B (-5)"), (3, "Final, B (-5), A (5)")]
)
def test_the_last_line_begins_with_the_next_dealer(n_hands, line):
    assert format_end(("A", "B"), (5, -5), n_hands) == ["", line]


def test_every_action_has_the_name_of_the_engine():
    assert set(ACTION_NAMES) == set(WORDS)


def test_a_fold_in_words():
    lines = log("mit-2023", (CheckFold, AllIn))
    assert lines[1:6] == [
        "",
        "Round #1, A (0), B (0)",
        "A posts the blind of 1",
        "B posts the blind of 2",
        next(line for line in lines if line.startswith("A dealt [")),
    ]
    assert lines[-5:-2] == ["A folds", "A awarded -1", "B awarded 1"]


def test_a_run_beyond_the_river_is_told_in_words_of_its_own():
    lines = log("mit-2023", (AlwaysCall, AlwaysCall), n_hands=40)
    first = next(at for at, line in enumerate(lines) if line.startswith("Run ["))
    assert lines[first - 1].startswith("River [") or "checks" in lines[first - 1]
    assert "Run reached" in lines
    reached = lines.index("Run reached")
    assert lines[reached + 1].startswith("A won ")
    assert lines[reached + 2].startswith("B won ")


def test_an_auction_that_nobody_came_to_is_told_as_the_engine_spells_it():
    lines = log("mit-2024", (CheckFold, AllIn))
    assert "Players did not reach flop. No auction occured." in lines
    lines = log("mit-2024", (AlwaysCall, AlwaysCall))
    assert any(line.startswith("Players submitted bids of ") for line in lines)


def test_stacks_and_streets_of_later_years():
    lines = log("mit-2026", (AlwaysCall, AlwaysCall))
    told = [line.split(" [")[0] for line in lines]
    assert [word for word in told if word in YEAR_2026.streets.values()] == [
        "Flop", "Discard 1", "Discard 2", "Turn", "River",
    ]  # fmt: skip
    assert sum(line.startswith("Current stacks: ") for line in lines) >= 3


def test_bounties_are_told_when_they_are_drawn_anew():
    lines = log("mit-2025", (AlwaysCall, AlwaysCall), n_hands=30)
    resets = [line for line in lines if line.startswith("Bounties reset to ")]
    rounds = VARIANTS["bounty"]().bounty.rounds
    assert len(resets) == -(-30 // rounds)
