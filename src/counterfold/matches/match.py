"""Matches of many hands between two players, with intervals.

A duplicate match plays every deal twice with the seats swapped, so that luck with the cards
cancels; its unit is the pair of hands. The same seed gives the same match, whatever the number of
threads.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from counterfold.compiled.deals import Dealer
from counterfold.errors import MatchError
from counterfold.games.holdem import Variant
from counterfold.kernels import betting
from counterfold.kernels import deals as layouts
from counterfold.kernels import match as kernels
from counterfold.matches.players import Player
from counterfold.threads import thread_count

_BATCH = 2048
_INTERVAL = 1.96  # standard errors of a 95 % interval


@dataclass(frozen=True)
class Side:
    """How a player fared."""

    name: str
    decisions: int
    # The next three are None for programs, of which nobody can tell.
    untrained: int | None  # at situations of its game that training never reached
    off_tree: int | None  # beyond its game
    forced: int | None  # calls because its abstract street was over
    # In hosted matches:
    mean_seconds: float | None = None  # of a decision
    slowest_seconds: float | None = None
    faults: int = 0  # answers that were not as they should be
    forfeits: tuple[str, ...] = ()  # why it was not asked any more, for each time it happened


@dataclass(frozen=True)
class MatchResult:
    """What player 0 won; rates are per hand."""

    hands: int
    duplicate: bool
    chips: float  # per hand
    chips_interval: float  # half of the 95 % interval
    big_blind: int
    sides: tuple[Side, Side]

    @property
    def mb(self) -> float:
        """Thousandths of a big blind per hand."""
        return 1000.0 * self.chips / self.big_blind

    @property
    def mb_interval(self) -> float:
        """Half of the 95 % interval of `mb`."""
        return 1000.0 * self.chips_interval / self.big_blind


def play_match(
    variant: Variant,
    players: tuple[Player, Player],
    hands: int,
    *,
    seed: int = 0,
    duplicate: bool = True,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> MatchResult:
    """Play `hands` hands; a duplicate match plays half as many deals, each in both seats."""
    if hands < 2:
        raise MatchError(f"a match has at least two hands, not {hands}")
    n_deals = hands // 2 if duplicate else hands
    table = _Table(variant, players, seed, duplicate)
    batches = [(first, min(_BATCH, n_deals - first)) for first in range(0, n_deals, _BATCH)]
    wins: list[NDArray[np.float64]] = []
    counts = np.zeros((2, kernels.N_COUNTS), np.int64)
    with ThreadPoolExecutor(thread_count(threads)) as pool:
        for chips, seen in pool.map(lambda batch: table.play(*batch), batches):
            wins.append(chips)
            counts += seen
            if progress is not None:
                progress(sum(map(len, wins)), n_deals)
    won = np.concatenate(wins)
    sides = []
    for player, row in zip(players, counts.tolist(), strict=True):
        decisions, untrained, off_tree, forced = row
        sides.append(Side(player.name, decisions, untrained, off_tree, forced))
    return MatchResult(
        n_deals * (2 if duplicate else 1),
        duplicate,
        float(won.mean()),
        half_interval(won),
        int(max(variant.blinds)) or variant.ante,
        (sides[0], sides[1]),
    )


def half_interval(won: NDArray[np.float64]) -> float:
    """Half of the 95 % interval of a mean."""
    if won.size < 2:
        return float("inf")
    return _INTERVAL * float(won.std(ddof=1)) / sqrt(won.size)


class _Table:
    """What all batches of a match share."""

    def __init__(
        self, variant: Variant, players: tuple[Player, Player], seed: int, duplicate: bool
    ) -> None:
        self.variant, self.players, self.seed, self.duplicate = variant, players, seed, duplicate
        self.dealer = Dealer(variant)
        stages = np.zeros((self.dealer.stages[-1].street + 1, 2), np.int64)
        for index, stage in enumerate(self.dealer.stages):
            stages[stage.street, int(stage.before_draw)] = index
        cells = np.ascontiguousarray(self.dealer.layout.stages[:, layouts.CELL])
        self.course = kernels.Course(stages, cells, variant.hole_cards + 1)
        self.first = betting.first_situation(variant.rules)

    def play(self, first: int, n: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Chips of player 0 per hand over deals `first` and on, and counts of decisions."""
        deals = self.dealer.sample(self.seed, first, n)
        one, two = self.players
        cards = (one.cards(deals), two.cards(deals))
        counts = np.zeros((2, kernels.N_COUNTS), np.int64)
        # Without duplicates the seats alternate from deal to deal, as in the contests.
        chips = np.zeros(n)
        for swapped in (False, True):
            winnings = np.empty(n)
            kernels.play_hands(
                self.variant.rules,
                self.course,
                self.first,
                deals.lengths,
                deals.strengths,
                (one.kind, two.kind),
                (one.agent, two.agent),
                cards,
                self.seed + 1,
                first,
                swapped,
                counts,
                winnings,
            )
            if self.duplicate:
                chips += winnings / 2
            else:
                mine = (np.arange(first, first + n) % 2 == 1) == swapped
                chips[mine] = winnings[mine]
        return chips, counts
