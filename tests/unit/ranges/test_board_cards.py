"""Boards and hands: counts, orders of strength, copies under new names, all-in results."""

from dataclasses import replace
from itertools import combinations
from math import comb

import numpy as np
import pytest

from counterfold.cards import parse_cards
from counterfold.cards.equity import equity
from counterfold.cards.ranges import parse_range
from counterfold.errors import CardError, UnsupportedGameError
from counterfold.games.holdem import Variant
from counterfold.games.names import parse_game
from counterfold.ranges.board_cards import NONE, BoardCards
from counterfold.ranges.board_cards_kernels import count_hands, leave_hands
from counterfold.ranges.range_equity import hand_equities

HOLDEM = parse_game("nolimit")
ALL = np.ones(1326)


def _cards(board: str, first: str, second: str, **options: object) -> BoardCards:
    weights = parse_range(first).weights, parse_range(second).weights
    return BoardCards(HOLDEM, tuple(parse_cards(board)), weights, **options)  # type: ignore[arg-type]


def test_every_board_below_a_turn_is_there_once() -> None:
    boards = _cards("Td9d6hQc", "random", "random").boards
    assert boards.street.tolist() == [0] + [1] * 48
    assert boards.n_hands[0].tolist() == [comb(48, 2)] * 2
    assert (boards.n_hands[1:] == comb(47, 2)).all()
    assert boards.chance.tolist() == [1, 1 / 44]


def test_copies_of_boards_are_all_boards() -> None:
    for board, n in (("Ts9s6s", 49), ("Ts9h6h", 49), ("Ts9h6c", 49)):
        boards = _cards(board, "AA,76s", "KQo").boards
        below = boards.street == 1
        assert np.diff(boards.copies)[below].sum() == n
        rivers = np.zeros(boards.street.size, np.int64)
        np.add.at(rivers, boards.parent[1:], np.diff(boards.copies)[1:])
        assert (rivers[below] == 48).all()


def test_ranges_that_tell_suits_apart_keep_boards_apart() -> None:
    alike = _cards("Ts9s6s2h", "AA", "KK").boards.street.size
    apart = _cards("Ts9s6s2h", "AA", "KcKh").boards.street.size
    assert alike < apart
    assert _cards("Ts9s6s2h", "AA", "KK", merge_suits=False).boards.street.size == 49


def test_hands_of_the_last_street_ascend() -> None:
    boards = _cards("Td9d6hQc7s", "random", "random").boards
    ends = boards.ends[: boards.groups[1]]
    assert (np.diff(ends, axis=0) >= 0).all()
    assert ends[-1].tolist() == boards.n_hands[0].tolist()


def test_a_hand_of_both_ranges_is_found_in_both() -> None:
    boards = _cards("Td9d6hQc7s", "AA,KK", "KK,22").boards
    n = boards.n_hands[0, 0]
    cards, same = boards.cards[:n], boards.same[:n]
    theirs = boards.cards[n:]
    for h in range(n):
        if same[h] == NONE:
            assert not (theirs[:, :2] == cards[h, :2]).all(axis=1).any()
        else:
            assert (theirs[same[h], :2] == cards[h, :2]).all()


@pytest.mark.parametrize("board", ["Td9d6hQc7s", "Td9d6hQc", "Td9d6h"])
def test_equities_are_those_of_the_equity_command(board: str) -> None:
    cards = tuple(parse_cards(board))
    first, second = parse_range("AKs,77,65s"), parse_range("QJo,99,A2s")
    found = hand_equities(HOLDEM, cards, (first.weights, second.weights))
    for seat, (own, other) in enumerate(((first, second), (second, first))):
        for pair in own.pairs:
            one = np.zeros(1326)
            one[pair] = 1.0
            value = found[seat][pair]
            if np.isnan(value):
                continue
            wanted = equity(type(own)(one), other, cards).equity
            assert value == pytest.approx(wanted, abs=2e-6)


