"""How the cuts of a history bucketing are found: the deals of each street, counted by sequence.

The walk over all deals is exact. A cut goes where the number of weaker deals is nearest to its
share; equal levels stay together, so shares are equal up to ties.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.device.board_counts import BoardCounts
from counterfold.buckets.histories import history_kernels
from counterfold.buckets.histories.flop_walks import Sums, bucket_pairs, list_flops, sum_walks
from counterfold.buckets.histories.history_kernels import StreetTables
from counterfold.buckets.histories.history_streets import (
    N_LEVELS,
    make_street,
    street_tables,
    turn_levels,
)
from counterfold.buckets.label_numbers import percentiles
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards import strength_kernels
from counterfold.cards.ranking_kernels import rank_tables
from counterfold.cards.streets import N_FINAL
from counterfold.cards.table_files import Arrays, read_only
from counterfold.devices import counting_library
from counterfold.threads import ThreadPool, helpers, stretches, thread_count

if TYPE_CHECKING:
    from counterfold.buckets.histories.history import History

_CLASSES_AT_ONCE = 1 << 14
_FLOPS_AT_ONCE = 1  # for a thread: a flop takes long enough, and all end at about the same time


def fit(history: "History", source: StrengthLookup) -> Arrays:
    """All arrays, without the cache: each street's deals are counted by sequence so far."""
    fitted: Arrays = {}
    for street in ("preflop", "flop", "turn"):  # one after another, if they are not there yet
        source.order(history.metric, street)
    with helpers(1) as helper:  # which orders the turn while classes up to the flop are cut
        levels = helper.submit(turn_levels, source, history.metric)
        _fit_flop(history, source, fitted)
        list_flops(source.strength.deck)
        levels.result()
    _fit_turn(history, source, fitted)
    _fit_river(history, source, fitted)
    return fitted


def _fit_flop(history: "History", source: StrengthLookup, fitted: Arrays) -> None:
    """Buckets of the classes before the flop and on it."""
    fitted["preflop"] = _split(history, source, "preflop", np.arange(source.n_classes("preflop")))
    buckets_before = fitted["preflop"][_preflop_classes(source)]
    buckets = fitted["flop"] = np.zeros(buckets_before.size, np.uint16)

    def split(bucket: int) -> None:
        held = np.flatnonzero(buckets_before == bucket)
        buckets[held] = _split(history, source, "flop", held)

    with ThreadPool(source.threads) as pool:
        for _ in pool.map(split, range(history.n_buckets)):
            pass


def _preflop_classes(source: StrengthLookup) -> NDArray[np.int64]:
    """The class before the flop of every class of the flop."""
    flop, preflop = (source.strength.isomorphism(street) for street in ("flop", "preflop"))
    classes = np.empty(flop.size, np.int64)

    def work(first: int, last: int, thread: int) -> None:
        deals = flop.unindex_many(np.arange(first, last))
        classes[first:last] = preflop.index_many(deals[:, :2])

    with ThreadPool(source.threads) as pool:
        pool.split(work, stretches(0, flop.size, _CLASSES_AT_ONCE))
    return classes


def _split(
    history: "History", source: StrengthLookup, street: str, held: NDArray[np.int64]
) -> NDArray[np.uint16]:
    """Buckets of the classes `held` of a street, among themselves."""
    weights = source.strength.isomorphism(street).weights(held)
    sets = percentiles(source.order(history.metric, street)[held], weights, history.n)
    labels = sets * history.m
    if history.m > 1:
        values = source.order("ehs", street)[held]
        for k in range(history.n):
            within = np.flatnonzero(sets == k)
            labels[within] += percentiles(values[within], weights[within], history.m)
    return labels.astype(np.uint16)


def _fit_turn(history: "History", source: StrengthLookup, fitted: Arrays) -> None:
    """Cut the levels of the turn; for nested buckets a second walk cuts each set."""
    flops = list_flops(source.strength.deck)
    preflop = bucket_pairs(source.strength.deck, fitted["preflop"])
    flop = street_tables(history, source, fitted, "flop")
    turn = make_street(1, source.strength.isomorphism("turn").tables, np.zeros(0))

    def count(turn: StreetTables, levels: NDArray[np.uint16], n_rows: int) -> NDArray[np.uint32]:
        walk = LevelWalk(flops, preflop, flop, turn, levels, n_rows)
        return _sum("history-turn", walk, source)

    levels = read_only(turn_levels(source, history.metric))
    n_rows = history.n_sequences("flop")
    fitted["turn_cuts"] = cut_levels(count(turn, levels, n_rows), history.n)
    n_rows *= history.n
    if history.m == 1:
        fitted["turn_within_cuts"] = np.zeros((n_rows, 0), np.int32)
        return
    sets = turn._replace(levels=levels, cuts=read_only(fitted["turn_cuts"]))
    counts = count(sets, read_only(turn_levels(source, "ehs")), n_rows)
    fitted["turn_within_cuts"] = cut_levels(counts, history.m)


