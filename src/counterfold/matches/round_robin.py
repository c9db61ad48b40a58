"""Round robins: a match for each pair of entrants."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from counterfold.cluster.workers import Workers
from counterfold.errors import MatchError
from counterfold.frames import make_frame
from counterfold.games import Game
from counterfold.matches.entrants import EntrantLike, enter
from counterfold.matches.match_job import MatchJob, send_entrants
from counterfold.matches.match_play import play_match
from counterfold.matches.match_result import MatchResult


@dataclass(frozen=True)
class TournamentResult:
    """The matches of all pairs; `str()` is a table of what rows win from columns."""

    variant: str  # its name
    seed: int
    names: tuple[str, ...]
    matches: tuple[MatchResult, ...]  # 0-1, 0-2, …, 1-2, …

    def rate(self, row: int, column: int) -> str:
        """What `row` wins from `column` in mb/hand, with its interval; by AIVAT if it is known."""
        pairs = combinations(range(len(self.names)), 2)
        found = dict(zip(pairs, self.matches, strict=True))
        sign = 1 if row < column else -1
        match = found[min(row, column), max(row, column)]
        return (match.aivat or match).rate(sign)

    def to_dict(self) -> dict[str, Any]:
        """All figures by name, as JSON has them."""
        matches = [
            {
                "first": result.sides[0].name,
                "second": result.sides[1].name,
                "mb_per_hand": result.mb,
                "mb_interval": result.mb_interval,
                "hands": result.hands,
                "aivat": result.to_dict()["aivat"],
                "forfeits": [side.forfeits for side in result.sides],
            }
            for result in self.matches
        ]
        return {"variant": self.variant, "seed": self.seed, "matches": matches}

    def to_frame(self) -> Any:
        """A row per match; needs pandas or polars."""
        return make_frame([match.as_row() for match in self.matches])

    def __repr__(self) -> str:
        return str(self)  # as a table, also in a notebook

    def __str__(self) -> str:
        numbers = range(len(self.names))
        less_luck = ", AIVAT" if any(match.aivat for match in self.matches) else ""
        rows = [[f"mb/hand ± 95%{less_luck}", *self.names]]
        for i, name in enumerate(self.names):
            rows.append([name, *("" if i == j else self.rate(i, j) for j in numbers)])
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = []
        for title, *cells in rows:
            padded = [cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True)]
            lines.append("  ".join([title.ljust(widths[0]), *padded]).rstrip())
        return "\n".join(lines)


def play_tournament(
    entrants: Sequence[EntrantLike],
    *,
    hands: int | None = None,
    variant: Game | str | None = None,
    seed: int = 0,
    duplicate: bool = True,
    adjust: bool = True,
    aivat: bool = False,
    threads: int | None = None,
    protocol: str | None = None,
    clock_seconds: float | None = None,
    action_seconds: float = 10.0,
    workers: Workers | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> TournamentResult:
    """Play a match for each pair of entrants.

    The options are those of `play_match`, but `progress` is called with the two names, how many
    deals are done, and of how many. With `workers` each match is one piece of work.
    """
    game, entered = enter(entrants, variant)
    if len(entered) < 2 or len({*map(id, entered)}) != len(entered):
        raise MatchError("a tournament needs at least two players, each named once")
    options: dict[str, Any] = {
        "hands": hands,
        "seed": seed,
        "duplicate": duplicate,
        "adjust": adjust,
        "aivat": aivat,
        "protocol": protocol,
        "clock_seconds": clock_seconds,
        "action_seconds": action_seconds,
    }
    pairs = list(combinations(range(len(entered)), 2))
    titles = [f"{entered[i].name} – {entered[j].name}" for i, j in pairs]

    def play(at: int) -> MatchResult:
        first, second = (entered[k] for k in pairs[at])
        shown = None if progress is None else _titled(progress, titles[at])
        return play_match(first, second, variant=game, threads=threads, progress=shown, **options)

    if workers is None:
        matches = [play(at) for at in range(len(pairs))]
    else:
        crew = workers.begin(MatchJob(game, send_entrants(entered), options))
        matches = []
        for title, result in zip(titles, crew.do(pairs), strict=True):
            matches.append(result)
            if progress is not None:
                progress(title, result.hands, result.hands)
    return TournamentResult(game.name, seed, tuple(each.name for each in entered), tuple(matches))


def _titled(progress: Callable[[str, int, int], None], title: str) -> Callable[[int, int], None]:
    return lambda done, total: progress(title, done, total)
