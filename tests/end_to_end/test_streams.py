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


# The commands one after another in one process, which takes a second or two to start.
PROGRAM = """
import ast, sys
from counterfold.__main__ import main
for arguments in ast.literal_eval(sys.argv[1]):
    sys.argv = ["counterfold", *arguments]
    try:
        main()
    except SystemExit as end:
        if end.code != 0:
            raise
"""


def call_all(*commands, **environment):
    return run("-c", PROGRAM, repr(commands), **environment)


def run(*arguments, stdout=subprocess.PIPE, **environment):
    return subprocess.run(
        [sys.executable, *arguments],
        stdout=stdout,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
        check=False,
        timeout=600,
    )


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_any_encoding_will_do(encoding):
    done = call_all(*COMMANDS, PYTHONIOENCODING=encoding)
    assert done.returncode == 0, done.stderr
    printed = done.stdout.decode(encoding)
    assert all(head in printed for head in ("parameters", "recipe", "exploitability", "mb/hand"))
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device")
@pytest.mark.parametrize(
    "arguments", [("recipes",), ("recipes", "--json"), ("--version",)], ids=str
)
def test_a_full_output_is_one_sentence(arguments):
    with open("/dev/full", "wb") as full:
        done = run("-m", "counterfold", *arguments, stdout=full)
    assert done.returncode == 2
    sentence = "counterfold: cannot write the output: No space left on device\n"
    assert done.stderr.decode() == sentence


def test_a_piped_table_has_a_line_for_each_row_and_every_header():
    done = call_all(("games",), ("solve", "kuhn", "--iterations", "5"), COLUMNS="20")
    *lines, head, row = done.stdout.decode().splitlines()
    assert lines[0].split() == ["game", "parameters", "size", "what", "it", "is"]
    (leduc,) = (line for line in lines if line.startswith("leduc "))
    assert "9,457 nodes" in leduc
    assert "exploitability [chips]" in head
    assert row.startswith("dcfr ")
