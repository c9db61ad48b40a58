"""What a blueprint does below the start of a street: at every node, on every board, by hand.

The hands of all boards of a street lie one after another, so that the kernels which follow the
range of one board follow those of all.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.bots.tracking import range_tracking_kernels as tracking
from counterfold.bots.tracking.range_room import empty_range
from counterfold.bots.tracking.range_tracking_kernels import RangeScratch, TrackedRange
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import CALL, FOLD
from counterfold.games.holdem.situation import Situation
from counterfold.ranges.betting_tree import BettingTree
from counterfold.search.hand_ranges import Act, BoardShares, HandRanges, Values, copy_range
from counterfold.search.spot_solver import ListedBoard


class _Street(NamedTuple):
    """The boards of a street, from the root on."""

    numbers: list[int]
    above: NDArray[np.intp]  # [boards] place among those of the street before
    labels: NDArray[np.int32]  # [boards * H]
    free: NDArray[np.bool_]  # [boards, H] hands that the board leaves
    room: RangeScratch


class BlueprintStrategies:
    """The strategy of a seat in trees that begin with its range `held`.

    What it would bet and the tree does not offer is taken for a check or call. Of hands that never
    come to a node all is zero.
    """

    def __init__(self, ranges: HandRanges, held: TrackedRange, seat: int) -> None:
        self.ranges, self.held, self.seat = ranges, copy_range(held), seat

    def __call__(self, tree: BettingTree, boards: Sequence[ListedBoard]) -> Iterator[BoardShares]:
        """What the seat does at each of its decisions, on each of `boards`."""
        streets = list(self._list_streets(tree, boards))
        waiting = [(0, 0, copy_range(self.held))]
        while waiting:
            node, k, here = waiting.pop()
            situation = tuple(tree.situations[node].tolist())
            if here.n[0] == 0:
                continue
            children = tree.children[tree.starts[node] : tree.starts[node + 1]].tolist()
            if situation[betting.PHASE] == betting.DEAL and k + 1 < len(streets):
                after = tuple(tree.situations[children[0]].tolist())
                waiting.append((children[0], k + 1, self._deal(after, here, streets[k + 1])))
            elif situation[betting.PHASE] == betting.BET:
                below = self._find_below(tree, node, streets[k], here)
                if situation[betting.ACTOR] == self.seat:
                    yield from self._share_out(tree, node, streets[k], here, below)
                waiting += [(child, k, after) for child, after in zip(children, below, strict=True)]

    def _list_streets(self, tree: BettingTree, boards: Sequence[ListedBoard]) -> Iterator[_Street]:
        """The streets on which someone may bet."""
        ranges, first = self.ranges, int(tree.situations[0, betting.STREET])
        hands = ranges.labeled.hands
        before: list[int] = []
        streets_of_decisions = tree.situations[tree.decisions, betting.STREET]
        for k in range(int(streets_of_decisions.max(initial=first)) - first + 1):
            numbers = [b for b, each in enumerate(boards) if each.street == k]
            cards = np.array([boards[b].board for b in numbers], np.uint8)
            above = np.array([before.index(boards[b].parent) for b in numbers] if k else [0])
            if k == 0:
                labels = ranges.label(tuple(boards[0].board), first)[first]
                room = ranges.room
            else:
                lengths = np.full(len(numbers), first + k, np.uint8)
                labels = ranges.labeled.label(cards, lengths)[:, first + k].reshape(-1)
                room = ranges.make_room(len(numbers))
            bits = np.bitwise_or.reduce(np.int64(1) << cards.astype(np.int64), axis=1)
            free = (hands.bits & bits[:, None]) == 0
            yield _Street(numbers, above, labels, free, room)
            before = numbers

    def _deal(self, situation: Situation, held: TrackedRange, street: _Street) -> TrackedRange:
        """The range once a street is dealt."""
        n, n_hands = int(held.n[0]), street.free.shape[1]
        after = empty_range(street.free.size)
        after.n[0], after.nodes[:] = n, held.nodes
        by_board = held.weights[:n].reshape(n, -1, n_hands)[:, street.above]
        after.weights[:n] = (by_board * street.free).reshape(n, -1)
        tracking.range_after_deal(self.ranges.policy, situation, after, street.room)
        return after

    def _find_below(
        self, tree: BettingTree, node: int, street: _Street, held: TrackedRange
    ) -> list[TrackedRange]:
        """The range after each action of a node."""
        policy, variant = self.ranges.policy, tree.variant
        situation = tuple(tree.situations[node].tolist())
        k, mine = situation[betting.STREET], situation[betting.ACTOR] == self.seat
        found = []
        for edge in range(tree.starts[node], tree.starts[node + 1]):
            act, after = Act(int(tree.kinds[edge]), int(tree.amounts[edge])), copy_range(held)
            if mine:
                tracking.range_after_bot(
                    policy, variant.rules, situation, k, street.labels, *act, after, street.room
                )
            elif act.kind != FOLD:
                tracking.range_after_opponent(
                    policy, *act, situation, variant.stack, after, street.room
                )
            found.append(after)
        return found

    def _share_out(
        self,
        tree: BettingTree,
        node: int,
        street: _Street,
        held: TrackedRange,
        below: Sequence[TrackedRange],
    ) -> Iterator[BoardShares]:
        """How often hands take each edge of a node."""
        weights, totals = _add_up(held), np.stack([_add_up(after) for after in below])
        with np.errstate(invalid="ignore", divide="ignore"):
            shares = np.where(weights > 0, totals / weights, 0.0)
        start = tree.starts[node]
        passive = next(k for k in range(len(below)) if tree.kinds[start + k] == CALL)
        shares[passive] += np.where(weights > 0, np.maximum(1.0 - shares.sum(axis=0), 0.0), 0.0)
        by_board = shares.reshape(len(below), *street.free.shape)
        for at, number in enumerate(street.numbers):
            yield BoardShares(number, node, self.ranges.by_number(by_board[:, at]))


def _add_up(held: TrackedRange) -> Values:
    """Weights over all readings."""
    return np.asarray(held.weights[: int(held.n[0])].sum(axis=0))
