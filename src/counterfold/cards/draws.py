"""Strength in variants where a card may be exchanged on the flop and on the turn, and which one.

Values are E[HS] under the best own discards, computed backwards from the river with discarded cards
dead; see `cards.draws_kernels`. *Before* is the value when the discard is still to be decided,
*after* the value once both cards have been kept. Tables are by class of hand and board, without
earlier discards.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.cards import draws_kernels
from counterfold.cards.deck import FULL, Deck
from counterfold.cards.isomorphism import Isomorphism
from counterfold.cards.ranking_kernels import rank_tables
from counterfold.cards.streets import board_rows, street_boards, street_classes
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
from counterfold.cluster.row_pieces import RowJob, RowWork
from counterfold.cluster.workers import Workers
from counterfold.errors import CardError, UnknownNameError

_FEWEST_CARDS = 11  # two hands, a board, and a discard on each of two streets
_STREETS = ("flop", "turn")


@dataclass(frozen=True)
class DrawStrength:
    """The table of one street. Shape: ``C`` classes."""

    street: str
    isomorphism: Isomorphism
    before: NDArray[np.float32]  # [C] E[HS] when the discard is still to come
    after: NDArray[np.float32] | None  # [C] E[HS] after keeping; on the turn it is plain E[HS]
    choice: NDArray[np.uint8]  # [C] 0 keep, 1 discard the first card, 2 the second
    outs: NDArray[np.uint8]  # [C] draws after the better discard that beat keeping

    def discard(self, hole: Sequence[int], board: Sequence[int]) -> int | None:
        """The card to discard, or None to keep both."""
        a, b = hole
        choice = self.choice[self.isomorphism.index([*hole, *board])]
        if choice == draws_kernels.KEEP_BOTH:
            return None
        a_is_first = draws_kernels.comes_first(a, b, np.asarray(board, np.uint8))
        return a if (choice == draws_kernels.DISCARD_FIRST) == a_is_first else b


@dataclass(frozen=True)
class DrawTables:
    """Draw-aware strength on the flop and the turn for one deck."""

    deck: Deck = FULL
    folder: Path = field(default_factory=cache_folder)

    def __post_init__(self) -> None:
        if self.deck.n_cards < _FEWEST_CARDS:
            raise CardError(
                f"two hands, a board and two discards need {_FEWEST_CARDS} cards, but the deck "
                f"{self.deck.name} has only {self.deck.n_cards}"
            )

    def isomorphism(self, street: str) -> Isomorphism:
        """The classes by which the table of `street` is indexed."""
        if street not in _STREETS:
            raise UnknownNameError("street with a discard", street, _STREETS)
        return street_classes(street, self.deck)

    def spec(self, street: str) -> TableSpec:
        """Name, dependencies and arrays of the table on disk."""
        shape = (self.isomorphism(street).size,)
        columns = {"before": Column("<f4", shape)}
        if street == "flop":
            columns["after"] = Column("<f4", shape)
        columns |= {"choice": Column("u1", shape), "outs": Column("u1", shape)}
        return TableSpec(f"draws-{street}", {"deck": self.deck.name}, columns)

    def street(
        self,
        street: str,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        workers: Workers | None = None,
    ) -> DrawStrength:
        """The table of `street`, built first if necessary: minutes for a full deck."""
        spec = self.spec(street)
        arrays = find_table(spec, self.folder)
        if arrays is None:
            n_boards, work = self._work(street)
            arrays = build_table(
                spec,
                self.folder,
                n_boards,
                work,
                threads=threads,
                progress=progress,
                workers=workers,
                job=RowJob(self, street),
            )
        return DrawStrength(
            street,
            self.isomorphism(street),
            arrays["before"],
            arrays.get("after"),
            arrays["choice"],
            arrays["outs"],
        )

    def estimate_seconds(self, street: str, threads: int | None = None) -> float:
        """How long building the table would take, from a sample of its boards."""
        n_boards, work = self._work(street)
        return estimate_seconds(self.spec(street), n_boards, work, threads)

    def row_work(self, name: str) -> RowWork:
        """How workers elsewhere make the table of a street."""
        return RowWork(self.spec(name).columns, self._work(name)[1], board_rows(name, self.deck))

    def _work(self, street: str) -> tuple[int, Callable[[int, int, Arrays], None]]:
        """The number of boards, and the work on them."""
        boards, index = street_boards(street, self.deck), self.isomorphism(street).tables
        deck = np.asarray(self.deck.cards, np.uint8)
        tabulate: Any = (
            draws_kernels.tabulate_flop_draws
            if street == "flop"
            else draws_kernels.tabulate_turn_draws
        )

        def work(first: int, last: int, arrays: Arrays) -> None:
            scratch = draws_kernels.make_draw_scratch(deck.size)
            common = (boards, first, last, deck, rank_tables(), index)
            tabulate(*common, scratch, *arrays.values())

        return len(boards), work
