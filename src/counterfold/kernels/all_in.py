"""Results of hands in which the stacks went in early, as expectations over the cards to come.

Once nobody decides any more and no hole card can change, the rest of the board is luck. The
expectation of the result over it has the same mean and varies less. Few boards are enumerated; for
many, or where the board may run on, the mean of `N_RUN_OUTS` further run-outs takes their place,
dealt from the cards that were not seen by numbers of their own.

Hands of one deal, in both seats, are adjusted together: what either of them has seen is known, and
the run-outs are shared. So their sum is the expectation of their sum, which never varies more than
the sum; each by itself would no longer cancel the luck that both had alike.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.kernels.compiler import kernel
from counterfold.kernels.deals import BOARD, CELL, VERSIONS
from counterfold.kernels.match import NO_STREET, SEEN, SETTLED, VERSION_0
from counterfold.kernels.random import stream_key, uniform
from counterfold.kernels.ranking import card_bit, rank_masks, rank_short

MOST_BOARDS = 1000  # that are enumerated: from the flop on all of them
N_RUN_OUTS = 100

_STREAMS = 1 << 62  # the stream of a seed that all run-outs come from; no deal has this number


class Room(NamedTuple):
    """Work space for one batch."""

    left: NDArray[np.uint8]  # [cards of the deck] those that may come
    chosen: NDArray[np.int64]  # [board cards] places in `left`
    boards: NDArray[np.int64]  # [board cards + 1] masks of a board as it grows
    hands: NDArray[np.int64]  # [plays, 2] masks of hole cards by seat
    sums: NDArray[np.int64]  # [plays] wins less losses of seat 0


@kernel
def _see(layout, stages, holes, end):
    """Cards, as bits of their numbers, that lie or lay in a hand up to where `end` has seen it."""
    last = stages[end[SEEN]]
    seen = np.int64(0)
    for seat in range(2):
        for stage in range(last + 1):
            later = layout.stages[last, VERSIONS] // layout.stages[stage, VERSIONS]
            cell = layout.stages[stage, CELL] + end[VERSION_0 + seat] // later
            for place in range(layout.hole_cards):
                seen |= np.int64(1) << np.int64(holes[seat, cell, place])
    return seen


@kernel
def _are_equal(hands):
    return hands[0, 0] == hands[1, 0] and hands[0, 1] == hands[1, 1]


@kernel
def _add_results(board, hands, n_plays, n_cards, quirk, by_mask, sums):
    """Add to `sums` who wins on a board."""
    for p in range(n_plays):
        if n_cards >= 5:
            mine = rank_masks(board | hands[p, 0], quirk, by_mask)
            theirs = rank_masks(board | hands[p, 1], quirk, by_mask)
        else:
            mine, theirs = rank_short(board | hands[p, 0]), rank_short(board | hands[p, 1])
        if mine != theirs:
            sums[p] += 1 if mine > theirs else -1


@kernel
def _count_boards(n_left, n_more):
    """Ways to choose `n_more` of `n_left` cards."""
    ways = 1
    for k in range(n_more):
        ways = ways * (n_left - k) // (k + 1)
    return ways


@kernel
def _enumerate_boards(n_left, n_more, n_plays, n_cards, quirk, by_mask, room):
    """Play every completion of the board that lies in `room.boards[0]`; how many there are."""
    left, chosen, boards, hands, sums = room
    for k in range(n_more):
        chosen[k] = k
        boards[k + 1] = boards[k] | card_bit(left[k])
    n = 0
    while True:
        _add_results(boards[n_more], hands, n_plays, n_cards, quirk, by_mask, sums)
        n += 1
        k = n_more - 1
        while k >= 0 and chosen[k] == n_left - n_more + k:
            k -= 1
        if k < 0:
            return n
        chosen[k] += 1
        boards[k + 1] = boards[k] | card_bit(left[chosen[k]])
        for j in range(k + 1, n_more):
            chosen[j] = chosen[j - 1] + 1
            boards[j + 1] = boards[j] | card_bit(left[chosen[j]])


@kernel
def _sample_boards(layout, key, size, n_left, n_plays, quirk, by_mask, room):
    """Play `N_RUN_OUTS` completions of the board of `size` cards in `room.boards[0]`."""
    left = room.left
    most = layout.board_cards + layout.max_runs
    step = 0
    for _ in range(N_RUN_OUTS):
        board, n_board, n_drawn = room.boards[0], size, 0
        while True:
            # A shuffle may begin in any order of the cards, so it begins where the last one ended.
            k = n_drawn + int(uniform(key, step) * (n_left - n_drawn))
            step += 1
            card = left[k]
            left[k] = left[n_drawn]
            left[n_drawn] = card
            n_drawn += 1
            n_board += 1
            board |= card_bit(card)
            runs = (layout.run_suits >> (card & 3)) & 1
            if n_board >= layout.board_cards and (not runs or n_board == most):
                break
        n_cards = n_board + layout.hole_cards
        _add_results(board, room.hands, n_plays, n_cards, quirk, by_mask, room.sums)


@kernel
def adjust_all_ins(
    layout, stages, cards, lengths, holes, ends, swaps, stack, seed, first, quirk, by_mask,
    room, winnings, adjusted
):  # fmt: skip
    """Replace the `winnings` of hands that were settled before the last card of the board.

    Parameters
    ----------
    stages
        [streets] the card stage of a street's betting.
    cards, lengths, holes
        Of the deals, from deal `first` of `seed` on.
    ends, swaps
        [plays, n, N_END_COLUMNS] and [plays, n]: how each deal was played, once or in both seats.
    winnings
        [plays, n] chips of player 0.
    adjusted
        [plays, n] overwritten with 1 where an expectation was taken.
    """
    h = layout.hole_cards
    n_plays = ends.shape[0]
    streams = stream_key(seed, _STREAMS)
    final = layout.stages[-1, CELL]
    for i in range(lengths.size):
        street, n_settled = 0, 0
        for p in range(n_plays):
            adjusted[p, i] = 0
            street = max(street, ends[p, i, SEEN])
            n_settled += ends[p, i, SETTLED] != NO_STREET
        if n_settled == 0 or street >= lengths[i]:
            continue
        size = layout.stages[stages[street], BOARD]
        seen = np.int64(0)
        room.boards[0] = 0
        for k in range(2 * h, 2 * h + size):
            seen |= np.int64(1) << np.int64(cards[i, k])
            room.boards[0] |= card_bit(cards[i, k])
        n_hands = 0
        for p in range(n_plays):
            seen |= _see(layout, stages, holes[i], ends[p, i])
            if ends[p, i, SETTLED] == NO_STREET:
                continue
            room.sums[n_hands] = 0
            for seat in range(2):
                room.hands[n_hands, seat] = 0
                for place in range(h):
                    card = holes[i, seat, final + ends[p, i, VERSION_0 + seat], place]
                    room.hands[n_hands, seat] |= card_bit(card)
            adjusted[p, i] = 1
            n_hands += 1
        if n_hands == 2 and _are_equal(room.hands):
            n_hands = 1  # and both plays have its result
        n_left = 0
        for card in layout.deck:
            if (seen >> np.int64(card)) & 1 == 0:
                room.left[n_left] = card
                n_left += 1
        n_more = layout.board_cards - size
        if layout.max_runs == 0 and _count_boards(n_left, n_more) <= MOST_BOARDS:
            n_cards = layout.board_cards + h
            n = _enumerate_boards(n_left, n_more, n_hands, n_cards, quirk, by_mask, room)
        else:
            key = stream_key(streams, first + i)
            _sample_boards(layout, key, size, n_left, n_hands, quirk, by_mask, room)
            n = N_RUN_OUTS
        at = 0
        for p in range(n_plays):
            if adjusted[p, i] == 1:
                mine = -room.sums[at] if swaps[p, i] == 1 else room.sums[at]
                winnings[p, i] = stack * mine / n
                at = min(at + 1, n_hands - 1)
