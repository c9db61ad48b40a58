"""What an export leaves: a folder, a zip, and what the bot was measured to need."""

import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from counterfold.contest.export.bot_figures import Figures
from counterfold.contest.export.targets import TARGETS, Target
from counterfold.frames import NamedFigures


@dataclass(frozen=True)
class Package(NamedFigures):
    """An exported bot; `str` of it is a table of its figures beside the limits of its contest."""

    target: str  # name of the contest
    folder: Path
    archive: Path
    zip_bytes: int
    unpacked_bytes: int
    figures: Figures

    def to_dict(self) -> dict[str, Any]:
        """All figures by name, as JSON has them."""
        return {**asdict(self), "folder": str(self.folder), "archive": str(self.archive)}

    def rows(self) -> list[tuple[str, str]]:
        """Names and values, in words."""
        target, figures = TARGETS[self.target], self.figures
        searched = figures.searched + figures.unsearched > 0
        mean = f"{figures.mean_ms:,.3g} ms"
        if not searched:  # else the clock is what counts
            mean = _share(figures.mean_ms, 1000 * target.mean_seconds, "ms")
        return [
            ("contest", self.target),
            ("archive", str(self.archive)),
            ("folder", str(self.folder)),
            ("zipped", _share(self.zip_bytes / 1e6, target.zip_bytes / 1e6, "MB")),
            ("unpacked", _share(self.unpacked_bytes / 1e6, target.unpacked_bytes / 1e6, "MB")),
            ("time to connect", _share(figures.load_seconds, target.connect_seconds, "s")),
            ("memory", _share(figures.peak_bytes / 1e6, target.memory_bytes / 1e6, "MB")),
            ("per decision",
             f"{mean}, {figures.max_ms:.3g} ms at most, {figures.decisions:,} decisions"),
            *([("searched", _describe_search(figures, target))] if searched else []),
            ("measured with", f"Python {sys.version.split()[0]} on this machine, "
             f"{figures.hands} hands against random actions"),
        ]  # fmt: skip

    def __str__(self) -> str:
        rows = self.rows()
        width = max(len(name) for name, _ in rows)
        return "\n".join(f"{name.ljust(width)}  {value}" for name, value in rows)


def _describe_search(figures: Figures, target: Target) -> str:
    """How much of the clock a searching bot is expected to use."""
    per_hand = figures.hand_seconds
    if target.hand_seconds is None:
        use = _share(1000 * per_hand, target.game_seconds, "s") + " in 1000 hands"
    else:
        use = _share(per_hand, target.hand_seconds, "s") + " per hand"
    total = figures.searched + figures.unsearched
    return f"{figures.searched:,} of {total:,} decisions on the last street, {use}"


def _share(figure: float, limit: float, unit: str) -> str:
    return f"{figure:,.3g} {unit} of {limit:,.5g} {unit}"
