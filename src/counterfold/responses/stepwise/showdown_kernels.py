"""What a hand is worth against other hands of any sizes if both check to the end.

As in `responses.run_out_kernels`, but hand by hand: hands have any number of cards, boards too, and
either side may get a card more before the showdown.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.ranking_kernels import RankTables, card_bit, rank_masks, rank_short
from counterfold.jit.compiler import borrowing_kernel
from counterfold.jit.random import draw_from, stream_key, uniform


class Contenders(NamedTuple):
    """Hands that are compared with one. ``H`` hands."""

    masks: NDArray[np.int64]  # [H] as `card_bit` has them
    bits: NDArray[np.int64]  # [H] of the numbers of cards
    size: int  # cards of each


class ShowdownRanking(NamedTuple):
    """What decides a showdown."""

    tables: RankTables
    first_flush_suit_only: bool


@borrowing_kernel
def _rank(ranking, masks, n_cards):
    if n_cards < 5:
        return np.int64(rank_short(masks))
    return np.int64(rank_masks(masks, ranking.first_flush_suit_only, ranking.tables.by_mask))


@borrowing_kernel
def compare_hands(
    ranking, contenders, board, own, own_size, n_more, extra, left, key, n_boards, met, margins
):  # fmt: skip
    """Overwrite `margins` [H] with the mean results of a hand against others, wins less losses.

    Parameters
    ----------
    board
        The masks of the board so far, and how many cards that are.
    own, own_size
        Masks of the hand, and how many cards that are.
    n_more
        Cards to come to the board.
    extra
        How many cards more the hand gets, and how many each of the others: 0 or 1.
    left
        The cards that may come; put in another order.
    key, n_boards
        Random numbers for cards to come, and how often they are drawn. A single card that comes to
        the board alone is any of those left, once each, and where none comes nothing is drawn.
    met
        [H] work space: boards that leave a hand. Margins of hands that none leaves are 0.
    """
    board_masks, board_size = board
    n_drawn_each = n_more + extra[0] + extra[1]
    n = n_boards
    if n_drawn_each == 0:
        n = 1
    each = n_drawn_each == 1 and n_more == 1
    if each:
        n = left.size
    met[:] = 0
    margins[:] = 0.0
    own_cards = own_size + board_size + n_more + extra[0]
    their_cards = contenders.size + board_size + n_more + extra[1]
    n_used, shuffle = 0, 0
    shuffle_key = stream_key(key, 0)
    for b in range(n):
        if n_used + n_drawn_each > left.size:
            n_used, shuffle = 0, shuffle + 1
            shuffle_key = stream_key(key, shuffle)
        masks, mine, theirs = board_masks, own, np.int64(0)
        taken = np.int64(0)
        for k in range(n_drawn_each):
            if each:
                card = left[b]
            else:
                card = draw_from(left, left.size, n_used, uniform(shuffle_key, n_used))
                n_used += 1
            taken |= np.int64(1) << np.int64(card)
            if k < n_more:
                masks |= card_bit(card)
            elif k < n_more + extra[0]:
                mine |= card_bit(card)
            else:
                theirs |= card_bit(card)
        rank = _rank(ranking, masks | mine, own_cards)
        masks |= theirs
        for h in range(margins.size):
            if contenders.bits[h] & taken:
                continue
            other = _rank(ranking, masks | contenders.masks[h], their_cards)
            margins[h] += np.int64(rank > other) - np.int64(rank < other)
            met[h] += 1
    for h in range(margins.size):
        if met[h] > 0:
            margins[h] /= met[h]
