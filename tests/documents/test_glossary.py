"""The glossary has every term once, in order, and names classes that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "reference" / "glossary.md").read_text(encoding="utf-8")


def terms():
    return re.findall(r"^\*\*(.+?)\*\*", TEXT, re.MULTILINE)


def test_terms_are_in_alphabetical_order():
    words = [re.sub(r"[^a-z ]", "", term.lower()) for term in terms()]
    assert words == sorted(words)


def test_a_term_occurs_once():
    assert len(terms()) == len(set(terms())) == TEXT.count("\n\n**")


def test_classes_exist():
    source = "\n".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "src" / "counterfold").rglob("*.py")
    )
    named = set(re.findall(r"`([A-Z]\w*[a-z]\w*)`", TEXT)) - {"As", "AhKs"}
    assert {name for name in named if not re.search(rf"^class {name}\b", source, re.M)} == set()
