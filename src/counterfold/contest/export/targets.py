"""The contests bots are exported for: how a machine starts them, and what it allows. The limits are
those of the contests' rules; if a contest states none, those of the strictest contest that does.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from counterfold.contest.export.older_python import OLDEST_NUMPY, OLDEST_PYTHON
from counterfold.contest.wire.mit_years import LINE_PROTOCOLS

MB, GB = 10**6, 10**9
_PYTHON, _NUMPY = (".".join(map(str, oldest)) for oldest in (OLDEST_PYTHON, OLDEST_NUMPY))

_DECISIONS = 6000  # for which the clock of a game of 1000 hands must last
_ACPC_HAND = 7.0  # seconds, on average

CHECKSUMS = "checksums.json"  # SHA-256 of the bot's source and data, by path
PLAYER = f'''"""Starts the bot of this folder: python3 player.py [--host HOST] PORT"""

import hashlib
import json
import sys
from pathlib import Path

folder = Path(__file__).resolve().parent
sys.path.insert(0, str(folder))
if sys.version_info < {OLDEST_PYTHON}:
    sys.exit("this bot needs Python {_PYTHON} or later")
try:
    import numpy
except ImportError:
    sys.exit("this bot needs NumPy {_NUMPY} or later, which is not installed")
if tuple(map(int, numpy.__version__.split(".")[:2])) < {OLDEST_NUMPY}:
    sys.exit(f"this bot needs NumPy {_NUMPY} or later, not {{numpy.__version__}}")


def check(path, sha256):
    """Exit if the file at `path` has changed; line ends of text may have."""
    try:
        if path.endswith((".py", ".json")):
            text = (folder / path).read_bytes().replace(b"\\r\\n", b"\\n")
            found = hashlib.sha256(text).hexdigest()
        else:
            digest = hashlib.sha256()
            with open(folder / path, "rb") as file:
                for part in iter(lambda: file.read(1 << 20), b""):
                    digest.update(part)
            found = digest.hexdigest()
    except OSError:
        sys.exit(f"this bot is damaged: {{path}} is missing; unpack it again")
    if found != sha256:
        sys.exit(
            f"this bot is damaged: {{path}} has changed since it was exported; unpack it again, or "
            "delete {CHECKSUMS} if the change is yours"
        )


checksums = folder / "{CHECKSUMS}"
if checksums.exists():
    try:
        listed = json.loads(checksums.read_text(encoding="utf-8"))
        for path, sha256 in listed.items():
            check(path, sha256)
    except (ValueError, AttributeError):
        sys.exit("this bot is damaged: {CHECKSUMS} cannot be read; unpack it again")

from counterfold.contest.exported.start import main

main(folder / "data")
'''


@dataclass(frozen=True)
class Target:
    """A contest: its protocol, its start, its limits."""

    name: str
    protocol: str  # of `contest.wire`
    run: tuple[str, ...]  # for `commands.json`; a port is appended
    extra: Mapping[str, str] = field(default_factory=dict)  # files by name; scripts are executable
    zip_bytes: int = 100 * MB
    unpacked_bytes: int = GB
    memory_bytes: int = GB
    connect_seconds: float = 10.0
    mean_seconds: float = 30.0 / _DECISIONS  # of a decision
    hand_seconds: float | None = None  # of a hand on average, where the contest has no game clock

    @property
    def game_seconds(self) -> float:
        """The clock of a game of 1000 hands."""
        return self.mean_seconds * _DECISIONS

    @property
    def files(self) -> dict[str, str]:
        """Text of all files except the bot's source and data."""
        commands = json.dumps({"build": [], "run": list(self.run)}, indent=4)
        return {"commands.json": commands + "\n", "player.py": PLAYER, **self.extra}


_SCRIPT = '#!/bin/sh\n# {about}\ncd "$(dirname "$0")" && exec python3 player.py "$@"\n'

_README = """A bot for the Annual Computer Poker Competition, heads-up.

Start: startme.sh HOST PORT. It needs Python 3.8 or later and NumPy 1.20 or later, and nothing is
built. The strategy is in data/, the program in counterfold/; data/bot.json names the game that it
was trained for. If unpacking lost the run bits: chmod +x startme.sh
"""

TARGETS: dict[str, Target] = {
    target.name: target
    for target in (
        *(
            Target(
                each.name,
                each.name,
                ("python3", "player.py"),
                mean_seconds=each.game_seconds / _DECISIONS,
            )
            for each in LINE_PROTOCOLS
        ),
        Target(
            "mit-2017",
            "mit-2017",
            ("sh", "pokerbot.sh"),
            {
                "pokerbot.sh": _SCRIPT.format(about="pokerbot.sh [-h HOST] PORT"),
                "SConstruct": "# Nothing to build.\n",
            },
            zip_bytes=3 * GB,
            unpacked_bytes=10 * GB,
        ),
        Target(
            "acpc",
            "acpc",
            ("sh", "startme.sh", "localhost"),
            {"startme.sh": _SCRIPT.format(about="startme.sh HOST PORT"), "README": _README},
            mean_seconds=1000.0 * _ACPC_HAND / _DECISIONS,
            hand_seconds=_ACPC_HAND,
        ),
    )
}
