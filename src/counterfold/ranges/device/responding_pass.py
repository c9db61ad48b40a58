"""Walks of CFR-BR over many boards at once: players meet responders.

See `training.boards.best_response`. A batch is walked four times, for each player first for the
responder that it meets. Before the last street a responder learns, with regrets of its own. On the
last it answers hand by hand: the lines of its hands are valued as `device_pass.cu` does for best
responses, and what follows is written down as regrets by column, one for the action it takes, so
that the same kernel as for players goes down by them.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from counterfold.games.holdem import betting_kernels as betting
from counterfold.public.deals import Dealer
from counterfold.public.infosets import PublicGame
from counterfold.ranges.device import answers_kernels, device_pass_kernels
from counterfold.ranges.device.board_pass import Array, BoardPass, LoadedBoards, PlacedBoards
from counterfold.ranges.device.cuda_source import open_kernels
from counterfold.ranges.line_kernels import BEST
from counterfold.regret_kernels import LEAST_REGRET


class RespondingPass(BoardPass):
    """Walks in which each player meets a responder."""

    def __init__(
        self,
        game: PublicGame,
        dealer: Dealer,
        xp: Any,
        n_boards: int,
        dtype: DTypeLike = np.float32,
    ) -> None:
        super().__init__(game, dealer, xp, n_boards, dtype)
        self._along = open_kernels(xp, "device_pass.cu", device_pass_kernels, self.dtype)
        self._find = open_kernels(xp, "answers.cu", answers_kernels, self.dtype)
        self._answers = self._vectors(self._more_vectors())
        self._met = [self._numbers(self._met_lines(seat)) for seat in (0, 1)]
        # Slots of decisions before those of each, for a column.
        before = [np.cumsum(n) - n for n in map(self._last_widths, (0, 1))]
        self._before = [xp.asarray(each.astype(np.int64)) for each in before]

    def walk(
        self, placed: PlacedBoards, tables: Mapping[str, Array], *, responding: bool = True
    ) -> None:
        """Walk boards for each player and its responder, and change all tables.

        Without `responding` players meet each other, and responders learn nothing.
        """
        if not responding:
            super().walk(placed, tables)
            return
        batch, last = self._load(placed), len(self._streets) - 1
        regrets, averages, responders = (
            tables[name] for name in ("regrets", "averages", "responding")
        )
        for player in (0, 1):
            responder = 1 - player
            self._go_down(batch, player, regrets, averages)
            by_hand = self._respond(batch, responder, regrets)
            self._go_up(batch, responder, responders, last - 1)
            for k in range(last):
                self._reach_lines(batch, k, responder, responders)
            self._reach_lines(batch, last, responder, self._answers, by_hand)
            self._go_up(batch, player, regrets)

    def _respond(self, batch: LoadedBoards, seat: int, regrets: Array) -> Array:
        """Find the answers of `seat` on the last street, and what its lines are worth there.

        Where the other never comes it plays by `regrets`. Returns the slots of its decisions.
        """
        xp, last, n = self.xp, len(self._streets) - 1, self._n(batch)
        street, values = self._streets[last][seat], self._view(self._values[last], n)
        folds, shows = self._view(self._folds, n), self._view(self._shows, n)
        reach = self._view(self._reach[last], n)
        self._end(batch, last, 1 - seat, folds, shows)
        nothing = xp.zeros(0, self.dtype)
        self._along(
            "value_street", street.n_starts * n, street.n_starts, n, BEST,
            *self._reals(LEAST_REGRET, 1.0, 1.0, 1.0), street.starts, street.points, street.parent,
            street.first, street.n_actions, street.first, *street.worth, street.later, folds, shows,
            values, reach, nothing, xp.zeros(0), values,
        )  # fmt: skip
        comes = xp.max(reach.reshape(-1, batch.n_boards, self.n_hands), axis=2) > 0
        known = xp.take(comes, self._met[seat], axis=0).astype(np.uint8)
        by_hand = self._before[seat] * n
        self._find(
            "find_answers", street.n_points * n, street.n_points, n, self.n_hands, batch.n_boards,
            street.first, street.n_actions, street.slot, by_hand, known, batch.buckets[last],
            values, regrets, self._answers,
        )  # fmt: skip
        return by_hand

    def _met_lines(self, seat: int) -> Any:
        """The other's line at each decision of `seat` on the last street, from zero on."""
        tree, graph = self._lines, self.game.graph
        nodes = graph.decisions
        here = nodes[graph.field(betting.ACTOR)[nodes] == seat]
        met = np.zeros(tree.seats[seat].parent.size, np.int64)
        met[tree.decisions[here]] = tree.lines[here, 1 - seat]
        begin, end = tree.seats[seat].points[tree.streets[-2:]]
        return met[begin:end] - tree.first_lines[-2, 1 - seat]

    def _last_widths(self, seat: int) -> Any:
        lines = self._lines.seats[seat]
        begin, end = lines.points[self._lines.streets[-2:]]
        return lines.n_actions[begin:end]

    def _more_vectors(self) -> int:
        return max(int(self._last_widths(seat).sum()) for seat in (0, 1))

    def _slot_bytes(self) -> int:
        return super()._slot_bytes() + self.dtype.itemsize
