"""Histograms of strength at the end of a run, before the fifth card: tables by class.

In River of Blood a board ends with the first black card from the fifth on. The tables are sampled
with a fixed seed: every card that can come next equally often, the others at random, with exact
strength at the end. Classes forget which suits are red, so that is averaged over.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.run_histograms import run_tables_kernels
from counterfold.cards.ranking_kernels import rank_tables
from counterfold.cards.streets import N_FINAL
from counterfold.cards.strength import StrengthTables
from counterfold.cards.strength_kernels import make_scratch
from counterfold.cards.table_files import (
    Arrays,
    Column,
    Progress,
    TableSpec,
    build_table,
    estimate_seconds,
    find_table,
)
from counterfold.cards.text import N_CARDS
from counterfold.errors import AbstractionError, UnknownNameError

STREETS = ("preflop", "flop", "turn")
VERSION = 1  # incremented whenever the same spec would give other histograms
_ROUNDS = {"flop": 8, "turn": 4}  # how often every next card is dealt
_DTYPES = {"preflop": "<u2", "flop": "<u2", "turn": "u1"}  # of histograms
_TOTALS = {"preflop": 2**14 - 1, "flop": 2**14 - 1, "turn": 2**8 - 1}  # that their rows add up to


@dataclass(frozen=True)
class RunTables:
    """Histograms at the end of a run, for one deck and number of bins."""

    strength: StrengthTables

    def needs(self, street: str) -> set[str]:
        """Names of the tables from which that of `street` is computed."""
        return {"run-flop"} if street == "preflop" else set()

    def spec(self, street: str) -> TableSpec:
        """Name, dependencies and array of the table on disk."""
        if street not in STREETS:
            raise UnknownNameError("street before a run", street, STREETS)
        if not self.strength.bins:
            raise AbstractionError("histograms of runs need bins; set bins above 0")
        size = self.strength.isomorphism(street).size
        depends = {
            "deck": self.strength.deck.name,
            "bins": self.strength.bins,
            "rounds": _ROUNDS.get(street, _ROUNDS["flop"]),
            "version": VERSION,
        }
        column = Column(_DTYPES[street], (size, self.strength.bins))
        return TableSpec(f"run-{street}", depends, {"histograms": column})

    def street(
        self, street: str, *, threads: int | None = None, progress: Progress | None = None
    ) -> NDArray[np.integer]:
        """[classes, bins] the histograms, built first if necessary; all rows have one sum."""
        spec = self.spec(street)
        arrays = find_table(spec, self.strength.folder)
        if arrays is None:
            n_units, work = self._work(street, threads, progress)
            arrays = build_table(
                spec, self.strength.folder, n_units, work, threads=threads, progress=progress
            )
        return arrays["histograms"]

    def estimate_seconds(self, street: str, threads: int | None = None) -> float:
        """How long building the table would take once those that it needs are there."""
        if street == "preflop":
            return 0.0  # a sum over the flop's
        n_boards = len(self.strength.boards(street))
        return estimate_seconds(self.spec(street), n_boards, self._board_work(street), threads)

    def _work(
        self, street: str, threads: int | None, progress: Progress | None
    ) -> tuple[int, Callable[[int, int, Arrays], None]]:
        if street != "preflop":
            return len(self.strength.boards(street)), self._board_work(street)
        flop = self.street("flop", threads=threads, progress=progress)

        def work(first: int, last: int, arrays: Arrays) -> None:
            arrays["histograms"][...] = self._gather(flop)

        return 1, work

    def _gather(self, flop: NDArray[np.integer]) -> NDArray[np.int64]:
        """The mean over all flops, rounded so that rows add up."""
        classes = self.strength.isomorphism("flop")
        deals = classes.unindex_many(np.arange(classes.size))
        of = self.strength.isomorphism("preflop").index_many(deals[:, :2])
        weights = classes.weights().astype(np.float64)
        sums = np.stack([np.bincount(of, weights * column) for column in flop.T], axis=1)
        shares = np.cumsum(sums, axis=1) / sums.sum(axis=1, keepdims=True)
        cumulative = np.rint(shares * _TOTALS["preflop"]).astype(np.int64)
        counts: NDArray[np.int64] = np.diff(cumulative, axis=1, prepend=0)
        return counts

    def _board_work(self, street: str) -> Callable[[int, int, Arrays], None]:
        boards = self.strength.boards(street)
        deck = np.array(self.strength.deck.cards)
        index = self.strength.isomorphism(street).tables
        pairs = _list_pairs(deck.size)

        def work(first: int, last: int, arrays: Arrays) -> None:
            run_tables_kernels.tabulate_runs(
                boards,
                first,
                last,
                _ROUNDS[street],
                deck,
                rank_tables(),
                index,
                pairs,
                make_scratch(deck.size, N_FINAL, 0, np.zeros(0, np.uint8)),
                np.zeros((N_CARDS * N_CARDS, self.strength.bins)),
                _TOTALS[street],
                arrays["histograms"],
            )

        return work


def _list_pairs(n_cards: int) -> NDArray[np.uint8]:
    """[cards + 1, 2, pairs] places of the cards of each pair of as many, in order."""
    pairs = np.zeros((n_cards + 1, 2, n_cards * (n_cards - 1) // 2), np.uint8)
    for n in range(2, n_cards + 1):
        places: Any = np.triu_indices(n, 1)
        pairs[n, :, : places[0].size] = places
    return pairs
