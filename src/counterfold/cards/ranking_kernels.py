"""Ranks of poker hands: the best five of 5 to 33 cards, from 0 for the worst to 7461 for the best.

A card is `4 * rank + suit`. Hands of up to seven cards are ranked by look-up. Each card adds a key
to a sum that holds side by side the counts of the six low ranks, those of the seven high ranks and
those of the suits. Once the size of a hand is known, its two halves depend on each other only
through their sizes; so one number for each half, added, indexes all combinations of ranks without
a gap. Longer hands are ranked from a mask of ranks per suit, and the look-up tables are filled the
same way.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.jit.compiler import borrowing_kernel, kernel

# The first rank of each category, high cards being 0. Within a category ranks are dense.
PAIR = 1277  # five of 13 ranks less 10 straights
TWO_PAIR = PAIR + 13 * 220  # three kickers of 12
TRIPS = TWO_PAIR + 78 * 11
STRAIGHT = TRIPS + 13 * 66  # two kickers of 12
FLUSH = STRAIGHT + 10
FULL_HOUSE = FLUSH + 1277
QUADS = FULL_HOUSE + 13 * 12
STRAIGHT_FLUSH = QUADS + 13 * 12
N_HAND_RANKS = STRAIGHT_FLUSH + 10

NO_ROW = -1

STANDARD, SHORT_DECK = "standard", "short-deck"  # rankings
# The straights in which the ace is low: with 2345, and with 6789 where the deck begins at the six.
_WHEELS = {STANDARD: 0b1_0000_0000_1111, SHORT_DECK: 0b1_0000_1111_0000}

_N_RANKS = 13
_N_LOW = 6
_N_HIGH = _N_RANKS - _N_LOW
_ALL_RANKS = (1 << _N_RANKS) - 1
MAX_TABLED = 7  # cards of a hand that is ranked by look-up
_N_COMBINATIONS = 49205  # of the ranks of so many cards

# A key: six counts in base 5 in 14 bits, seven in 17 bits, then four bits for each suit.
_HIGH_SHIFT = 14
_SUIT_SHIFT = 31
_LOW_BITS = (1 << _HIGH_SHIFT) - 1
_HIGH_BITS = (1 << (_SUIT_SHIFT - _HIGH_SHIFT)) - 1
# A sum starts at 3 in each suit, so that the fifth card sets the uppermost of the four bits.
_SUM_START = 0x3333 << _SUIT_SHIFT
_FIVE_SUITED = 0x8888 << _SUIT_SHIFT

# Rows of `RankTables.by_mask`.
_TOP = 0  # highest rank
_TWO = 1  # place of the two highest among all pairs of ranks
_THREE = 2  # place of the three highest among all triples
_FIVE = 3  # hand rank of the best straight, else of the five highest; 0 if there are not five
_FLUSH = 4  # the same if all are of one suit
_FULL = 5  # lowest hand rank of a full house with three of the highest rank
_N_ROWS = 6


class RankTables(NamedTuple):
    """What the kernels look up: 0.9 MB, of which hands of seven cards touch a third."""

    keys: NDArray[np.int64]  # [52] by card
    low: NDArray[np.uint16]  # [5**6] part of an index, by counts of the low ranks
    high: NDArray[np.uint16]  # [3, 5**7] the other part, by cards - 5 and counts of the high ranks
    unsuited: NDArray[np.int16]  # [3, 49205] hand rank but for flushes, by cards - 5 and index
    by_mask: NDArray[np.int16]  # [6, 8192] by what is asked and a mask with bit r for rank r


@borrowing_kernel
def card_bit(card):
    """The bit of `card` in a hand's masks: 16 bits for the 13 ranks of each suit."""
    return np.int64(1) << np.int64(16 * (card & 3) + (card >> 2))


@kernel
def find_repeat(cards):
    """The first row of `cards` that has a card twice, or `NO_ROW`."""
    for i in range(cards.shape[0]):
        seen = repeated = 0
        for j in range(cards.shape[1]):
            bit = np.int64(1) << np.int64(cards[i, j])
            repeated |= seen & bit
            seen |= bit
        if repeated:
            return i
    return NO_ROW


