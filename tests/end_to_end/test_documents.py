"""The examples in README and docs run.

The blocks of one document run in order, in one temporary folder: Python blocks in one namespace,
and of console and bash blocks the lines that call `counterfold`. A block that names a file, such as
```` ```toml title="swap.toml" ````, is written to it.
"""

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(
    path for path in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")) if path.is_file()
)
FENCE = re.compile(
    r'^(?P<indent> *)```(?P<kind>\w+)(?: title="(?P<file>[^"\n]*)")? *\n'
    r"(?P<body>.*?)^(?P=indent)```",
    re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True)
class Block:
    kind: str
    body: str
    line: int  # of its first line in the document
    file: str = ""  # to which it is written, if it names one


def blocks(text):
    for match in FENCE.finditer(text):
        indent = len(match["indent"])
        body = "".join(line[indent:] or "\n" for line in match["body"].splitlines(keepends=True))
        line = text.count("\n", 0, match.start("body")) + 1
        yield Block(match["kind"], body, line, match["file"] or "")


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
    bin_folder = str(Path(sys.executable).parent)
    environment = os.environ | {"PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}"}
    shell = (
        ["bash", "-c", call] if re.search(r"[|><;&]", call) else shlex.split(call, comments=True)
    )
    return subprocess.run(
        shell, cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )


@pytest.mark.parametrize(
    "document",
    [path for path in DOCUMENTS if runnable(path)],
    ids=lambda p: str(p.relative_to(ROOT)),
)
def test_examples_run(document, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COUNTERFOLD_HOME", str(tmp_path / "cache"))  # not the user's
    namespace = {"__name__": "__main__"}
    for block in runnable(document):
        if block.file:
            (tmp_path / block.file).write_text(block.body, encoding="utf-8")
            continue
        if block.kind == "python":
            source = "\n" * (block.line - 1) + block.body  # so that tracebacks name the line
            exec(compile(source, str(document), "exec"), namespace)
            continue
        for call in commands(block):
            found = run_command(call, tmp_path)
            assert found.returncode == 0, f"line {block.line}: {call}\n{found.stderr}"


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
    assert run_command("counterfold solve kunh", tmp_path).returncode == 2
    assert run_command("counterfold games | head -1", tmp_path).returncode == 0
