"""What a spot will cost, estimated before anything large is built: sizes, memory, time."""

from dataclasses import dataclass, replace
from itertools import combinations
from math import comb, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.text import N_CARDS
from counterfold.devices import Device, gpu_name
from counterfold.jit.lanes import LANES
from counterfold.memory import check_memory, free_memory_bytes
from counterfold.ranges.board_cards import BoardCards
from counterfold.ranges.line_tree import LineTree
from counterfold.ranges.range_pass import BLOCK_BYTES, WHOLE_STREETS
from counterfold.ranges.spot import Spot
from counterfold.runs.budget import Budget
from counterfold.spots.spot_device import choose_spot_device, spot_room, usual_bytes
from counterfold.threads import thread_count

_MOST_LISTED = 20_000  # boards, beyond which they are not gone through one by one
_ITEM = 4  # bytes of a number in tables and works
_BOARD_BYTES = 22  # for each hand on each board: its number, cards, place among the other's, group
_BLOCKS = 3  # of whole starts of the last street, that a thread works on at a time
_COPY_BYTES = 4  # for each hand on each copy of a board: its place above

# Seen on one core of a common server: of a hand at an action, and of an action on a board.
_SLOT_SECONDS, _ROW_SECONDS = 5e-9, 2e-7
_THREAD_GAIN = 0.85  # of each thread beyond the first, where there are boards to share
_EVALUATIONS = 1.15  # time of iterations with their evaluations
# Seen on an NVIDIA H200, evaluations included: 90 iterations of a flop in 0.615 s, with 146 million
# hands at actions in the columns that both seats share.
MEASURED_ON = "an H200"
_DEVICE_SLOT_SECONDS = 0.615 / 90 / 145_567_678

# Iterations to half a percent of the pot, and how they grow: seen 80 and 210 to 0.5 and 0.1%.
_USUAL_ITERATIONS, _USUAL_TARGET, _GROWTH = 80, 0.005, 0.6


@dataclass(frozen=True)
class SpotCost:
    """What a spot will take."""

    nodes: int  # of the betting tree
    actions: int  # at all decisions of both seats
    boards: int  # up to suits that nothing tells apart
    hands: tuple[int, int]  # at the root, of the seat that acts first and of the other
    table_bytes: int  # regrets and averages
    work_bytes: int  # of all threads that solve, and of those that look at the result
    board_bytes: int  # hands on boards, and the matrices of all-ins
    iteration_seconds: float
    pot: int
    packed: bool = False  # tables of 16-bit integers, since others do not fit
    device: str = "processor"  # or the name of a GPU
    device_bytes: int = 0  # of its memory

    @property
    def total_bytes(self) -> int:
        """All of the memory."""
        return self.table_bytes + self.work_bytes + self.board_bytes

    def expected_seconds(self, budget: Budget) -> float:
        """How long a run may take; a guess within a factor of two or three."""
        limits = [float("inf") if budget.seconds is None else budget.seconds]
        if budget.iterations is not None:
            limits.append(budget.iterations * self.iteration_seconds)
        if budget.until is not None:
            target = budget.until / self.pot
            iterations = _USUAL_ITERATIONS * (_USUAL_TARGET / target) ** _GROWTH
            limits.append(iterations * self.iteration_seconds)
        return min(limits)

    def to_dict(self) -> dict[str, Any]:
        """All figures by name."""
        return {
            "nodes": self.nodes,
            "actions": self.actions,
            "boards": self.boards,
            "hands": list(self.hands),
            "memory_bytes": self.total_bytes,
            "device": self.device,
            "device_memory_bytes": self.device_bytes,
            "packed": self.packed,
            "expected_seconds_per_iteration": self.iteration_seconds,
        }


class _BoardCounts(NamedTuple):
    """Boards in groups that have the same number of hands."""

    street: NDArray[np.int64]  # [groups] from the root on
    n_boards: NDArray[np.float64]  # [groups]
    n_copies: NDArray[np.float64]  # [groups] of all of its boards together
    n_hands: NDArray[np.float64]  # [groups, seats]
    n_either: NDArray[np.float64]  # [groups] that one seat has, or both


