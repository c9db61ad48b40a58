"""Counts over all complete boards of a deck, through a library like NumPy.

Threads of the processor find the sequences of all hands up to the turn, chunk by chunk of flops,
while the device ranks and counts the boards of the chunk before. With CuPy the kernels are those of
`board_counts.cu`, with NumPy their twins, by which tests reach everything here without a GPU. The
numbers are integers and the same to the bit as those of `joint_tables_kernels`.
"""

from collections.abc import Iterator
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.device import board_counts_kernels
from counterfold.buckets.histories import history_kernels
from counterfold.buckets.histories.flop_walks import bucket_pairs, list_flops
from counterfold.buckets.histories.history_kernels import StreetTables
from counterfold.cards.deck import Deck
from counterfold.cards.pairs import N_PAIRS
from counterfold.cards.ranking_kernels import rank_tables
from counterfold.cards.streets import BOARD_SIZES, N_FINAL
from counterfold.cards.table_files import Progress
from counterfold.devices import free_gpu_bytes
from counterfold.jit.cuda import open_source
from counterfold.threads import ThreadPool, stretches

MOST_SEQUENCES = 1 << 21  # a key has 32 bits, of which 11 number the hand
_FLOPS_AT_ONCE = 64
_BLOCK = 256  # threads
_ROOM = 1 << 30  # bytes of the GPU for the boards of a chunk and what CuPy keeps
_SEVEN = 2  # row of the tables for hands of seven cards
_FLUSHES = 4  # row of hand ranks of flushes by mask
_NO_CUTS = -1

Array = Any  # of NumPy or of a library that replaces it


class _Chunk(NamedTuple):
    """Complete boards of some flops. Shapes: ``n`` boards, ``H`` hands, ``F`` flops."""

    n_boards: int
    listed: NDArray[np.uint8]  # [n, 5], in the memory of the processor
    boards: Array  # [n, 5]
    places: Array  # [n, 3] flop, and places of both cards among those that it leaves
    weights: Array  # [n]
    turns: Array  # [F, places, pairs] sequences up to the turn
    ranks: Array  # [n, H]
    scores: Array  # [n, H]


def fits_device(xp: Any, n_sequences: int) -> bool:
    """Whether `xp` has keys and memory for pairs of this many sequences."""
    if n_sequences > MOST_SEQUENCES:
        return False
    return xp is np or 16 * n_sequences * (n_sequences + 1) + _ROOM < free_gpu_bytes()


