"""Results of hands in which the stacks went in early, as expectations over the cards to come.

Once there are no more bets, bids and discards and no hole card can change, the rest of the board is
luck. At auctions the seats may have paid unequally, so that wins, ties and losses count apart. The
expectation of the result over it has the same mean and varies less. Few boards are enumerated; for
many, or where the board may run on, the mean of `N_RUN_OUTS` further run-outs takes their place,
dealt from the cards that were not seen by numbers of their own.

The two hands of a deal that is played in both seats share their run-outs: where the stacks went in
at the same place, their luck still cancels. Each hand is adjusted by what it has seen itself.
Adjusting both by what either has seen would guarantee that their sum never varies more than before,
which this does not; but an all-in whose other hand came to a showdown would then be left as it is,
and measured intervals were wider by up to a quarter.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.ranking_kernels import card_bit, rank_masks, rank_short
from counterfold.jit.compiler import kernel
from counterfold.jit.random import draw_from, stream_key, uniform
from counterfold.matches.policy_match_kernels import (
    HAND_PATH_0,
    NO_STREET,
    SETTLED,
    STAKE_0,
    STAKE_1,
)
from counterfold.public.choices_kernels import NO_MORE, count_choices, next_choice
from counterfold.public.deals_kernels import (
    NO_CARD,
    STAGE_BOARD,
    STAGE_CELL,
    STAGE_LAID,
    STAGE_PATHS,
)

MOST_BOARDS = 1000  # that are enumerated: from the flop on all of them
N_RUN_OUTS = 100

_STREAMS = 1 << 62  # the stream of a seed that all run-outs come from; no deal has this number


class AllInScratch(NamedTuple):
    """Work space for one batch."""

    left: NDArray[np.uint8]  # [cards of the deck] those that may come
    chosen: NDArray[np.int64]  # [board cards] places in `left`
    boards: NDArray[np.int64]  # [board cards + 1] masks of a board as it grows


@kernel
def _see(layout, stages, holes, end):
    """The cards, as bits of their numbers, that were in a hand until it was settled."""
    last = stages[end[SETTLED]]
    seen = np.int64(0)
    for seat in range(2):
        for stage in range(last + 1):
            later = layout.stages[last, STAGE_PATHS] // layout.stages[stage, STAGE_PATHS]
            hand_cell = layout.stages[stage, STAGE_CELL] + end[HAND_PATH_0 + seat] // later
            for place in range(layout.most_held):
                if holes[seat, hand_cell, place] != NO_CARD:
                    seen |= np.int64(1) << np.int64(holes[seat, hand_cell, place])
    return seen


@kernel
def _hole_masks(layout, holes, end, seat):
    """The masks of what a seat holds at the end, and how many cards these are."""
    masks, n_held = np.int64(0), 0
    for place in range(layout.most_held):
        hand_cell = layout.stages[-1, STAGE_CELL] + end[HAND_PATH_0 + seat]
        if holes[seat, hand_cell, place] != NO_CARD:
            masks |= card_bit(holes[seat, hand_cell, place])
            n_held += 1
    return masks, n_held


@kernel
def _result(board, mine, theirs, n_cards, first_flush_suit_only, by_mask):
    """1 if the first hand wins on a board, 0 for a tie, else -1."""
    if n_cards >= 5:
        first = rank_masks(board | mine, first_flush_suit_only, by_mask)
        second = rank_masks(board | theirs, first_flush_suit_only, by_mask)
    else:
        first, second = rank_short(board | mine), rank_short(board | theirs)
    return np.int64(first > second) - np.int64(first < second)


@kernel
def _enumerate_boards(mine, theirs, n_left, n_more, n_cards, first_flush_suit_only, by_mask, room):
    """Wins and losses over all completions of the board in `room.boards[0]`."""
    left, chosen, boards = room
    for k in range(n_more):
        chosen[k] = k
        boards[k + 1] = boards[k] | card_bit(left[k])
    wins = losses = 0
    while True:
        result = _result(boards[n_more], mine, theirs, n_cards, first_flush_suit_only, by_mask)
        wins, losses = wins + (result > 0), losses + (result < 0)
        changed = next_choice(chosen, n_more, n_left)
        if changed == NO_MORE:
            return wins, losses
        for k in range(changed, n_more):
            boards[k + 1] = boards[k] | card_bit(left[chosen[k]])


@kernel
def _sample_boards(
    layout, key, mine, theirs, n_left, size, n_more, first_flush_suit_only, by_mask, room
):  # fmt: skip
    """Wins and losses over `N_RUN_OUTS` completions of the board in `room.boards[0]`.

    A showdown has `n_more` cards beside those that are dealt to the board.
    """
    left = room.left
    most = layout.board_cards + layout.max_runs
    step = wins = losses = 0
    for _ in range(N_RUN_OUTS):
        board, n_board, n_drawn = room.boards[0], size, 0
        while True:
            card = draw_from(left, n_left, n_drawn, uniform(key, step))
            step += 1
            n_drawn += 1
            n_board += 1
            board |= card_bit(card)
            runs = (layout.run_suits >> (card & 3)) & 1
            if n_board >= layout.board_cards and (not runs or n_board == most):
                break
        n_cards = n_board + n_more
        result = _result(board, mine, theirs, n_cards, first_flush_suit_only, by_mask)
        wins, losses = wins + (result > 0), losses + (result < 0)
    return wins, losses


@kernel
def adjust_all_ins(
    layout, stages, cards, lengths, holes, laid, ends, swaps, seed, first,
    first_flush_suit_only, by_mask, room, winnings, adjusted
):  # fmt: skip
    """Replace the `winnings` of hands that were settled before the last card of the board.

    Parameters
    ----------
    stages
        [streets] the card stage of a street's betting.
    cards, lengths, holes, laid
        Of the deals, from deal `first` of `seed` on.
    ends, swaps
        [n, N_END_COLUMNS] of `Played`, and [n] 1 where player 0 has seat 1.
    winnings
        [n] chips of player 0.
    adjusted
        [n] overwritten with 1 where an expectation was taken, else 0.
    """
    h = layout.hole_cards
    streams = stream_key(seed, _STREAMS)
    for i in range(lengths.size):
        street = ends[i, SETTLED]
        adjusted[i] = street != NO_STREET
        if street == NO_STREET:
            continue
        row = layout.stages[stages[street]]
        size = row[STAGE_BOARD] - row[STAGE_LAID]  # cards that were dealt
        seen = _see(layout, stages, holes[i], ends[i])
        room.boards[0] = 0
        for k in range(2 * h, 2 * h + size):
            seen |= np.int64(1) << np.int64(cards[i, k])
            room.boards[0] |= card_bit(cards[i, k])
        n_laid = 0
        for k in range(row[STAGE_LAID]):  # they were seen in a hand
            card = laid[i, row[STAGE_CELL] + ends[i, HAND_PATH_0], k]
            if card != NO_CARD:
                room.boards[0] |= card_bit(card)
                n_laid += 1
        n_left = 0
        for card in layout.deck:
            if (seen >> np.int64(card)) & 1 == 0:
                room.left[n_left] = card
                n_left += 1
        mine, n_mine = _hole_masks(layout, holes[i], ends[i], 0)
        theirs, n_theirs = _hole_masks(layout, holes[i], ends[i], 1)
        n_own = n_laid + min(n_mine, n_theirs)
        n_more = layout.board_cards - size
        n = count_choices(n_left, n_more)
        if layout.max_runs == 0 and n <= MOST_BOARDS:
            n_cards = layout.board_cards + n_own
            wins, losses = _enumerate_boards(
                mine, theirs, n_left, n_more, n_cards, first_flush_suit_only, by_mask, room
            )
        else:
            n = N_RUN_OUTS
            key = stream_key(streams, first + i)
            wins, losses = _sample_boards(
                layout, key, mine, theirs, n_left, size, n_own, first_flush_suit_only, by_mask, room
            )
        stake_0, stake_1 = ends[i, STAKE_0], ends[i, STAKE_1]
        # As at a showdown: an odd chip of a tie is seat 1's.
        won = wins * stake_1 - losses * stake_0 + (n - wins - losses) * ((stake_1 - stake_0) // 2)
        winnings[i] = (-won if swaps[i] == 1 else won) / n
