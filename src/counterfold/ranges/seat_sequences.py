"""The lines of a public tree, which full-width passes with cards as vectors follow.

A *line* of a seat is a betting history up to one of its own actions on a street, or up to the start
of the street. The strategy of the seat has the same factors along a whole line, so that one vector
over the seat's bucket sequences says how often it gets there, whatever the other seat does next.
Every hand that ends is the end of one line of each seat.

Shapes: ``E`` starts of a street, ``J`` decisions of the seat on it, ``L`` lines. Lines and
decisions are stored start by start, parents first. Reach vectors are stored in another order, by
use: those of lines that end with a fold come first, then those that end both ways (the other folds
or calls), then those that end at showdown. The vectors that a table is multiplied with are thus one
block.
"""

from collections import deque
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.errors import UnsupportedGameError
from counterfold.games.holdem import betting_kernels as betting
from counterfold.public.infosets import PublicGame

NONE = -1


class SeatSequences(NamedTuple):
    """SeatSequences of one seat on one street, as kernels read them."""

    starts: NDArray[np.int32]  # [E + 1] lines of each start; the first of them is the start itself
    source: NDArray[np.int32]  # [E] reach vector of the street before that continues here
    points: NDArray[np.int32]  # [E + 1] decisions of each start
    parent: NDArray[np.int32]  # [J] line that leads to the decision
    first: NDArray[np.int32]  # [J] its lines, one for each action, begin here
    n_actions: NDArray[np.int32]  # [J]
    slot: NDArray[np.int64]  # [J] first slot in the tables of regrets and averages
    row: NDArray[np.int32]  # [L] place of the line's reach vector
    # How a line continues without a decision of the seat: at most once in each of three ways.
    fold: NDArray[np.int32]  # [L] place of the other's vector in the block of folds, or NONE
    fold_stake: NDArray[np.float32]  # [L] chips to the seat; whole numbers below 2**24
    show: NDArray[np.int32]  # [L] place of the other's vector in the block of showdowns, or NONE
    show_stake: NDArray[np.float32]  # [L] chips to the seat if seat 0 wins
    later: NDArray[np.int32]  # [L] start of the next street, or NONE


class Street(NamedTuple):
    """Both seats on one street."""

    seats: tuple[SeatSequences, SeatSequences]
    folds: tuple[slice, slice]  # reach vectors of each seat whose lines end with a fold
    shows: tuple[slice, slice]  # the same for showdowns


def find_seat_sequences(game: PublicGame) -> tuple[Street, ...]:
    """All lines of `game`, street by street."""
    _check(game)
    streets: list[Street] = []
    starts = [_Start(0, (0, 0))]
    for number in range(len(game.graph.variant.streets)):
        walk = _StreetWalk(game)
        for start in starts:
            walk.follow(start)
        streets.append(walk.finish(final=number == len(game.graph.variant.streets) - 1))
        rows = [seat.row for seat in streets[-1].seats]
        starts = [
            _Start(later.node, (int(rows[0][later.lines[0]]), int(rows[1][later.lines[1]])))
            for later in walk.later
        ]
    return tuple(streets)


def _check(game: PublicGame) -> None:
    variant = game.graph.variant
    if variant.hands_change or variant.max_runs:
        raise UnsupportedGameError(
            f"{variant.name} has draws, swaps or runs; full-width solving with joint tables is "
            "for variants without them"
        )
    if game.graph.merged or game.n_classes != game.graph.decisions.size:
        raise UnsupportedGameError(
            "full-width solving with joint tables needs perfect recall; use the feature history "
            "and a graph built with merge=False"
        )


class _Start(NamedTuple):
    """A node at which a street begins, and the line of each seat that leads there."""

    node: int
    lines: tuple[int, int]


class _Seat:
    """Lists that grow while the lines of a seat are found."""

    def __init__(self) -> None:
        self.starts: list[int] = [0]
        self.points: list[int] = [0]
        self.source: list[int] = []
        self.decisions: list[tuple[int, int, int, int]] = []  # parent, first, n_actions, slot
        self.n_lines = 0
        # Line of the seat, line of the other, chips to the seat.
        self.folds: list[tuple[int, int, int]] = []
        self.shows: list[tuple[int, int, int]] = []
        self.later: list[tuple[int, int]] = []  # line, start of the next street

    def add(self, n: int) -> int:
        """The first of `n` new lines."""
        self.n_lines += n
        return self.n_lines - n


