"""Hosted matches: the same hands as in kernels, and programs that misbehave."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from counterfold.bots import BASELINES, policy_kernels
from counterfold.cards import StrengthTables
from counterfold.contest import Program, load_program
from counterfold.contest.wire import PROTOCOLS
from counterfold.errors import MatchError
from counterfold.games import parse_game
from counterfold.matches.entrants import baseline_entrant, enter, program_entrant
from counterfold.matches.hosted_match import IN_PROCESS, add_counts, play_hosted
from counterfold.matches.match_result import EntrantResult
from counterfold.matches.policy_match import play_policies
from helpers.parameters import crossed
from helpers.processes.sockets import PATIENT
from helpers.public_games import CARD_VARIANTS
from helpers.trained_runs import random_bot, train_small

DISCARD = "discard(stack=40, deck='89TJQKA/cd')"
BLOOD = "river-of-blood(stack=40, deck='789TJQKA/cdh')"
SWAP = "swap(stack=40, deck='6789TJQKA/cdh')"
TOSS = "toss(stack=40, deck='89TJQKA/cd')"
NOLIMIT = "nolimit(stack=40, deck='89TJQKA/cd')"
SHORT = "short-deck(stack=40, deck='6789TJQKA/cd')"
PERMUTED = "permuted(stack=40, deck='89TJQKA/cd', order='9TA8JKQ')"
AUCTION = "auction(stack=20, deck='89TJQKA/cd')"
LIMITS = replace(PATIENT, quit_seconds=0.3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("tables")


def baseline(name, variant, folder=None):
    ranking = variant.ranking
    return baseline_entrant(
        name, variant, lambda: StrengthTables(variant.deck, folder=folder, ranking=ranking)
    )


def compare(variant, first, second, hands, **options):
    """Play a match in both ways and compare all but times."""
    expected = play_policies(variant, (first, second), hands, adjust=False, **options)
    result = play_hosted(variant, (first, second), hands, IN_PROCESS, **options)
    assert result.chips == expected.chips
    assert result.chips_interval == expected.chips_interval
    sides = [replace(side, mean_seconds=None, slowest_seconds=None) for side in result.sides]
    assert tuple(sides) == expected.sides
    assert all(side.slowest_seconds >= side.mean_seconds > 0 for side in result.sides)


@pytest.mark.parametrize(
    ("game", "name"),
    [
        *crossed(
            [DISCARD, BLOOD, SWAP, NOLIMIT, SHORT, PERMUTED, AUCTION, "limit(deck='89TJQKA/cd')"],
            [*BASELINES],
        ),
        *crossed([TOSS], [name for name, each in BASELINES.items() if not each.ranks_hands()]),
    ],
)
def test_a_baseline_and_its_twin_in_kernels_decide_alike(name, game, folder):
    variant = parse_game(game)
    players = baseline(name, variant, folder), baseline("random", variant)
    compare(variant, *players, 120, seed=4)
    compare(variant, *players, 40, seed=4, duplicate=False)


@pytest.mark.parametrize(
    "name",
    [
        "discard-tabled",
        "river-of-blood",
        "swap",
        "limit",
        "short-deck",
        "permuted",
        "toss",
        "toss-tabled",
        "toss-bounty",
        "auction",
        "dealt",
        "dealt-tabled",
        "four-cards",
        "looks",
        "look-listed",
        "look-tabled",
        "lay-or-not",
        "pineapple",
        "pineapple-tabled",
        "lay-two-tabled",
        "toss-four-tabled",
        "show-two-tabled",
        "lay-freely-tabled",
        "drop-or-not",
        "show-two",
        "show-or-not",
        "draw-then-lay",
        "draw-two-tabled",
    ],
)
def test_a_run_plays_as_in_kernels(name, tmp_path):
    train_small(name, tmp_path / name, iterations=30)  # so that not all is trained
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COUNTERFOLD_HOME", str(tmp_path / "tables"))
        variant, (mine,) = enter([tmp_path / name])
    compare(variant, mine, baseline("random", variant), 200, seed=2)


@pytest.mark.parametrize("duplicate", crossed([True, False]))
@pytest.mark.parametrize("name", CARD_VARIANTS)
def test_cards_that_come_by_the_way_come_as_in_kernels(name, duplicate):
    variant = CARD_VARIANTS[name]
    players = [baseline(each, variant) for each in ("random", "all-in")]
    compare(variant, *players, 100, seed=4, duplicate=duplicate)


def test_decisions_are_counted_by_how_the_policy_made_them():
    bot, _ = random_bot(parse_game("nolimit"))
    bot.counts.update(
        {
            policy_kernels.TRAINED: 100,
            policy_kernels.UNTRAINED: 5,
            policy_kernels.OFF_TREE: 3,
            policy_kernels.FORCED: 2,
        }
    )
    side = EntrantResult("bot", 110, None, None, None)
    for times in (1, 2):  # once for each match of a duplicate match
        side = add_counts(side, bot)
        assert (side.untrained, side.off_tree, side.forced) == (5 * times, 3 * times, 2 * times)
    side = add_counts(EntrantResult("baseline", 110, None, None, None), BASELINES["random"]())
    assert (side.untrained, side.off_tree, side.forced) == (0, 0, 0)


# A contest's bot as others write it: knows nothing of Counterfold. It calls, and keeps count.
CALLER = """
import socket, sys
with socket.create_connection(("localhost", int(sys.argv[-1]))) as raw:
    stream = raw.makefile("rw")
    n_lines = 0
    for line in stream:
        n_lines += 1
        if line.strip() == "Q":
            break
        clauses = line.split()[1:]
        betting = [c for c in clauses if c[0] in "BFCKRD"]
        facing = betting and betting[-1][0] == "R"
        first = "P0" in clauses and not betting
        answer = "C" if facing or first else "K"
        stream.write(answer + "\\n")
        stream.flush()
