"""What the folder listing promises: one name for one thing, small folders, tests that mirror."""

import ast
import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "counterfold"
UNIT = ROOT / "tests" / "unit"
MODULES = [path.relative_to(PACKAGE) for path in sorted(PACKAGE.rglob("*.py"))]
SUFFIXES = (".py", ".cu", ".js", ".css", ".html", ".md")
MOST_FILES = 25
MOST_LINES = 400


def test_no_basename_stands_in_two_packages():
    """Views of the command line are named after their command, which may be a module elsewhere."""
    named = [path.stem for path in MODULES if path.parts[0] != "cli"]
    twice = {name for name, n in Counter(named).items() if n > 1 and name != "__init__"}
    assert not twice


def test_no_class_has_the_name_of_another():
    """Private ones aside."""
    trees = (ast.parse((PACKAGE / path).read_text(encoding="utf-8")) for path in MODULES)
    named = [each.name for tree in trees for each in tree.body if isinstance(each, ast.ClassDef)]
    twice = {name for name, n in Counter(named).items() if n > 1 and not name.startswith("_")}
    assert not twice


@pytest.mark.parametrize("top", ["src", "tests", "docs", "benchmarks"])
def test_no_folder_is_too_long_to_read(top):
    """Decisions aside: they are a diary, numbered, with an index, and grow. So are recipes."""
    folders = [ROOT / top, *(path for path in (ROOT / top).rglob("*") if path.is_dir())]
    long = {}
    for folder in folders:
        files = [path for path in folder.iterdir() if path.is_file() and path.suffix in SUFFIXES]
        if len(files) > MOST_FILES and folder.name != "decisions":
            long[str(folder.relative_to(ROOT))] = len(files)
    assert not long


def test_no_file_is_too_long_to_read():
    files = [path for path in PACKAGE.rglob("*") if path.suffix in (".py", ".cu", ".js", ".css")]
    assert len(files) > len(MODULES)
    lines = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    assert {name: n for name, n in lines.items() if n > MOST_LINES} == {}


def test_every_module_says_what_it_is():
    for path in MODULES:
        text = (PACKAGE / path).read_text(encoding="utf-8")
        assert text.startswith('"""'), path


def test_the_type_checker_knows_every_kernel():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    listed = {name for part in settings["tool"]["mypy"]["overrides"] for name in part["module"]}
    kernels = {
        ".".join(("counterfold", *path.with_suffix("").parts))
        for path in MODULES
        if path.stem.endswith("_kernels")
    }
    assert kernels == {name for name in listed if name.endswith("_kernels")}


def test_unit_tests_mirror_the_package():
    modules = {path.with_suffix("") for path in MODULES}
    tests = [path.relative_to(UNIT) for path in sorted(UNIT.rglob("test_*.py"))]
    mirrored = {path: path.with_name(path.stem.removeprefix("test_")) for path in tests}
    assert not [str(test) for test, module in mirrored.items() if module not in modules]


def test_every_module_that_decides_something_has_tests():
    """Of its own name, or those that `mirrors.txt` says. Kernels are tested beside their wrappers,
    and commands in `end_to_end`.
    """
    lines = (ROOT / "tests" / "mirrors.txt").read_text(encoding="utf-8").splitlines()
    said = dict(line.split() for line in lines if not line.startswith("#"))
    assert [test for test in said.values() if not (ROOT / "tests" / test).is_file()] == []
    assert list(said) == sorted(said)
    own = {path.with_name(f"test_{path.stem}.py"): path for path in MODULES}
    alone = {
        path.with_suffix("").as_posix()
        for test, path in own.items()
        if not (UNIT / test).exists()
        and path.parts[0] != "cli"
        and not path.stem.endswith("_kernels")
        and not path.stem.startswith("__")
    }
    assert alone == set(said)


def test_git_runs_the_same_checks_as_make():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    target = re.search(r"^check:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    commands = [line.strip().replace("$(BIN)", ".venv/bin") for line in target[1].splitlines()]
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert re.findall(r"entry: ([^,\n]+)", hooks) == commands
