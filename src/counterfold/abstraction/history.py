"""History bucketing: percentile buckets whose cuts depend on the buckets so far (CPRG).

One set of cuts per preceding sequence, each with equal numbers of deals, and perfect recall: what a
player knows of the cards is its whole bucket sequence. Before the flop and on the flop a class of
the suit isomorphism fixes the sequence, so buckets are arrays over classes. On the turn and the
river a class forgets which card came when; there the cuts lie on a *level* of the class: its
percentile by the metric in 65,536 steps on the turn, its integer score on the river, where E[HS]
and E[HS²] order hands alike.

The cuts are exact: the fit walks over all deals. A cut goes where the number of weaker deals is
nearest to its share; equal levels stay together, so shares are equal up to ties.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from counterfold.abstraction.bucketing import percentiles
from counterfold.abstraction.flop_walks import add_up, bucket_pairs, list_flops, share_out
from counterfold.abstraction.source import Source
from counterfold.cards.deck import Deck
from counterfold.cards.isomorphism import Isomorphism
from counterfold.cards.strength import BOARD_SIZES, N_FINAL
from counterfold.cards.table_files import (
    Arrays,
    Column,
    TableSpec,
    build_table,
    find_table,
)
from counterfold.cards.text import N_CARDS
from counterfold.errors import AbstractionError, CardError, UnknownNameError
from counterfold.kernels import history as kernels
from counterfold.kernels import strength as strength_kernels
from counterfold.kernels.history import StreetTables
from counterfold.kernels.isomorphism import NO_FAULT, IndexTables, find_fault
from counterfold.kernels.ranking import rank_tables
from counterfold.memory import check_memory
from counterfold.threads import thread_count

STREETS = tuple(BOARD_SIZES)
METRICS = ("ehs", "ehs2")
N_LEVELS = 1 << 16  # of the turn

_FLOPS_AT_ONCE = 8  # that a thread takes, between two reports of progress


@dataclass(frozen=True)
class History:
    """`n` sets by `metric`, each into `m` buckets by E[HS], on every street and in every sequence.

    With `m` above 1 the sets are by E[HS²]: nested bucketing.
    """

    n: int
    metric: str = "ehs2"
    m: int = 1

    def __post_init__(self) -> None:
        for count in (self.n, self.m):
            if not isinstance(count, int) or isinstance(count, bool) or count < 1:
                raise AbstractionError(
                    f"history needs whole numbers of buckets from 1, not {count!r}"
                )
        if self.metric not in METRICS:
            raise AbstractionError(str(UnknownNameError("metric", str(self.metric), METRICS)))
        if self.m > 1 and self.metric != "ehs2":
            raise AbstractionError(
                f"nested history takes its sets by ehs2 and cuts them by ehs, not by {self.metric}"
            )

    @property
    def name(self) -> str:
        """Text like a call, such as ``history(5, metric=ehs2)`` or ``history(5, m=2)``."""
        last = f"m={self.m}" if self.m > 1 else f"metric={self.metric}"
        return f"history({self.n}, {last})"

    @property
    def n_buckets(self) -> int:
        """Buckets of every street."""
        return self.n * self.m

    def n_sequences(self, street: str) -> int:
        """Bucket sequences from the first street to this one."""
        return int(self.n_buckets ** (STREETS.index(street) + 1))

    def spec(self, deck: Deck) -> TableSpec:
        """Name, dependencies and arrays of the fit on disk."""
        columns = {
            street: Column("<u2", (street_classes(street, deck).size,))
            for street in ("preflop", "flop")
        }
        for street, before in (("turn", "flop"), ("river", "turn")):
            n_rows = self.n_sequences(before)
            columns[f"{street}_cuts"] = Column("<i4", (n_rows, self.n - 1))
            columns[f"{street}_within_cuts"] = Column("<i4", (n_rows * self.n, self.m - 1))
        columns = {name: column for name, column in columns.items() if column.nbytes}
        return TableSpec("history", {"deck": deck.name, "history": self.name}, columns)

    def build(self, source: Source) -> "FittedHistory":
        """The buckets, from the cache or fitted now: half a minute for a full deck."""
        deck, folder = source.strength.deck, source.strength.folder
        n_classes = source.n_classes("preflop")
        if self.n_buckets > n_classes:
            raise AbstractionError(
                f"{self.name} makes {self.n_buckets} buckets of the {n_classes} classes before "
                f"the flop of the deck {deck.name}; ask for fewer"
            )
        spec = self.spec(deck)
        found = find_table(spec, folder)
        if found is not None:
            return FittedHistory(self, source, found)
        turn = self.n_sequences("flop") * (1 if self.m == 1 else self.n) * N_LEVELS * 4
        river = self.n_sequences("turn") * (2 * source.strength.n_opponents + 1) * 8
        threads = thread_count(source.threads)
        check_memory(f"counts for {self.name} on {threads} threads", threads * max(turn, river))

        def work(first: int, last: int, arrays: Arrays) -> None:
            for name, fitted in fit(self, source).items():
                if name in arrays:  # empty ones are not kept
                    arrays[name][...] = fitted

        return FittedHistory(self, source, build_table(spec, folder, 1, work, threads=1))


HISTORY_PRESETS = {
    "cprg-5": History(5),
    "cprg-6": History(6),
    "cprg-8": History(8),
    "cprg-10": History(10),
    "cprg-10-nested": History(5, m=2),
    "cprg-12-nested": History(6, m=2),
}


@dataclass(frozen=True, eq=False)
class FittedHistory:
    """A history bucketing with its buckets and cuts."""

    history: History
    source: Source
    arrays: Arrays  # as in `History.spec`

    @property
    def deck(self) -> Deck:
        """The deck that it was fitted to."""
        return self.source.strength.deck

    @property
    def fingerprint(self) -> str:
        """Hash of everything that the buckets depend on."""
        return self.history.spec(self.deck).fingerprint

    @cached_property
    def streets(self) -> tuple[StreetTables, ...]:
        """For kernels, street by street. On the river the levels are scores, of no class."""
        return tuple(_street_tables(self.history, self.source, self.arrays, s) for s in STREETS)

    @cached_property
    def streets_by_class(self) -> tuple[StreetTables, ...]:
        """The same with the scores of all classes of the river, whose table is built if need be."""
        source = self.source
        table = source.strength.street("river", threads=source.threads, progress=source.progress)
        return (*self.streets[:3], self.streets[3]._replace(levels=read_only(table.sums)))

    def sequence(
        self,
        hole: Sequence[int],
        flop: Sequence[int] = (),
        turn: int | None = None,
        river: int | None = None,
    ) -> tuple[int, ...]:
        """The bucket of each street so far."""
        cards = [*hole, *flop]
        for name, card, n_before in (("turn", turn, 5), ("river", river, 6)):
            if card is not None:
                if len(cards) != n_before:
                    raise AbstractionError(
                        f"a {name} comes after {n_before} cards of hand and board, "
                        f"not after {len(cards)}"
                    )
                cards.append(card)
        return tuple(self.sequences([cards])[0].tolist())

    def sequences(self, cards: ArrayLike) -> NDArray[np.int64]:
        """The bucket on each street of deals ``[n, 2, 5, 6 or 7]``: hole cards, flop, turn, river.

        A deal that ends before the river has fewer buckets.
        """
        deals = np.asarray(cards)
        sizes = [2 + size for size in BOARD_SIZES.values()]
        if deals.ndim != 2 or deals.shape[1] not in sizes or deals.dtype.kind not in "iu":
            raise AbstractionError(
                "deals are integers of shape (n, 2), (n, 5), (n, 6) or (n, 7), "
                f"not {deals.dtype} of shape {deals.shape}"
            )
        wrong = ((deals < 0) | (deals >= N_CARDS)).any(axis=1)
        if wrong.any():
            self._refuse(deals, int(wrong.argmax()))
        deals = np.require(deals, np.uint8, ["C", "W"])
        fault = find_fault(deals, self.streets[0].classes)
        if fault != NO_FAULT:
            self._refuse(deals, fault)
        n_streets = sizes.index(deals.shape[1]) + 1
        streets = self.streets_by_class if n_streets == len(STREETS) else self.streets
        numbers = np.zeros(len(deals), np.int32)
        buckets = np.empty((n_streets, len(deals)), np.int64)
        for street, out in zip(streets, buckets, strict=False):
            kernels.bucket_deals(deals, street, numbers, out)
        return buckets.T

    def _refuse(self, deals: NDArray[np.integer], row: int) -> None:
        try:
            self.deck.check(deals[row])
        except CardError as error:
            raise AbstractionError(
                f"deal {row} does not fit {self.history.name}: {error}"
            ) from error


def _street_tables(history: History, source: Source, arrays: Arrays, street: str) -> StreetTables:
    """The kernel form of a street, as far as it has been fitted."""
    classes = source.strength.isomorphism(street).tables
    none = np.zeros(0, np.uint16)
    if street in ("preflop", "flop"):
        return make_street(history.n_buckets, classes, arrays[street])
    levels = within = none
    if street == "turn":
        levels = turn_levels(source, history.metric)
        within = turn_levels(source, "ehs") if history.m > 1 else none
    n_rows = history.n_sequences(STREETS[STREETS.index(street) - 1])
    cuts = arrays.get(f"{street}_cuts", np.zeros((n_rows, 0), np.int32))
    within_cuts = arrays.get(f"{street}_within_cuts", np.zeros((n_rows * history.n, 0), np.int32))
    return make_street(history.n_buckets, classes, levels, cuts, within, within_cuts)


def make_street(
    n_buckets: int,
    classes: IndexTables,
    levels: NDArray[Any],
    cuts: NDArray[Any] | None = None,
    within: NDArray[Any] | None = None,
    within_cuts: NDArray[Any] | None = None,
) -> StreetTables:
    """Tables of one type whatever they hold, so that kernels are compiled once."""
    no_cuts, no_levels = np.zeros((0, 0), np.int32), np.zeros(0, np.uint16)
    return StreetTables(
        n_buckets,
        classes,
        read_only(levels.astype(np.uint16, copy=False)),
        read_only(no_cuts if cuts is None else cuts),
        read_only(no_levels if within is None else within),
        read_only(no_cuts if within_cuts is None else within_cuts),
    )


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """A view that cannot be written to, of a plain array: the type of all tables for kernels."""
    view = np.asarray(array)[...]
    view.flags.writeable = False
    return view


def turn_levels(source: Source, metric: str) -> NDArray[np.uint16]:
    """The level of every class of the turn: where it stands by `metric`, in 65,536 steps."""
    columns = {"levels": Column("<u2", (source.n_classes("turn"),))}
    depends = {"deck": source.strength.deck.name, "metric": metric, "steps": N_LEVELS}
    spec = TableSpec("levels-turn", depends, columns)

    def work(first: int, last: int, arrays: Arrays) -> None:
        values = source.order(metric, "turn")
        arrays["levels"][...] = percentiles(values, source.weights("turn"), N_LEVELS)

    folder = source.strength.folder
    arrays = find_table(spec, folder) or build_table(spec, folder, 1, work, threads=1)
    return arrays["levels"]


def fit(history: History, source: Source) -> Arrays:
    """All arrays, whatever the cache has: each street's deals are counted by sequence so far."""
    fitted: Arrays = {}
    fitted["preflop"] = _split(history, source, "preflop", np.arange(source.n_classes("preflop")))
    preflop_of = _preflop_classes(source)
    fitted["flop"] = np.zeros(preflop_of.size, np.uint16)
    for bucket in range(history.n_buckets):
        held = np.flatnonzero(fitted["preflop"][preflop_of] == bucket)
        fitted["flop"][held] = _split(history, source, "flop", held)
    _fit_turn(history, source, fitted)
    _fit_river(history, source, fitted)
    return fitted


