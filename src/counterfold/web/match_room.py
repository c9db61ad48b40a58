"""Matches between runs and baselines, played while one watches; one tournament at a time."""

import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from counterfold.bots.baselines import BASELINES
from counterfold.bots.trained_bot import TrainedBot
from counterfold.errors import BudgetError, MatchError
from counterfold.matches.entrants import EntrantLike, run_entrant
from counterfold.matches.match_result import MatchResult
from counterfold.matches.round_robin import TournamentResult, play_tournament
from counterfold.web.answers import Operation, Parameters
from counterfold.web.background import Background
from counterfold.web.match_archive import MatchArchive, PlayedMatches, PlayedPair, Rate
from counterfold.web.opened_runs import OpenedRuns

_MOST_HANDS = 2_000_000
_MOST_ENTRANTS = 12
_MOST_LISTED = 20  # earlier times


class MatchParameters(Parameters):
    """Who plays, each against each, and for how many hands."""

    entrants: list[Annotated[str, Field(max_length=200)]] = Field(
        min_length=2, max_length=_MOST_ENTRANTS
    )
    hands: int = Field(ge=100, le=_MOST_HANDS)
    seed: int = Field(0, ge=0, lt=2**62)
    aivat: bool = False


class _StoppedError(Exception):
    """Somebody has stopped the matches."""


@dataclass(eq=False)
class _Tournament(Background):
    names: list[str]
    seed: int
    begun: int
    step: str = "preparing"
    played: PlayedMatches | None = None

    def note(self, title: str, done: int, total: int) -> None:
        """Note how far a match has come, or leave it."""
        if self.stop.is_set():
            raise _StoppedError
        self.step = f"{title}: {100 * done // max(total, 1)}%"

    def describe(self, result: TournamentResult) -> PlayedMatches:
        """The matches once they are over."""
        pairs = zip(combinations(self.names, 2), result.matches, strict=True)
        rows = tuple(_describe(*pair, match) for pair, match in pairs)
        return PlayedMatches(begun=self.begun, variant=result.variant, seed=self.seed, rows=rows)


class MatchRoom:
    """Answers requests to let bots play; what was played is kept under `folder`."""

    def __init__(self, runs: OpenedRuns, folder: Path) -> None:
        self.runs = runs
        self.archive = MatchArchive(folder)
        self._tournament: _Tournament | None = None
        self._lock = threading.Lock()

    @property
    def operations(self) -> list[Operation[Any]]:
        """What can be asked."""
        return [
            Operation("GET", "entrants", Parameters, self.list),
            Operation("POST", "match", MatchParameters, self.play),
            Operation("POST", "leave", Parameters, self.leave),
            Operation("GET", "match", Parameters, self.look),
            Operation("GET", "matches", Parameters, self.list_played),
        ]

    def list(self, given: Parameters) -> dict[str, Any]:
        """Who can play: the bots that are served, and the baselines."""
        found = [run for run in self.runs.list() if run.kind == "train"]
        runs = [{"name": run.name, "game": str(run.identity.get("variant", ""))} for run in found]
        return {"runs": runs, "baselines": list(BASELINES)}

    def play(self, given: MatchParameters) -> dict[str, Any]:
        """Begin to play all pairs."""
        entrants = [self._enter(name) for name in given.entrants]
        with self._lock:
            if self._tournament is not None and not self._tournament.done:
                raise BudgetError("other matches are being played; stop them first, or wait")
            # Matches are told apart by the second in which they began.
            before = 0 if self._tournament is None else self._tournament.begun
            begun = max(int(time.time()), before + 1)
            tournament = self._tournament = _Tournament(given.entrants, given.seed, begun)

        def work() -> None:
            with suppress(_StoppedError):
                result = play_tournament(
                    entrants,
                    hands=given.hands,
                    seed=given.seed,
                    aivat=given.aivat,
                    progress=tournament.note,
                )
                tournament.played = tournament.describe(result)
                self.archive.keep(tournament.played)

        tournament.begin(work)
        return self.look(given)

    def _enter(self, name: str) -> EntrantLike:
        if name in BASELINES:
            return name
        content = self.runs.open(name).content
        if not isinstance(content, TrainedBot):
            raise MatchError(f"{name!r} is not a trained bot, so it cannot play")
        return run_entrant(content.run, name)

    def leave(self, given: Parameters) -> dict[str, Any]:
        """Stop; matches that are not over are lost."""
        if self._tournament is not None:
            self._tournament.stop.set()
        return self.look(given)

    def look(self, given: Parameters) -> dict[str, Any]:
        """How far the last matches have come, and who won; null before the first."""
        tournament = self._tournament
        if tournament is None:
            return {"match": None}
        played = tournament.played
        told = {"variant": "", "rows": []} if played is None else played.model_dump()
        state = {
            "step": tournament.step,
            "done": tournament.done,
            "stopped": tournament.stop.is_set(),
            "error": tournament.error,
        }
        return {"match": told | state}

    def list_played(self, given: Parameters) -> dict[str, Any]:
        """What was played earlier, the latest first."""
        return {"matches": [each.model_dump() for each in self.archive.latest(_MOST_LISTED)]}


def _describe(first: str, second: str, match: MatchResult) -> PlayedPair:
    aivat = match.aivat
    return PlayedPair(
        first=first,
        second=second,
        hands=match.hands,
        mb=match.mb,
        interval=match.mb_interval,
        aivat=None if aivat is None else Rate(mb=aivat.mb, interval=aivat.mb_interval),
    )