class _StreetWalk:
    """Follows a street from all of its starts."""

    def __init__(self, game: PublicGame) -> None:
        self.game, self.graph = game, game.graph
        self.seats = (_Seat(), _Seat())
        self.later: list[_Start] = []

    def follow(self, start: _Start) -> None:
        """Find the lines that begin at `start`, breadth first."""
        lines = []
        for seat, source in zip(self.seats, start.lines, strict=True):
            seat.source.append(source)
            lines.append(seat.add(1))
        waiting = deque([_Start(start.node, (lines[0], lines[1]))])
        while waiting:
            place = waiting.popleft()
            if self.graph.phase[place.node] == betting.BET:
                waiting.extend(self._decide(place))
            else:
                self._end(place)
        for seat in self.seats:
            seat.starts.append(seat.n_lines)
            seat.points.append(len(seat.decisions))

    def _decide(self, place: _Start) -> list[_Start]:
        """What follows the actions of a decision."""
        node, lines = place
        actor = int(self.graph.field(betting.ACTOR)[node])
        children = self.graph.children[self.graph.starts[node] : self.graph.starts[node + 1]]
        first = self.seats[actor].add(children.size)
        slot = int(self.game.node_offsets[node])
        self.seats[actor].decisions.append((lines[actor], first, children.size, slot))
        return [
            _Start(int(child), (first + k, lines[1]) if actor == 0 else (lines[0], first + k))
            for k, child in enumerate(children)
        ]

    def _end(self, place: _Start) -> None:
        """Record how the betting of the street ended."""
        node, lines = place
        phase, spent = (
            self.graph.phase[node],
            self.graph.situations[node, betting.SPENT_0 :],
        )
        if phase == betting.DEAL:
            child = int(self.graph.children[self.graph.starts[node]])
            for seat, line in zip(self.seats, lines, strict=True):
                seat.later.append((line, len(self.later)))
            self.later.append(_Start(child, lines))
        elif phase == betting.SHOWDOWN:
            self.seats[0].shows.append((lines[0], lines[1], int(spent[0])))
            self.seats[1].shows.append((lines[1], lines[0], -int(spent[0])))
        else:
            folder = int(self.graph.field(betting.ACTOR)[node])
            lost = int(spent[folder])
            for p, seat in enumerate(self.seats):
                chips = -lost if p == folder else lost
                seat.folds.append((lines[p], lines[1 - p], chips))

    def finish(self, final: bool) -> Street:
        """The lines of both seats as arrays."""
        rows, folds, shows = [], [], []
        for p in (0, 1):
            row, fold, show = _by_use(self.seats[p], self.seats[1 - p])
            rows.append(row)
            folds.append(fold)
            shows.append(show)
        assert final or shows == [slice(s.start, s.start) for s in shows]
        seats = [_arrays(self.seats[p], rows[p], rows[1 - p], shows[1 - p].start) for p in (0, 1)]
        return Street((seats[0], seats[1]), (folds[0], folds[1]), (shows[0], shows[1]))


def _by_use(seat: _Seat, other: _Seat) -> tuple[NDArray[np.int32], slice, slice]:
    """Places of the reach vectors of a seat, and the blocks that end by a fold or a showdown."""
    folds, shows = np.zeros(seat.n_lines, bool), np.zeros(seat.n_lines, bool)
    folds[[line for _, line, _ in other.folds]] = True
    shows[[line for _, line, _ in other.shows]] = True
    use = np.where(folds, np.where(shows, 1, 0), np.where(shows, 2, 3))
    row = np.empty(seat.n_lines, np.int32)
    row[np.argsort(use, kind="stable")] = np.arange(seat.n_lines, dtype=np.int32)
    n_folds, only = int(folds.sum()), int((folds & ~shows).sum())
    return row, slice(0, n_folds), slice(only, only + int(shows.sum()))


def _arrays(
    seat: _Seat, row: NDArray[np.int32], other: NDArray[np.int32], first_show: int
) -> SeatSequences:
    decisions = np.array(seat.decisions, np.int64).reshape(-1, 4)
    fold, fold_stake = _ends(seat.folds, row.size, other, 0)
    show, show_stake = _ends(seat.shows, row.size, other, first_show)
    later = np.full(row.size, NONE, np.int32)
    for line, start in seat.later:
        later[line] = start
    starts, source, points = (
        np.array(x, np.int32) for x in (seat.starts, seat.source, seat.points)
    )
    parent, first, n_actions = (decisions[:, k].astype(np.int32) for k in range(3))
    slot = np.ascontiguousarray(decisions[:, 3])
    return SeatSequences(
        starts, source, points, parent, first, n_actions, slot,
        row, fold, fold_stake, show, show_stake, later,
    )  # fmt: skip


def _ends(
    ends: list[tuple[int, int, int]], n: int, other: NDArray[np.int32], first: int
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """The place of the other's vector in its block, and the stake, for each line that ends."""
    place, stake = np.full(n, NONE, np.int32), np.zeros(n, np.float32)
    for line, others, chips in ends:
        assert place[line] == NONE
        place[line] = other[others] - first
        stake[line] = chips
    return place, stake