def _preflop_classes(source: Source) -> NDArray[np.int64]:
    """The class before the flop of every class of the flop."""
    flop = source.strength.isomorphism("flop")
    deals = flop.unindex_many(np.arange(flop.size))
    return source.strength.isomorphism("preflop").index_many(deals[:, :2])


def _split(
    history: History, source: Source, street: str, held: NDArray[np.int64]
) -> NDArray[np.uint16]:
    """Buckets of the classes `held` of a street, among themselves."""
    weights = source.weights(street)[held]
    sets = percentiles(source.order(history.metric, street)[held], weights, history.n)
    labels = sets * history.m
    if history.m > 1:
        values = source.order("ehs", street)[held]
        for k in range(history.n):
            within = np.flatnonzero(sets == k)
            labels[within] += percentiles(values[within], weights[within], history.m)
    return labels.astype(np.uint16)


def _fit_turn(history: History, source: Source, fitted: Arrays) -> None:
    """Cut the levels of the turn; for nested buckets a second walk cuts each set."""
    flops = list_flops(source.strength.deck)
    preflop = bucket_pairs(source.strength.deck, fitted["preflop"])
    flop = _street_tables(history, source, fitted, "flop")
    turn = make_street(1, source.strength.isomorphism("turn").tables, np.zeros(0))

    def count(turn: StreetTables, levels: NDArray[np.uint16], n_rows: int) -> NDArray[np.uint32]:
        # 32 bits hold any count: a full deck has 1.2e9 deals up to the turn.
        threads = thread_count(source.threads)
        buffers = [
            (kernels.make_walk(), np.zeros((n_rows, N_LEVELS), np.uint32)) for _ in range(threads)
        ]

        def work(first: int, last: int, buffer: tuple[kernels.Walk, NDArray[np.uint32]]) -> None:
            kernels.count_turn_levels(first, last, flops, preflop, flop, turn, levels, *buffer)

        share_out("history-turn", work, len(flops.boards), _FLOPS_AT_ONCE, buffers, source.progress)
        return add_up([counts for _, counts in buffers])

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


