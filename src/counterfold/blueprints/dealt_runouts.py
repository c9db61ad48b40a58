"""The run-outs after a board: all of them where they are few, else a sample."""

from collections.abc import Iterator
from math import comb, prod
from typing import NamedTuple

import numpy as np

from counterfold.ranges.board_cards import BoardCards

Cards = tuple[int, ...]

_MOST_LISTED = 3_000


class Runout(NamedTuple):
    """What is dealt after a board, street by street."""

    dealt: tuple[Cards, ...]
    weight: int  # how many run-outs it stands for, which differ from it in the names of suits


def count_runouts(cards: BoardCards) -> int:
    """How many run-outs follow the root board, with all names of suits."""
    n_left = cards.variant.deck.n_cards - len(cards.board)
    counts = []
    for street in cards.variant.streets[cards.first_street + 1 :]:
        counts.append(comb(n_left, street.cards))
        n_left -= street.cards
    return prod(counts)


def can_list_runouts(cards: BoardCards) -> bool:
    """Whether all run-outs are few enough to take one by one."""
    return count_runouts(cards) <= _MOST_LISTED


def deal_runouts(cards: BoardCards, seed: int) -> Iterator[Runout]:
    """All run-outs in random order if they are few, each kind once; else random ones, endlessly."""
    rng = np.random.default_rng(seed)
    if not can_list_runouts(cards):
        while True:
            yield Runout(_draw(cards, rng), 1)
    found = _list(cards)
    for at in rng.permutation(len(found)).tolist():
        yield found[at]


def count_kinds(cards: BoardCards) -> int:
    """How many run-outs `deal_runouts` lists."""
    return len(_list(cards))


def _list(cards: BoardCards) -> list[Runout]:
    last = cards.n_streets - 1
    weights: list[int] = []
    found = []
    for below in cards.walk():
        above = weights[below.parent] if weights else 1
        weights.append(above * len(below.copies))
        if below.street == last:
            found.append(Runout(_split(cards, below.board[len(cards.board) :]), weights[-1]))
    return found


def _draw(cards: BoardCards, rng: np.random.Generator) -> tuple[Cards, ...]:
    left = np.setdiff1d(cards.variant.deck.cards, cards.board)
    n = cards.variant.board_cards(len(cards.variant.streets) - 1) - len(cards.board)
    return _split(cards, tuple(rng.choice(left, n, replace=False).tolist()))


def _split(cards: BoardCards, dealt: Cards) -> tuple[Cards, ...]:
    """Cards as they are dealt, street by street."""
    streets = []
    for street in cards.variant.streets[cards.first_street + 1 :]:
        streets.append(tuple(sorted(dealt[: street.cards])))
        dealt = dealt[street.cards :]
    return tuple(streets)
