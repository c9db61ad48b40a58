"""The lines of a betting tree, over all of its streets, as kernels follow them board by board.

A *line* of a seat is a betting history up to one of its own actions on a street, or up to the start
of the street. The strategy of the seat has the same factors along a whole line, so one vector
over its hands says how often it gets there, whatever the other seat does next. Every hand that ends
is the end of one line of each seat, and a line ends at most once by a fold and once at showdown.

Shapes: ``E`` starts of streets, which both seats share, ``J`` decisions of a seat, ``L`` lines. All
three are numbered street by street, and on a street start by start, parents first.
"""

from collections import deque
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from counterfold.games.holdem import betting_kernels as betting

NONE = -1


class BettingNodes(Protocol):
    """Histories of betting with a parent before its children: a betting tree or a public graph."""

    @property
    def situations(self) -> NDArray[np.int32]:
        """[N, N_FIELDS]."""

    @property
    def starts(self) -> NDArray[np.int32]:
        """[N + 1] node n owns children starts[n]:starts[n + 1]."""

    @property
    def children(self) -> NDArray[np.int32]:
        """Nodes that follow."""


class SeatLines(NamedTuple):
    """The lines of one seat."""

    starts: NDArray[np.int32]  # [E + 1] first line of each start, which is the start itself
    source: NDArray[np.int32]  # [E] line of the street before that continues here, or NONE
    points: NDArray[np.int32]  # [E + 1] first decision of each start
    parent: NDArray[np.int32]  # [J] line that leads to the decision
    first: NDArray[np.int32]  # [J] its lines, one for each action, begin here
    n_actions: NDArray[np.int32]  # [J]
    row: NDArray[np.int32]  # [J] rows of its actions in the tables of a board begin here
    lock: NDArray[np.int32]  # [J] the same in the table of locked strategies, or NONE
    fold: NDArray[np.int32]  # [L] line of the other with which this one ends by a fold, or NONE
    fold_stake: NDArray[np.float64]  # [L] chips to the seat
    show: NDArray[np.int32]  # [L] line of the other with which this one ends at showdown, or NONE
    show_stake: NDArray[np.float64]  # [L] chips to the seat if it wins, to the other if not
    show_cost: NDArray[np.float64]  # [L] chips from the seat, win or lose
    later: NDArray[np.int32]  # [L] start of the next street to which this one leads, or NONE


@dataclass(frozen=True)
class Rake:
    """What the house takes of a pot: a share of it, but no more than `cap` chips."""

    share: float = 0.0
    cap: float = np.inf

    def of(self, pot: float) -> float:
        """Chips taken of a pot."""
        return min(self.share * pot, self.cap)


@dataclass(frozen=True, eq=False)
class LineTree:
    """The lines of both seats, and what is known of the streets."""

    seats: tuple[SeatLines, SeatLines]
    streets: NDArray[np.int32]  # [K + 1] first start of each street
    # [N] by node of the tree
    decisions: NDArray[np.int32]  # number among those of its actor, or NONE
    lines: NDArray[np.int32]  # [N, 2] line of each seat that leads there

    @property
    def n_streets(self) -> int:
        """How many streets there are from the root on."""
        return self.streets.size - 1

    @cached_property
    def first_lines(self) -> NDArray[np.int32]:
        """[K + 1, 2] first line of each street, by seat."""
        return np.stack([seat.starts[self.streets] for seat in self.seats], axis=1)

    @cached_property
    def n_rows(self) -> NDArray[np.int64]:
        """[K, 2] rows of the tables of a board of each street, by seat.

        One for each action, unless decisions share theirs.
        """
        counts = np.zeros((self.n_streets, 2), np.int64)
        for p, seat in enumerate(self.seats):
            ends = (seat.row + seat.n_actions).astype(np.int64)
            for k, (first, last) in enumerate(pairwise(seat.points[self.streets].tolist())):
                counts[k, p] = ends[first:last].max(initial=0)
        return counts

    @cached_property
    def zero_sum(self) -> bool:
        """Whether one seat wins what the other loses: nobody takes a rake."""
        seat, other = self.seats
        folds = seat.fold != NONE
        stakes = seat.fold_stake[folds] + other.fold_stake[seat.fold[folds]]
        return not (stakes.any() or seat.show_cost.any())

    @cached_property
    def shows(self) -> NDArray[np.bool_]:
        """[K] whether hands end at showdown on a street: before the last one, all-in."""
        show = self.seats[0].show != NONE
        edges = self.first_lines[:, 0]
        return np.array([show[a:b].any() for a, b in pairwise(edges)])


def find_lines(tree: BettingNodes, *, dead: int = 0, rake: Rake | None = None) -> LineTree:
    """All lines of `tree`, whose root is its first node; `dead` chips in the pot are nobody's."""
    walk = _Walk(tree, dead / 2, rake or Rake())
    streets = [0]
    starts = [_Place(0, (NONE, NONE))]
    while starts:
        walk.later = []
        for start in starts:
            walk.follow(start)
        streets.append(streets[-1] + len(starts))
        starts = walk.later
    seats = [seat.arrays() for seat in walk.seats]
    return LineTree((seats[0], seats[1]), np.array(streets, np.int32), walk.decisions, walk.lines)


class _Place(NamedTuple):
    """A node, and the line of each seat that leads there."""

    node: int
    lines: tuple[int, int]