def _mean_share(variant: Variant, hands: list[list[int]]) -> float:
    """What the first of two hands has of the pot, over all boards."""
    left = [card for card in variant.deck.cards.tolist() if card not in hands[0] + hands[1]]
    boards = list(combinations(left, variant.board_cards(len(variant.streets) - 1)))
    strengths = [[variant.strength([*hand, *board]) for hand in hands] for board in boards]
    return float(np.mean([0.5 + 0.5 * np.sign(mine - theirs) for mine, theirs in strengths]))


@pytest.mark.parametrize("hole_cards", [1, 2])
def test_equities_of_a_small_deck_are_those_of_all_its_boards(hole_cards: int) -> None:
    variant = replace(parse_game("nolimit(deck='QKA/cdh', board=(1, 1))"), hole_cards=hole_cards)
    deck = sorted(variant.deck.cards.tolist())
    holes = BoardCards(variant, (), (np.ones(comb(52, hole_cards)),) * 2).holes
    rng = np.random.default_rng(3)
    inside = np.isin(holes, deck).all(axis=1)
    weights = [np.where(inside, rng.integers(0, 3, len(holes)), 0.0) for _ in (0, 1)]
    found = hand_equities(variant, (), (weights[0], weights[1]))
    for seat in (0, 1):
        for number in np.flatnonzero(weights[seat]):
            mine = holes[number].tolist()
            others = [h for h in np.flatnonzero(weights[1 - seat]) if not {*mine} & {*holes[h]}]
            shares = [_mean_share(variant, [mine, holes[h].tolist()]) for h in others]
            wanted = np.average(shares, weights=weights[1 - seat][others])
            assert found[seat][number] == pytest.approx(wanted, abs=2e-6)


def test_boards_leave_the_same_hands_with_and_without_numba() -> None:
    """The numbers of high cards do not fit into the bits of a small integer."""
    dealt = np.array([[51, -1], [40, 3], [-1, -1]])
    holes = np.array([[3, 51], [7, 40], [8, 9]], np.uint8)
    hands, counts, left = np.arange(3), np.zeros(3, np.int64), np.full(6, NONE)
    for compiled in (False, True):
        count, leave = (
            kernel if compiled else getattr(kernel, "py_func", kernel)
            for kernel in (count_hands, leave_hands)
        )
        count(dealt, hands, holes, counts)
        assert counts.tolist() == [2, 1, 3]
        leave(dealt, hands, holes, np.array([0, 2, 3]), left)
        assert left.tolist() == [1, 2, 2, 0, 1, 2]
        counts[:], left[:] = 0, NONE


def test_hands_that_change_are_refused() -> None:
    with pytest.raises(UnsupportedGameError, match="never change"):
        BoardCards(parse_game("river-of-blood"), (), (ALL, ALL))


@pytest.mark.parametrize("hole_cards", [1, 2])
def test_ranges_are_refused_just_where_no_two_hands_can_be_held_at_once(hole_cards: int) -> None:
    variant = replace(HOLDEM, hole_cards=hole_cards)
    holes = BoardCards(variant, (), (ALL, ALL)).holes
    rng = np.random.default_rng(7)
    refused = 0
    for _ in range(300):
        numbers = [rng.choice(min(12, len(holes)), rng.integers(1, 3)) for _ in (0, 1)]
        weights = [np.zeros(len(holes)), np.zeros(len(holes))]
        for seat in (0, 1):
            weights[seat][numbers[seat]] = 1
        apart = any(
            not set(holes[a].tolist()) & set(holes[b].tolist())
            for a in numbers[0]
            for b in numbers[1]
        )
        cards = BoardCards(variant, (), (weights[0], weights[1]))
        if apart:
            cards.check_hands()
            continue
        refused += 1
        with pytest.raises(CardError, match="shares a card"):
            cards.check_hands()
    assert 0 < refused < 300