class BoardCounts:
    """Counts by `xp`, which is `cupy` or `numpy`, with buckets known up to the turn.

    `preflop` are buckets by class. What is fed to the device is made on `threads` threads.
    """

    def __init__(
        self,
        xp: Any,
        deck: Deck,
        preflop: NDArray[np.integer],
        flop: StreetTables,
        turn: StreetTables,
        threads: int,
        progress: Progress | None = None,
    ) -> None:
        self.xp, self.threads, self.progress = xp, threads, progress
        self._flops, self._preflop = list_flops(deck), bucket_pairs(deck, preflop)
        self._flop, self._turn = flop, turn
        self._launch = open_source(
            xp, "counterfold.buckets.device", "board_counts.cu", board_counts_kernels
        )
        n_left = deck.n_cards - N_FINAL
        self._hand_cards = [side.astype(np.uint8) for side in np.triu_indices(n_left, 1)]
        self._n_hands = comb(n_left, 2)
        self._n_places = deck.n_cards - BOARD_SIZES["flop"]
        tables = rank_tables()
        self._tables = [
            xp.asarray(np.ascontiguousarray(table))
            for table in (
                tables.keys,
                tables.low,
                tables.high[_SEVEN],
                tables.unsuited[_SEVEN],
                tables.by_mask[_FLUSHES],
            )
        ]
        self._deck = xp.asarray(self._flops.deck)
        self._sides = [xp.asarray(side) for side in self._hand_cards]

    def count_scores(self, n_sequences: int, n_scores: int) -> NDArray[np.int64]:
        """Deals up to the river by sequence on the turn and score."""
        counts = self.xp.zeros((n_sequences, n_scores), np.int64)
        for chunk in self._chunks("history-river"):
            self._launch(
                "count_scores", chunk.n_boards * _BLOCK, chunk.n_boards, self._deck.size,
                self._n_hands, self._n_places, N_PAIRS, n_scores, self._deck, chunk.boards,
                *self._sides, chunk.places, chunk.weights, chunk.turns, chunk.scores, counts,
                block=_BLOCK,
            )  # fmt: skip
        return self._to_numpy(counts)

    def tally(self, river: StreetTables, n_sequences: int) -> NDArray[np.int64]:
        """Packed sums over all pairs of hands by `n_sequences` up to the river."""
        xp = self.xp
        sums = xp.zeros((n_sequences * (n_sequences + 1) // 2, 2), np.int64)
        cuts, within = xp.asarray(river.cuts), xp.asarray(river.within_cuts)
        n_cuts = river.cuts.shape[1] if len(river.cuts) else _NO_CUTS
        for chunk in self._chunks("joint-river"):
            levels = self._levels(chunk, river) if river.levels.size else chunk.scores
            self._launch(
                "tally_showdowns", 2 * chunk.n_boards * _BLOCK, chunk.n_boards, self._deck.size,
                self._n_hands, self._n_places, N_PAIRS, river.n_buckets, n_cuts,
                river.within_cuts.shape[1], n_sequences, self._deck, chunk.boards, *self._sides,
                chunk.places, chunk.weights, chunk.turns, cuts, within, chunk.ranks, levels, sums,
                block=_BLOCK,
            )  # fmt: skip
        packed = xp.empty((n_sequences, n_sequences), np.int64)
        self._launch("pack_sums", n_sequences**2, n_sequences, sums, packed, block=_BLOCK)
        return self._to_numpy(packed)

    def _chunks(self, name: str) -> Iterator[_Chunk]:
        """All complete boards with the ranks and scores of all hands."""
        n_flops = len(self._flops.boards)
        with ThreadPool(self.threads) as pool:
            for first, last in stretches(0, n_flops, _FLOPS_AT_ONCE):
                yield self._chunk(first, last, pool)
                if self.progress is not None:
                    self.progress(name, last, n_flops)

    def _chunk(self, first: int, last: int, pool: ThreadPool) -> _Chunk:
        xp = self.xp
        most = (last - first) * comb(self._n_places, 2)
        boards, weights = np.empty((most, N_FINAL), np.uint8), np.empty(most, np.int64)
        places, left = np.empty((most, 3), np.int32), np.empty(self._flops.deck.size, np.uint8)
        n = board_counts_kernels.list_boards_of(
            first, last, self._flops, left, boards, places, weights
        )
        turns = np.empty((last - first, self._n_places, N_PAIRS), np.int32)
        scratch = [history_kernels.make_flop_scratch() for _ in range(pool.n_threads)]

        def work(begin: int, end: int, thread: int) -> None:
            board_counts_kernels.list_turns(
                begin, end, self._flops, self._preflop, self._flop, self._turn,
                scratch[thread], turns[begin - first : end - first],
            )  # fmt: skip

        pool.share_out(work, stretches(first, last, 1))
        ranks = xp.empty((n, self._n_hands), np.int16)
        scores = xp.empty((n, self._n_hands), np.uint16)
        on_device = xp.asarray(boards[:n])
        self._launch(
            "score_boards", n * _BLOCK, n, self._deck.size, self._n_hands, self._deck, on_device,
            *self._sides, *self._tables, ranks, scores, block=_BLOCK,
        )  # fmt: skip
        return _Chunk(
            n,
            boards[:n],
            on_device,
            xp.asarray(places[:n]),
            xp.asarray(weights[:n]),
            xp.asarray(turns),
            ranks,
            scores,
        )

    def _levels(self, chunk: _Chunk, river: StreetTables) -> Array:
        """The levels of all hands by their class."""
        levels = np.empty((chunk.n_boards, self._n_hands), np.uint16)
        deck = self._flops.deck

        def work(begin: int, end: int, thread: int) -> None:
            board_counts_kernels.list_levels(
                begin, end, deck, chunk.listed, *self._hand_cards, river,
                np.empty(N_FINAL + 2, np.uint8), np.empty(deck.size, np.uint8), levels,
            )  # fmt: skip

        with ThreadPool(self.threads) as pool:
            pool.share_out(work, stretches(0, chunk.n_boards, 256))
        return self.xp.asarray(levels)

    def _to_numpy(self, array: Array) -> NDArray[Any]:
        return np.asarray(array) if self.xp is np else self.xp.asnumpy(array)