@borrowing_kernel
def _without(mask, rank):
    """`mask` over the other twelve ranks: those above `rank` move down."""
    below = (1 << rank) - 1
    return (mask & below) | ((mask >> 1) & ~below)


@borrowing_kernel
def _rank_multiplicities(once, twice, thrice, fourfold, by_mask):
    """Hand rank but for flushes, by the ranks held at least once, twice, three and four times."""
    if fourfold:
        r = by_mask[_TOP, fourfold]
        return QUADS + 12 * r + by_mask[_TOP, _without(once, r)]
    five = np.int64(by_mask[_FIVE, once])
    if thrice:
        r = by_mask[_TOP, thrice]
        pairs = _without(twice, r)
        if pairs:
            return np.int64(by_mask[_FULL, thrice]) + by_mask[_TOP, pairs]
        if five >= STRAIGHT:
            return five
        return TRIPS + 66 * r + by_mask[_TWO, _without(once, r)]
    if five >= STRAIGHT or not twice:
        return five
    r = by_mask[_TOP, twice]
    pairs = twice ^ (1 << r)
    if pairs:
        kickers = _without(_without(once, r), by_mask[_TOP, pairs])
        return TWO_PAIR + 11 * by_mask[_TWO, twice] + by_mask[_TOP, kickers]
    return PAIR + 220 * r + by_mask[_THREE, _without(once, r)]


@borrowing_kernel
def _count_multiplicities(masks):
    """The ranks held at least once, twice, three and four times."""
    c, d = masks & _ALL_RANKS, (masks >> 16) & _ALL_RANKS
    h, s = (masks >> 32) & _ALL_RANKS, (masks >> 48) & _ALL_RANKS
    minor, major = c | d, h | s
    minors, majors = c & d, h & s
    twice = minors | majors | (minor & major)
    thrice = (minors & major) | (minor & majors)
    return minor | major, twice, thrice, minors & majors


@borrowing_kernel
def _rank_unsuited(masks, by_mask):
    """Hand rank but for flushes."""
    once, twice, thrice, fourfold = _count_multiplicities(masks)
    return _rank_multiplicities(once, twice, thrice, fourfold, by_mask)


@kernel
def rank_short(masks):
    """Strength of a hand of 1 to 4 cards, to be compared with that of as many cards.

    Such hands make no straights and no flushes: what counts is fours, threes, two pairs, pairs,
    then the highest cards. Among masks of one size the order of integers is that of strength.
    """
    once, twice, thrice, fourfold = _count_multiplicities(masks)
    two_pair = np.int64(twice & (twice - 1) != 0)
    return (fourfold << 40) | (thrice << 27) | (two_pair << 26) | (twice << 13) | once


@borrowing_kernel
def _rank_suited(masks, first_flush_suit_only, by_mask):
    """Hand rank of the best flush, 0 if there is none."""
    c = by_mask[_FLUSH, masks & _ALL_RANKS]
    d = by_mask[_FLUSH, (masks >> 16) & _ALL_RANKS]
    h = by_mask[_FLUSH, (masks >> 32) & _ALL_RANKS]
    s = by_mask[_FLUSH, (masks >> 48) & _ALL_RANKS]
    if first_flush_suit_only:
        return np.int64(s or c or d or h)
    return np.int64(max(max(c, d), max(h, s)))


@kernel
def rank_masks(masks, first_flush_suit_only, by_mask):
    """Rank the hand of 5 to 33 cards whose bits (`card_bit`) are set in `masks`.

    With `first_flush_suit_only` just one suit can make a flush, the first of spades, clubs,
    diamonds and hearts that has five cards; other suits can have five from ten cards on.
    """
    suited = _rank_suited(masks, first_flush_suit_only, by_mask)
    return max(suited, _rank_unsuited(masks, by_mask))


@borrowing_kernel
def _rank_total(total, low, high, unsuited):
    """Hand rank but for flushes by the sum of keys and the rows of the tables for the size."""
    return unsuited[low[total & _LOW_BITS] + high[(total >> _HIGH_SHIFT) & _HIGH_BITS]]


