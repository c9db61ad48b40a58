"""What a hand is worth against every hand of the opponent if both check to the end.

The result of a showdown is 1 for a win, 0 for a tie and -1 for a loss; its mean over the cards to
come is the *margin* of a hand over another. Few boards are enumerated; of many, or where the board
may run on, `N_DRAWN_BOARDS` are drawn, the same for all hands of the opponent. They are dealt one
after another from the same shuffled cards as long as these last, so that no card comes much more
often than another; each board by itself is as likely as any.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.ranking_kernels import (
    RankTables,
    card_bit,
    rank_board,
    rank_masks,
    rank_short,
)
from counterfold.jit.compiler import kernel
from counterfold.jit.random import stream_key, uniform
from counterfold.public.hand_list_kernels import hand_number

N_DRAWN_BOARDS = 64  # that are drawn; as many boards or fewer are enumerated

_NO_RANK = -1


class Showdowns(NamedTuple):
    """How a board is completed and what decides on it."""

    tables: RankTables
    first_flush_suit_only: bool
    hole_cards: int
    board_cards: int  # without a run
    most_cards: int  # of the longest run
    run_suits: int  # a bit for each


class RunOutScratch(NamedTuple):
    """Work space."""

    board: NDArray[np.uint8]  # [most cards]
    left: NDArray[np.uint8]  # [D] cards that may come
    rest: NDArray[np.uint8]  # [D] cards that hands are made of
    places: NDArray[np.int64]  # [D] their places in the deck
    chosen: NDArray[np.int64]  # [most cards] places in `left`
    ranks: NDArray[np.int16]  # [H] of hands of `rest`
    results: NDArray[np.int32]  # [H] wins less losses
    missed: NDArray[np.int32]  # [H] boards that rule the hand out


@kernel
def is_complete(showdowns, board, size):
    """Whether no card follows the first `size` of `board`."""
    if size < showdowns.board_cards:
        return False
    runs = showdowns.run_suits != 0 and (showdowns.run_suits >> np.int64(board[size - 1] & 3)) & 1
    return size == showdowns.most_cards or not runs


@kernel
def list_left(hands, seen, left):
    """Overwrite `left` with the cards that are not `seen`; returns how many."""
    n = 0
    for k in range(hands.deck.size):
        if not (seen >> np.int64(hands.deck[k])) & 1:
            left[n] = hands.deck[k]
            n += 1
    return n


@kernel
def _add_slowly(hands, showdowns, board, size, own, seen, room):
    """As `_add_board`, hand by hand."""
    masks = np.int64(0)
    for k in range(size):
        masks |= card_bit(board[k])
    flush_rule, by_mask = showdowns.first_flush_suit_only, showdowns.tables.by_mask
    long = size + showdowns.hole_cards >= 5
    mine = rank_masks(masks | own, flush_rule, by_mask) if long else rank_short(masks | own)
    for h in range(hands.bits.size):
        if not hands.bits[h] & seen:
            held = masks | hands.masks[h]
            theirs = rank_masks(held, flush_rule, by_mask) if long else rank_short(held)
            room.results[h] += np.int32(mine > theirs) - np.int32(mine < theirs)


@kernel
def _miss_hands(hands, card, before, room):
    """Count a board for the hands that have `card` of it, but none of the cards `before`."""
    place, n = hands.places[card], hands.deck.size
    if hands.cards.shape[1] == 1:
        room.missed[place] += 1
        return
    for other in range(n):
        if other != place and not (before >> np.int64(hands.deck[other])) & 1:
            room.missed[hand_number(hands, min(place, other), max(place, other))] += 1


@kernel
def _add_board(hands, showdowns, board, size, own, seen, room):
    """Add the results of `own`, the masks of a hand, against all hands on a complete board.

    `seen` are the cards, as bits, that no hand can have.
    """
    if showdowns.hole_cards != 2 or size < 3:
        _add_slowly(hands, showdowns, board, size, own, seen, room)
        return
    masks = np.int64(0)
    for k in range(size):
        masks |= card_bit(board[k])
    tables, flush_rule = showdowns.tables, showdowns.first_flush_suit_only
    mine = np.int16(rank_masks(masks | own, flush_rule, tables.by_mask))
    n = list_left(hands, seen, room.rest)
    for k in range(n):
        room.places[k] = hands.places[room.rest[k]]
    rank_board(board[:size], room.rest[:n], flush_rule, tables, room.ranks)
    signs = room.ranks[: n * (n - 1) // 2]
    for at in range(signs.size):
        signs[at] = np.int16(mine > signs[at]) - np.int16(mine < signs[at])
    n_deck, at = hands.deck.size, 0
    for a in range(n - 1):
        low = room.places[a]
        base = low * (2 * n_deck - low - 1) // 2 - low - 1
        for b in range(a + 1, n):
            h = base + room.places[b]
            room.results[h] += signs[at]
            at += 1


@kernel
def count_boards(n_left, n_more):
    """Ways to choose `n_more` of `n_left` cards."""
    ways = 1
    for k in range(n_more):
        ways = ways * (n_left - k) // (k + 1)
    return ways


@kernel
def _enumerate_boards(hands, showdowns, size, n_left, own, seen, room):
    """Add all completions of the first `size` cards of `room.board`; returns how many."""
    n_more = showdowns.board_cards - size
    for k in range(n_more):
        room.chosen[k] = k
    n_boards = 0
    while True:
        taken = seen
        for k in range(n_more):
            card = room.left[room.chosen[k]]
            room.board[size + k] = card
            _miss_hands(hands, card, taken & ~seen, room)
            taken |= np.int64(1) << np.int64(card)
        _add_board(hands, showdowns, room.board, size + n_more, own, taken, room)
        n_boards += 1
        k = n_more - 1
        while k >= 0 and room.chosen[k] == n_left - n_more + k:
            k -= 1
        if k < 0:
            return n_boards
        room.chosen[k] += 1
        for j in range(k + 1, n_more):
            room.chosen[j] = room.chosen[j - 1] + 1


@kernel
def _draw_card(left, n_left, n_drawn, number):
    """A card of the first `n_left` but for `n_drawn`, which is moved to those that are drawn."""
    k = n_drawn + int(number * (n_left - n_drawn))
    card = left[k]
    left[k] = left[n_drawn]
    left[n_drawn] = card
    return card


@kernel
def draw_board(showdowns, size, n_left, n_drawn, key, room):
    """Complete the first `size` cards of `room.board` by cards of `room.left`, which is shuffled.

    Of these `n_drawn` are used up. Returns the size of the board and how many are used up then.
    Random numbers are those of `key`, from `n_drawn` on: a key is for one shuffle.
    """
    while not is_complete(showdowns, room.board, size):
        room.board[size] = _draw_card(room.left, n_left, n_drawn, uniform(key, n_drawn))
        n_drawn += 1
        size += 1
    return size, n_drawn


@kernel
def _draw_boards(hands, showdowns, size, n_left, own, n_draws, seen, key, room):
    """Add `N_DRAWN_BOARDS` drawn completions of the first `size` cards of `room.board`."""
    n_needed = n_draws + showdowns.most_cards - size
    n_drawn, shuffle = 0, 0
    shuffle_key = stream_key(key, shuffle)
    for _ in range(N_DRAWN_BOARDS):
        if n_drawn + n_needed > n_left:
            n_drawn, shuffle = 0, shuffle + 1
            shuffle_key = stream_key(key, shuffle)
        taken, mine = seen, own
        if n_draws == 1:
            card = _draw_card(room.left, n_left, n_drawn, uniform(shuffle_key, n_drawn))
            n_drawn += 1
            _miss_hands(hands, card, np.int64(0), room)
            taken |= np.int64(1) << np.int64(card)
            mine |= card_bit(card)
        length, n_drawn = draw_board(showdowns, size, n_left, n_drawn, shuffle_key, room)
        for k in range(size, length):
            _miss_hands(hands, room.board[k], taken & ~seen, room)
            taken |= np.int64(1) << np.int64(room.board[k])
        _add_board(hands, showdowns, room.board, length, mine, taken, room)


@kernel
def find_margins(hands, showdowns, board, size, own, n_draws, seen, key, room, margins):
    """Overwrite `margins` [H] with those of `own` against every hand; 0 for hands that are `seen`.

    Parameters
    ----------
    board, size
        The board so far, the first `size` cards.
    own, n_draws
        The masks of a hand, and how many cards it still draws: 0 or 1.
    seen
        All cards, as bits, that its player has seen.
    key
        Of the random numbers for drawn cards.
    """
    room.results[:] = 0
    room.missed[:] = 0
    for k in range(size):
        room.board[k] = board[k]
    n_left = list_left(hands, seen, room.left)
    n_more = showdowns.board_cards - size
    few = showdowns.run_suits == 0 and count_boards(n_left, n_more) <= N_DRAWN_BOARDS
    n_boards = 1
    if n_draws == 0 and is_complete(showdowns, room.board, size):
        _add_board(hands, showdowns, room.board, size, own, seen, room)
    elif n_draws == 0 and few:
        n_boards = _enumerate_boards(hands, showdowns, size, n_left, own, seen, room)
    else:
        n_boards = N_DRAWN_BOARDS
        _draw_boards(hands, showdowns, size, n_left, own, n_draws, seen, key, room)
    for h in range(margins.size):
        n = n_boards - room.missed[h]
        margins[h] = room.results[h] / n if n > 0 and not hands.bits[h] & seen else 0.0


@kernel
def find_all_margins(hands, showdowns, key, n_boards, room, results, counts):
    """Add wins less losses [H, H] of every hand against every other over `n_boards` drawn boards,
    and how many of the boards leave both hands.
    """
    n_hands = hands.bits.size
    ranks = np.empty(n_hands, np.int16)
    n_left = list_left(hands, np.int64(0), room.left)
    for b in range(n_boards):
        size, _ = draw_board(showdowns, 0, n_left, 0, stream_key(key, b), room)
        masks = taken = np.int64(0)
        for k in range(size):
            masks |= card_bit(room.board[k])
            taken |= np.int64(1) << np.int64(room.board[k])
        for h in range(n_hands):
            ranks[h] = _NO_RANK
            if not hands.bits[h] & taken:
                held = masks | hands.masks[h]
                ranks[h] = rank_masks(
                    held, showdowns.first_flush_suit_only, showdowns.tables.by_mask
                )
        for h in range(n_hands):
            mine = ranks[h]
            if mine == _NO_RANK:
                continue
            for o in range(n_hands):
                theirs = ranks[o]
                there = np.int32(theirs != _NO_RANK)
                results[h, o] += there * (np.int32(mine > theirs) - np.int32(mine < theirs))
                counts[h, o] += there
