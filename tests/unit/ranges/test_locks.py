"""Locks as text, and the decisions that they name."""

import numpy as np
import pytest

from counterfold.errors import CardError, IllegalActionError
from counterfold.ranges.locks import Lock, parse_lock
from counterfold.ranges.spot import Spot


def _spot(*locks: Lock, board: str = "Kc7c2d9h") -> Spot:
    return Spot(board=board, oop="AA,KQs", ip="QQ,T9s", pot=10, stack=30, bets="50%", locks=locks)


def test_locks_are_read_with_and_without_hands() -> None:
    assert parse_lock("k b50% : c=1") == Lock("k b50%", "c=1")
    assert parse_lock("k : AKs,QQ:0.5 : k=0.25, b5=0.75") == Lock(
        "k", "k=0.25, b5=0.75", "AKs,QQ:0.5"
    )


def test_a_lock_without_actions_is_refused() -> None:
    with pytest.raises(IllegalActionError, match="write it like"):
        parse_lock("k b50%")


@pytest.mark.parametrize(
    ("lock", "message"),
    [
        (Lock("k b33%", "c=1"), "b33%"),
        (Lock("k k", "k=1"), "no one decides"),
        (Lock("k", "k=0.5"), "add up to 0.5"),
        (Lock("k", "k=0.5, f=0.5"), "f"),
        (Lock("k", "k=lots"), "cannot read"),
        (Lock("k", "k=-1, b5=2"), "cannot read"),
    ],
)
def test_locks_that_cannot_be_are_named(lock: Lock, message: str) -> None:
    with pytest.raises(IllegalActionError, match=message):
        _ = _spot(lock).locked


def test_hands_of_a_lock_must_be_a_range() -> None:
    with pytest.raises(CardError, match="a lock"):
        _ = _spot(Lock("k", "k=1", "XX")).locked


def test_unknown_keys_of_a_lock_are_refused() -> None:
    with pytest.raises(CardError, match="a lock has a line"):
        Lock.from_dict({"line": "k", "moves": "k=1"})


def test_a_card_in_the_line_locks_its_board_alone() -> None:
    spot = _spot(Lock("k k | 3h | k", "k=1"))
    solver = spot.solver()
    boards = [below.board for below in spot.cards.walk()]
    locked = ~np.isnan(solver.learned.tables.locks[spot.positions[1]])
    slots = solver.learned.tables.lock_slots[:, spot.positions[1]]
    held = [b for b in range(1, len(boards)) if locked[slots[b] : slots[b] + 4].any()]
    assert [spot.cards.board_texts[b][-2:] for b in held] == ["3h"]
    assert _spot(Lock("k k k", "k=1")).solver().learned.tables.locks[0].size > 1


def test_a_card_after_a_street_of_two_that_is_not_named_locks_its_boards() -> None:
    spot = Spot(
        board="9c", oop="TT,JJ", ip="QQ,KK", pot=10, stack=30, bets="none",
        game="nolimit(deck='9TJQK/cd', board=(1, 2, 1))", locks=(Lock("k k k k | Kd | k", "k=1"),),
    )  # fmt: skip
    solver, seat = spot.solver(), spot.positions[1]
    locked, slots = ~np.isnan(solver.learned.tables.locks[seat]), solver.learned.tables.lock_slots
    sizes = solver.passes.boards.n_hands
    held = {
        text[-2:]
        for b, text in enumerate(spot.cards.board_texts)
        if len(text) == 8 and locked[slots[b, seat] :][: sizes[b, seat]].any()
    }
    assert held == {"Kd"}
