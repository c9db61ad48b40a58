"""Exported source on older machines: what is rewritten, and a bot that plays on the oldest."""

import ast
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from counterfold.contest.export.older_python import (
    HELPERS,
    OLDEST_NUMPY,
    OLDEST_PYTHON,
    for_older_python,
)
from counterfold.contest.export.package import export_run
from counterfold.contest.export.sources import collect_sources
from counterfold.matches import play_match
from counterfold.search.search_options import SearchOptions
from counterfold.training.train_folder import load_trained
from counterfold.training.train_run import train
from helpers.small_recipes import plan

NEW = '''"""What it is."""

from functools import cache, wraps
from itertools import pairwise

from numpy.typing import NDArray

Cards = tuple[int, ...]
Event = Deal | Fold
Ranks = NDArray[float]
BITS = LOW | HIGH


@dataclass(frozen=True, slots=True)
class Row:
    """♠ counts as three bytes."""; cards: tuple[int, ...] | None = None


def f(x: int | None, flags):
    once = x | flags
    return list(zip(x, flags, strict=True)), isinstance(x, int | float), "♠a♠".removesuffix("♠")
'''


def test_what_is_newer_is_written_in_another_way():
    text = for_older_python(NEW)
    lines = text.splitlines()
    assert lines[:4] == [
        '"""What it is."""',
        "",
        "from __future__ import annotations",
        "",
    ]
    assert "from counterfold.newer_python import cache, pairwise, remove_suffix" in lines
    assert "from functools import wraps" in lines
    assert "NDArray = object" in lines
    for line in ("Cards = tuple", "Event = (Deal, Fold)", "Ranks = NDArray", "BITS = LOW | HIGH"):
        assert line in lines
    assert "@dataclass(frozen=True)" in lines
    assert "    once = x | flags" in lines  # numbers, not types
    assert "list(zip(x, flags)), isinstance(x, (int, float)), remove_suffix('♠a♠', '♠')" in text


def test_helpers_do_what_newer_python_does():
    scope = {}
    exec(HELPERS, scope)
    assert list(scope["pairwise"]([1, 2, 3])) == [(1, 2), (2, 3)]
    assert scope["remove_suffix"](b"a\r\r", b"\r") == b"a\r"
    assert scope["remove_suffix"]("a", "") == "a"
    assert [int(scope["bitwise_count"](n)) for n in (0, 1, 6, 2**62)] == [0, 1, 2, 1]


def test_the_source_of_a_bot_is_read_by_the_oldest_python():
    for path, text in collect_sources().items():
        for node in ast.walk(ast.parse(text, path, feature_version=OLDEST_PYTHON)):
            assert not isinstance(node, ast.Match), path
            if isinstance(node, ast.Call):
                assert "strict" not in [keyword.arg for keyword in node.keywords], path
            if isinstance(node, ast.Attribute):
                newer = ("removesuffix", "removeprefix", "bit_count", "bitwise_count")
                assert node.attr not in newer, path


def find_python(oldest):
    """An interpreter of the oldest version, or of the newest of those that this machine has."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    known = [*versions.glob("3.*.*/bin/python"), *map(shutil.which, ("python3.8", "python3"))]
    found = {}
    for each in filter(None, known):
        asked = [each, "-c", "import sys; print(*sys.version_info[:2])"]
        answer = subprocess.run(asked, check=False, capture_output=True, text=True)
        if answer.returncode == 0:
            found[tuple(map(int, answer.stdout.split()))] = each
    return found.get(OLDEST_PYTHON if oldest else max(found))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "target", "mode", "oldest"),
    [
        ("nolimit(stack=400)", "mit-plain", None, True),
        ("discard(stack=200)", "mit-2017", None, True),
        ("swap(stack=200)", "mit-2022", None, True),
        ("nolimit(stack=40)", "mit-plain", "combined", True),
        ("nolimit(stack=40)", "mit-plain", "combined", False),
    ],
)
def test_a_bot_plays_on_the_oldest_and_the_newest_machine(tmp_path, variant, target, mode, oldest):
    found = find_python(oldest)
    if found is None:
        pytest.skip("there is no interpreter of the oldest version here")
    python = tmp_path / "other" / "bin" / "python"
    numpy = "numpy=={}.{}.*".format(*OLDEST_NUMPY) if oldest else "numpy"
    subprocess.run([found, "-m", "venv", tmp_path / "other"], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", numpy], check=True)
    made = plan(variant=variant, cards="percentile(3)", features="pot * to_call * cards")
    train(made, tmp_path / "run", iterations=2_000)
    search = None if mode is None else SearchOptions(mode, 20)
    export_run(load_trained(tmp_path / "run"), target, tmp_path / "bot.zip", search=search)
    for file in (tmp_path / "bot").glob("*.[sj][hs]*"):  # scripts and commands.json
        if file.name != "checksums.json":
            file.write_text(file.read_text().replace("python3", str(python)))
    result = play_match(tmp_path / "bot", "pot-odds", hands=60)
    assert result.sides[0].decisions > 60
    assert (result.sides[0].faults, result.sides[0].forfeits) == (0, ())
