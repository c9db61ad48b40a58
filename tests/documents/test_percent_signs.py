"""A percent sign follows its number without a space, in documents and in what the package says."""

import ast
import re
from pathlib import Path

from helpers.documents import DOCUMENTS, ROOT

SPACED = re.compile(r"\d %(?![\w(])")


def spaced(path: Path, text: str) -> list[str]:
    return [f"{path.relative_to(ROOT)}: {found[0]}" for found in SPACED.finditer(text)]


def test_in_documents():
    paths = (*DOCUMENTS, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md")
    assert [each for path in paths for each in spaced(path, path.read_text("utf-8"))] == []


def test_in_messages_and_docstrings():
    found = []
    for path in sorted((ROOT / "src" / "counterfold").rglob("*.py")):
        if path.stem.endswith("_kernels"):  # a changed comment there would compile all anew
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found += spaced(path, node.value)
    assert found == []


def test_in_the_front_end():
    found = []
    for path in sorted((ROOT / "src" / "counterfold" / "web").rglob("*.js")):
        found += spaced(path, path.read_text(encoding="utf-8"))
    assert found == []
