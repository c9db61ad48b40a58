"""Where full-width passes keep the slots of a public game: by seat, street and decision.

The slots of a decision are a table ``[action, sequence]``, as those of a decision on any board.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.games.holdem import betting_kernels as betting
from counterfold.public.infosets import PublicGame, SlotLayout
from counterfold.ranges.line_tree import LineTree


class JointSlots:
    """The order of the tables of a pass. Shape: ``K`` streets."""

    def __init__(self, game: PublicGame, lines: LineTree, n_sequences: Sequence[int]) -> None:
        sizes = (lines.n_rows * np.array(n_sequences)[:, None]).T
        ends = np.cumsum(sizes).reshape(2, -1)
        self.n_slots = int(ends[-1, -1])
        self.first = np.ascontiguousarray((ends - sizes).T)  # [K, 2] first slot of a street
        self.seats = slice(0, int(ends[0, -1])), slice(int(ends[0, -1]), self.n_slots)
        self.layout = self._lay_out(game, lines, np.array(n_sequences))

    def _lay_out(
        self, game: PublicGame, lines: LineTree, n_sequences: NDArray[np.int64]
    ) -> SlotLayout:
        starts, steps = np.zeros((2, game.n_classes), np.int64)
        nodes = game.graph.decisions
        actor = game.graph.field(betting.ACTOR)[nodes]
        for p, seat in enumerate(lines.seats):
            here = nodes[actor == p]
            points = lines.decisions[here]
            street = np.searchsorted(seat.points[lines.streets], points, side="right") - 1
            classes, n = game.classes[here], n_sequences[street]
            starts[classes] = self.first[street, p] + seat.row[points] * n
            steps[classes] = n
        return SlotLayout(starts, np.ones_like(starts), steps)

    def from_classes(self, game: PublicGame, table: NDArray[Any]) -> NDArray[Any]:
        """A copy of a table over the slots of `game` in the order of these."""
        moved = np.empty(self.n_slots, table.dtype)
        for start, step, first, width in zip(
            self.layout.starts, self.layout.steps, game.offsets, game.n_actions, strict=False
        ):
            rows = table[first : first + step * width].reshape(step, width)
            moved[start : start + step * width].reshape(width, step)[...] = rows.T
        return moved