@kernel
def _rank_tabled(cards, keys, low, high, unsuited, by_mask, out):
    """`rank_hands` for up to seven cards; of two tables it takes the rows for the size."""
    n_cards = cards.shape[1]
    for i in range(cards.shape[0]):
        total = _SUM_START
        for j in range(n_cards):
            total += keys[cards[i, j]]
        if total & _FIVE_SUITED:
            masks = 0
            for j in range(n_cards):
                masks |= card_bit(cards[i, j])
            out[i] = _rank_suited(masks, False, by_mask)  # leaves no room for quads or full houses
        else:
            out[i] = _rank_total(total, low, high, unsuited)


@kernel
def rank_hands(cards, first_flush_suit_only, tables, out):
    """Rank each row of `cards`, 5 to 33 of them in any order, into `out`; see `rank_masks`."""
    n_cards = cards.shape[1]
    by_mask = tables.by_mask
    if n_cards <= MAX_TABLED:
        high, unsuited = tables.high[n_cards - 5], tables.unsuited[n_cards - 5]
        _rank_tabled(cards, tables.keys, tables.low, high, unsuited, by_mask, out)
        return
    for i in range(cards.shape[0]):
        masks = 0
        for j in range(n_cards):
            masks |= card_bit(cards[i, j])
        out[i] = rank_masks(masks, first_flush_suit_only, by_mask)


@borrowing_kernel
def _raise_to_flush(board_masks, suit, n_suited, cards, by_mask, out):
    """Raise the ranks in `out` of hands that make a flush with `n_suited` cards of the board."""
    board = (board_masks >> (16 * suit)) & _ALL_RANKS
    hand = 0
    for i in range(cards.size - 1):
        suited = (cards[i] & 3) == suit
        if n_suited == 3 and not suited:
            hand += cards.size - 1 - i
            continue
        first = board | (np.int64(suited) << np.int64(cards[i] >> 2))
        for j in range(i + 1, cards.size):
            suited = (cards[j] & 3) == suit
            flush = by_mask[_FLUSH, first | (np.int64(suited) << np.int64(cards[j] >> 2))]
            out[hand] = max(out[hand], flush)
            hand += 1


@borrowing_kernel
def rank_board(board, cards, first_flush_suit_only, tables, out):
    """Rank each pair of `cards` with the 3 to 31 of `board` into `out`; see `rank_masks`.

    Pairs come in lexicographic order of their places in `cards`. But for flushes a rank depends on
    the ranks of the pair alone; it is fastest if cards of a rank stand together.
    """
    n_cards = board.size + 2
    keys, low, by_mask = tables.keys, tables.low, tables.by_mask
    row = n_cards - 5 if n_cards <= MAX_TABLED else 0
    high, unsuited = tables.high[row], tables.unsuited[row]
    total = masks = n_suited = 0
    for k in range(board.size):
        total += keys[board[k]]
        masks |= card_bit(board[k])
        n_suited += 1 << (8 * np.int64(board[k] & 3))

    start = 0  # of the pairs with card i first
    for i in range(cards.size - 1):
        length = cards.size - 1 - i
        if i > 0 and cards[i] >> 2 == cards[i - 1] >> 2:
            for j in range(start, start + length):
                out[j] = out[j - length]
        else:
            rank = 0
            for j in range(i + 1, cards.size):
                if j == i + 1 or cards[j] >> 2 != cards[j - 1] >> 2:
                    if n_cards <= MAX_TABLED:
                        rank = _rank_total(
                            total + keys[cards[i]] + keys[cards[j]], low, high, unsuited
                        )
                    else:
                        rank = _rank_unsuited(
                            masks | card_bit(cards[i]) | card_bit(cards[j]), by_mask
                        )
                out[start + j - i - 1] = rank
        start += length

    if first_flush_suit_only and n_cards >= 10:
        hand = 0
        for i in range(cards.size - 1):
            first = masks | card_bit(cards[i])
            for j in range(i + 1, cards.size):
                flush = _rank_suited(first | card_bit(cards[j]), True, by_mask)
                out[hand] = max(out[hand], flush)
                hand += 1
        return
    for suit in range(4):
        n = (n_suited >> (8 * suit)) & 255
        if n >= 3:
            _raise_to_flush(masks, suit, n, cards, by_mask, out)


@kernel
def _rank_columns(at_least, by_mask, out):
    """Rank each column of masks: ranks held once, twice, three and four times."""
    for i in range(out.size):
        out[i] = _rank_multiplicities(
            at_least[0, i], at_least[1, i], at_least[2, i], at_least[3, i], by_mask
        )


