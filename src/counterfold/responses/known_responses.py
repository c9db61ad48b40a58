"""What has been measured of a bot, kept beside it: how much each kind of response wins from it.

Each entry names the strategy that it was measured on and its settings. An entry for another
strategy, say from before more training, is left out, and figures with different settings stand side
by side.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from counterfold.artifacts import write_json
from counterfold.errors import ArtifactError

_FILE = "responses.json"
# Settings without which figures must not be compared.
_TOLD = ("resolve", "boards", "deals", "hands", "menu", "seed")


def add_known(folder: Path, entry: Mapping[str, Any]) -> None:
    """Keep an entry with the keys ``strategy``, ``settings`` and figures; the same settings on the
    same strategy replace what was known.
    """
    others = [
        each
        for each in _read(folder)
        if (each["strategy"], each["settings"]) != (entry["strategy"], entry["settings"])
    ]
    write_json(folder / _FILE, {"responses": [*others, dict(entry)]})


def known_responses(folder: Path, strategy: str) -> list[dict[str, Any]]:
    """The entries of a strategy, oldest first."""
    return [entry for entry in _read(folder) if entry["strategy"] == strategy]


def describe_known(entry: Mapping[str, Any]) -> str:
    """A figure with what it is worth, its interval and its settings."""
    figure, settings = entry["exploitability"], entry["settings"]
    text = f"{figure['mean']:,.1f}"
    if figure["interval"]:
        text += f" ± {figure['interval']:,.1f}"
    ways = ", ".join(f"{k} {settings[k]}" for k in _TOLD if settings.get(k) not in (None, ""))
    return f"{entry['kind']}: {text} {entry['unit']} ({ways})"


def _read(folder: Path) -> list[dict[str, Any]]:
    path = folder / _FILE
    if not path.exists():
        return []
    try:
        entries = json.loads(path.read_text())["responses"]
        for entry in entries:
            _ = entry["strategy"], entry["settings"], entry["exploitability"]["mean"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ArtifactError(f"{str(path)!r} is damaged; delete it and measure again") from error
    return list(entries)
