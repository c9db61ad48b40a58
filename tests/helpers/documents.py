"""README and docs, and the code blocks in them."""

import re
from dataclasses import dataclass
from pathlib import Path

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
