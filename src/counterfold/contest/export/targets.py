"""The contests bots are exported for: how a machine starts them, and what it allows. The limits are
those of the contests' rules; if a contest states none, those of the strictest contest that does.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

MB, GB = 10**6, 10**9

PLAYER = '''"""Starts the bot of this folder: python3 player.py [--host HOST] PORT"""

import sys
from pathlib import Path

folder = Path(__file__).resolve().parent
sys.path.insert(0, str(folder))
if sys.version_info < (3, 11):
    sys.exit("this bot needs Python 3.11 or later")
try:
    import numpy
except ImportError:
    sys.exit("this bot needs NumPy 2 or later, which is not installed")
if int(numpy.__version__.split(".")[0]) < 2:
    sys.exit(f"this bot needs NumPy 2 or later, not {numpy.__version__}")

from counterfold.contest.exported.start import main

main(folder / "data")
'''


@dataclass(frozen=True)
class Target:
    """A contest: its protocol, its start, its limits."""

    name: str
    protocol: str  # of `contest.wire`
    run: tuple[str, ...]  # for `commands.json`; a port is appended
    scripts: Mapping[str, str] = field(default_factory=dict)  # by name; made executable
    zip_bytes: int = 100 * MB
    unpacked_bytes: int = GB
    memory_bytes: int = GB
    connect_seconds: float = 10.0
    mean_seconds: float = 0.005  # of a decision: 30 s per 1000 hands, with room to spare

    @property
    def files(self) -> dict[str, str]:
        """Text of all files except the bot's source and data."""
        commands = json.dumps({"build": [], "run": list(self.run)}, indent=4)
        return {"commands.json": commands + "\n", "player.py": PLAYER, **self.scripts}


_SCRIPT = '#!/bin/sh\n# {about}\ncd "$(dirname "$0")" && exec python3 player.py "$@"\n'

TARGETS: dict[str, Target] = {
    target.name: target
    for target in (
        Target("mit-2023", "mit-2023", ("python3", "player.py")),
        Target("mit-2020", "mit-2020", ("python3", "player.py")),
        Target(
            "mit-2017",
            "mit-2017",
            ("./pokerbot.sh",),
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
            ("./start.sh", "localhost"),
            {"start.sh": _SCRIPT.format(about="start.sh HOST PORT")},
        ),
    )
}
