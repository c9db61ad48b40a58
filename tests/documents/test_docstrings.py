"""The generated API reference takes docstrings apart by their sections."""

import ast
import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "counterfold"
MODULES = sorted(PACKAGE.rglob("*.py"))
NAME = re.compile(r"\*{0,2}\w+(, \w+)*( : .*)?|-+")  # or a heading, which is a word, too
SECTION = re.compile(r"^(Parameters|Returns|Raises|Yields)\n-+\n", re.MULTILINE)


def docstrings(module):
    """All docstrings of a module, with the names that they belong to."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        kinds = ast.Module | ast.ClassDef | ast.FunctionDef
        if isinstance(node, kinds) and (text := ast.get_docstring(node)):
            yield getattr(node, "name", module.stem), text


def stray_lines(text):
    """Lines of sections that are neither names, nor headings, nor indented."""
    found = SECTION.search(text)
    lines = text[found.end() :].splitlines() if found else []
    return [
        line for line in lines if line and not line.startswith(" ") and not NAME.fullmatch(line)
    ]


def test_prose_behind_a_section_is_found():
    text = "Do it.\n\nParameters\n----------\nn\n    How many.\n\nRaises `E` where it cannot."
    assert stray_lines(text) == ["Raises `E` where it cannot."]
    assert stray_lines(text.splitlines()[0]) == []


@pytest.mark.parametrize("room", sorted({m.relative_to(PACKAGE).parts[0] for m in MODULES}))
def test_sections_have_names_alone(room):
    modules = [m for m in MODULES if m.relative_to(PACKAGE).parts[0] == room]
    stray = {
        f"{module.stem}.{name}": lines
        for module in modules
        for name, text in docstrings(module)
        if (lines := stray_lines(text))
    }
    assert not stray
