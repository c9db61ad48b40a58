"""CFR for two ranges below a root board: every hand of both against every other, on every board."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.discounting import Discounting
from counterfold.frames import NamedFigures
from counterfold.ranges.betting_tree import BettingTree
from counterfold.ranges.board_cards import NONE, TreeBoard
from counterfold.ranges.kept.solved_boards import SolvedBoards
from counterfold.ranges.line_kernels import BEST, VALUE
from counterfold.ranges.locks import LockedDecision
from counterfold.ranges.range_pass import LearnedTables, RangePass, TableMemory, met_weights
from counterfold.ranges.root_gadgets import RootGadget
from counterfold.ranges.spot_discounting import SPOT_DISCOUNTING, find_fading

_FIRST_ITERATIONS = 1000  # whose factors are made at once


@dataclass(frozen=True)
class RangeEvaluation(NamedFigures):
    """Figures of a profile, in chips, means over all pairs of hands."""

    values: tuple[float, float]  # what each seat wins of what both have put in so far
    responses: tuple[float, float]  # the same for its best response to the other
    pot: float  # chips in the middle at the root

    @property
    def exploitability(self) -> float:
        """What a best response gains, on average over both seats."""
        return (sum(self.responses) - sum(self.values)) / 2

    @property
    def exploitability_percent(self) -> float:
        """The same in percent of the pot."""
        return 100 * self.exploitability / self.pot

    def to_dict(self) -> dict[str, Any]:
        """All figures by name."""
        return {
            "values": self.values,
            "best_responses": self.responses,
            "exploitability": self.exploitability,
            "exploitability_percent": self.exploitability_percent,
            "pot": self.pot,
        }

    def __str__(self) -> str:
        values = ", ".join(f"{value:+.4g}" for value in self.values)
        return (
            f"values {values} chips, exploitability {self.exploitability_percent:.3g}% of the pot"
        )


class RangeSolver:
    """Tables of one run; deterministic, so a checkpoint of them continues it exactly."""

    def __init__(
        self,
        passes: RangePass,
        pot: float,
        discounting: Discounting = SPOT_DISCOUNTING,
        locked: Sequence[LockedDecision] = (),
    ) -> None:
        self.passes, self.pot, self.discounting = passes, pot, discounting
        self.gadget: RootGadget | None = None
        self._locked, self._memory = locked, TableMemory()
        self._factors = find_fading(discounting, _FIRST_ITERATIONS)
        self._begin()

    def restart(
        self,
        board: tuple[int, ...],
        weights: tuple[NDArray[np.float64], NDArray[np.float64]],
    ) -> None:
        """Begin anew with other cards: a board of as many, and weights of all hands by seat.

        The betting stays as it is, and only what depends on the cards is made. Views of the
        previous spot must not be used anymore.
        """
        self.passes.deal(self.passes.cards.replaced(board, weights))
        self._begin()

    def _begin(self) -> None:
        self.iterations, self.gadget = 0, None
        self._learned = self.passes.make_tables(self._locked, self._memory)

    @property
    def learned(self) -> LearnedTables:
        """What has been learned so far; `adopt` says that it was overwritten."""
        self.passes.fetch(self._learned)
        return self._learned

    def adopt(self, learned: LearnedTables, iterations: int) -> None:
        """Continue from these tables, as after `iterations` iterations."""
        self._learned, self.iterations = learned, iterations
        self.passes.send(learned)

    @property
    def decisions(self) -> NDArray[np.int32]:
        """[nodes] the number of a decision among those of its actor."""
        return self.passes.lines.decisions

    @property
    def boards(self) -> Sequence[TreeBoard]:
        """The boards in their order, the root's first."""
        return self.passes.cards.listed

    @property
    def n_all_hands(self) -> int:
        """Of 52 cards."""
        return len(self.passes.cards.holes)

    @property
    def tables(self) -> dict[str, NDArray[Any]]:
        """All that the next iteration depends on, as live arrays of `learned`."""
        learned = self.learned
        kept: dict[str, Any] = {"": learned.tables}
        if self.passes.packed:
            kept["_scales"] = learned.scales
        return {
            f"{name}{suffix}_{seat}": table
            for suffix, tables in kept.items()
            for name in ("regrets", "averages")
            for seat, table in enumerate(getattr(tables, name))
        }

    def run(self, iterations: int) -> None:
        """Run `iterations` more; a gadget chooses the hands of its seat before each."""
        last = self.iterations + iterations
        if last > len(self._factors):
            self._factors = find_fading(self.discounting, 2 * last)
        factors = self._factors[self.iterations : last]
        if self.gadget is None:
            self.passes.iterate(factors, self._learned)
        else:
            for row in factors:
                self.passes.weigh_root(self.gadget.seat, self.gadget.weights())
                values = self.passes.iterate(row[None], self._learned)[self.gadget.seat]
                self.gadget.learn(values.astype(np.float64), row)
        self.iterations += iterations

    def evaluate(self) -> RangeEvaluation:
        """The average strategy, exactly."""
        best_0, best_1, *values = self._means((0, BEST), (1, BEST), (0, VALUE), *self._costly)
        value = values[0]
        other = values[1] if values[1:] else -value
        return RangeEvaluation((value, other), (best_0, best_1), self.pot)

    def exploitability(self) -> float:
        """That of `evaluate`; where one seat wins what the other loses, in two passes of three."""
        if self._costly:
            return self.evaluate().exploitability
        return sum(self._means((0, BEST), (1, BEST))) / 2

    @cached_property
    def _costly(self) -> list[tuple[int, int]]:
        return [] if self.passes.lines.zero_sum else [(1, VALUE)]

    def _means(self, *turns: tuple[int, int]) -> list[float]:
        """For each turn, a mean over all pairs of hands."""
        totals = self.passes.totals(turns, self._learned)
        return [
            self.passes.mean(seat, total) for (seat, _), total in zip(turns, totals, strict=True)
        ]

    def set_average(
        self, seat: int, board: int, decision: int, shares: NDArray[np.float64]
    ) -> None:
        """Overwrite what hands do at a decision on a board, [actions, hands there]."""
        lines, n = self.passes.lines.seats[seat], shares.shape[1]
        at = self.passes.slots[board, seat] + lines.row[decision] * n
        learned = self.learned
        learned.tables.averages[seat][at : at + shares.size] = shares.ravel()
        self.passes.send(learned)

    def hands_on(self, board: int, seat: int) -> NDArray[np.intp]:
        """Numbers of the hands of a seat on a board, in their order there, among all hands."""
        boards = self.passes.boards
        at, n = boards.hands[board, seat], boards.n_hands[board, seat]
        return self.passes.cards.hands[seat][boards.hand[at : at + n]]

    def later_boards(self, tree: BettingTree) -> SolvedBoards | None:
        """The boards below the root, if there are any; `tree` is the one that is solved."""
        if self.passes.lines.n_streets == 1:
            return None
        return SolvedBoards(tree, self.passes.cards, self)

    def met_at_root(self, seat: int) -> NDArray[np.float64]:
        """The weight of the hands of the other that each hand of a seat can meet at the root."""
        return met_weights(self.passes.boards, 0, seat, self.passes.root_weights[1 - seat])

    def best_values(self, seat: int) -> NDArray[np.float64]:
        """What the hands of a seat at the root win, at best, from the other's average strategy."""
        return self.passes.totals([(seat, BEST)], self._learned)[0].astype(np.float64)

    def average(self, seat: int, board: int, decision: int) -> NDArray[np.float64]:
        """[actions, hands of the board] probabilities at a decision of a seat."""
        passes, tables = self.passes, self.learned.tables
        lines = passes.lines.seats[seat]
        n, n_actions = int(passes.boards.n_hands[board, seat]), int(lines.n_actions[decision])
        at = passes.slots[board, seat] + lines.row[decision] * n
        weights = tables.averages[seat][at : at + n_actions * n].reshape(n_actions, n)
        # A scale of packed tables is the same for all actions: it falls out.
        weights = np.maximum(weights.astype(np.float64), 0.0)
        totals = weights.sum(axis=0)
        shares = np.where(totals > 0, weights / np.where(totals > 0, totals, 1), 1 / n_actions)
        if lines.lock[decision] != NONE:
            slot = tables.lock_slots[board, seat] + lines.lock[decision] * n
            locks = tables.locks[seat][slot : slot + n_actions * n].reshape(n_actions, n)
            shares = np.where(np.isnan(locks), shares, locks)
        return shares
