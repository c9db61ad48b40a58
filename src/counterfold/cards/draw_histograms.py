"""How strong a hand ends up if it exchanges cards on the flop and on the turn: histograms.

Choices are those of `DrawTables`, which know that a discarded card is dead. The final strength of a
hand is then read from the tables without discards, as if discarded cards went back into the deck.
Keeping them dead in the distribution as well would take a table for each pair of dead cards; one
card of 45 changes a histogram little.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.cards import draw_histograms_kernels
from counterfold.cards.draws import DrawTables
from counterfold.cards.isomorphism import Isomorphism
from counterfold.cards.strength import StrengthTables, gather_preflop
from counterfold.cards.table_files import (
    Arrays,
    Column,
    Progress,
    TableSpec,
    build_table,
    estimate_seconds,
    find_table,
    read_only,
)
from counterfold.cluster.workers import Workers
from counterfold.errors import UnknownNameError
from counterfold.threads import thread_count

_SECONDS_PER_ROW = 4e-7  # to find and add a row of the turn, measured on a full deck
STREETS = ("preflop", "flop", "turn")


@dataclass(frozen=True)
class FinalStrength:
    """The table of one street. Shapes: ``C`` classes, ``B`` bins."""

    street: str
    isomorphism: Isomorphism
    n_ends: int  # ways to draw and to complete the board, given a hand, counted with multiplicity
    n_opponents: int  # opponent hands on a complete board
    squares: NDArray[np.int64]  # [C] sum of squared final scores
    histograms: NDArray[np.integer] | None  # [C, B] ends by final HS

    def second_moment(self) -> NDArray[np.float64]:
        """E[HS²] of final strength."""
        return np.asarray(self.squares / (self.n_ends * (2.0 * self.n_opponents) ** 2))


@dataclass(frozen=True)
class DrawHistograms:
    """Distributions of final strength with discards, for one deck and number of bins."""

    strength: StrengthTables

    @property
    def draws(self) -> DrawTables:
        """Which card to discard."""
        return DrawTables(self.strength.deck, self.strength.folder)

    def n_ends(self, street: str) -> int:
        """Ways to draw and to complete the board, given a hand on this street."""
        n = self.strength.deck.n_cards
        on_turn = (n - 6) * self.strength.n_run_outs("turn")
        on_flop = (n - 5) * (n - 5) * on_turn  # draws, and turn cards for each
        return {"turn": on_turn, "flop": on_flop, "preflop": comb(n - 2, 3) * on_flop}[street]

    def needs(self, street: str) -> set[str]:
        """Names of the tables from which that of `street` is computed."""
        if street == "turn":
            return {"turn", "draws-turn"}
        if street == "flop":
            return {"final-turn", "draws-flop"}
        return {"final-flop"}

    def spec(self, street: str) -> TableSpec:
        """Name, dependencies and arrays of the table on disk."""
        if street not in STREETS:
            raise UnknownNameError("street before the last discard", street, STREETS)
        bins, size = self.strength.bins, self.strength.isomorphism(street).size
        columns = {"squares": Column("<i8", (size,))}
        if bins:
            wide = {"preflop": "<i8", "flop": "<u4", "turn": "<u2"}[street]
            columns["histograms"] = Column(wide, (size, bins))
        depends = {"deck": self.strength.deck.name, "bins": bins}
        return TableSpec(f"final-{street}", depends, columns)

    def street(
        self,
        street: str,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        workers: Workers | None = None,
    ) -> FinalStrength:
        """The table of `street`, built first if necessary, along with those that it needs.

        `workers` make only those of them that are not read from others.
        """
        spec = self.spec(street)
        arrays = find_table(spec, self.strength.folder)
        if arrays is None:
            n_units, work = self._work(street, threads, progress, workers)
            arrays = build_table(
                spec, self.strength.folder, n_units, work, threads=threads, progress=progress
            )
        return FinalStrength(
            street,
            self.strength.isomorphism(street),
            self.n_ends(street),
            self.strength.n_opponents,
            arrays["squares"],
            arrays.get("histograms"),
        )

    def estimate_seconds(self, street: str, threads: int | None = None) -> float:
        """How long building the table would take once those that it needs are there."""
        if street == "preflop":
            return 0.0  # a sum over the flop's
        classes = self.strength.isomorphism(street)
        zeros = np.zeros(classes.size, np.uint8)
        before = self.spec("turn") if street == "flop" else self.strength.spec("turn")
        names = [name for name in self.spec(street).columns if name in before.columns]
        rows = {n: np.zeros(before.columns[n].shape, before.columns[n].dtype) for n in names}
        work = self._board_work(street, zeros, rows)
        n_boards = len(self.strength.boards(street))
        seconds = estimate_seconds(self.spec(street), n_boards, work, threads)
        if street == "turn":
            return seconds
        # A sample of zeros stays in the processor's cache; the rows of the turn do not.
        n_left = self.strength.deck.n_cards - 3
        n_rows = n_boards * comb(n_left, 2) * (n_left - 2)
        return max(seconds, n_rows * _SECONDS_PER_ROW / thread_count(threads))

    def _work(
        self,
        street: str,
        threads: int | None,
        progress: Progress | None,
        workers: Workers | None,
    ) -> tuple[int, Callable[[int, int, Arrays], None]]:
        options: dict[str, Any] = {"threads": threads, "progress": progress, "workers": workers}
        if street == "preflop":
            flop = self.street("flop", **options)

            def work(first: int, last: int, arrays: Arrays) -> None:
                gather_preflop(self.strength, flop, arrays)

            return 1, work
        choices = self.draws.street(street, **options).choice
        if street == "turn":
            before: Any = self.strength.street("turn", **options)
        else:
            before = self.street("turn", **options)
        rows = {name: getattr(before, name) for name in self.spec(street).columns}
        n_boards = len(self.strength.boards(street))
        return n_boards, self._board_work(street, choices, rows)

    def _board_work(
        self, street: str, choices: NDArray[np.uint8], rows: Arrays
    ) -> Callable[[int, int, Arrays], None]:
        boards = self.strength.boards(street)
        deck = np.asarray(self.strength.deck.cards, np.uint8)
        index = self.strength.isomorphism(street).tables
        turn_index = self.strength.isomorphism("turn").tables
        chosen = read_only(choices)
        given = {name: read_only(_as_rows(array)) for name, array in rows.items()}

        def work(first: int, last: int, arrays: Arrays) -> None:
            for name, out in arrays.items():
                common, arguments = (boards, first, last, deck, index), (chosen, given[name])
                if street == "turn":
                    draw_histograms_kernels.exchange_on_turns(*common, *arguments, _as_rows(out))
                else:
                    draw_histograms_kernels.exchange_on_flops(
                        *common, turn_index, *arguments, _as_rows(out)
                    )

        return work


def _as_rows(array: NDArray[Any]) -> NDArray[Any]:
    """The same memory with two axes."""
    return np.asarray(array).reshape(len(array), -1)
