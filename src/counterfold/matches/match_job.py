"""Matches as work for a cluster: a piece is a pair of entrants, its result that of their match."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from counterfold.bots.baselines import BASELINES
from counterfold.errors import MatchError
from counterfold.games.holdem import Variant
from counterfold.matches.entrants import Entrant, baseline_entrant, run_entrant
from counterfold.matches.match_play import play_match
from counterfold.matches.match_result import MatchResult
from counterfold.training.run_parcel import RunParcel

SentEntrant = str | tuple[str, RunParcel]  # a baseline, or a run with the name it plays under
Pair = tuple[int, int]


@dataclass(frozen=True, eq=False)
class MatchJob:
    """Plays any two of its entrants."""

    variant: Variant
    entrants: tuple[SentEntrant, ...]
    options: Mapping[str, Any]  # of `play_match`

    def prepare(self) -> Callable[[Any, Pair], MatchResult]:
        """Open all runs."""
        entered = [self._enter(each) for each in self.entrants]

        def work(published: Any, pair: Pair) -> MatchResult:
            first, second = (entered[k] for k in pair)
            return play_match(first, second, variant=self.variant, threads=1, **self.options)

        return work

    def _enter(self, sent: SentEntrant) -> Entrant:
        if isinstance(sent, str):
            return baseline_entrant(sent, self.variant)
        name, parcel = sent
        return run_entrant(parcel.open(), name)


def send_entrants(entrants: Sequence[Entrant]) -> tuple[SentEntrant, ...]:
    """Entrants as they travel; raises `MatchError` for those who cannot."""
    return tuple(_send(each) for each in entrants)


def _send(entrant: Entrant) -> SentEntrant:
    if entrant.run is not None:
        return entrant.name, RunParcel.of(entrant.run)
    if entrant.policy is not None and entrant.name in BASELINES:
        return entrant.name
    raise MatchError(
        f"{entrant.name} cannot be sent to a cluster, unlike trained runs without search and "
        "baselines; leave out --cluster"
    )
