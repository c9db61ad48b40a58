"""The passes of `ranges.traversal` in whole-array operations, for any library like NumPy.

All decisions of a seat with equal depth and number of actions on a street are one step, so that an
iteration is a few hundred operations on large arrays, as a GPU wants. Only names of the array API
standard are used, and assignment by integer arrays, which NumPy and CuPy have. The kernels are
faster on a CPU; tests compare both.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.joint_tables import JointTables
from counterfold.public.infosets import PublicGame
from counterfold.ranges.seat_sequences import NONE, SeatSequences, find_seat_sequences
from counterfold.ranges.seat_sequences_kernels import Tables
from counterfold.ranges.traversal import Array, Reach, check_joint
from counterfold.regret_kernels import LEAST_REGRET


@dataclass(frozen=True, eq=False)
class _Step:
    """``G`` decisions of a seat that are processed at once; no two of them follow one line."""

    first_slot: int
    stop_slot: int
    n_actions: int
    parent: Array  # [G] line
    parent_row: Array  # [G] reach vector
    lines: list[Array]  # [G] by action
    rows: list[Array]  # [G] by action


@dataclass(frozen=True, eq=False)
class _Seat:
    """The lines of a seat on a street, as arrays of the library."""

    n_lines: int
    source: Array
    start_lines: Array
    start_rows: Array
    steps: list[_Step]  # parents first
    ends: dict[str, tuple[Array, Array, Array | None]]  # lines, places, stakes


class ArrayTraversal:
    """Traversal by `xp`, a module such as `numpy` or `cupy`."""

    def __init__(self, game: PublicGame, joint: JointTables, xp: Any, dtype: str) -> None:
        check_joint(game, joint)
        self.xp, self.dtype = xp, getattr(xp, dtype)
        self.streets = find_seat_sequences(game)
        self.n_buckets = joint.n_buckets
        self.joint = [self._array(table.values) for table in joint.probabilities]
        self.net = self._array(joint.net.values)
        self._n_sequences = joint.n_sequences
        self._seats = [
            [self._seat(lines, n) for lines in street.seats]
            for street, n in zip(self.streets, joint.n_sequences, strict=True)
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

    def strategy(self, weights: Array) -> Array:
        """Probabilities in proportion to positive `weights`."""
        strategy = self.xp.zeros_like(weights)
        for k, seats in enumerate(self._seats):
            for seat in seats:
                for step in seat.steps:
                    slots = slice(step.first_slot, step.stop_slot)
                    strategy[slots] = self.xp.reshape(self._match(weights, None, step, k), (-1,))
        return strategy

    def reach(self, seat: int, weights: Array, guesses: Array | None = None) -> Reach:
        """How often `seat` plays along each of its lines."""
        xp = self.xp
        above = xp.ones((1, 1), dtype=self.dtype)
        found = []
        for k, seats in enumerate(self._seats):
            own = seats[seat]
            reach = xp.zeros((own.n_lines, self._n_sequences[k]), dtype=self.dtype)
            begun = xp.take(above, own.source, axis=0)
            reach[own.start_rows] = xp.repeat(begun, self.n_buckets[k], axis=1)
            for step in own.steps:
                strategy = self._match(weights, guesses, step, k)
                before = xp.take(reach, step.parent_row, axis=0)
                for a, rows in enumerate(step.rows):
                    reach[rows] = before * strategy[:, :, a]
            found.append(reach)
            above = reach
        return found

    def update(
        self, seat: int, other: Reach, own: Reach, factors: Array, tables: Tables, predictive: bool
    ) -> None:
        """Learn from one iteration: change the slots of `seat` in `tables`."""
        xp = self.xp
        regrets, averages, instant_regrets = tables
        positive, negative, average = (float(factor) for factor in factors)

        def visit(k: int, step: _Step, values: Array) -> Array:
            shape = (-1, self._n_sequences[k], step.n_actions)
            slots = slice(step.first_slot, step.stop_slot)
            strategy = self._match(regrets, instant_regrets if predictive else None, step, k)
            mean = xp.sum(strategy * values, axis=2)
            instant_regret = values - mean[:, :, None]
            regret = xp.reshape(regrets[slots], shape) + instant_regret
            regret = xp.where(regret > 0.0, regret * positive, regret * negative)
            regret = xp.where(xp.abs(regret) > LEAST_REGRET, regret, xp.zeros_like(regret))
            reach = xp.stack([xp.take(own[k], rows, axis=0) for rows in step.rows], axis=2)
            mass = (xp.reshape(averages[slots], shape) + reach) * average
            mass = xp.where(mass > LEAST_REGRET, mass, xp.zeros_like(mass))
            regrets[slots] = xp.reshape(regret, (-1,))
            averages[slots] = xp.reshape(mass, (-1,))
            if predictive:
                instant_regrets[slots] = xp.reshape(instant_regret, (-1,))
            return mean

        self._up(seat, other, visit)

    def value(self, seat: int, other: Reach, weights: Array | None) -> float:
        """Chips that `seat` wins with `weights` as its strategy, or with a best response."""
        xp = self.xp

        def visit(k: int, step: _Step, values: Array) -> Array:
            if weights is None:
                return xp.max(values, axis=2)
            return xp.sum(self._match(weights, None, step, k) * values, axis=2)

        return float(self._up(seat, other, visit)[0, 0])

    def _up(self, seat: int, other: Reach, visit: Any) -> Array:
        """Values at the root; `visit` turns the values of actions into that of a decision."""
        xp = self.xp
        later = xp.zeros((1, 1), dtype=self.dtype)
        for k in range(len(self._seats) - 1, -1, -1):
            own, n = self._seats[k][seat], self._n_sequences[k]
            products = self._multiply(k, seat, other[k]) | {"later": later}
            values = xp.zeros((own.n_lines, n), dtype=self.dtype)
            for name, (lines, places, stakes) in own.ends.items():
                found = xp.take(products[name], places, axis=0)
                values[lines] += found if stakes is None else found * stakes[:, None]
            for step in reversed(own.steps):
                actions = [xp.take(values, lines, axis=0) for lines in step.lines]
                values[step.parent] += visit(k, step, xp.stack(actions, axis=2))
            begun = xp.take(values, own.start_lines, axis=0)
            width = self.n_buckets[k]
            later = xp.sum(xp.reshape(begun, (-1, n // width, width)), axis=2)
        return later

    def _multiply(self, k: int, seat: int, other: Array) -> dict[str, Array]:
        street = self.streets[k]
        joint, net = (t.T if seat == 0 else t for t in (self.joint[k], self.net))
        products = {"fold": self.xp.matmul(other[street.folds[1 - seat], :], joint)}
        if k == len(self.streets) - 1:
            products["show"] = self.xp.matmul(other[street.shows[1 - seat], :], net)
        return products

    def _match(self, weights: Array, guesses: Array | None, step: _Step, k: int) -> Array:
        """[G, S, actions] the strategy in proportion to positive weights, else uniform."""
        xp = self.xp
        slots = slice(step.first_slot, step.stop_slot)
        found = weights[slots] if guesses is None else weights[slots] + guesses[slots]
        found = xp.asarray(found, dtype=self.dtype)
        found = xp.reshape(found, (-1, self._n_sequences[k], step.n_actions))
        found = xp.where(found > 0.0, found, xp.zeros_like(found))
        total = xp.sum(found, axis=2, keepdims=True)
        uniform = xp.full_like(found, 1.0 / step.n_actions)
        is_some = total > LEAST_REGRET
        return xp.where(is_some, found / xp.where(is_some, total, xp.ones_like(total)), uniform)

    def _array(self, table: NDArray[Any]) -> Array:
        return self.xp.asarray(np.ascontiguousarray(table), dtype=self.dtype)

    def _seat(self, lines: SeatSequences, n_sequences: int) -> _Seat:
        asarray = self.xp.asarray
        ends: dict[str, tuple[Array, Array, Array | None]] = {}
        for name, places, stakes in (
            ("fold", lines.fold, lines.fold_stake),
            ("show", lines.show, lines.show_stake),
            ("later", lines.later, None),
        ):
            held = np.flatnonzero(places != NONE)
            if held.size:
                weights = None if stakes is None else self._array(stakes[held])
                ends[name] = asarray(held), asarray(places[held]), weights
        starts = lines.starts[:-1]
        return _Seat(
            lines.row.size,
            asarray(lines.source),
            asarray(starts),
            asarray(lines.row[starts]),
            [self._step(lines, points, n_sequences) for points in _steps(lines, n_sequences)],
            ends,
        )

    def _step(self, lines: SeatSequences, points: NDArray[np.intp], n_sequences: int) -> _Step:
        asarray = self.xp.asarray
        n_actions = int(lines.n_actions[points[0]])
        first = int(lines.slot[points[0]])
        after = [lines.first[points] + a for a in range(n_actions)]
        return _Step(
            first,
            first + points.size * n_sequences * n_actions,
            n_actions,
            asarray(lines.parent[points]),
            asarray(lines.row[lines.parent[points]]),
            [asarray(each) for each in after],
            [asarray(lines.row[each]) for each in after],
        )


def _steps(lines: SeatSequences, n_sequences: int) -> list[NDArray[np.intp]]:
    """Decisions processed at once: equally deep, with contiguous slots, on different lines."""
    n = lines.slot.size
    depth = np.zeros(n, np.int64)
    rank = np.zeros(n, np.int64)  # among the decisions of equal depth that follow one line
    made_by = {int(lines.first[j]) + a: j for j in range(n) for a in range(lines.n_actions[j])}
    seen: dict[tuple[int, int], int] = {}
    for j in range(n):
        line = int(lines.parent[j])
        depth[j] = depth[made_by[line]] + 1 if line in made_by else 0
        rank[j] = seen.get((line, int(depth[j])), 0)
        seen[line, int(depth[j])] = int(rank[j]) + 1
    order = np.lexsort((lines.slot, rank, lines.n_actions, depth))
    keys = np.stack([depth, lines.n_actions, rank])[:, order]
    width = lines.n_actions[order].astype(np.int64) * n_sequences
    apart = (keys[:, 1:] != keys[:, :-1]).any(axis=0)
    apart |= np.diff(lines.slot[order]) != width[:-1]
    return [part for part in np.split(order, np.flatnonzero(apart) + 1) if part.size]
