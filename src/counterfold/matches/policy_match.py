"""Matches of many hands between two players, with intervals.

A duplicate match plays every deal twice with the seats swapped, so that luck with the cards
cancels; its unit is the pair of hands. Where the stacks go in early, the result is replaced by its
expectation over the cards to come (`matches.all_in_kernels`). The same seed gives the same match,
whatever the number of threads.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from counterfold.errors import MatchError
from counterfold.games.holdem import Variant
from counterfold.matches import policy_match_kernels
from counterfold.matches.batch import Table
from counterfold.matches.hand_histories import HandHistory
from counterfold.matches.kernel_players import Player
from counterfold.matches.statistics import mean_and_interval
from counterfold.threads import ThreadPool

_BATCH = 2048


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
    plain_chips: float  # as the cards fell, without adjustment
    plain_interval: float
    adjusted: int  # hands whose result is an expectation
    big_blind: int
    sides: tuple[Side, Side]
    decision_seconds: float = field(compare=False)  # of a processor, in all

    @property
    def mb(self) -> float:
        """Thousandths of a big blind per hand."""
        return 1000.0 * self.chips / self.big_blind

    @property
    def mb_interval(self) -> float:
        """Half of the 95 % interval of `mb`."""
        return 1000.0 * self.chips_interval / self.big_blind

    @property
    def decision_microseconds(self) -> float:
        """Processor time of a decision, over both players; looking at the cards is included."""
        return 1e6 * self.decision_seconds / max(1, sum(side.decisions for side in self.sides))


def play_match(
    variant: Variant,
    players: tuple[Player, Player],
    hands: int,
    *,
    seed: int = 0,
    duplicate: bool = True,
    adjust: bool = True,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    histories: Callable[[list[HandHistory]], None] | None = None,
) -> MatchResult:
    """Play `hands` hands; a duplicate match plays half as many deals, each in both seats.

    Parameters
    ----------
    adjust
        Replace results by expectations where the stacks are in and only the board is to come.
    histories
        Is given the hands, batch by batch in their order.
    """
    if hands < 2:
        raise MatchError(f"a match has at least two hands, not {hands}")
    n_deals = hands // 2 if duplicate else hands
    table = Table(
        variant,
        players,
        seed,
        duplicate=duplicate,
        adjust=adjust,
        histories=histories is not None,
    )
    table.play(0, 1)  # so that compiling and opening card tables is no time of a decision
    batches = [(first, min(_BATCH, n_deals - first)) for first in range(0, n_deals, _BATCH)]
    chips: list[NDArray[np.float64]] = []  # of player 0 per hand, one number for each deal
    plain: list[NDArray[np.float64]] = []
    counts = np.zeros((2, policy_match_kernels.N_COUNTS), np.int64)
    n_done = n_adjusted = 0
    seconds = 0.0
    with ThreadPool(threads) as pool:
        for batch in pool.map(lambda batch: table.play(*batch), batches):
            chips.append(batch.chips.mean(axis=0))
            plain.append(batch.plain.mean(axis=0))
            counts += batch.counts
            n_adjusted += batch.n_adjusted
            seconds += batch.seconds
            if histories is not None:
                histories(batch.histories)
            if progress is not None:
                n_done += chips[-1].size
                progress(n_done, n_deals)
    sides = []
    for player, row in zip(players, counts.tolist(), strict=True):
        decisions, untrained, off_tree, forced = row
        sides.append(Side(player.name, decisions, untrained, off_tree, forced))
    return MatchResult(
        n_deals * (2 if duplicate else 1),
        duplicate,
        *mean_and_interval(np.concatenate(chips)),
        *mean_and_interval(np.concatenate(plain)),
        n_adjusted,
        variant.big_blind,
        (sides[0], sides[1]),
        seconds,
    )