def _fit_river(history: "History", source: StrengthLookup, fitted: Arrays) -> None:
    """Cut the scores of the river, and within each set once more."""
    deck, threads = source.strength.deck, thread_count(source.threads)
    flop, turn = (street_tables(history, source, fitted, street) for street in ("flop", "turn"))
    n_rows, n_scores = history.n_sequences("turn"), 2 * source.strength.n_opponents + 1
    xp = None if source.workers is not None else counting_library(source.device)
    if xp is None:
        counts = _count_scores(source, fitted["preflop"], flop, turn, (n_rows, n_scores))
    else:
        boards = BoardCounts(xp, deck, fitted["preflop"], flop, turn, threads, source.progress)
        counts = boards.count_scores(n_rows, n_scores)
    fitted["river_counts"] = counts
    cuts = fitted["river_cuts"] = cut_levels(counts, history.n)
    scores = np.arange(n_scores)
    if history.m == 1:
        fitted["river_within_cuts"] = np.zeros((n_rows * history.n, 0), np.int32)
        return
    within_cuts = [
        cut_levels(row * (np.searchsorted(row_cuts, scores, side="right") == k), history.m)
        for row, row_cuts in zip(counts, cuts, strict=True)
        for k in range(history.n)
    ]
    fitted["river_within_cuts"] = np.stack(within_cuts)


def _count_scores(
    source: StrengthLookup,
    preflop_buckets: NDArray[Any],
    flop: StreetTables,
    turn: StreetTables,
    shape: tuple[int, int],
) -> NDArray[np.int64]:
    """Deals up to the river by sequence on the turn and score, counted on the processor."""
    flops = list_flops(source.strength.deck)
    preflop = bucket_pairs(source.strength.deck, preflop_buckets)
    return _sum("history-river", ScoreWalk(flops, preflop, flop, turn, shape), source)


def _sum(name: str, walk: Any, source: StrengthLookup) -> NDArray[Any]:
    """What a walk over all flops counts."""
    (counts,) = sum_walks(
        name,
        walk,
        len(walk.flops.boards),
        _FLOPS_AT_ONCE,
        threads=source.threads,
        progress=source.progress,
        workers=source.workers,
    )
    return counts


@dataclass(frozen=True)
class LevelWalk:
    """Counts deals up to the turn by sequence on the flop and level."""

    flops: history_kernels.Flops
    preflop: NDArray[np.int32]
    flop: StreetTables
    turn: StreetTables
    levels: NDArray[np.uint16]
    n_rows: int

    def make_buffer(self) -> tuple[history_kernels.FlopScratch, NDArray[np.uint32]]:
        """32 bits hold any count: a full deck has 1.2e9 deals up to the turn."""
        counts = np.zeros((self.n_rows, N_LEVELS), np.uint32)
        return history_kernels.make_flop_scratch(), counts

    def walk(
        self, first: int, last: int, buffer: tuple[history_kernels.FlopScratch, NDArray[np.uint32]]
    ) -> None:
        """Add the deals of the flops first:last."""
        history_kernels.count_turn_levels(
            first, last, self.flops, self.preflop, self.flop, self.turn, self.levels, *buffer
        )

    def sums(self, buffer: tuple[history_kernels.FlopScratch, NDArray[np.uint32]]) -> Sums:
        """What was added."""
        return (buffer[1],)


@dataclass(frozen=True)
class ScoreWalk:
    """Counts deals up to the river by sequence on the turn and score."""

    flops: history_kernels.Flops
    preflop: NDArray[np.int32]
    flop: StreetTables
    turn: StreetTables
    shape: tuple[int, int]

    def make_buffer(self) -> "_RiverBuffer":
        """What a thread works with, its counts zero."""
        no_clusters = np.zeros(0, np.uint8)
        return _RiverBuffer(
            history_kernels.make_flop_scratch(),
            strength_kernels.make_scratch(self.flops.deck.size, N_FINAL, 0, no_clusters),
            np.zeros(self.shape, np.int64),
        )

    def walk(self, first: int, last: int, buffer: "_RiverBuffer") -> None:
        """Add the deals of the flops first:last."""
        history_kernels.count_river_scores(
            first, last, self.flops, self.preflop, self.flop, self.turn, rank_tables(), *buffer
        )

    def sums(self, buffer: "_RiverBuffer") -> Sums:
        """What was added."""
        return (buffer.counts,)


class _RiverBuffer(NamedTuple):
    walk: history_kernels.FlopScratch
    scratch: strength_kernels.StrengthScratch
    counts: NDArray[np.int64]


def cut_levels(counts: NDArray[Any], n: int) -> NDArray[np.int32]:
    """The levels at which parts 1 to n-1 of equal counts start, for each row ``[…, levels]``.

    A level goes where its middle falls, as in `percentiles`. Beyond the last level nothing starts.
    """
    rows = counts.reshape(-1, counts.shape[-1])
    cuts = np.empty((len(rows), n - 1), np.int32)
    for row, out in zip(rows, cuts, strict=True):
        count = row.astype(np.int64)
        upto = np.cumsum(count)
        out[...] = np.searchsorted(n * (2 * upto - count), 2 * upto[-1] * np.arange(1, n))
    return cuts.reshape(*counts.shape[:-1], n - 1)
