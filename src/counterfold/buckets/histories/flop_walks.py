"""Walks over all flops, divided among threads.

What history bucketing and joint tables have in common.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.histories import history_kernels
from counterfold.cards.deck import Deck
from counterfold.cards.isomorphism import Isomorphism
from counterfold.cards.pairs import N_PAIRS, PAIR_CARDS
from counterfold.cards.streets import BOARD_SIZES
from counterfold.cards.suits import find_like_suits
from counterfold.cards.table_files import Progress
from counterfold.cards.text import N_CARDS
from counterfold.threads import ThreadPool, stretches


def bucket_pairs(deck: Deck, buckets: NDArray[Any]) -> NDArray[np.int32]:
    """The preflop bucket of each of the 1326 pairs; 0 for those that the deck does not have."""
    of_pair = np.zeros(N_PAIRS, np.int32)
    held = np.isin(PAIR_CARDS, deck.cards).all(axis=1)
    of_pair[held] = buckets[Isomorphism((2,), deck).index_many(PAIR_CARDS[held])]
    return of_pair


def list_flops(deck: Deck) -> history_kernels.Flops:
    """One flop of each class, with its weight and like suits."""
    classes = Isomorphism((BOARD_SIZES["flop"],), deck)
    boards = classes.unindex_many(np.arange(classes.size))
    marks = np.full(N_CARDS, 2)
    marks[deck.cards] = 0
    likes = []
    for board in boards:
        of_board = marks.copy()
        of_board[board] = 1
        likes.append(find_like_suits(of_board))
    cards = np.array(deck.cards, np.uint8)
    return history_kernels.Flops(boards, classes.weights().astype(np.int64), np.array(likes), cards)


_Buffer = TypeVar("_Buffer")


def fill_buffers(
    name: str,
    work: Callable[[int, int, _Buffer], None],
    n_units: int,
    n_at_once: int,
    buffers: Sequence[_Buffer],
    progress: Progress | None,
) -> None:
    """Do units of work in as many threads as there are buffers.

    Which buffer a unit goes to is left to chance, so a caller may use only their sum: for integers
    it is the same however the work was divided.
    """

    def work_on(first: int, last: int, thread: int) -> None:
        work(first, last, buffers[thread])

    def tell(done: int) -> None:
        if progress is not None:
            progress(name, done, n_units)

    with ThreadPool(len(buffers)) as pool:
        pool.share_out(work_on, stretches(0, n_units, n_at_once), tell)


def add_up(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """The sum of arrays, in the memory of the first."""
    for part in parts[1:]:
        np.add(parts[0], part, out=parts[0])
    return parts[0]
