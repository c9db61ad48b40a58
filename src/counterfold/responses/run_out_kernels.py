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
    MAX_TABLED,
    RankTables,
    card_bit,
    rank_board,
    rank_masks,
    rank_short,
)
from counterfold.jit.compiler import borrowing_kernel, kernel
from counterfold.jit.random import draw_from, stream_key, uniform
from counterfold.public.choices_kernels import NO_MORE, count_choices, next_choice
from counterfold.public.hand_list_kernels import hand_number, pair_number

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
    left: NDArray[np.uint8]  # [D] cards that may come, in any order
    rest: NDArray[np.uint8]  # [D] the same in ascending order, of which hands are made
    chosen: NDArray[np.int64]  # [most cards] places in `left`
    free: NDArray[np.uint8]  # [D] cards of `rest` that a board leaves
    free_places: NDArray[np.int64]  # [D] their places in `rest`
    free_ranks: NDArray[np.int16]  # [H] of hands of `free`
    ranks: NDArray[np.int16]  # [H] of hands of `rest`, in lexicographic order
    results: NDArray[np.int16]  # [H] their wins less losses
    missed: NDArray[np.int16]  # [H] boards that rule them out


@borrowing_kernel
def is_complete(showdowns, board, size):
    """Whether no card follows the first `size` of `board`."""
    if size < showdowns.board_cards:
        return False
    runs = showdowns.run_suits != 0 and (showdowns.run_suits >> np.int64(board[size - 1] & 3)) & 1
    return size == showdowns.most_cards or not runs


@borrowing_kernel
def list_left(hands, seen, left):
    """Overwrite `left` with the cards that are not `seen`; returns how many."""
    n = 0
    for k in range(hands.deck.size):
        if not (seen >> np.int64(hands.deck[k])) & 1:
            left[n] = hands.deck[k]
            n += 1
    return n


@borrowing_kernel
def _rank(showdowns, masks, size):
    """What decides a showdown on a board of `size` cards."""
    if size + showdowns.hole_cards < 5:
        return np.int64(rank_short(masks))
    return np.int64(rank_masks(masks, showdowns.first_flush_suit_only, showdowns.tables.by_mask))


@borrowing_kernel
def _compare_slowly(showdowns, masks, mine, size, n, room):
    """Overwrite `room.ranks` hand by hand, by 1 for those above `mine` and -1 for those below."""
    at = 0
    for a in range(n):
        first = masks | card_bit(room.rest[a])
        one = showdowns.hole_cards == 1
        for b in range(a, a + 1) if one else range(a + 1, n):
            theirs = _rank(showdowns, first | card_bit(room.rest[b]), size)
            room.ranks[at] = np.int16(theirs > mine) - np.int16(theirs < mine)
            at += 1


@borrowing_kernel
def _is_fivefold(board, size):
    """Whether a hand with cards of the board itself could have five of a rank."""
    for k in range(size):
        alike = 0
        for other in range(size):
            alike += board[k] >> 2 == board[other] >> 2
        if alike >= 3:
            return True
    return False


@borrowing_kernel
def _rank_free_hands(showdowns, size, n, taken, room):
    """As `_rank_hands`, without those that have a card in `taken`, as bits."""
    m = 0
    for place in range(n):
        if not (taken >> np.int64(room.rest[place])) & 1:
            room.free[m] = room.rest[place]
            room.free_places[m] = place
            m += 1
    rank_board(
        room.board[:size], room.free[:m], showdowns.first_flush_suit_only, showdowns.tables,
        room.free_ranks,
    )  # fmt: skip
    at = 0
    for a in range(m):
        for b in range(a + 1, m):
            h = pair_number(n, room.free_places[a], room.free_places[b])
            room.ranks[h] = room.free_ranks[at]
            at += 1


@borrowing_kernel
def _rank_hands(showdowns, masks, mine, size, n, taken, room):
    """Overwrite `room.ranks` by those of all hands of the first `n` cards of `room.rest`.

    Those of hands with a card in `taken`, as bits, mean nothing. Returns the rank of `mine` beside
    them.
    """
    if showdowns.hole_cards != 2 or size < 3:
        _compare_slowly(showdowns, masks, mine, size, n, room)
        return np.int16(0)
    if size + 2 > MAX_TABLED or _is_fivefold(room.board, size):
        # Ranks are not looked up by sums, or these would not be those of seven cards.
        _rank_free_hands(showdowns, size, n, taken, room)
    else:
        rank_board(
            room.board[:size], room.rest[:n], showdowns.first_flush_suit_only, showdowns.tables,
            room.ranks,
        )  # fmt: skip
    return np.int16(mine)


@borrowing_kernel
def _rule_out(showdowns, n, taken, rank, room):
    """Count the board for the hands with a card in `taken`, as bits, and let them have `rank`."""
    for place in range(n):
        if not (taken >> np.int64(room.rest[place])) & 1:
            continue
        if showdowns.hole_cards == 1:
            room.ranks[place] = rank
            room.missed[place] += 1
            continue
        for other in range(n):
            # A pair of two such cards comes twice.
            twice = other < place and (taken >> np.int64(room.rest[other])) & 1
            if other != place and not twice:
                at = pair_number(n, min(place, other), max(place, other))
                room.ranks[at] = rank
                room.missed[at] += 1


