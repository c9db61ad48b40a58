"""Strength of hands of many hole cards: run-outs that are ranked, and the ranks that they meet."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.isomorphism_kernels import LANE, LANE_BITS, IndexTables, index_cards
from counterfold.cards.ranking_kernels import card_bit, rank_masks
from counterfold.jit.compiler import borrowing_kernel, kernel
from counterfold.jit.random import draw_from, stream_key, uniform

_SUIT_BITS = 2  # of a key, below the cards of a suit
_N_RANKS = 13


class ShowdownBoards(NamedTuple):
    """The boards at showdown that are looked at from a board, and the hands that are met on each.

    Shapes: ``B`` boards, ``R`` run-outs of a board. A run-out is places among the cards that the
    board leaves, in the order of `list_left`. Its ranks lie beside those of the next run-out: most
    of the time would go into waiting for them elsewhere.
    """

    tables: IndexTables  # of boards
    places: NDArray[np.uint8]  # [R, cards to come]
    met: NDArray[np.int16]  # [B, R, cuts] ranks of the hands that are met; see `cut_ranks`


@kernel
def list_left(own, board, deck, left):
    """Write the cards of `deck` that are not on the board into `left`; returns how many.

    All three are masks (`card_bit`). Cards come rank by rank, and in a rank suit by suit: those of
    the deck first, of these the one with the highest cards on the board, then in the hand, `own`.
    So a card's place does not depend on the names of suits.
    """
    a = b = c = d = np.int64(0)
    for suit in range(4):
        lane = np.int64(LANE_BITS * suit)
        key = np.int64((deck >> lane) & LANE != 0)
        key = (key << LANE_BITS) | ((board >> lane) & LANE)
        key = (key << LANE_BITS) | ((own >> lane) & LANE)
        key = (key << _SUIT_BITS) | suit
        if key > a:
            a, b, c, d = key, a, b, c
        elif key > b:
            b, c, d = key, b, c
        elif key > c:
            c, d = key, c
        else:
            d = key
    n = 0
    for rank in range(_N_RANKS):
        for key in (a, b, c, d):
            card = (rank << _SUIT_BITS) | (key & ((1 << _SUIT_BITS) - 1))
            if deck & ~board & card_bit(card):
                left[n] = card
                n += 1
    return n


@kernel
def find_ends(boards, deck, places, tables, left, cards, ends):
    """Overwrite `ends` [n, R] with the classes of boards at showdown, by `tables`.

    `places` are those of `ShowdownBoards`. Work space: `left` [52], `cards` for a board.
    """
    n_board = boards.shape[1]
    for i in range(boards.shape[0]):
        board = np.int64(0)
        for k in range(n_board):
            cards[k] = boards[i, k]
            board |= card_bit(boards[i, k])
        list_left(np.int64(0), board, deck, left)
        for r in range(places.shape[0]):
            for k in range(places.shape[1]):
                cards[n_board + k] = left[places[r, k]]
            ends[i, r] = index_cards(cards, 0, tables)


@kernel
def cut_ranks(boards, first, held, deck, by_mask, left, ranks, cuts):
    """Overwrite each row of `cuts` with ranks that cut those of random hands into equal shares.

    Of every share it is the one in the middle. Each of `boards`, numbers `first` and on, meets as
    many hands of `held` cards of the `deck` as `ranks` [n] has room for. `left` [52] is work space.
    """
    n, n_cuts = ranks.size, cuts.shape[1]
    for i in range(boards.shape[0]):
        key = stream_key(0, first + i)
        board = np.int64(0)
        for k in range(boards.shape[1]):
            board |= card_bit(boards[i, k])
        n_left = step = 0
        for card in deck:
            if board & card_bit(card) == 0:
                left[n_left] = card
                n_left += 1
        for j in range(n):
            hand = board
            for k in range(held):
                hand |= card_bit(draw_from(left, n_left, k, uniform(key, step)))
                step += 1
            ranks[j] = rank_masks(hand, False, by_mask)
        ranks.sort()
        for j in range(n_cuts):
            cuts[i, j] = ranks[(2 * j + 1) * n // (2 * n_cuts)]


@borrowing_kernel
def _count_beaten(rank, met, row, r):
    """Twice the cuts below a rank and once those that are equal to it."""
    twice = np.int64(0)
    for k in range(met.shape[2]):  # without branches, which are slower than some cuts more
        twice += np.int64(met[row, r, k] < rank) + np.int64(met[row, r, k] <= rank)
    return twice


@kernel
def measure_hands(hands, held, deck, squared, run_outs, by_mask, left, strengths):
    """Overwrite `strengths` [n] with the mean share of hands that each beats, or of its square.

    `hands` [n, held + board] begin with the hole cards; `deck` is a mask. `left` [52] is work
    space.
    """
    places, met = run_outs.places, run_outs.met
    most = np.int64(2 * met.shape[2])
    for i in range(hands.shape[0]):
        own = board = np.int64(0)
        for k in range(hands.shape[1]):
            if k < held:
                own |= card_bit(hands[i, k])
            else:
                board |= card_bit(hands[i, k])
        row = index_cards(hands[i], held, run_outs.tables)
        list_left(own, board, deck, left)
        total = n = np.int64(0)
        for r in range(places.shape[0]):
            added = np.int64(0)
            for k in range(places.shape[1]):
                added |= card_bit(left[places[r, k]])
            if added & own:
                continue
            rank = np.int16(rank_masks(own | board | added, False, by_mask))
            twice = _count_beaten(rank, met, row, r)
            total += twice * twice if squared else twice
            n += 1
        strengths[i] = total / (n * most * most if squared else n * most)


@kernel
def deal_hands(first, n_deck, left, deals):
    """Overwrite each row of `deals` with different numbers below `n_deck`, at random.

    Row `i` is number `first + i` of all. `left` [n_deck] is work space.
    """
    for i in range(deals.shape[0]):
        key = stream_key(1, first + i)
        for k in range(n_deck):
            left[k] = k
        for k in range(deals.shape[1]):
            deals[i, k] = draw_from(left, n_deck, k, uniform(key, k))
