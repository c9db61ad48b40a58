"""The page on the command line has every command and every option."""

import re
from pathlib import Path

import pytest

from counterfold.cli import COMMANDS, load_command

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "reference" / "command-line.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (\S+)\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))
UNWRITTEN = {"--help", "--no-resume"}  # every command has help; not to resume is the default


def options(name):
    parameters = load_command(name).params
    words = {word for found in parameters for word in (*found.opts, *found.secondary_opts)}
    return {word for word in words if word.startswith("--")} - UNWRITTEN


def documented(name):
    """Options in the first cell of a row, or in brackets beside the command."""
    rows = re.findall(r"^\| (`--.*?) \|", SECTIONS[name], re.MULTILINE)
    usage = re.findall(r"^`counterfold .*`$", SECTIONS[name], re.MULTILINE)
    return set(re.findall(r"--[\w-]+", " ".join(rows + usage)))


def test_commands_stand_in_the_order_of_the_help():
    assert list(SECTIONS) == list(COMMANDS)
    assert re.findall(r"^\| \[`(\w+)`\]\(#\1\)", TEXT, re.MULTILINE) == list(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_documented(name):
    if name == "tournament":  # "The options are those of `match`, except `--histories`", and these
        assert options(name) == options("match") - {"--histories"} | {"--cluster", "--workers"}
    else:
        assert options(name) == documented(name)
