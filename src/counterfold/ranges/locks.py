"""Strategies of a spot that are fixed: at a line, for all hands or for some.

A locked hand plays what its lock says; the other hands of the decision, and all other decisions,
are solved around it. A best response of the locked seat keeps to its locks, too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from counterfold.errors import CardError, IllegalActionError
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.notation import read_line
from counterfold.ranges.betting_tree import BettingTree
from counterfold.ranges.board_cards import NONE, BoardArrays, BoardCards
from counterfold.ranges.line_tree import LineTree
from counterfold.ranges.tree_lines import find_edge, follow_line

_CLOSE = 1e-6  # to 1, of the sum of probabilities


@dataclass(frozen=True)
class Lock:
    """At `line`, `hands` play these actions, as in ``k=0.3, b50%=0.7``."""

    line: str
    actions: str
    hands: str = "random"

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Self:
        """The lock that a dictionary describes."""
        try:
            return cls(**content)
        except TypeError:
            raise CardError(
                f"a lock has a line, actions and, if you like, hands, not {sorted(content)}"
            ) from None


class LockedDecision(NamedTuple):
    """A lock, found in the tree."""

    seat: int
    street: int  # from the root on
    decision: int
    shares: tuple[float, ...]  # of all actions
    dealt: tuple[tuple[int, ...], ...]  # cards of the streets after the root; empty for any
    hands: NDArray[np.bool_]  # by number among all hands of the deck


def parse_lock(text: str) -> Lock:
    """The lock written as ``line : actions`` or ``line : hands : actions``."""
    parts = [part.strip() for part in text.split(":", maxsplit=1)]
    if len(parts) == 2 and ":" in parts[1]:
        hands, _, actions = parts[1].rpartition(":")
        return Lock(parts[0], actions.strip(), hands.strip())
    if len(parts) != 2:
        raise IllegalActionError(
            f"cannot read lock {text!r}; write it like 'k b50% : c=1' or 'k : AKs : b50%=1'"
        )
    return Lock(parts[0], parts[1])


def find_locked(
    tree: BettingTree, lines: LineTree, lock: Lock, hands: NDArray[np.float64]
) -> LockedDecision:
    """The decision that `lock` names; raises `IllegalActionError` if there is none."""
    node, dealt = follow_line(tree, lock.line)
    if tree.phase[node] != betting.BET:
        raise IllegalActionError(f"no one decides after the locked line {lock.line!r}")
    situation = tree.situations[node]
    return LockedDecision(
        int(situation[betting.ACTOR]),
        int(situation[betting.STREET] - tree.situations[0, betting.STREET]),
        int(lines.decisions[node]),
        _read_shares(tree, node, lock.actions),
        dealt,
        hands > 0,
    )


def _read_shares(tree: BettingTree, node: int, text: str) -> tuple[float, ...]:
    shares = [0.0] * int(tree.starts[node + 1] - tree.starts[node])
    for item in text.split(","):
        action, _, share = item.rpartition("=")
        words = read_line(action)
        try:
            value = float(share)
        except ValueError:
            value = -1.0
        if len(words) != 1 or not 0 <= value <= 1:
            raise IllegalActionError(
                f"cannot read {item.strip()!r} of a lock; write actions with probabilities, "
                "such as k=0.3, b50%=0.7"
            )
        shares[find_edge(tree, node, words[0]) - tree.starts[node]] += value
    if abs(sum(shares) - 1) > _CLOSE:
        raise IllegalActionError(f"probabilities of the lock {text!r} add up to {sum(shares):g}")
    return tuple(shares)


def mark_locked(lines: LineTree, locked: Sequence[LockedDecision]) -> LineTree:
    """The lines with rows of the table of locks given to locked decisions."""
    seats = list(lines.seats)
    for seat in (0, 1):
        lock = seats[seat].lock.copy()
        n_rows = np.zeros(lines.n_streets, np.int32)
        for one in locked:
            if one.seat == seat and lock[one.decision] == NONE:
                lock[one.decision] = n_rows[one.street]
                n_rows[one.street] += len(one.shares)
        seats[seat] = seats[seat]._replace(lock=lock)
    return replace(lines, seats=(seats[0], seats[1]))


def fill_locks(
    lines: LineTree, cards: BoardCards, boards: BoardArrays, locked: Sequence[LockedDecision]
) -> tuple[tuple[NDArray[np.float64], NDArray[np.float64]], NDArray[np.int64]]:
    """The tables of locks by seat, nan where a hand is free, and where a board's begin."""
    n_rows = np.zeros((lines.n_streets, 2), np.int64)
    for one in locked:
        end = int(lines.seats[one.seat].lock[one.decision]) + len(one.shares)
        n_rows[one.street, one.seat] = max(n_rows[one.street, one.seat], end)
    sizes = n_rows[boards.street] * boards.n_hands
    slots = np.cumsum(sizes, axis=0) - sizes
    tables = tuple(np.full(max(int(n), 1), np.nan) for n in sizes.sum(axis=0))
    dealt = [_by_street(cards, below.board) for below in cards.walk()] if locked else []
    for one in locked:
        for b in np.flatnonzero(boards.street == one.street).tolist():
            if _lies(dealt[b], one.dealt):
                _fill(tables[one.seat], slots[b, one.seat], lines, cards, boards, b, one)
    return (tables[0], tables[1]), slots


def _by_street(cards: BoardCards, board: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The cards that were dealt after the root, street by street."""
    streets = range(cards.first_street, len(cards.variant.streets))
    edges = [cards.variant.board_cards(street) for street in streets]
    return [board[first:last] for first, last in pairwise(edges)]


def _lies(dealt: Sequence[Sequence[int]], wanted: Sequence[Sequence[int]]) -> bool:
    """Whether the cards of a board are those wanted; where none are named, any are."""
    return all(
        not cards or sorted(found) == sorted(cards)
        for found, cards in zip(dealt, wanted, strict=False)
    )


def _fill(
    table: NDArray[np.float64],
    slot: int,
    lines: LineTree,
    cards: BoardCards,
    boards: BoardArrays,
    b: int,
    one: LockedDecision,
) -> None:
    n, at = boards.n_hands[b, one.seat], boards.hands[b, one.seat]
    places = np.flatnonzero(one.hands[cards.hands[one.seat][boards.hand[at : at + n]]])
    row = slot + lines.seats[one.seat].lock[one.decision] * n
    for a, share in enumerate(one.shares):
        table[row + a * n + places] = share