def estimate_spot(
    spot: Spot, threads: int | None = None, *, pack: bool = True, device: Device = "cpu"
) -> SpotCost:
    """Sizes, memory and time of `spot`; only its betting tree is built.

    With `pack`, tables are packed if they would not fit into memory otherwise. Time on a GPU is
    that of the one that was measured. Raises `DeviceError` if a GPU is asked for and cannot be
    used.
    """
    lines, cards = spot.lines, spot.cards
    counts = _count_boards(cards)
    n_threads = thread_count(threads)
    rows = lines.n_rows[counts.street]  # [groups, seats]
    slots = float((counts.n_boards[:, None] * rows * counts.n_hands).sum())
    by_board = float((counts.n_boards[:, None] * rows).sum())
    shared = 1 + _THREAD_GAIN * (n_threads - 1) if lines.n_streets > 1 else 1.0
    seconds = (slots * _SLOT_SECONDS + by_board * _ROW_SECONDS) / shared * _EVALUATIONS
    first, second = (cards.hands[seat].size for seat in spot.positions)
    cost = SpotCost(
        spot.tree.n_nodes,
        int(lines.n_rows.sum()),
        int(counts.n_boards.sum()),
        (first, second),
        int(2 * _ITEM * slots),
        _pass_bytes(lines, counts, n_threads, BLOCK_BYTES)
        + _pass_bytes(lines, counts, n_threads, WHOLE_STREETS),
        int(_board_bytes(counts) + _matrix_bytes(lines, counts)),
        seconds,
        spot.pot,
    )
    if device == "gpu" or cost.total_bytes <= free_memory_bytes():
        return _on_device(spot, cost, counts, device)
    if not pack:
        return cost
    return replace(cost, table_bytes=_packed_bytes(lines, counts, slots), packed=True)


def _on_device(spot: Spot, cost: SpotCost, counts: _BoardCounts, device: Device) -> SpotCost:
    """The same with what it takes of a GPU, if it is solved there."""
    if device == "cpu":
        return cost
    n_boards = np.bincount(counts.street, counts.n_boards)
    n_hands = np.zeros(n_boards.size)
    np.maximum.at(n_hands, counts.street, counts.n_either)
    room = spot_room(spot, n_boards, n_hands)
    if choose_spot_device(spot, device, room) is None:
        return cost
    slots = float((n_boards * n_hands) @ spot.lines.n_rows.sum(axis=1))
    return replace(
        cost,
        device=gpu_name(),
        device_bytes=usual_bytes(room, int(n_boards[-1])),
        iteration_seconds=slots * _DEVICE_SLOT_SECONDS,
    )


def _packed_bytes(lines: LineTree, counts: _BoardCounts, slots: float) -> int:
    """Half of what tables take otherwise, and two scales for each decision on each board."""
    points = [np.diff(seat.points[lines.streets]) for seat in lines.seats]
    decisions = np.sum(points, axis=0)[counts.street]
    return int(_ITEM * slots + 2 * _ITEM * float(counts.n_boards @ decisions))


def check_cost(cost: SpotCost) -> None:
    """Raise `TooLargeError` if a spot would not fit into memory."""
    remedy = (
        f"offer fewer sizes than make {cost.actions:,} actions, narrow the ranges, or begin on a "
        "later street"
    )
    check_memory("the tables of this spot", cost.total_bytes, remedy)


def _count_boards(cards: BoardCards) -> _BoardCounts:
    if (counted := _count_all(cards)).n_boards.sum() > _MOST_LISTED:
        return counted
    listed = list(cards.walk())
    street = np.array([below.street for below in listed])
    copies = np.array([len(below.copies) for below in listed], np.float64)
    n_hands, either = np.empty((len(listed), 3)), np.union1d(*cards.hands)
    for k in range(cards.n_streets):
        at = np.flatnonzero(street == k)
        dealt = np.array([listed[b].board[len(cards.board) :] for b in at], np.intp)
        for column, hands in enumerate((*cards.hands, either)):
            n_hands[at, column] = _count_hands(cards.holes[hands], dealt)
    return _BoardCounts(street, np.ones(len(listed)), copies, n_hands[:, :2], n_hands[:, 2])


