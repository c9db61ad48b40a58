import json
import sys
from dataclasses import replace

import pytest

from counterfold.bots.baselines import AlwaysCall
from counterfold.contest import Program, host_match, load_program, write_logs
from counterfold.contest.programs import MAX_BUILD_BYTES, MAX_OUTPUT_BYTES
from counterfold.contest.wire import PROTOCOLS
from counterfold.errors import ArtifactError
from helpers.processes.sockets import PATIENT

MIT_2023 = PROTOCOLS["mit-2023"]
LIMITS = replace(PATIENT, quit_seconds=0.3)

# A contest's bot as others write it: knows nothing of Counterfold.
CALLER = """
import socket, sys
with socket.create_connection(("localhost", int(sys.argv[-1]))) as raw:
    stream = raw.makefile("rw")
    for line in stream:
        if line.strip() == "Q":
            break
        print("heard", line.strip(), flush=True)
        clauses = line.split()[1:]
        betting = [c for c in clauses if c[0] in "BFCKRD"]
        facing = betting and betting[-1][0] == "R"
        first = "P0" in clauses and not betting
        stream.write("C\\n" if facing or first else "K\\n")
        stream.flush()
"""
CRASHES = CALLER.replace("for line in stream:", "for line in [stream.readline()]:")
STALLS = CALLER.replace("stream.write", "import time; time.sleep(60); stream.write")
SHOUTS = CALLER.replace('print("heard"', 'print("x" * 100000, "heard"')


def program(tmp_path, text):
    path = tmp_path / "player.py"
    path.write_text(text)
    return Program((sys.executable, "-S", "-E", path.name), tmp_path)


def host(entrant, n_hands=10, limits=LIMITS):
    result = host_match((AlwaysCall(), entrant), MIT_2023, n_hands=n_hands, limits=limits)
    assert sum(result.chips) == 0
    assert result.n_hands == n_hands
    return result, "\n".join(result.log)


def test_a_program_plays_a_match(tmp_path):
    commands = {"build": [], "run": [sys.executable, "-S", "-E", "player.py"]}
    (tmp_path / "commands.json").write_text(json.dumps(commands))
    (tmp_path / "player.py").write_text(CALLER)
    result, _ = host(load_program(tmp_path))
    assert result.n_faults == (0, 0)
    assert b"heard T120.000 P1" in result.output[1]
    write_logs(result, tmp_path / "logs")
    assert (tmp_path / "logs" / "B.txt").read_bytes() == result.output[1]
    assert not (tmp_path / "logs" / "A.txt").exists()


@pytest.mark.parametrize(
    ("text", "seconds", "words"),
    [(CRASHES, LIMITS.action_seconds, "disconnected"), (STALLS, 0.5, "ran out of time")],
)
def test_a_program_that_crashes_or_stalls_forfeits_and_the_match_goes_on(
    tmp_path, text, seconds, words
):
    limits = replace(LIMITS, action_seconds=seconds)
    result, log = host(program(tmp_path, text), limits=limits)
    assert log.count(f"B {words}") == 1
    assert result.seconds_left[1] == 0.0


def test_a_program_that_ends_at_once(tmp_path):
    _, log = host(program(tmp_path, "print('no'); raise SystemExit(3)"))
    assert "B failed to start: B ended with status 3" in log  # not that it did not connect in time


def test_a_program_that_does_not_exist(tmp_path):
    _, log = host(Program(("./nothing-here",), tmp_path))
    assert "B failed to start" in log


def test_a_build_that_fails_or_takes_too_long(tmp_path):
    build = (
        sys.executable,
        "-S",
        "-E",
        "-c",
        "import time; print('hi', flush=True); time.sleep(60)",
    )
    _, log = host(Program(("true",), tmp_path, build), limits=replace(LIMITS, build_seconds=0.5))
    assert "B failed to start" in log
    assert "timed out" in log
    built = program(tmp_path, CALLER)
    result, _ = host(Program(built.run, tmp_path, (sys.executable, "-S", "-E", "-c", "print(1)")))
    assert result.output[1].startswith(b"1\n")


def test_output_is_cut(tmp_path):
    result, _ = host(program(tmp_path, SHOUTS), n_hands=5)
    assert len(result.output[1]) == MAX_OUTPUT_BYTES
    assert result.n_faults == (0, 0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "cannot read"),
        ("{", "cannot read"),
        ("[]", "'build' must be"),
        ('{"run": ["a"]}', "'build' must be"),
        ('{"build": [], "run": "a"}', "'run' must be"),
        ('{"build": [], "run": [1]}', "'run' must be"),
        ('{"build": [], "run": []}', "must name a program"),
    ],
)
def test_commands_that_make_no_sense(tmp_path, text, reason):
    if text is not None:
        (tmp_path / "commands.json").write_text(text)
    with pytest.raises(ArtifactError, match=reason):
        load_program(tmp_path)


def test_of_the_output_of_a_build_the_end_is_kept(tmp_path):
    shout = "for n in range(40): print('x' * 100_000)\nprint('the error')"
    entrant = replace(program(tmp_path, CALLER), build=(sys.executable, "-S", "-c", shout))
    result, _ = host(entrant, n_hands=2)
    before, error, after = result.output[1].partition(b"the error\n")
    assert error
    assert len(before) + len(error) == MAX_BUILD_BYTES
    assert b"heard" in after
    assert result.n_faults == (0, 0)


def test_faults_of_a_kind_are_one_line(tmp_path, caplog):
    text = CALLER.replace('"C\\n" if facing or first else "K\\n"', '"R1\\n"')
    result, _ = host(program(tmp_path, text))
    assert result.n_faults[1] > 5
    (line,) = [each.getMessage() for each in caplog.records if "illegal" in each.getMessage()]
    assert line.startswith("B attempted illegal RaiseAction in hand 1 (")
    assert "times, this first)" in line