class _Ends:
    """One way in which lines end: the line of the other and the chips."""

    def __init__(self) -> None:
        self.others: dict[int, int] = {}
        self.stakes: dict[int, float] = {}
        self.costs: dict[int, float] = {}

    def add(self, line: int, other: int, stake: float, cost: float = 0.0) -> None:
        assert line not in self.others
        self.others[line], self.stakes[line], self.costs[line] = other, stake, cost


class _Seat:
    """Lists that grow while the lines of a seat are found."""

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.source: list[int] = []
        self.points: list[int] = []
        self.decisions: list[tuple[int, int, int, int]] = []  # parent, first, n_actions, row
        self.n_lines = 0
        self.n_rows = 0  # on this street
        self.folds, self.shows = _Ends(), _Ends()
        self.later: dict[int, int] = {}

    def begin(self, source: int) -> int:
        """The line that begins a start."""
        self.starts.append(self.n_lines)
        self.points.append(len(self.decisions))
        self.source.append(source)
        return self.add(1)

    def add(self, n: int) -> int:
        """The first of `n` new lines."""
        self.n_lines += n
        return self.n_lines - n

    def decide(self, parent: int, n_actions: int) -> int:
        """The first line of a new decision."""
        first = self.add(n_actions)
        self.decisions.append((parent, first, n_actions, self.n_rows))
        self.n_rows += n_actions
        return first

    def arrays(self) -> SeatLines:
        parent, first, n_actions, row = np.array(self.decisions, np.int32).reshape(-1, 4).T.copy()
        starts = np.array([*self.starts, self.n_lines], np.int32)
        points = np.array([*self.points, len(self.decisions)], np.int32)
        lock = np.full(parent.size, NONE, np.int32)
        return SeatLines(
            starts,
            np.array(self.source, np.int32),
            points,
            parent,
            first,
            n_actions,
            row,
            lock,
            self._by_line(self.folds.others),
            self._chips(self.folds.stakes),
            self._by_line(self.shows.others),
            self._chips(self.shows.stakes),
            self._chips(self.shows.costs),
            self._by_line(self.later),
        )

    def _by_line(self, values: dict[int, int]) -> NDArray[np.int32]:
        array = np.full(self.n_lines, NONE, np.int32)
        array[list(values)] = list(values.values())
        return array

    def _chips(self, values: dict[int, float]) -> NDArray[np.float64]:
        array = np.zeros(self.n_lines)
        array[list(values)] = list(values.values())
        return array


class _Walk:
    """Follows a tree from the starts of a street, breadth first."""

    def __init__(self, tree: BettingNodes, dead: float, rake: Rake) -> None:
        self.tree, self.dead, self.rake = tree, dead, rake  # `dead`: of each seat
        self.seats = (_Seat(), _Seat())
        self.later: list[_Place] = []
        self.n_starts = 1
        n = tree.starts.size - 1
        self.decisions = np.full(n, NONE, np.int32)
        self.lines = np.full((n, 2), NONE, np.int32)

    def follow(self, start: _Place) -> None:
        """Find the lines that begin at `start`."""
        if not self.later:
            self._forget_rows(start)
        first, second = (
            seat.begin(source) for seat, source in zip(self.seats, start.lines, strict=True)
        )
        waiting = deque([_Place(start.node, (first, second))])
        while waiting:
            place = waiting.popleft()
            self.lines[place.node] = place.lines
            phase = self.tree.situations[place.node, betting.PHASE]
            if phase == betting.BET:
                waiting.extend(self._decide(place))
            elif phase == betting.DEAL:
                self._deal(place)
            else:
                self._end(place, phase)

    def _forget_rows(self, start: _Place) -> None:
        """Rows of tables are counted anew on every street."""
        street = self.tree.situations[start.node, betting.STREET]
        if getattr(self, "_street", None) != street:
            self._street = street
            for seat in self.seats:
                seat.n_rows = 0

    def _decide(self, place: _Place) -> list[_Place]:
        """What follows the actions of a decision."""
        node, lines = place
        actor = int(self.tree.situations[node, betting.ACTOR])
        children = self.tree.children[self.tree.starts[node] : self.tree.starts[node + 1]]
        self.decisions[node] = len(self.seats[actor].decisions)
        first = self.seats[actor].decide(lines[actor], children.size)
        return [
            _Place(int(child), (first + k, lines[1]) if actor == 0 else (lines[0], first + k))
            for k, child in enumerate(children)
        ]

    def _deal(self, place: _Place) -> None:
        node, lines = place
        for seat, line in zip(self.seats, lines, strict=True):
            seat.later[line] = self.n_starts
        self.n_starts += 1
        self.later.append(_Place(int(self.tree.children[self.tree.starts[node]]), lines))

    def _end(self, place: _Place, phase: int) -> None:
        node, lines = place
        spent = [float(x) + self.dead for x in self.tree.situations[node, betting.SPENT_0 :][:2]]
        if phase == betting.SHOWDOWN:
            cost = self.rake.of(2 * spent[0]) / 2
            for p, seat in enumerate(self.seats):
                seat.shows.add(lines[p], lines[1 - p], spent[0] - cost, cost)
            return
        folder = int(self.tree.situations[node, betting.ACTOR])
        lost = spent[folder]
        for p, seat in enumerate(self.seats):
            chips = -lost if p == folder else lost - self.rake.of(2 * lost)
            seat.folds.add(lines[p], lines[1 - p], chips)
