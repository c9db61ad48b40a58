"""Hand ranking: how strong the best five of 5 to 33 cards are.

A rank is a number from 0 for 7-5-4-3-2 to 7461 for a royal flush, the same for hands that tie. It
does not depend on the deck: hands of a reduced deck have the ranks they have among 52 cards. In
the ranking ``short-deck``, for decks from the six up, A6789 is a straight and a flush beats a full
house; its ranks are comparable with each other only.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.cards import ranking_kernels
from counterfold.errors import CardError

MIN_CARDS = 5
MAX_CARDS = 33  # two hole cards and the longest board of any variant
N_HAND_RANKS = ranking_kernels.N_HAND_RANKS
RANKINGS = (ranking_kernels.STANDARD, ranking_kernels.SHORT_DECK)

# Each class with its lowest rank, weakest first.
_CLASSES = {
    "high card": 0,
    "pair": ranking_kernels.PAIR,
    "two pair": ranking_kernels.TWO_PAIR,
    "three of a kind": ranking_kernels.TRIPS,
    "straight": ranking_kernels.STRAIGHT,
    "flush": ranking_kernels.FLUSH,
    "full house": ranking_kernels.FULL_HOUSE,
    "four of a kind": ranking_kernels.QUADS,
    "straight flush": ranking_kernels.STRAIGHT_FLUSH,
}
HAND_CATEGORIES = tuple(_CLASSES)
_LOWEST = tuple(_CLASSES.values())

CARD_BITS = tuple(1 << (16 * (card % 4) + card // 4) for card in range(52))  # as `card_bit`


def rank(
    cards: Sequence[int],
    *,
    first_flush_suit_only: bool = False,
    ranking: str = ranking_kernels.STANDARD,
) -> int:
    """Rank of one hand; see `rank_hands`."""
    masks = _read_masks(cards)
    by_mask = ranking_kernels.mask_table(ranking)
    return int(ranking_kernels.rank_masks(masks, first_flush_suit_only, by_mask))


def _read_masks(cards: Sequence[int]) -> int:
    """The bits of the cards of a hand that can be ranked."""
    _check_size(len(cards))
    masks = 0
    try:
        for card in cards:
            masks |= CARD_BITS[card]
    except TypeError as error:
        raise CardError(f"cards {cards!r} are not all integers") from error
    except IndexError as error:
        raise CardError(f"cards {cards!r} are not all in 0..51") from error
    if min(cards) < 0:
        raise CardError(f"cards {cards!r} are not all in 0..51")
    if masks.bit_count() != len(cards):
        raise CardError(f"cards {cards!r} are not all different")
    return masks


def showdown_strength(
    cards: Sequence[int],
    *,
    first_flush_suit_only: bool = False,
    ranking: str = ranking_kernels.STANDARD,
) -> int:
    """What decides a showdown between hands of equally many cards: the rank if there are five.

    Fewer than five make no straights and no flushes, as in Kuhn's and Leduc poker.
    """
    if len(cards) >= MIN_CARDS:
        return rank(cards, first_flush_suit_only=first_flush_suit_only, ranking=ranking)
    return int(ranking_kernels.rank_short(sum(CARD_BITS[card] for card in cards)))


def rank_hands(
    cards: NDArray[np.integer[Any]],
    *,
    first_flush_suit_only: bool = False,
    ranking: str = ranking_kernels.STANDARD,
) -> NDArray[np.int16]:
    """Rank of each row of `cards`, in any order within a row; higher is stronger.

    Parameters
    ----------
    cards
        [n, k] with 5 <= k <= 33, the cards of a row all different. Fastest as `uint8`.
    first_flush_suit_only
        Count the flushes of one suit only: the first of spades, clubs, diamonds and hearts that has
        five cards. So does eval7, which contests use to rank hands of ten or more cards.
    ranking
        One of `RANKINGS`.
    """
    hands = np.asarray(cards)
    if hands.ndim != 2 or hands.dtype.kind not in "iu":
        raise CardError(
            f"hands must be integers in rows, not {hands.dtype} of shape {hands.shape}; "
            "`rank` takes a single hand"
        )
    _check_size(hands.shape[1])
    out = np.empty(hands.shape[0], dtype=np.int16)
    if out.size == 0:
        return out
    if hands.min() < 0 or hands.max() > 51:
        row = int(np.argmax(((hands < 0) | (hands > 51)).any(axis=1)))
        raise CardError(f"cards {hands[row].tolist()} of hand {row} are not all in 0..51")
    hands = np.ascontiguousarray(hands, dtype=np.uint8)
    row = ranking_kernels.find_repeat(hands)
    if row != ranking_kernels.NO_ROW:
        raise CardError(f"cards {hands[row].tolist()} of hand {row} are not all different")
    tables = ranking_kernels.rank_tables(ranking)
    ranking_kernels.rank_hands(hands, first_flush_suit_only, tables, out)
    return out


def hand_category(rank: int) -> str:
    """The category of a rank, such as full house, one of `HAND_CATEGORIES`."""
    if not 0 <= rank < N_HAND_RANKS:
        raise CardError(f"rank {rank!r} is not in 0..{N_HAND_RANKS - 1}")
    return HAND_CATEGORIES[bisect_right(_LOWEST, rank) - 1]


def _check_size(n_cards: int) -> None:
    if not MIN_CARDS <= n_cards <= MAX_CARDS:
        raise CardError(
            f"a hand of {n_cards} cards cannot be ranked, only {MIN_CARDS}..{MAX_CARDS}"
        )