def _fit_river(history: History, source: Source, fitted: Arrays) -> None:
    """Cut the scores of the river, and within each set once more."""
    flops = list_flops(source.strength.deck)
    preflop = bucket_pairs(source.strength.deck, fitted["preflop"])
    flop, turn = (_street_tables(history, source, fitted, street) for street in ("flop", "turn"))
    n_rows, n_scores = history.n_sequences("turn"), 2 * source.strength.n_opponents + 1
    no_clusters = np.zeros(0, np.uint8)
    buffers = [
        _RiverBuffer(
            kernels.make_walk(),
            strength_kernels.make_scratch(flops.deck.size, N_FINAL, 0, no_clusters),
            np.zeros((n_rows, n_scores), np.int64),
        )
        for _ in range(thread_count(source.threads))
    ]

    def work(first: int, last: int, buffer: _RiverBuffer) -> None:
        kernels.count_river_scores(first, last, flops, preflop, flop, turn, rank_tables(), *buffer)

    share_out("history-river", work, len(flops.boards), _FLOPS_AT_ONCE, buffers, source.progress)
    counts = add_up([buffer.counts for buffer in buffers])
    cuts = fitted["river_cuts"] = cut_levels(counts, history.n)
    scores = np.arange(n_scores)
    within_cuts = [
        cut_levels(row * (np.searchsorted(row_cuts, scores, side="right") == k), history.m)
        for row, row_cuts in zip(counts, cuts, strict=True)
        for k in range(history.n)
    ]
    fitted["river_within_cuts"] = np.stack(within_cuts)


class _RiverBuffer(NamedTuple):
    walk: kernels.Walk
    scratch: strength_kernels.Scratch
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


def street_classes(street: str, deck: Deck) -> Isomorphism:
    """What a player sees of hole cards and board, up to a renaming of suits."""
    size = BOARD_SIZES[street]
    return Isomorphism((2, size) if size else (2,), deck)
