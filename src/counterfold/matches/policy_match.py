"""Matches of many hands between two policies, played in kernels.

A duplicate match plays every deal twice with the seats swapped, so that luck with the cards
cancels; its unit is the pair of hands. Where the stacks go in early, the result is replaced by its
expectation over the cards to come (`matches.all_in_kernels`). The same seed gives the same match
with any number of threads.
"""

from collections.abc import Callable
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from counterfold.bots import policy_kernels
from counterfold.errors import MatchError
from counterfold.games.holdem import Variant
from counterfold.intervals import mean_and_interval
from counterfold.matches import policy_match_kernels
from counterfold.matches.aivat.value_fit import aivat_rates, fit_values
from counterfold.matches.batch import BatchRunner
from counterfold.matches.entrants import Entrant
from counterfold.matches.hand_histories import HandHistory
from counterfold.matches.match_result import EntrantResult, MatchResult
from counterfold.threads import ThreadPool, stretches

_BATCH = 8192  # deals: threads that come back more often wait for Python's lock
_RECORDED = 2048  # where hands are recorded, which takes memory


def play_policies(
    variant: Variant,
    entrants: tuple[Entrant, Entrant],
    hands: int,
    *,
    seed: int = 0,
    duplicate: bool = True,
    adjust: bool = True,
    aivat: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    histories: Callable[[list[HandHistory]], None] | None = None,
) -> MatchResult:
    """Play `hands` hands between entrants with policies; in a duplicate match, half as many deals.

    Parameters
    ----------
    adjust
        Replace results by expectations where players are all-in and only the board is to come.
    aivat
        Compute what was won less luck, too; what situations are worth is fitted before the match.
    histories
        Called with the hands, batch by batch in order.
    """
    if hands < 2:
        raise MatchError(f"a match must have at least two hands, not {hands}")
    n_deals = hands // 2 if duplicate else hands
    started = perf_counter()
    fitted = fit_values(variant, entrants, seed, threads=threads) if aivat else None
    runner = BatchRunner(
        variant,
        entrants,
        seed,
        duplicate=duplicate,
        adjust=adjust,
        histories=histories is not None,
        values=None if fitted is None else fitted.values,
    )
    runner.play(0, 1)  # so that compiling and opening card tables do not count as thinking time
    size = _RECORDED if histories is not None or aivat else _BATCH
    batches = [(first, last - first) for first, last in stretches(0, n_deals, size)]
    chips: list[NDArray[np.float64]] = []  # of player 0 per hand, one number for each deal
    plain: list[NDArray[np.float64]] = []
    less_luck: list[NDArray[np.float64]] = []
    counts = np.zeros((2, policy_match_kernels.N_COUNTS), np.int64)
    n_done = n_adjusted = 0
    seconds = 0.0
    with ThreadPool(threads) as pool:
        for batch in pool.map(lambda batch: runner.play(*batch), batches):
            chips.append(batch.chips.mean(axis=0))
            plain.append(batch.plain.mean(axis=0))
            if batch.aivat is not None:
                less_luck.append(batch.aivat.mean(axis=0))
            counts += batch.counts
            n_adjusted += batch.n_adjusted
            seconds += batch.seconds
            if histories is not None:
                histories(batch.histories)
            if progress is not None:
                n_done += chips[-1].size
                progress(n_done, n_deals)
    mean, interval = mean_and_interval(np.concatenate(chips))
    plain_mean, plain_interval = mean_and_interval(np.concatenate(plain))
    return MatchResult(
        variant=variant.name,
        seed=seed,
        hands=n_deals * (2 if duplicate else 1),
        duplicate=duplicate,
        chips=mean,
        chips_interval=interval,
        plain_chips=plain_mean,
        plain_interval=plain_interval,
        adjusted=n_adjusted,
        big_blind=variant.big_blind,
        sides=(_result(entrants[0], counts[0]), _result(entrants[1], counts[1])),
        decision_seconds=seconds,
        seconds=perf_counter() - started,
        aivat=None
        if fitted is None
        else aivat_rates(np.concatenate(less_luck), runner.corrector, fitted, entrants),
    )


def _result(entrant: Entrant, counts: NDArray[np.int64]) -> EntrantResult:
    return EntrantResult(
        entrant.name,
        decisions=int(counts[policy_match_kernels.DECISIONS]),
        untrained=int(counts[policy_kernels.UNTRAINED]),
        off_tree=int(counts[policy_kernels.OFF_TREE]),
        forced=int(counts[policy_kernels.FORCED]),
    )
