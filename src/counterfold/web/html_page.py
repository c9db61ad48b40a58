"""A decision as a single HTML file: the grid of the page, and its hands."""

import html
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from counterfold.artifacts import replacing
from counterfold.blueprints.action_values import ActionValues
from counterfold.bots.trained_bot import TrainedBot
from counterfold.errors import ArtifactError, IllegalActionError, UnsupportedGameError
from counterfold.spots.solved_spot import SolvedSpot
from counterfold.web.decision_answers import (
    describe_bot_decision,
    describe_spot_decision,
    find_spot_node,
    list_bot_hands,
    list_spot_hands,
    look_at_bot,
    look_at_spot,
    look_up_hands,
)
from counterfold.web.plain_json import as_plain

HERE = Path(__file__).parent
STATIC = HERE / "static"
_ELEMENTS = ("element", "playing-card", "action-totals", "strategy-grid", "hand-list")
_MODULES = (*(STATIC / f"{name}.js" for name in _ELEMENTS), HERE / "html_page.js")
_IMPORTS = re.compile(r"^import .*\n", re.MULTILINE)
_DIGITS = 4

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main></main>
<script type="application/json" id="decision">{content}</script>
<script type="module">
{script}</script>
</body>
</html>
"""


def write_html(
    path: Path,
    title: str,
    content: TrainedBot | SolvedSpot,
    line: str = "",
    hands: str = "",
    exploit: str = "",
    values: ActionValues | None = None,
) -> None:
    """Write what is done at a decision, with every hand, to one file."""
    told = tell_decision(content, line, hands, exploit, values)
    if told["place"]["end"] != "decision":
        raise IllegalActionError(f"nobody acts after {line!r}, so there is nothing to draw")
    if told["place"]["cells"] is None:
        raise UnsupportedGameError("a grid needs two hole cards; leave out --html")
    data = json.dumps({"title": title, **told})
    text = _PAGE.format(
        title=html.escape(title),
        style=(STATIC / "style.css").read_text(encoding="utf-8"),
        content=data.replace("<", "\\u003c"),  # so that no text ends the element
        script=join_modules(_MODULES),
    )
    try:
        with replacing(path) as file:
            file.write(text.encode())
    except OSError as error:
        raise ArtifactError(f"cannot write {str(path)!r}: {error.strerror or error}") from error


def tell_decision(
    content: TrainedBot | SolvedSpot,
    line: str = "",
    hands: str = "",
    exploit: str = "",
    values: ActionValues | None = None,
) -> dict[str, Any]:
    """Where a line leads, and all hands if somebody acts there, as plain data.

    `values` are those of a bot's hands, if they are known.
    """
    if isinstance(content, TrainedBot):
        place, listed = _tell_bot(content, line, hands, values)
    else:
        place, listed = _tell_spot(content, line, hands, exploit)
    plain: dict[str, Any] = as_plain({"place": place, "hands": listed}, _DIGITS)
    return plain


def join_modules(paths: Iterable[Path]) -> str:
    """Modules of the page as one, without what joins them to each other."""
    return "".join(_inline(path) for path in paths)


def _tell_bot(
    bot: TrainedBot, line: str, hands: str, values: ActionValues | None
) -> tuple[dict[str, Any], list[Any]]:
    place = look_at_bot(bot, line)
    if place["end"] != "decision":
        return place, []
    looked = look_up_hands(bot, line, hands)
    place |= describe_bot_decision(bot, looked, place["line"], values)
    return place, list_bot_hands(bot, looked, "", values)["hands"]


def _tell_spot(
    solved: SolvedSpot, line: str, hands: str, exploit: str
) -> tuple[dict[str, Any], list[Any]]:
    place = look_at_spot(solved, line)
    if place["end"] != "decision":
        return place, []
    node = find_spot_node(solved, line, hands, exploit)
    place |= describe_spot_decision(solved, node, place["line"], exploit)
    return place, list_spot_hands(node, "")["hands"]


def _inline(path: Path) -> str:
    """A module of the page without what joins it to others: here all are one."""
    text = _IMPORTS.sub("", path.read_text(encoding="utf-8"))
    return re.sub(r"^export ", "", text, flags=re.MULTILINE)
