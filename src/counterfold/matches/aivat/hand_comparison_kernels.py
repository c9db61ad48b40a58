"""Hands compared over the cards to come: how often each of some hands beats each of others.

Few boards are enumerated, of many a sample is drawn. Where the board may run on, results are kept
apart by whether the next street is followed by another one.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.ranking_kernels import card_bit, rank_masks, rank_short
from counterfold.jit.compiler import kernel
from counterfold.jit.random import draw_from, uniform
from counterfold.public.choices_kernels import NO_MORE, count_choices, next_choice

MOST_COMPARED_BOARDS = 48  # that are enumerated: the rivers of a turn


class Ranking(NamedTuple):
    """How hands are ranked."""

    fewest_held: (
        int  # cards of a hand at a showdown, those that are laid onto the board not counted
    )
    first_flush_suit_only: bool
    by_mask: NDArray[np.int16]
    bounty_more: float  # what a bounty that is hit adds to a result, in stakes


class RunOuts(NamedTuple):
    """Work space, and what came of a comparison."""

    left: NDArray[np.uint8]  # [cards of the deck] those that may come
    chosen: NDArray[np.int64]  # [board cards] places in `left`
    ranks: NDArray[np.int64]  # [2, M] of the hands on one board
    sums: NDArray[np.float64]  # [2, M, M] wins of seat 0 less losses; 1 where a street follows
    counts: NDArray[np.float64]  # [2] boards, likewise
    bounties: NDArray[np.int64]  # [2] cards that hit the bounty of each seat, as masks
    hits: NDArray[np.int64]  # [2, M] whether hands hit theirs on one board; no rows without any
    # [M, M] wins of seat 0 that pay a bounty less losses that do; of a tie with one bounty hit, too
    extras: NDArray[np.float64]


@kernel
def rank_hand(ranking, masks, n_board):
    """What decides a showdown; `n_board` cards were dealt to the board."""
    n_cards = n_board + ranking.fewest_held
    if n_cards < 5:
        n_cards = 0
        left = masks
        while left != 0:
            left &= left - 1
            n_cards += 1
    if n_cards >= 5:
        return np.int64(rank_masks(masks, ranking.first_flush_suit_only, ranking.by_mask))
    return np.int64(rank_short(masks))


@kernel
def _add_board(ranking, board, n_board, follows, masks, runs):
    """Add one complete board to the sums."""
    n = masks.shape[1]
    for seat in range(2):
        for m in range(n):
            runs.ranks[seat, m] = rank_hand(ranking, board | masks[seat, m], n_board)
    for m in range(n):
        own = runs.ranks[0, m]
        for k in range(n):
            other = runs.ranks[1, k]
            runs.sums[follows, m, k] += np.int64(own > other) - np.int64(own < other)
    runs.counts[follows] += 1.0
    if runs.hits.size > 0:
        _add_bounties(ranking, board, masks, runs)


@kernel
def _add_bounties(ranking, board, masks, runs):
    """Add what bounties pay on one complete board, without streets that may follow."""
    n = masks.shape[1]
    for seat in range(2):
        for m in range(n):
            runs.hits[seat, m] = (board | masks[seat, m]) & runs.bounties[seat] != 0
    for m in range(n):
        for k in range(n):
            own, other = runs.ranks[0, m], runs.ranks[1, k]
            if own == other:
                paid = float(runs.hits[0, m] - runs.hits[1, k])
                runs.sums[0, m, k] += 0.5 * ranking.bounty_more * paid
            else:
                paid = float(runs.hits[0, m] if own > other else -runs.hits[1, k])
                runs.sums[0, m, k] += ranking.bounty_more * paid
            runs.extras[m, k] += paid


@kernel
def compare_hands(
    layout, ranking, key, n_samples, board, size, next_size, final, n_left, masks, runs
):
    """Overwrite `runs.sums` and `runs.counts` for a board of `size` cards that is complete if
    `final`; `next_size` cards lie on the next street, drawn from `n_left` of `runs.left`.
    """
    runs.sums[:] = 0.0
    runs.counts[:] = 0.0
    runs.extras[:] = 0.0
    if final:
        _add_board(ranking, board, size, 0, masks, runs)
        return
    n_more = layout.board_cards - size
    if layout.max_runs == 0 and count_choices(n_left, n_more) <= MOST_COMPARED_BOARDS:
        _enumerate(layout, ranking, board, n_more, n_left, masks, runs)
        return
    step = 0
    for _ in range(n_samples):
        full, n_board, follows, step = draw_board(
            layout, key, step, board, size, next_size, n_left, runs.left
        )
        _add_board(ranking, full, n_board, follows, masks, runs)


@kernel
def draw_board(layout, key, step, board, size, next_size, n_left, left):
    """A random complete board, its cards, whether a street follows the next one, the next step."""
    most = layout.board_cards + layout.max_runs
    n_drawn = 0
    n_board = size
    follows = 0
    while True:
        card = draw_from(left, n_left, n_drawn, uniform(key, step))
        step += 1
        n_drawn += 1
        n_board += 1
        board |= card_bit(card)
        running = n_board < most and (layout.run_suits >> (card & 3)) & 1
        if n_board == next_size and n_board >= layout.board_cards and running:
            follows = 1
        if n_board >= layout.board_cards and not running:
            return board, n_board, follows, step


@kernel
def _enumerate(layout, ranking, board, n_more, n_left, masks, runs):
    """Add all completions of `board` by `n_more` cards."""
    chosen, left = runs.chosen, runs.left
    for k in range(n_more):
        chosen[k] = k
    while True:
        full = board
        for k in range(n_more):
            full |= card_bit(left[chosen[k]])
        _add_board(ranking, full, layout.board_cards, 0, masks, runs)
        if next_choice(chosen, n_more, n_left) == NO_MORE:
            return
