"""Writes measured figures into README and docs, from `results/` by the templates in `tables/`.

A document marks a place with `<!-- figures: NAME -->` and `<!-- end of figures -->`. Between them
stands `tables/NAME.md` with its placeholders filled in: `{cards[ranking][ours]:M.0f}` is an entry
of the newest `results/<date>-cards.json`, in millions, and `{suite[figures][…]…}` one of the newest
`results/<date>.json`. So a figure is written down once, when it is measured, and a test fails while
a document says something else.

    python benchmarks/figures.py           # after new results or a change of a template
"""

import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
DOCUMENTS = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
RESULTS = ROOT / "benchmarks" / "results"
TEMPLATES = ROOT / "benchmarks" / "tables"
MARKED = re.compile(
    r"(?<=<!-- figures: )(?P<name>[\w-]+) -->\n(?P<text>.*?)(?=<!-- end of figures -->)", re.DOTALL
)


class Number(float):
    """A figure; its format may begin with `M` for millions, `k` for thousands or `/` for the
    reciprocal.
    """

    def __format__(self, spec: str) -> str:
        spec = spec.removeprefix("to ")
        scaled = {"M": self / 1e6, "k": self / 1e3, "/": 1 / self if self else 0.0}
        return format(scaled.get(spec[:1], float(self)), spec.lstrip("Mk/") or "g")


class Pair(tuple[Number, Number]):
    """A mean and half of its interval, `5 ± 2`; with `to` before the format a range, `5 to 7`."""

    def __format__(self, spec: str) -> str:
        if spec.startswith("to "):
            return f"{self[0]:{spec}} to {self[1]:{spec}}"
        return f"{self[0]:{spec}} ± {self[1]:{spec.lstrip('+')}}"


class Several(list[Number]):
    """Figures of several runs, which are written as their mean."""

    def __format__(self, spec: str) -> str:
        return format(Number(sum(self) / len(self)), spec)


def load_results() -> dict[str, Any]:
    """Kind of result → its newest file; files without a kind are of the whole `suite`.

    Every file is there by its whole name, too.
    """
    found = {}
    for path in sorted(RESULTS.glob("*.json")):
        kind = path.stem[len("2026-11-15-") :] or "suite"
        found[kind] = found[path.stem] = _wrap(json.loads(path.read_text(encoding="utf-8")))
    return found


def _wrap(value: Any) -> Any:
    if isinstance(value, dict):
        return {int(key) if key.isdigit() else key: _wrap(inner) for key, inner in value.items()}
    if isinstance(value, list):
        if value and all(isinstance(inner, int | float) for inner in value):
            return (Pair if len(value) == 2 else Several)(map(Number, value))
        if value and all(isinstance(inner, dict) and "name" in inner for inner in value):
            return {_name(inner): _wrap(inner) for inner in value}
        return [_wrap(inner) for inner in value]
    return Number(value) if isinstance(value, int | float) else value


def _name(row: dict[str, Any]) -> str:
    return f"{row['name']}, {row['against']}" if row.get("against") else str(row["name"])


def render(name: str, results: dict[str, Any]) -> str:
    """The template with its figures filled in."""
    return read_template(name).format_map(results)


def read_template(name: str) -> str:
    """The text of a template, in whichever folder it is."""
    (path,) = TEMPLATES.rglob(f"{name}.md")
    return path.read_text(encoding="utf-8")


def fill(document: str, results: dict[str, Any]) -> str:
    """The document with every marked place as the results have it."""
    return MARKED.sub(
        lambda found: f"{found['name']} -->\n\n{render(found['name'], results)}\n", document
    )


def main() -> None:
    """Rewrite the documents whose figures have changed."""
    results = load_results()
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        if (new := fill(text, results)) != text:
            path.write_text(new, encoding="utf-8")
            print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
