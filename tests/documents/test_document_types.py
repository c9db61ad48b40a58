"""The Python examples in README and docs fit the types of what they call."""

import re
import subprocess
import sys

from helpers.documents import DOCUMENTS, ROOT, blocks

# Examples need no annotations of their own, and may use a name twice.
FLAGS = ("--check-untyped-defs", "--allow-redefinition", "--no-error-summary")


def program(document):
    """The Python blocks of a document as one program, every line where it is in the document."""
    lines = []
    for block in blocks(document.read_text(encoding="utf-8")):
        if block.kind in ("python", "py") and not block.file:  # `py` is not run: it takes minutes
            lines += [""] * (block.line - 1 - len(lines)) + block.body.splitlines()
    return "\n".join(lines) + "\n" if lines else ""


def test_examples_fit_the_types(tmp_path):
    for document in DOCUMENTS:
        if source := program(document):
            name = re.sub(r"\W", "_", str(document.relative_to(ROOT).with_suffix("")))
            (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
    (tmp_path / "mypy.ini").write_text(
        "[mypy]\nignore_missing_imports = true\n[mypy-counterfold.*]\nignore_errors = true\n"
    )
    cache = ("--cache-dir", str(ROOT / ".mypy_cache" / "documents"))
    found = subprocess.run(
        [sys.executable, "-m", "mypy", *FLAGS, *cache, "--config-file", "mypy.ini", "."],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert found.returncode == 0, found.stdout + found.stderr


def test_lines_of_the_program_are_those_of_the_document():
    document = ROOT / "docs" / "reference" / "variants.md"
    lines = document.read_text(encoding="utf-8").splitlines()
    assert all(line in ("", lines[n]) for n, line in enumerate(program(document).splitlines()))
