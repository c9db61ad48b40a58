"""The passes of `ranges.joint.joint_pass` by whole arrays, which share nothing with kernels.

All decisions of a seat with equal depth and number of actions on a street are one step, so that an
iteration is a few hundred operations on large arrays.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.joint_tables import JointTables
from counterfold.public.infosets import PublicGame
from counterfold.ranges.joint.joint_pass import check_joint, find_joint_lines
from counterfold.ranges.joint.joint_slots import JointSlots
from counterfold.ranges.joint.traversal import Array, Reach
from counterfold.ranges.line_tree import NONE, LineTree
from counterfold.regret_kernels import LEAST_REGRET


@dataclass(frozen=True, eq=False)
class _Step:
    """``G`` decisions of a seat that are processed at once; no two of them follow one line."""

    parent: Array  # [G] line
    lines: Array  # [G, actions]
    rows: Array  # [G, actions] of tables


@dataclass(frozen=True, eq=False)
class _Seat:
    """The lines of a seat on a street, numbered from zero, as arrays of the library."""

    n_lines: int
    slots: slice  # of tables
    starts: Array  # lines that begin a start
    source: Array | None  # lines of the street before; None on the first street
    steps: list[_Step]  # parents first
    # By the way in which lines end: lines of the seat, those of the other, stakes.
    ends: dict[str, tuple[Array, Array, Array]]
    later: tuple[Array, Array]  # lines that lead to the next street, and its starts


class ArrayTraversal:
    """Traversal by `xp`, a module such as `numpy` or `cupy`."""

    def __init__(self, game: PublicGame, joint: JointTables, xp: Any, dtype: str) -> None:
        check_joint(game, joint)
        self.xp, self.dtype = xp, getattr(xp, dtype)
        self.lines = find_joint_lines(game)
        self.slots = JointSlots(game, self.lines, joint.n_sequences)
        self.n_buckets = joint.n_buckets
        self.joint = [self._array(table.values) for table in joint.probabilities]
        self.net = self._array(joint.net.values)
        self._n_sequences = joint.n_sequences
        self._seats = [
            [self._seat(k, seat) for seat in (0, 1)] for k in range(self.lines.n_streets)
        ]

    def zeros(self, n: int) -> Array:
        """A table of `n` slots."""
        return self.xp.zeros(n, dtype=self.dtype)

    def sums(self, n: int) -> Array:
        """The same in 64 bits, for what only grows."""
        return self.xp.zeros(n, dtype=self.xp.float64)

    def to_numpy(self, table: Array) -> NDArray[Any]:
        """A table in the memory of the processor."""
        return np.asarray(table.get() if hasattr(table, "get") else table)  # `get` is CuPy's

    def pick(self, table, slots):
        """A part of a table."""
        return np.asarray(table[slots])

    def fill(self, table, numbers):
        """Overwrite a table."""
        table[...] = numbers

    def wait(self):
        """Everything is done when it returns."""

    def reach(self, seat: int, weights: Array, *, whole: bool = True) -> Reach:
        """How often `seat` plays along each of its lines."""
        xp = self.xp
        found: Reach = []
        for k, seats in enumerate(self._seats):
            own = seats[seat]
            reach = xp.zeros((own.n_lines, self._n_sequences[k]), dtype=self.dtype)
            if own.source is None:
                reach[own.starts] = 1.0
            else:
                begun = xp.take(found[-1], own.source, axis=0)
                reach[own.starts] = xp.repeat(begun, self.n_buckets[k], axis=1)
            rows = self._rows(weights, k, seat)
            for step in own.steps:
                before = xp.take(reach, step.parent, axis=0)
                reach[step.lines] = before[:, None, :] * self._match(rows[step.rows])
            found.append(reach)
        return found

    def update(
        self, seat: int, other: Reach, own: Reach, factors: Array, regrets: Array, averages: Array
    ) -> None:
        """Learn from one iteration: change the slots of `seat` in `regrets` and `averages`."""
        xp = self.xp
        positive, negative, average = (float(factor) for factor in factors)

        def visit(k: int, step: _Step, values: Array) -> Array:
            rows, sums = (self._rows(table, k, seat) for table in (regrets, averages))
            before = rows[step.rows]
            mean = xp.sum(self._match(before) * values, axis=1)
            kept = xp.where(before > 0.0, before * positive, before * negative)
            kept = xp.where(xp.abs(kept) > LEAST_REGRET, kept, xp.zeros_like(kept))
            rows[step.rows] = kept + (values - mean[:, None, :])
            sums[step.rows] = sums[step.rows] * average + own[k][step.lines]
            return mean

        self._up(seat, other, visit)

    def value(self, seat: int, other: Reach, weights: Array | None) -> float:
        """Chips that `seat` wins with `weights` as its strategy, or with a best response."""
        xp = self.xp

        def visit(k: int, step: _Step, values: Array) -> Array:
            if weights is None:
                return xp.max(values, axis=1)
            strategy = self._match(self._rows(weights, k, seat)[step.rows])
            return xp.sum(strategy * values, axis=1)

        return float(self._up(seat, other, visit)[0, 0])

    def _up(self, seat: int, other: Reach, visit: Any) -> Array:
        """Values at the root; `visit` turns the values of actions into that of a decision."""
        xp = self.xp
        later = xp.zeros((1, 1), dtype=self.dtype)
        for k in range(len(self._seats) - 1, -1, -1):
            own, n = self._seats[k][seat], self._n_sequences[k]
            values = xp.zeros((own.n_lines, n), dtype=self.dtype)
            values[own.later[0]] = xp.take(later, own.later[1], axis=0)
            for way, (lines, others, stakes) in own.ends.items():
                table = self.joint[k] if way == "fold" else self.net
                table = table.T if seat == 0 else table
                found = xp.matmul(xp.take(other[k], others, axis=0), table)
                values[lines] += found * stakes[:, None]
            for step in reversed(own.steps):
                values[step.parent] += visit(k, step, values[step.lines])
            begun = xp.take(values, own.starts, axis=0)
            width = self.n_buckets[k]
            later = xp.sum(xp.reshape(begun, (-1, n // width, width)), axis=2)
        return later

    def _rows(self, table: Array, k: int, seat: int) -> Array:
        """[actions of a street, S] the part of a table that a seat has on a street, as a view."""
        return self.xp.reshape(table[self._seats[k][seat].slots], (-1, self._n_sequences[k]))

    def _match(self, weights: Array) -> Array:
        """[G, actions, S] the strategy in proportion to positive weights, else uniform."""
        xp = self.xp
        found = xp.asarray(weights, dtype=self.dtype)
        found = xp.where(found > 0.0, found, xp.zeros_like(found))
        total = xp.sum(found, axis=1, keepdims=True)
        uniform = xp.full_like(found, 1.0 / found.shape[1])
        is_some = total > LEAST_REGRET
        return xp.where(is_some, found / xp.where(is_some, total, xp.ones_like(total)), uniform)

    def _array(self, table: NDArray[Any]) -> Array:
        return self.xp.asarray(np.ascontiguousarray(table), dtype=self.dtype)

    def _seat(self, k: int, seat: int) -> _Seat:
        asarray, tree, lines = self.xp.asarray, self.lines, self.lines.seats[seat]
        first, last = tree.first_lines[k : k + 2, seat]
        begin, end = tree.streets[k : k + 2]
        others, stakes = tree.first_lines[k, 1 - seat], (lines.fold_stake, lines.show_stake)
        sign = 1.0 if seat == 0 else -1.0  # `net` is what the first seat wins
        ends = {}
        for way, stake in zip(("fold", "show"), (stakes[0], sign * stakes[1]), strict=True):
            ending = getattr(lines, way)[first:last]
            held = np.flatnonzero(ending != NONE)
            if held.size:
                chips = self._array(stake[first:last][held])
                ends[way] = asarray(held), asarray(ending[held] - others), chips
        leading = np.flatnonzero(lines.later[first:last] != NONE)
        above = tree.first_lines[max(k - 1, 0), seat]
        slot = int(self.slots.first[k, seat])
        size = int(tree.n_rows[k, seat]) * self._n_sequences[k]
        return _Seat(
            int(last - first),
            slice(slot, slot + size),
            asarray(lines.starts[begin:end] - first),
            asarray(lines.source[begin:end] - above) if k else None,
            [self._step(points, k, seat) for points in _steps(tree, k, seat)],
            ends,
            (asarray(leading), asarray(lines.later[first:last][leading] - end)),
        )

    def _step(self, points: NDArray[np.intp], k: int, seat: int) -> _Step:
        lines, first = self.lines.seats[seat], self.lines.first_lines[k, seat]
        actions = np.arange(lines.n_actions[points[0]])
        return _Step(
            self.xp.asarray(lines.parent[points] - first),
            self.xp.asarray(lines.first[points][:, None] - first + actions),
            self.xp.asarray(lines.row[points][:, None] + actions),
        )


def _steps(tree: LineTree, k: int, seat: int) -> list[NDArray[np.intp]]:
    """Decisions of a street processed at once: equally deep, on different lines."""
    lines = tree.seats[seat]
    points = np.arange(*lines.points[tree.streets[k : k + 2]])
    depth = dict.fromkeys(range(*tree.first_lines[k : k + 2, seat]), 0)  # by line
    seen: dict[tuple[int, int], int] = {}
    groups: dict[tuple[int, int, int], list[int]] = {}
    for j in points.tolist():
        line, n_actions = int(lines.parent[j]), int(lines.n_actions[j])
        # Among the decisions of equal depth that follow one line, no two are in one step.
        rank = seen[line, n_actions] = seen.get((line, n_actions), -1) + 1
        groups.setdefault((depth[line], rank, n_actions), []).append(j)
        for a in range(n_actions):
            depth[int(lines.first[j]) + a] = depth[line] + 1
    return [np.array(groups[key]) for key in sorted(groups)]
