"""Exact strength of every hand on every street, by class of suit isomorphism.

HS is the probability of beating a uniformly random opponent hand at showdown plus half that of a
tie. The river table holds it as an integer score over ``2 * opponents``; earlier streets hold the
sum and the sum of squares of the final scores over all run-outs, a histogram of final HS, and, if
opponent clusters are given, OCHS: the equity against each of them. Tables are built at first use,
kept in the cache folder and memory-mapped. OCHS on the river is a table of its own, built only when
asked for: at one byte a number it takes 985 MB for eight clusters.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import comb
from pathlib import Path
from threading import local
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.cards import strength_kernels
from counterfold.cards.clusters import EIGHT_RANGES, OpponentClusters
from counterfold.cards.deck import FULL, Deck
from counterfold.cards.isomorphism import Isomorphism
from counterfold.cards.isomorphism_kernels import gather
from counterfold.cards.pairs import PAIR_CARDS
from counterfold.cards.ranking_kernels import STANDARD, rank_tables
from counterfold.cards.removal_kernels import count_left
from counterfold.cards.streets import (
    BOARD_SIZES,
    N_FINAL,
    board_rows,
    street_boards,
    street_classes,
)
from counterfold.cards.table_files import (
    Arrays,
    Column,
    Progress,
    TableSpec,
    build_table,
    cache_folder,
    estimate_seconds,
    find_table,
)
from counterfold.cards.text import N_CARDS
from counterfold.cluster.row_pieces import RowJob, RowWork
from counterfold.cluster.workers import Workers
from counterfold.errors import CardError, UnknownNameError

MOST_BINS = 255  # so that a byte can number them
_ROWS_AT_ONCE = 1 << 14  # of the flop, added up for the table before it
_NO_CLUSTER = -1
_FEWEST_CARDS = N_FINAL + 4  # a board and two hands


@dataclass(frozen=True)
class Strength:
    """The table of one street. Shapes: ``C`` classes, ``B`` bins, ``K`` clusters."""

    street: str
    isomorphism: Isomorphism
    n_run_outs: int  # complete boards that can follow, given a hand
    n_opponents: int  # opponent hands on a complete board
    sums: NDArray[Any]  # [C] of final scores over the run-outs
    squares: NDArray[Any] | None  # [C] of their squares; None on the river
    histograms: NDArray[Any] | None  # [C, B] run-outs by final HS
    ochs: NDArray[Any] | None  # [C, K] equity; on the river in 255ths

    def mean(self, classes: Any = slice(None)) -> NDArray[np.float64]:
        """E[HS], which is HS on the river."""
        scale = self.n_run_outs * 2 * self.n_opponents
        if not isinstance(classes, np.ndarray) or classes.ndim != 1:
            return np.asarray(self.sums[classes], np.float64) / scale
        found = np.empty(classes.size)
        gather(self.sums, classes, found)
        found /= scale
        return found

    def second_moment(self, classes: Any = slice(None)) -> NDArray[np.float64]:
        """E[HS²] of final strength."""
        if self.squares is None:
            return self.mean(classes) ** 2
        scale = self.n_run_outs * (2 * self.n_opponents) ** 2
        return np.asarray(self.squares[classes], np.float64) / scale

    def histogram(self, classes: Any = slice(None)) -> NDArray[np.float64]:
        """Distribution of final HS over equal bins from 0 to 1; the last one includes 1."""
        if self.histograms is None:
            raise CardError(f"the {self.street} table has no histograms")
        return np.asarray(self.histograms[classes], np.float64) / self.n_run_outs

    def ochs_vectors(self, classes: Any = slice(None)) -> NDArray[np.float64]:
        """Equity against each opponent cluster; on the river rounded to 1/255."""
        if self.ochs is None:
            raise CardError(f"the {self.street} table has no OCHS vectors")
        scale = 255.0 if self.ochs.dtype == np.uint8 else 1.0
        return np.asarray(self.ochs[classes], np.float64) / scale

    def index(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """The class of a hand on a board."""
        return self.isomorphism.index([*hole, *board])


@dataclass(frozen=True)
class StrengthTables:
    """All streets for one deck, number of bins, set of opponent clusters and ranking.

    `bins` = 0 leaves out histograms, `clusters` = None OCHS.
    """

    deck: Deck = FULL
    bins: int = 50
    clusters: OpponentClusters | None = EIGHT_RANGES
    folder: Path = field(default_factory=cache_folder)
    ranking: str = STANDARD

    def __post_init__(self) -> None:
        if self.deck.n_cards < _FEWEST_CARDS:
            raise CardError(
                f"a board and two hands need {_FEWEST_CARDS} cards, but the deck {self.deck.name} "
                f"has only {self.deck.n_cards}"
            )
        if not 0 <= self.bins <= MOST_BINS:
            raise CardError(f"a histogram must have 0 to {MOST_BINS} bins, not {self.bins!r}")

    @property
    def n_opponents(self) -> int:
        """Opponent hands on a complete board."""
        return comb(self.deck.n_cards - N_FINAL - 2, 2)

    def n_run_outs(self, street: str) -> int:
        """Complete boards that can follow, given a hand on this street."""
        missing = N_FINAL - BOARD_SIZES[street]
        return comb(self.deck.n_cards - 2 - BOARD_SIZES[street], missing)

    def isomorphism(self, street: str) -> Isomorphism:
        """The classes by which the table of `street` is indexed."""
        return street_classes(street, self.deck)

    @property
    def rules(self) -> dict[str, str]:
        """What all tables of strength depend on, and all that is built on them."""
        rules = {"deck": self.deck.name}
        return rules if self.ranking == STANDARD else rules | {"ranking": self.ranking}

    def spec(self, street: str) -> TableSpec:
        """Name, dependencies and arrays of the table on disk; ``river-ochs`` is one more."""
        depends: dict[str, Any] = {**self.rules}
        if street == "river-ochs":
            if self.clusters is None:
                raise CardError("OCHS on the river needs opponent clusters; pass some")
            depends["clusters"] = self.clusters.cluster_of.tobytes().hex()
            column = Column("u1", (self.isomorphism("river").size, self.clusters.n_clusters))
            return TableSpec("strength-river-ochs", depends, {"ochs": column})
        if street not in BOARD_SIZES:
            raise UnknownNameError("street", street, BOARD_SIZES)
        n_classes = self.isomorphism(street).size
        if street == "river":
            # Scores fit 16 bits: at most twice the 990 opponents of a full deck.
            return TableSpec("strength-river", depends, {"sums": Column("<u2", (n_classes,))})
        wide = "<i8" if street == "preflop" else "<u4"
        columns = {"sums": Column(wide, (n_classes,)), "squares": Column(wide, (n_classes,))}
        if self.bins:
            depends["bins"] = self.bins
            small = {"preflop": "<i8", "flop": "<u2", "turn": "u1"}[street]
            columns["histograms"] = Column(small, (n_classes, self.bins))
        if self.clusters is not None:
            depends["clusters"] = self.clusters.cluster_of.tobytes().hex()
            columns["ochs"] = Column("<f4", (n_classes, self.clusters.n_clusters))
        return TableSpec(f"strength-{street}", depends, columns)

    def is_built(self, street: str) -> bool:
        """Whether the table is in the cache."""
        return find_table(self.spec(street), self.folder) is not None

    def street(
        self,
        street: str,
        *,
        river_ochs: bool = False,
        threads: int | None = None,
        progress: Progress | None = None,
        workers: Workers | None = None,
    ) -> Strength:
        """The table of `street`, built first if necessary.

        `river_ochs` adds the vectors of the river, which the other streets always have.
        """
        how: dict[str, Any] = {"threads": threads, "progress": progress, "workers": workers}
        arrays = self._arrays(street, **how)
        if street == "river" and river_ochs:
            arrays = arrays | self._arrays("river-ochs", **how)
        return Strength(
            street,
            self.isomorphism(street),
            self.n_run_outs(street),
            self.n_opponents,
            arrays["sums"],
            arrays.get("squares"),
            arrays.get("histograms"),
            arrays.get("ochs"),
        )

    def _arrays(self, street: str, **how: Any) -> Arrays:
        spec = self.spec(street)
        arrays = find_table(spec, self.folder)
        if arrays is not None:
            return arrays
        if street == "preflop":
            return build_table(spec, self.folder, 1, self._preflop_work(**how), **how)
        n_units, work = len(self.boards(street.removesuffix("-ochs"))), self._board_work(street)
        return build_table(spec, self.folder, n_units, work, job=RowJob(self, street), **how)

    def row_work(self, name: str) -> RowWork:
        """How workers elsewhere make the table of a street after the first."""
        rows = board_rows(name.removesuffix("-ochs"), self.deck)
        return RowWork(self.spec(name).columns, self._board_work(name), rows)

    def estimate_seconds(self, street: str, threads: int | None = None) -> float:
        """How long building the table would take, from a sample of its boards."""
        if street == "preflop":  # a sum over the flop table
            return 0.0 if self.is_built("flop") else self.estimate_seconds("flop", threads)
        n_units = len(self.boards(street.removesuffix("-ochs")))
        return estimate_seconds(self.spec(street), n_units, self._board_work(street), threads)

    def boards(self, street: str) -> NDArray[np.uint8]:
        """One board of each class, the units of work."""
        return street_boards(street, self.deck)

    @property
    def bin_of(self) -> NDArray[np.uint8]:
        """The bin of each final score."""
        if not self.bins:
            return np.zeros(0, np.uint8)
        top = 2 * self.n_opponents
        return np.minimum(np.arange(top + 1) * self.bins // top, self.bins - 1).astype(np.uint8)

    def _board_work(self, street: str) -> Callable[[int, int, Arrays], None]:
        boards = self.boards(street.removesuffix("-ochs"))
        deck = np.asarray(self.deck.cards, np.uint8)
        index = self.isomorphism(street.removesuffix("-ochs")).tables
        clusters = None if street == "river" else self.clusters
        cluster_of = np.array([] if clusters is None else clusters.cluster_of, np.uint8)
        bin_of = self.bin_of

        own = local()  # to each thread: making it takes a millisecond of Python's lock

        def work(first: int, last: int, arrays: Arrays) -> None:
            if not hasattr(own, "scratch"):
                own.scratch = strength_kernels.make_scratch(
                    deck.size, N_FINAL, self.bins, cluster_of
                )
            scratch = own.scratch
            common = boards, first, last, deck, rank_tables(self.ranking), index
            if street == "river":
                strength_kernels.tabulate_rivers(*common, scratch, arrays["sums"])
                return
            if street == "river-ochs":
                strength_kernels.tabulate_river_ochs(*common, cluster_of, scratch, arrays["ochs"])
                return
            strength_kernels.tabulate_boards(
                *common,
                bin_of,
                cluster_of,
                scratch,
                arrays["sums"],
                arrays["squares"],
                arrays.get("histograms", _NO_HISTOGRAMS[street]),
                arrays.get("ochs", np.zeros((0, 0), np.float32)),
            )

        return work

    def next_street(
        self,
        street: str,
        labels: NDArray[np.integer],
        *,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> NDArray[np.uint8]:
        """How many of the cards that may follow lead to each label of the next street.

        `labels` numbers the classes of the next street from 0, such as the buckets of an
        abstraction; the result is ``[classes, labels]`` for the flop or the turn. It is what
        potential-aware methods cluster, kept in the cache by the hash of the labels.
        """
        if street not in ("flop", "turn"):
            raise UnknownNameError("street with one card to come", street, ("flop", "turn"))
        later = self.isomorphism({"flop": "turn", "turn": "river"}[street])
        if labels.shape != (later.size,) or not 0 <= labels.min() <= labels.max() < 1 << 16:
            raise CardError(
                f"{later.name} needs {later.size} labels from 0 to 65535, one per class"
            )
        of_class = np.ascontiguousarray(labels, np.uint16)
        n_labels = int(of_class.max()) + 1
        isomorphism = self.isomorphism(street)
        spec = TableSpec(
            f"next-{street}",
            {"deck": self.deck.name, "labels": hashlib.sha256(of_class.tobytes()).hexdigest()},
            {"counts": Column("u1", (isomorphism.size, n_labels))},
        )
        boards, deck = self.boards(street), np.asarray(self.deck.cards, np.uint8)

        def work(first: int, last: int, arrays: Arrays) -> None:
            strength_kernels.count_next(
                boards,
                first,
                last,
                deck,
                isomorphism.tables,
                later.tables,
                of_class,
                arrays["counts"],
            )

        return build_table(
            spec, self.folder, len(boards), work, threads=threads, progress=progress
        )["counts"]

    def _preflop_work(self, **how: Any) -> Callable[[int, int, Arrays], None]:
        """Every hand meets every flop: the preflop table is a sum over the flop's."""
        flop = self.street("flop", **how)

        def work(first: int, last: int, arrays: Arrays) -> None:
            sums = {name: arrays[name] for name in arrays if name != "ochs"}
            gather_preflop(self, flop, sums)
            for array in sums.values():
                # Ten flops of three lie in each complete board, and each was counted.
                array //= comb(N_FINAL, 3)
            if flop.ochs is not None and self.clusters is not None:
                arrays["ochs"][...] = self._gather_ochs(flop, self.clusters)

        return work

    def _gather_ochs(self, flop: Strength, clusters: OpponentClusters) -> NDArray[np.float64]:
        """Equity before the flop: that of all flops, by the opponents that they leave."""
        of, deals, weights = _preflop_of(self)
        shape = self.isomorphism("preflop").size, clusters.n_clusters
        assert flop.ochs is not None
        total, hands = np.zeros(shape), np.zeros(shape)
        for rows in _row_chunks(of.size):
            left = _opponents_left(deals[rows], clusters, self.deck) * weights[rows, None]
            strength_kernels.add_rows(of[rows], flop.ochs[rows] * left, total)
            strength_kernels.add_rows(of[rows], left.astype(np.float64), hands)
        # As on the flop, a cluster of which no hand is left counts as one half.
        return np.where(hands > 0, total / np.maximum(hands, 1), 0.5)


