"""Output that is not UTF-8, that is full, narrow or piped loses no result and ends no command."""

import os
import subprocess
import sys

import pytest

COMMANDS = [
    ("games",),
    ("recipes",),
    ("solve", "kuhn", "--iterations", "5"),
    ("match", "random", "all-in", "--variant", "leduc-variant", "--hands", "40"),
]


def call(*arguments, stdout=subprocess.PIPE, **environment):
    return subprocess.run(
        [sys.executable, "-m", "counterfold", *arguments],
        stdout=stdout,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
        check=False,
        timeout=300,
    )


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_any_encoding_will_do(encoding, arguments):
    done = call(*arguments, PYTHONIOENCODING=encoding)
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode(encoding)
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device")
@pytest.mark.parametrize("arguments", [("games",), ("games", "--json"), ("--version",)], ids=str)
def test_a_full_output_is_one_sentence(arguments):
    with open("/dev/full", "wb") as full:
        done = call(*arguments, stdout=full)
    assert done.returncode == 2
    sentence = "counterfold: cannot write the output: No space left on device\n"
    assert done.stderr.decode() == sentence


def test_a_piped_table_has_a_line_for_each_row_and_every_header():
    lines = call("games", COLUMNS="40").stdout.decode().splitlines()
    assert lines[0].split() == ["game", "parameters", "size", "what", "it", "is"]
    (leduc,) = (line for line in lines if line.startswith("leduc "))
    assert "9,457 nodes" in leduc
    solved = call("solve", "kuhn", "--iterations", "5", COLUMNS="20").stdout.decode().splitlines()
    assert "exploitability [chips]" in solved[0]
    assert len(solved) == 2