"""
AFTER = "        n_lines += 1\n"
CRASHES = CALLER.replace(AFTER, AFTER + "        if n_lines > 20: raise ValueError('too many')\n")
STALLS = CALLER.replace(
    AFTER, AFTER + "        import time\n        if n_lines > 20: time.sleep(60)\n"
)
RUBBISH = CALLER.replace("answer +", "'rubbish' +")
SOME_RUBBISH = CALLER.replace("answer +", "(answer if n_lines % 9 else chr(27) + 'x') +")


def program(folder, text):
    folder.mkdir(exist_ok=True)
    (folder / "player.py").write_text(text)
    commands = {"build": [], "run": [sys.executable, "-S", "-E", "player.py"]}
    (folder / "commands.json").write_text(json.dumps(commands))
    return program_entrant(load_program(folder))


def host(entrant, *, other="always-call", hands=60, limits=LIMITS, **options):
    variant = parse_game("nolimit")
    pair = baseline(other, variant), entrant
    result = play_hosted(variant, pair, hands, PROTOCOLS["mit-plain"], limits=limits, **options)
    assert result.hands == hands
    return result


def test_a_program_that_calls_breaks_even_with_a_caller(tmp_path):
    told = []
    result = host(program(tmp_path / "bot", CALLER), progress=lambda *done: told.append(done))
    assert result.chips == result.chips_interval == 0.0
    side = result.sides[1]
    assert (side.name, side.faults, side.forfeits, side.untrained) == ("bot", 0, (), None)
    assert side.decisions > 60
    assert 0.0 < side.mean_seconds < side.slowest_seconds < LIMITS.action_seconds
    assert told[-1] == (30, 30)


def test_the_same_seed_gives_the_same_result(tmp_path):
    bot = program(tmp_path / "bot", CALLER)
    one, two = (host(bot, other="random", seed=7) for _ in range(2))
    assert (one.chips, one.chips_interval) == (two.chips, two.chips_interval)
    assert one.chips != host(bot, other="random", seed=8).chips
    variant = parse_game("nolimit")
    players = baseline("random", variant), baseline("always-call", variant)
    expected = play_policies(variant, players, 60, seed=7, adjust=False)
    assert (one.chips, one.chips_interval) == (expected.chips, expected.chips_interval)


@pytest.mark.parametrize(
    ("text", "seconds", "words"),
    [
        (CRASHES, 60.0, ["match 1: disconnected in hand", "match 2:", "'ValueError: too many'"]),
        (STALLS, 0.5, ["match 1: ran out of time in hand", "match 2: ran out of time in hand"]),
    ],
)
def test_a_program_that_crashes_or_stalls_forfeits_and_the_match_goes_on(
    tmp_path, text, seconds, words
):
    limits = replace(LIMITS, action_seconds=seconds)
    result = host(program(tmp_path / "bot", text), other="all-in", limits=limits)
    side = result.sides[1]
    assert side.faults == 2
    for word in words:
        assert word in " ".join(side.forfeits)
    assert result.chips != 0.0


def test_rubbish_is_checked_and_folded(tmp_path):
    result = host(program(tmp_path / "bot", RUBBISH), other="all-in")
    # Blinds of 1 and 2 chips, folded in turn; the end of a hand wants an answer, too.
    assert result.chips == 1.5
    assert result.sides[1].faults >= 60
    assert all("no answer followed mit-plain" in why for why in result.sides[1].forfeits)
    result = host(program(tmp_path / "bot", SOME_RUBBISH))
    assert result.sides[1].faults > 0
    assert result.sides[1].forfeits == ()


def test_a_program_that_speaks_another_protocol_is_told_from_others(tmp_path):
    variant = parse_game("nolimit")
    pair = baseline("all-in", variant), program(tmp_path / "bot", CALLER)
    limits = replace(LIMITS, connect_seconds=3.0)
    result = play_hosted(variant, pair, 4, PROTOCOLS["acpc"], limits=limits)
    assert (
        "match 1: did not begin the match properly: bot was silent for 3 s"
        in (result.sides[1].forfeits[0])
    )
    assert "--protocol" in result.sides[1].forfeits[0]


@pytest.mark.parametrize(
    ("run", "words"),
    [
        ((sys.executable, "-c", "print('no NumPy'); raise SystemExit(3)"), "'no NumPy'"),
        (("./nothing-here",), "nothing-here"),
    ],
)
def test_a_program_that_does_not_start_is_an_error(tmp_path, run, words):
    broken = program_entrant(Program(run, tmp_path), "broken")
    with pytest.raises(MatchError, match=r"did not start: .*commands.json") as caught:
        host(broken)
    assert words in str(caught.value)


def test_a_long_match_has_a_longer_clock(tmp_path, monkeypatch):
    monkeypatch.setattr("counterfold.matches.hosted_match.CLOCK_HANDS", 10)
    seen = tmp_path / "bot" / "seen.txt"
    text = CALLER.replace(AFTER, AFTER + f"        open({str(seen)!r}, 'a').write(line)\n")
    host(program(tmp_path / "bot", text), other="check-fold", hands=40)
    assert seen.read_text().startswith(f"T{2 * LIMITS.game_seconds:.3f} ")


SLEEPER = """
import os, pathlib, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-S", "-E", "-c", "import time; time.sleep(600)"])
pathlib.Path("pids").write_text(f"{os.getpid()} {child.pid}")
time.sleep(600)
"""


def is_alive(pid):
    try:
        os.kill(pid, 0)
        state = subprocess.run(["ps", "-o", "stat=", str(pid)], capture_output=True, text=True)
    except ProcessLookupError:
        return False
    return state.stdout.strip()[:1] not in ("", "Z")


@pytest.mark.parametrize(
    ("number", "connects"), crossed([signal.SIGINT, signal.SIGTERM], [False, True])
)
def test_an_interrupted_match_leaves_no_process(tmp_path, number, connects):
    text = SLEEPER
    if connects:
        connect = "import socket; raw = socket.create_connection(('localhost', int(sys.argv[-1])))"
        text = text.replace("time.sleep(600)\n", f"{connect}\ntime.sleep(600)\n")
    program(tmp_path / "bot", text)
    words = ["match", "bot", "always-call", "--variant", "nolimit"]
    started = subprocess.Popen(
        [sys.executable, "-c", "from counterfold.cli import main; main()", *words],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
    )
    pids = tmp_path / "bot" / "pids"
    deadline = time.monotonic() + 600.0
    while not (pids.exists() and pids.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.3)
    found = [int(pid) for pid in pids.read_text().split()]
    assert all(is_alive(pid) for pid in found)
    started.send_signal(number)
    _, errors = started.communicate(timeout=600)
    assert started.returncode == 130
    assert "interrupted" in errors
    assert not any(is_alive(pid) for pid in found)