def _count_hands(holes: NDArray[np.int32], dealt: NDArray[np.intp]) -> NDArray[np.int64]:
    """How many of `holes` each row of `dealt` leaves: all, less those of a card, plus of two."""
    by_card = np.bincount(holes.ravel(), minlength=N_CARDS)
    left: NDArray[np.int64] = len(holes) - by_card[dealt].sum(axis=1)
    if holes.shape[1] == 2:
        both = np.zeros((N_CARDS, N_CARDS), np.int64)
        both[holes[:, 0], holes[:, 1]] = both[holes[:, 1], holes[:, 0]] = 1
        for a, b in combinations(range(dealt.shape[1]), 2):
            left += both[dealt[:, a], dealt[:, b]]
    return left


def _count_all(cards: BoardCards) -> _BoardCounts:
    """A group per street; nearly all boards have as many copies as there are renamings."""
    n_streets, deck = cards.n_streets, cards.variant.deck.n_cards
    n_copies, n_hands = np.ones(n_streets), np.empty((n_streets, 3))
    n_hands[0] = [hands.size for hands in (*cards.hands, np.union1d(*cards.hands))]
    left = deck - len(cards.board)
    for k in range(1, n_streets):
        n = cards.variant.streets[cards.first_street + k].cards
        n_copies[k] = n_copies[k - 1] * comb(left, n)
        kept = prod((left - n - i) / (left - i) for i in range(cards.variant.hole_cards))
        n_hands[k] = n_hands[k - 1] * kept
        left -= n
    n_boards = np.maximum(n_copies / len(cards.renamings), 1)
    return _BoardCounts(np.arange(n_streets), n_boards, n_copies, n_hands[:, :2], n_hands[:, 2])


def _board_bytes(counts: _BoardCounts) -> float:
    hands = counts.n_hands.sum(axis=1)
    return float((counts.n_boards * hands).sum() * _BOARD_BYTES) + float(
        (counts.n_copies * hands).sum() * _COPY_BYTES
    )


def _matrix_bytes(lines: LineTree, counts: _BoardCounts) -> float:
    """Of the boards, before the last street, from the first street on that can be all-in."""
    all_in = lines.shows[: lines.n_streets - 1]
    if not all_in.any():
        return 0.0
    wanted = (counts.street >= all_in.argmax()) & (counts.street < lines.n_streets - 1)
    return float((counts.n_boards * counts.n_hands.prod(axis=1))[wanted].sum()) * _ITEM


def _most_hands(counts: _BoardCounts, n_streets: int) -> NDArray[np.float64]:
    most = np.zeros((n_streets, 2))
    np.maximum.at(most, counts.street, counts.n_hands)
    return most


def _pass_bytes(lines: LineTree, counts: _BoardCounts, threads: int, block_bytes: int) -> int:
    """Of passes that work on `block_bytes` of the last street at a time."""
    return threads * _work_bytes(lines, counts, block_bytes) + _found_bytes(lines, counts)


def _work_bytes(lines: LineTree, counts: _BoardCounts, block_bytes: int) -> int:
    """Of a thread: a vector for each line of the streets but the last, which goes by blocks."""
    most = _most_hands(counts, lines.n_streets)
    n_lines = np.diff(lines.first_lines, axis=0)
    starts = np.diff(lines.streets)
    vectors = float((n_lines[:-1] * most[:-1]).sum())
    vectors += sum(float(n * m.max()) for n, m in zip(starts[1:], most[:-1], strict=True))
    vectors += float((starts.max() + 3 * LANES) * most.max())
    line_bytes = most.max() * _ITEM
    whole = max(np.diff(seat.starts).max() for seat in lines.seats) * line_bytes
    block = max(whole, min(block_bytes, n_lines.max() * line_bytes))
    return int(vectors * _ITEM + _BLOCKS * block)


def _found_bytes(lines: LineTree, counts: _BoardCounts) -> int:
    """What the boards of the second street are found to be worth, start by start."""
    if lines.n_streets == 1:
        return 0
    below = counts.street == 1
    hands = (counts.n_boards[:, None] * counts.n_hands)[below].sum(axis=0).max()
    return int(int(lines.streets[2] - lines.streets[1]) * hands * _ITEM)