_NO_HISTOGRAMS = {"flop": np.zeros((0, 0), np.uint16), "turn": np.zeros((0, 0), np.uint8)}


def gather_preflop(tables: StrengthTables, flop: Any, outs: Arrays) -> None:
    """Sum numbers of the classes of the flop over all flops that a hand meets, in integers.

    Each attribute of `flop` has one row for each class of the flop, that of `outs` by the same name
    one for each before it.
    """
    of, _, weights = _preflop_of(tables)
    # A class of hands stands for several, and each flop is met by all of them.
    n_hands = tables.isomorphism("preflop").weights().astype(np.int64)
    for name, out in outs.items():
        rows = getattr(flop, name).reshape(of.size, -1)
        totals = np.zeros((n_hands.size, rows.shape[1]), np.int64)
        for part in _row_chunks(of.size):
            strength_kernels.add_rows(of[part], weights[part, None] * rows[part], totals)
        out.reshape(totals.shape)[...] = totals // n_hands[:, None]


def _row_chunks(n_rows: int) -> list[slice]:
    """All rows, in parts that stay in the processor's cache."""
    return [slice(start, start + _ROWS_AT_ONCE) for start in range(0, n_rows, _ROWS_AT_ONCE)]


def _preflop_of(
    tables: StrengthTables,
) -> tuple[NDArray[np.int64], NDArray[np.uint8], NDArray[np.int64]]:
    """Of each class of the flop: the class before it, a deal, and how many deals it stands for."""
    flop = tables.isomorphism("flop")
    deals = flop.unindex_many(np.arange(flop.size))
    of = tables.isomorphism("preflop").index_many(deals[:, :2])
    return of, deals, flop.weights().astype(np.int64)


def _opponents_left(
    deals: NDArray[np.uint8], clusters: OpponentClusters, deck: Deck
) -> NDArray[np.int64]:
    """Hands of each cluster that share no card with each deal."""
    pairs = np.flatnonzero(np.isin(PAIR_CARDS, deck.cards).all(axis=1))
    low, high = PAIR_CARDS[pairs].T
    of = clusters.cluster_of[pairs].astype(np.int64)
    by_card = np.zeros((N_CARDS, clusters.n_clusters), np.int64)
    np.add.at(by_card, (np.r_[low, high], np.r_[of, of]), 1)
    by_pair = np.full((N_CARDS, N_CARDS), _NO_CLUSTER)
    by_pair[low, high] = by_pair[high, low] = of
    left = np.empty((len(deals), clusters.n_clusters), np.int64)
    count_left(deals, np.bincount(of, minlength=clusters.n_clusters), by_card, by_pair, left)
    return left