@borrowing_kernel
def _add_board(showdowns, size, own, n, taken, room):
    """Add the results of `own`, the masks of a hand, against all hands of `n` cards of `room.rest`.

    The board is the first `size` cards of `room.board`. `taken` are the cards of `room.rest`, as
    bits, that are no longer left.
    """
    masks = np.int64(0)
    for k in range(size):
        masks |= card_bit(room.board[k])
    rank = _rank(showdowns, masks | own, size)
    mine = _rank_hands(showdowns, masks, rank, size, n, taken, room)
    _rule_out(showdowns, n, taken, mine, room)
    n_hands = n if showdowns.hole_cards == 1 else n * (n - 1) // 2
    ranks, results = room.ranks[:n_hands], room.results[:n_hands]
    for at in range(n_hands):
        results[at] += np.int16(mine > ranks[at]) - np.int16(mine < ranks[at])


@borrowing_kernel
def _enumerate_boards(showdowns, size, n_left, own, room):
    """Add all completions of the first `size` cards of `room.board`; returns how many."""
    n_more = showdowns.board_cards - size
    for k in range(n_more):
        room.chosen[k] = k
    n_boards = 0
    while True:
        taken = np.int64(0)
        for k in range(n_more):
            card = room.left[room.chosen[k]]
            room.board[size + k] = card
            taken |= np.int64(1) << np.int64(card)
        _add_board(showdowns, size + n_more, own, n_left, taken, room)
        n_boards += 1
        if next_choice(room.chosen, n_more, n_left) == NO_MORE:
            return n_boards


@borrowing_kernel
def draw_board(showdowns, size, n_left, n_drawn, key, room):
    """Complete the first `size` cards of `room.board` by cards of `room.left`, which is shuffled.

    Of these `n_drawn` are used up. Returns the size of the board and how many are used up then.
    Random numbers are those of `key`, from `n_drawn` on: a key is for one shuffle.
    """
    while not is_complete(showdowns, room.board, size):
        room.board[size] = draw_from(room.left, n_left, n_drawn, uniform(key, n_drawn))
        n_drawn += 1
        size += 1
    return size, n_drawn


@borrowing_kernel
def _draw_boards(showdowns, size, n_left, own, n_draws, key, room):
    """Add `N_DRAWN_BOARDS` drawn completions of the first `size` cards of `room.board`."""
    n_needed = n_draws + showdowns.most_cards - size
    n_drawn, shuffle = 0, 0
    shuffle_key = stream_key(key, shuffle)
    for _ in range(N_DRAWN_BOARDS):
        if n_drawn + n_needed > n_left:
            n_drawn, shuffle = 0, shuffle + 1
            shuffle_key = stream_key(key, shuffle)
        taken, mine = np.int64(0), own
        if n_draws == 1:
            card = draw_from(room.left, n_left, n_drawn, uniform(shuffle_key, n_drawn))
            n_drawn += 1
            taken |= np.int64(1) << np.int64(card)
            mine |= card_bit(card)
        length, n_drawn = draw_board(showdowns, size, n_left, n_drawn, shuffle_key, room)
        for k in range(size, length):
            taken |= np.int64(1) << np.int64(room.board[k])
        _add_board(showdowns, length, mine, n_left, taken, room)


@borrowing_kernel
def _spread_margins(hands, n, n_boards, room, margins):
    """Overwrite `margins` by the mean results of all hands of `n` cards of `room.rest`."""
    for h in range(margins.size):
        margins[h] = 0.0
    one = hands.cards.shape[1] == 1
    at = 0
    for a in range(n):
        low = hands.places[room.rest[a]]
        for b in range(a, a + 1) if one else range(a + 1, n):
            n_met = n_boards - room.missed[at]
            if n_met > 0:
                h = hand_number(hands, low, hands.places[room.rest[b]])
                margins[h] = room.results[at] / n_met
            at += 1


@borrowing_kernel
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
    list_left(hands, seen, room.rest)
    n_left = list_left(hands, seen, room.left)
    n_more = showdowns.board_cards - size
    few = showdowns.run_suits == 0 and count_choices(n_left, n_more) <= N_DRAWN_BOARDS
    n_boards = 1
    if n_draws == 0 and is_complete(showdowns, room.board, size):
        _add_board(showdowns, size, own, n_left, np.int64(0), room)
    elif n_draws == 0 and few:
        n_boards = _enumerate_boards(showdowns, size, n_left, own, room)
    else:
        n_boards = N_DRAWN_BOARDS
        _draw_boards(showdowns, size, n_left, own, n_draws, key, room)
    _spread_margins(hands, n_left, n_boards, room, margins)


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
