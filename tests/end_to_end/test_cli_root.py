"""The command line before any command: help, version, completion, and what they do not import."""

import json
import os
import subprocess
import sys
from importlib import import_module
from importlib.metadata import version

import pytest

from counterfold.cli import COMMANDS, load_command
from counterfold.training.recipe import shipped_recipes


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_their_help_says(name):
    command = getattr(import_module(f"counterfold.cli.{name}"), f"{name}_command")
    assert COMMANDS[name] == command.__doc__.splitlines()[0]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_has_an_example(name, command):
    code, out, _ = command(name, "--help")
    assert code == 0
    assert f"Example: counterfold {name}" in " ".join(out.split())
    assert "bool" not in out


@pytest.mark.parametrize("name", COMMANDS)
def test_paragraphs_of_help_wrap_where_the_terminal_ends(name):
    paragraphs = load_command(name).help.split("\n\n")
    assert len(paragraphs) > 1
    assert not any("\n" in paragraph for paragraph in paragraphs)


def test_help_lists_the_commands_in_the_order_of_the_pipeline(command):
    code, out, _ = command("--help")
    assert code == 0
    places = [out.index(f"│ {name} ") for name in COMMANDS]
    assert places == sorted(places)


def test_version(command):
    assert command("--version") == (0, f"counterfold {version('counterfold')}\n", "")


def test_an_unknown_command_is_refused(command):
    code, _, err = command("trian")
    assert code == 2
    assert "train" in err


def test_python_m_counterfold_is_the_command():
    shown = subprocess.run(
        [sys.executable, "-m", "counterfold", "--version"], capture_output=True, text=True
    )
    assert shown.stdout.strip() == f"counterfold {version('counterfold')}"


@pytest.mark.parametrize("module", ["typer", "counterfold.cli.match", "numba"])
def test_an_interrupt_during_an_import_ends_in_one_sentence(module):
    interrupt = (
        "import sys\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}:\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupt())\n"
        "from counterfold.__main__ import main\n"
        "sys.argv = ['counterfold', 'match', 'random', 'random', '--variant', 'nolimit']\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", interrupt], capture_output=True, text=True)
    assert (done.returncode, done.stderr.strip()) == (130, "interrupted")


def test_nothing_is_imported_before_an_interrupt_is_caught():
    """What `main` does not import itself, Ctrl-C turns into a traceback."""
    watch = (
        "import sys\n"
        "before = set(sys.modules)\n"
        "from counterfold.__main__ import main\n"
        "print(*sorted(set(sys.modules) - before))\n"
    )
    done = subprocess.run([sys.executable, "-I", "-c", watch], capture_output=True, text=True)
    assert done.stdout.split() == ["counterfold", "counterfold.__main__"]


@pytest.mark.parametrize(
    "call",
    [
        "import counterfold",
        "from counterfold.cli import main; sys.argv = ['counterfold', '--help']; main()",
    ],
)
def test_help_imports_nothing_heavy(call):
    watch = (
        "import atexit, sys\n"
        "atexit.register(lambda: print(*{'numba', 'numpy', 'scipy', 'pydantic', 'matplotlib'}"
        " & set(sys.modules), file=sys.stderr))\n"
    )
    done = subprocess.run([sys.executable, "-c", watch + call], capture_output=True, text=True)
    assert (done.returncode, done.stderr.strip()) == (0, "")


def test_commands_import_nothing_slow_that_they_may_not_need():
    """Among it what Numba imports once a kernel is loaded: none may be called on import."""
    slow = {"linalg", "optimize", "sparse", "special"}
    watched = {f"scipy.{part}" for part in slow} | {"matplotlib", "ray", "starlette"}
    call = (
        "import importlib, sys; from counterfold.cli import COMMANDS\n"
        "for name in COMMANDS: importlib.import_module(f'counterfold.cli.{name}')\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True, check=True)
    assert "numba" in done.stdout.split()
    assert not watched & {*done.stdout.split()}


def test_shell_completion_can_be_shown():
    # Without a terminal the shell cannot be found out, and is taken from the arguments.
    shown = subprocess.run(
        [sys.executable, "-m", "counterfold", "--show-completion", "bash"],
        env=os.environ | {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"},
        capture_output=True,
        text=True,
    )
    assert "_COUNTERFOLD_COMPLETE=complete_bash" in shown.stdout


def test_recipes_lists_what_is_shipped(command):
    code, out, _ = command("recipes")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines() if line[:1].isalnum()] == [
        "recipe",
        *sorted(shipped_recipes()),
        "Train",
        "To",
    ]
    rows = json.loads(command("recipes", "--json")[1])["recipes"]
    assert [row["recipe"] for row in rows] == list(shipped_recipes())
    assert all(row["about"] and row["variant"] and row["algorithm"] for row in rows)
