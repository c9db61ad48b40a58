"""Clusters of runs in plain NumPy: what `buckets.run_histograms` computes by kernels."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.run_histograms.run_strength_kernels import N_OPPONENTS, SHARES
from counterfold.cards.long_boards_kernels import is_red
from counterfold.contest.exported.exported_strength import BITS, HandStrength, list_pairs
from counterfold.jit.random import mix

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_BLOCK = 1024  # numbers drawn at once
_SHORTEST, _LONGEST = 5, 9  # boards with centers of their own


class PackedRuns:
    """Clusters of hands on boards that another card follows; see `RunClusters`."""

    def __init__(
        self, centers: NDArray[np.uint16], hands: HandStrength, first_flush_suit_only: bool
    ) -> None:
        self._centers = centers.astype(np.int64)  # [sizes, n, bins - 1]
        self._hands = hands
        self._first_suit_only = first_flush_suit_only

    def covers(self, board: Sequence[int]) -> bool:
        """Whether another card follows the board."""
        return len(board) >= _SHORTEST and bool(is_red(board[-1]))

    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """The nearest center, of equally near ones the first."""
        centers = self._centers[min(len(board), _LONGEST) - _SHORTEST]
        cumulative = self.cumulative(hole, board, centers.shape[1] + 1)
        return int(np.abs(centers - cumulative[:-1]).sum(axis=1).argmin())

    def cumulative(
        self, hole: Sequence[int], board: Sequence[int], n_bins: int
    ) -> NDArray[np.int64]:
        """The shares of run-outs that end in a bin of strength or below it, of `SHARES`."""
        left = self._hands.deck[~np.isin(self._hands.deck, [*board])]
        first, second = list_pairs(left.size)
        masks = int(BITS[[*board]].sum())
        now = self._hands.rank(
            masks | BITS[left[first]] | BITS[left[second]], self._first_suit_only
        )
        order = np.argsort(now, kind="stable")
        runs, weights, places = _deal(left, masks, order.size)
        pairs = order[places]
        theirs = left[first[pairs]], left[second[pairs]]  # each [run-outs, N_OPPONENTS]
        ended = masks | runs
        dealt = runs | int(BITS[[*hole]].sum())
        meets = np.ones(pairs.shape, bool)
        for card in theirs:
            meets &= dealt[:, None] & BITS[card] == 0
        ranks = self._hands.rank(
            (ended[:, None] | BITS[theirs[0]] | BITS[theirs[1]]).ravel(), self._first_suit_only
        ).reshape(pairs.shape)
        own = self._hands.rank(ended | int(BITS[[*hole]].sum()), self._first_suit_only)[:, None]
        scores = ((2 * (ranks < own) + (ranks == own)) * meets).sum(axis=1)
        n_met = meets.sum(axis=1)
        counts = (runs & int(BITS[[*hole]].sum()) == 0) & (n_met > 0)
        bins = np.minimum(scores[counts] * n_bins // (2 * n_met[counts]), n_bins - 1)
        below = np.cumsum(np.bincount(bins, weights[counts], n_bins))
        shares: NDArray[np.float64] = np.floor(below / below[-1] * SHARES + 0.5)
        return shares.astype(np.int64)


def _deal(
    left: NDArray[np.int64], masks: int, n_pairs: int
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    """Run-outs as `BITS`, their weights and the places of opponents, one for each next card."""
    numbers = _numbers(masks)
    n = left.size
    runs, weights = np.zeros(n, np.int64), np.ones(n)
    places = np.zeros((n, N_OPPONENTS), np.int64)
    cards = left.tolist()
    for at, card in enumerate(cards):
        run = {card}
        while is_red(card) and len(run) < n - 4:
            while card in run:
                card = cards[next(numbers) * n >> 32]
            weights[at] *= (n - len(run)) / (n - len(run) - 2.0)
            run.add(card)
        runs[at] = BITS[list(run)].sum()
        for k in range(N_OPPONENTS):
            places[at, k] = ((k << 32 | next(numbers)) * n_pairs >> 32) // N_OPPONENTS
    return runs, weights, places


def _numbers(masks: int) -> Iterator[int]:
    """The 32 bits of each number of the stream that the cards of a board name."""
    # `stream_key(0, masks)` on arrays, whose products wrap around without a warning.
    key = mix(mix(np.array([_GOLDEN])) + _GOLDEN * np.array([masks + 1], np.uint64))
    step = 1
    while True:
        steps = np.arange(step, step + _BLOCK, dtype=np.uint64)
        yield from (mix(key + _GOLDEN * steps) >> np.uint64(32)).tolist()
        step += _BLOCK
