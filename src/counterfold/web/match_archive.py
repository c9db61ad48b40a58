"""Matches that were played on the page, a file for each time: they outlive the server."""

import re
import secrets
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from counterfold.artifacts import replacing
from counterfold.errors import ArtifactError

_NAME = re.compile(r"(\d{10})-[0-9a-f]{8}\.json")  # the time first, so names sort by it
_MOST_BYTES = 1_000_000


class _Kept(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Rate(_Kept):
    """Chips that somebody won, in mb/hand; no interval if there were too few hands for one."""

    mb: float
    interval: float | None


class PlayedPair(Rate):
    """What the first has won from the second."""

    first: str
    second: str
    hands: int
    aivat: Rate | None


class PlayedMatches(_Kept):
    """Matches of each against each."""

    format: Literal[1] = 1
    begun: int  # seconds since 1970
    variant: str
    seed: int
    rows: tuple[PlayedPair, ...]


class MatchArchive:
    """Keeps matches in a folder, and reads them back."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep(self, played: PlayedMatches) -> None:
        """Write matches down; raises `ArtifactError` if that is not possible."""
        path = self.folder / f"{played.begun:010d}-{secrets.token_hex(4)}.json"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with replacing(path) as file:
                file.write(played.model_dump_json().encode())
        except OSError as error:
            raise ArtifactError(
                f"the matches are over, but cannot be kept in {str(self.folder)!r}: "
                f"{error.strerror or error}"
            ) from error

    def latest(self, n: int) -> list[PlayedMatches]:
        """The last `n` times, the latest first; damaged files are left out."""
        if not self.folder.is_dir():
            return []
        paths = [path for path in self.folder.iterdir() if _NAME.fullmatch(path.name)]
        found = (_read(path) for path in sorted(paths, reverse=True)[:n])
        return [played for played in found if played is not None]


def _read(path: Path) -> PlayedMatches | None:
    try:
        with path.open("rb") as file:
            return PlayedMatches.model_validate_json(file.read(_MOST_BYTES))
    except (OSError, ValidationError):
        return None
