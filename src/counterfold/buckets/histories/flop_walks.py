"""Walks over all flops, divided among threads or among workers elsewhere.

What history bucketing and joint tables have in common: what they count are integers, whose sums are
the same however flops are divided.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import lru_cache
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.histories import history_kernels
from counterfold.cards.deck import Deck
from counterfold.cards.isomorphism import Isomorphism
from counterfold.cards.pairs import N_PAIRS, PAIR_CARDS
from counterfold.cards.streets import BOARD_SIZES
from counterfold.cards.suits import find_like_suits
from counterfold.cards.table_files import Progress, read_only
from counterfold.cards.text import N_CARDS
from counterfold.cluster.workers import Workers
from counterfold.threads import Stretch, ThreadPool, even_stretches, stretches, thread_count

_PIECES = 4  # for each worker, so that all end at about the same time
_ADDED_AT_ONCE = 1 << 16  # numbers, which the second cache holds
_MOST_BYTES = 1 << 28  # of sums that come back for a piece; larger ones come back once a worker


def bucket_pairs(deck: Deck, buckets: NDArray[Any]) -> NDArray[np.int32]:
    """The preflop bucket of each of the 1326 pairs; 0 for those that the deck does not have."""
    of_pair = np.zeros(N_PAIRS, np.int32)
    held = np.isin(PAIR_CARDS, deck.cards).all(axis=1)
    of_pair[held] = buckets[Isomorphism((2,), deck).index_many(PAIR_CARDS[held])]
    return of_pair


@lru_cache(maxsize=4)
def list_flops(deck: Deck) -> history_kernels.Flops:
    """One flop of each class, with its weight and like suits; nobody may change it."""
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
Sums = tuple[NDArray[Any], ...]


class Walk(Protocol[_Buffer]):
    """A walk over numbered units that adds up integers; a dataclass of what it reads."""

    def make_buffer(self) -> _Buffer:
        """What a thread works with, its sums zero."""
        ...

    def walk(self, first: int, last: int, buffer: _Buffer) -> None:
        """Add the units first:last."""
        ...

    def sums(self, buffer: _Buffer) -> Sums:
        """What was added."""
        ...


@dataclass(frozen=True)
class WalkJob:
    """A walk for workers elsewhere; a piece is a stretch of units, its result the sums of them."""

    walk: Any
    writable: tuple[bool, ...]  # its arrays, in order: kernels are compiled for one kind of them

    def restore(self) -> Any:
        """The walk with arrays as they were: those that traveled may be read-only."""
        flags = iter(self.writable)

        def restore(array: NDArray[Any]) -> NDArray[Any]:
            if not next(flags):
                return read_only(array)
            return array if array.flags.writeable else array.copy()

        return _change_arrays(self.walk, restore)

    def prepare(self) -> Callable[[Any, Stretch], Sums]:
        """Restore the walk once."""
        walk = self.restore()

        def work(published: Any, piece: Stretch) -> Sums:
            buffer = walk.make_buffer()
            walk.walk(*piece, buffer)
            return tuple(walk.sums(buffer))

        return work


def _change_arrays(value: Any, change: Callable[[NDArray[Any]], NDArray[Any]]) -> Any:
    """The same with other arrays, in tuples and dataclasses, too."""
    if isinstance(value, np.ndarray):
        return change(value)
    if isinstance(value, tuple):
        parts = [_change_arrays(each, change) for each in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if is_dataclass(value) and not isinstance(value, type):
        changed = {f.name: _change_arrays(getattr(value, f.name), change) for f in fields(value)}
        return replace(value, **changed)
    return value


def send_walk(walk: Any) -> WalkJob:
    """A walk as a job."""
    writable: list[bool] = []

    def note(array: NDArray[Any]) -> NDArray[Any]:
        writable.append(array.flags.writeable)
        return array

    _change_arrays(walk, note)
    return WalkJob(walk, tuple(writable))


def sum_walks(
    name: str,
    walk: Walk[Any],
    n_units: int,
    n_at_once: int,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    workers: Workers | None = None,
) -> Sums:
    """What `walk` counts in all units, in threads with sums of their own or by `workers`."""
    if workers is None:
        buffers = [walk.make_buffer() for _ in range(thread_count(threads))]
        fill_buffers(name, walk.walk, n_units, n_at_once, buffers, progress)
        return tuple(add_up(p, threads) for p in zip(*map(walk.sums, buffers), strict=True))
    n_bytes = sum(array.nbytes for array in walk.sums(walk.make_buffer()))
    n_pieces = workers.n_workers * (_PIECES if n_bytes <= _MOST_BYTES else 1)
    pieces = list(even_stretches(n_units, min(n_pieces, n_units)))
    total: Sums = ()
    n_done = 0
    for number, sums, error in workers.begin(send_walk(walk)).finish(pieces):
        if error is not None:
            raise error
        if not total:
            total = tuple(np.zeros_like(each) for each in sums)
        total = tuple(add_up(both) for both in zip(total, sums, strict=True))
        n_done += pieces[number][1] - pieces[number][0]
        if progress is not None:
            progress(name, n_done, n_units)
    return total


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


def add_up(parts: Sequence[NDArray[Any]], threads: int | None = 1) -> NDArray[Any]:
    """The sum of contiguous arrays, in the memory of the first."""
    flat = [part.reshape(-1) for part in parts]

    def work(first: int, last: int, thread: int) -> None:
        for part in flat[1:]:
            flat[0][first:last] += part[first:last]

    with ThreadPool(threads) as pool:
        pool.split(work, stretches(0, flat[0].size, _ADDED_AT_ONCE))
    return parts[0]