def _highest(masks: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """The `n` highest bits of each mask."""
    for _ in range(_N_RANKS - n):
        masks = np.where(np.bitwise_count(masks) > n, masks & (masks - 1), masks)
    return masks


def mask_table(ranking: str = STANDARD) -> NDArray[np.int16]:
    """`RankTables.by_mask`, for those who need no more; computed without a kernel."""
    return _mask_table(ranking)


@cache
def _mask_table(ranking: str) -> NDArray[np.int16]:
    masks = np.arange(1 << _N_RANKS)
    sizes = np.bitwise_count(masks)
    straights = np.array([_WHEELS[ranking]] + [0b11111 << lowest for lowest in range(9)])
    flush, full_house = FLUSH, FULL_HOUSE
    # Ranks stay dense in a short deck: both categories change places.
    if ranking == SHORT_DECK:
        flush, full_house = FLUSH + QUADS - FULL_HOUSE, FLUSH

    # Among masks of one size the order of integers is the order of strength.
    table = np.zeros((_N_ROWS, masks.size), dtype=np.int16)
    for row, n in ((_TOP, 1), (_TWO, 2), (_THREE, 3)):
        table[row] = np.searchsorted(masks[sizes == n], _highest(masks, n))
    high_cards = np.setdiff1d(masks[sizes == 5], straights)
    table[_FIVE] = np.searchsorted(high_cards, _highest(masks, 5))
    for place, straight in enumerate(straights):
        table[_FIVE, masks & straight == straight] = STRAIGHT + place
    above = np.where(table[_FIVE] >= STRAIGHT, STRAIGHT_FLUSH - STRAIGHT, flush)
    table[_FLUSH] = table[_FIVE] + above
    table[_FIVE : _FLUSH + 1, sizes < 5] = 0
    table[_FULL] = full_house + 12 * table[_TOP]
    return table


def _half_hands(n_ranks: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Sizes [5**n] and masks [4, 5**n] of ranks held 1, 2, 3, 4 times, by counts in base 5."""
    places = np.arange(n_ranks)
    counts = np.arange(5**n_ranks)[:, None] // 5**places % 5
    masks = [(counts >= n) @ (1 << places) for n in (1, 2, 3, 4)]
    return counts.sum(axis=1), np.array(masks)


def _key(card: int) -> int:
    """What `card` adds to a sum: one to the count of its rank and one to that of its suit."""
    rank, suit = divmod(card, 4)
    place, shift = (rank, 0) if rank < _N_LOW else (rank - _N_LOW, _HIGH_SHIFT)
    return (int(5**place) << shift) + (1 << (_SUIT_SHIFT + 4 * suit))


def rank_tables(ranking: str = STANDARD) -> RankTables:
    """The tables, computed on the first call in a few hundredths of a second."""
    return _rank_tables(ranking)


@cache
def _rank_tables(ranking: str) -> RankTables:
    by_mask = mask_table(ranking)
    low = np.zeros(5**_N_LOW, dtype=np.uint16)
    high = np.zeros((3, 5**_N_HIGH), dtype=np.uint16)
    low_sizes, low_masks = _half_hands(_N_LOW)
    high_sizes, high_masks = _half_hands(_N_HIGH)
    unsuited = np.zeros((3, _N_COMBINATIONS), dtype=np.int16)
    for n_cards in range(5, MAX_TABLED + 1):
        row = n_cards - 5
        start = 0
        for n in range(n_cards + 1):
            lows = np.flatnonzero(low_sizes == n)
            highs = np.flatnonzero(high_sizes == n_cards - n)
            low[lows] = np.arange(lows.size)
            high[row, highs] = start + lows.size * np.arange(highs.size)
            masks = (high_masks[:, highs, None] << _N_LOW) | low_masks[:, None, lows]
            stop = start + lows.size * highs.size
            _rank_columns(masks.reshape(4, -1), by_mask, unsuited[row, start:stop])
            start = stop

    keys = np.array([_key(card) for card in range(4 * _N_RANKS)], dtype=np.int64)
    return RankTables(keys, low, high, unsuited, by_mask)
