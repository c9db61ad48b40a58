"""The examples in README and docs run.

The blocks of one document run in order, in one temporary folder: Python blocks in one namespace,
and of console and bash blocks the lines that call `counterfold`. A block that names a file, such as
```` ```toml title="swap.toml" ````, is written to it.

What a document shows must be what comes out: a text block after a Python block is what that block
prints, whatever the line breaks, and exploitabilities and values of a console block are those that
its commands print. Times and rates may differ.
"""

import contextlib
import io
import itertools
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from counterfold.cli import main
from helpers.documents import DOCUMENTS, ROOT, Block, blocks

# Exploitabilities (1.676e-04) and values (-0.085607); below 1e-09 they are rounding.
FIGURE = re.compile(r"\b\d\.\d{3}e-0\d|[-+]\d\.\d{6}\b")


def commands(block):
    """The calls of `counterfold` in a block, continuation lines joined, comments dropped."""
    for line in block.body.replace("\\\n", " ").splitlines():
        call = line.strip().removeprefix("$ ")
        if call.startswith("counterfold "):
            yield call


def runnable(path):
    return [
        block
        for block in blocks(path.read_text(encoding="utf-8"))
        if block.file
        or block.kind == "python"
        or (block.kind in ("console", "bash") and [*commands(block)])
    ]


def run_command(call, folder):
    """Exit code, stdout and stderr. Only what needs a shell takes the time to start a process."""
    words = shlex.shlex(call, posix=True, punctuation_chars=True)
    if not any({*word} <= {*words.punctuation_chars} for word in words):
        return run_main(shlex.split(call, comments=True), folder)
    bin_folder = str(Path(sys.executable).parent)
    environment = os.environ | {"PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}"}
    found = subprocess.run(
        ["bash", "-c", call], cwd=folder, env=environment, capture_output=True, text=True
    )
    return found.returncode, found.stdout, found.stderr


def run_main(words, folder):
    with (
        contextlib.chdir(folder),
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(io.StringIO()) as out,
        contextlib.redirect_stderr(io.StringIO()) as err,
    ):
        patch.setattr(sys, "argv", words)
        patch.setattr(sys, "stdin", io.StringIO())
        with pytest.raises(SystemExit) as caught:
            main()
    return caught.value.code or 0, out.getvalue(), err.getvalue()


def shown_after(path):
    """First line of a Python block → the text block right after it, which is what it prints."""
    found = [*blocks(path.read_text(encoding="utf-8"))]
    return {
        block.line: following.body
        for block, following in itertools.pairwise(found)
        if (block.kind, following.kind) == ("python", "text")
        and following.line == block.line + block.body.count("\n") + 3  # two fences, an empty line
    }


@pytest.mark.parametrize(
    "document",
    [path for path in DOCUMENTS if runnable(path)],
    ids=lambda p: str(p.relative_to(ROOT)),
)
def test_examples_run(document, tmp_path, shared_folder, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COUNTERFOLD_HOME", str(shared_folder / "tables"))  # not the user's
    monkeypatch.setattr("counterfold.cli.games._CHECKED_NODES", 2_000)  # not seconds of hold'em
    namespace = {"__name__": "__main__"}
    shown = shown_after(document)
    for block in runnable(document):
        if block.file:
            (tmp_path / block.file).write_text(block.body, encoding="utf-8")
        elif block.kind == "python":
            source = "\n" * (block.line - 1) + block.body  # so that tracebacks name the line
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                exec(compile(source, str(document), "exec"), namespace)
            if block.line in shown:
                assert printed.getvalue().split() == shown[block.line].split(), block.line
        else:
            check_console(block, tmp_path)


def check_console(block, folder):
    output = ""
    for call in commands(block):
        code, out, err = run_command(call, folder)
        assert code == 0, f"line {block.line}: {call}\n{err}"
        output += out
    missing = [figure for figure in FIGURE.findall(block.body) if figure not in output]
    assert not missing, f"line {block.line} shows {missing}, but the commands print\n{output}"


EXAMPLE = """
Text with `code`.

```python
x = 1
```

- In a list:

  ```console
  $ counterfold solve kuhn \\
      --iterations 5
  some output
  $ ls
  ```

```text
counterfold is not called here
```

```toml title="mine.toml"
stack = 3
```
"""


def test_blocks_are_found_with_their_lines():
    python, console, text, toml = blocks(EXAMPLE)
    assert python == Block("python", "x = 1\n", 5)
    assert (console.kind, console.line) == ("console", 11)
    assert [" ".join(call.split()) for call in commands(console)] == [
        "counterfold solve kuhn --iterations 5"
    ]
    assert text.kind == "text"
    assert toml == Block("toml", "stack = 3\n", 22, "mine.toml")


def test_a_command_that_fails_is_noticed(tmp_path):
    assert run_command("counterfold solve kunh", tmp_path)[0] == 2
    assert run_command("counterfold games | head -1", tmp_path)[0] == 0
