"""Distribution of final strength on a board that another card will follow, estimated quickly.

In River of Blood such a board, five cards or more with a red one last, ends with the next black
card. A *run-out* is what follows until then. There is one for every card that can come next, so
that the next card is enumerated; only what follows a red one is drawn. Strength at the end is
measured against a few opponents, one from each of equally large groups by strength on the board as
it is. Run-outs and opponents depend on the board alone and serve all hands on it.

All numbers are drawn by counter from the cards themselves: a hand on a board has one histogram.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.long_boards_kernels import is_red
from counterfold.cards.ranking_kernels import N_HAND_RANKS, card_bit, rank_board, rank_masks
from counterfold.cards.strength_kernels import order_by_rank
from counterfold.jit.compiler import kernel
from counterfold.jit.random import mix, stream_key

N_OPPONENTS = 8  # of each run-out
SHARES = 2**14 - 1  # steps to which cumulative shares are rounded, as k-means does
NO_RANK = -1  # of an opponent who holds a card of the run-out

_N_CARDS = 52
_N_PAIRS = 1326
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


class RunScratch(NamedTuple):
    """Work space: the run-outs of one board, by the card that comes next."""

    left: NDArray[np.uint8]  # [52] cards that are not on the board, in ascending order
    ranks: NDArray[np.int16]  # [1326] of the pairs of them, now
    counts: NDArray[np.int16]  # [N_HAND_RANKS] zero between calls
    marks: NDArray[np.uint64]  # [.] zero between calls
    order: NDArray[np.uint16]  # [1326] pairs from the weakest to the strongest
    ends: NDArray[np.uint16]  # [1326]
    firsts: NDArray[np.uint8]  # [1326] first card of each pair
    seconds: NDArray[np.uint8]  # [1326]
    runs: NDArray[np.int64]  # [52] cards of a run-out, a bit for each
    masks: NDArray[np.int64]  # [52] the board at its end, as `card_bit` has it
    weights: NDArray[np.float64]  # [52]
    opponents: NDArray[np.int64]  # [52, N_OPPONENTS] their cards, a bit for each
    theirs: NDArray[np.int16]  # [52, N_OPPONENTS] their ranks at the end, or NO_RANK
    histogram: NDArray[np.float64]  # [bins]


def make_run_scratch(n_bins: int) -> RunScratch:
    """Work space for histograms of `n_bins`."""
    return RunScratch(
        left=np.zeros(_N_CARDS, np.uint8),
        ranks=np.zeros(_N_PAIRS, np.int16),
        counts=np.zeros(N_HAND_RANKS, np.int16),
        marks=np.zeros((N_HAND_RANKS + 63) // 64, np.uint64),
        order=np.zeros(_N_PAIRS, np.uint16),
        ends=np.zeros(_N_PAIRS, np.uint16),
        firsts=np.zeros(_N_PAIRS, np.uint8),
        seconds=np.zeros(_N_PAIRS, np.uint8),
        runs=np.zeros(_N_CARDS, np.int64),
        masks=np.zeros(_N_CARDS, np.int64),
        weights=np.zeros(_N_CARDS, np.float64),
        opponents=np.zeros((_N_CARDS, N_OPPONENTS), np.int64),
        theirs=np.zeros((_N_CARDS, N_OPPONENTS), np.int16),
        histogram=np.zeros(n_bins, np.float64),
    )


@kernel
def _below(key, step, n):
    """Number `step` of a stream, one of 0 to `n - 1`, and its 32 bits."""
    bits = mix(key + _GOLDEN * np.uint64(step)) >> _HALF
    return np.int64((bits * np.uint64(n)) >> _HALF), np.int64(bits)


@kernel
def deal_run_outs(board, deck, seed, first_flush_suit_only, tables, s):
    """Fill the scratch with the run-outs of `board`; returns how many there are.

    Four cards are never dealt: what two players hold.
    """
    on_board = np.int64(0)
    masks = np.int64(0)
    for k in range(board.size):
        on_board |= np.int64(1) << np.int64(board[k])
        masks |= card_bit(board[k])
    n = 0
    for k in range(deck.size):
        if not (on_board >> np.int64(deck[k])) & 1:
            s.left[n] = deck[k]
            n += 1
    n_pairs = n * (n - 1) // 2
    rank_board(board, s.left[:n], first_flush_suit_only, tables, s.ranks)
    order_by_rank(s.ranks[:n_pairs], s.counts, s.marks, s.order, s.ends)
    h = 0
    for i in range(n - 1):
        for j in range(i + 1, n):
            s.firsts[h] = s.left[i]
            s.seconds[h] = s.left[j]
            h += 1

    key = stream_key(seed, masks)
    step = 0
    for first in range(n):
        card = s.left[first]
        run = np.int64(1) << np.int64(card)
        ended = masks | card_bit(card)
        size = 1
        weight = 1.0
        while is_red(card) and size < n - 4:
            while (run >> np.int64(card)) & 1:
                step += 1
                at, _ = _below(key, step, n)
                card = s.left[at]
            run |= np.int64(1) << np.int64(card)
            ended |= card_bit(card)
            # A hand drops run-outs with its own cards, the more often the longer they are.
            weight *= (n - size) / (n - size - 2.0)
            size += 1
        s.runs[first] = run
        s.masks[first] = ended
        s.weights[first] = weight
        for k in range(N_OPPONENTS):
            step += 1
            _, bits = _below(key, step, n)
            h = s.order[((((k << 32) | bits) * n_pairs) >> 32) // N_OPPONENTS]
            a, b = s.firsts[h], s.seconds[h]
            held = (np.int64(1) << np.int64(a)) | (np.int64(1) << np.int64(b))
            s.opponents[first, k] = held
            s.theirs[first, k] = NO_RANK
            if not held & run:
                hand = ended | card_bit(a) | card_bit(b)
                s.theirs[first, k] = rank_masks(hand, first_flush_suit_only, tables.by_mask)
    return n


@kernel
def cumulate_run(a, b, n_run_outs, first_flush_suit_only, by_mask, s, cumulative):
    """Overwrite `cumulative` [bins] with the shares of run-outs that end in a bin or below it.

    Of the hand of cards `a` and `b`, in steps of 1 / `SHARES`; the last bin includes strength 1.
    """
    n_bins = s.histogram.size
    held = (np.int64(1) << np.int64(a)) | (np.int64(1) << np.int64(b))
    hole = card_bit(a) | card_bit(b)
    s.histogram[:] = 0.0
    for r in range(n_run_outs):
        if s.runs[r] & held:
            continue
        own = rank_masks(s.masks[r] | hole, first_flush_suit_only, by_mask)
        score = 0
        n_met = 0
        for k in range(N_OPPONENTS):
            theirs = s.theirs[r, k]
            if theirs != NO_RANK and not s.opponents[r, k] & held:
                score += 2 * (theirs < own) + (theirs == own)
                n_met += 1
        if n_met > 0:
            s.histogram[min(score * n_bins // (2 * n_met), n_bins - 1)] += s.weights[r]
    total = 0.0
    for k in range(n_bins):
        total += s.histogram[k]
    below = 0.0
    for k in range(n_bins):
        below += s.histogram[k]
        cumulative[k] = np.uint16(np.floor(below / total * SHARES + 0.5))


@kernel
def cumulate_runs(boards, holes, deck, seed, first_flush_suit_only, tables, s, cumulative):
    """Overwrite `cumulative` [boards, hands, bins]; `holes` [boards, hands, 2] are on `boards`."""
    for i in range(boards.shape[0]):
        n = deal_run_outs(boards[i], deck, seed, first_flush_suit_only, tables, s)
        for h in range(holes.shape[1]):
            a, b = holes[i, h, 0], holes[i, h, 1]
            cumulate_run(a, b, n, first_flush_suit_only, tables.by_mask, s, cumulative[i, h])
