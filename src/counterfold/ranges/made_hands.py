"""What hole cards have made of a board and what they may still make, in the words of players.

Of pairs, two pairs and three of a kind only what a hand's own cards make counts: with AK on 994 a
player has high card, with A4 bottom pair, with TT an overpair. From a straight up, a hand is what
its best five cards are, even if all of them lie on the board. A hand may have several drawing hands
at once; they need own cards to come true and end with a straight, and with the river.
"""

import contextlib
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.deck import FULL
from counterfold.cards.pairs import N_PAIRS, PAIR_CARDS
from counterfold.cards.ranking import rank_hands
from counterfold.cards.ranking_kernels import FLUSH, FULL_HOUSE, QUADS, STRAIGHT, STRAIGHT_FLUSH
from counterfold.cards.text import N_RANKS, N_SUITS, SUITS, parse_card
from counterfold.errors import CardError, UnknownNameError

BLOCKED = -1  # a card of the hand lies on the board

# By number. A pocket pair is an overpair above all cards of the board, else an underpair.
MADE_HANDS = (
    "high card",
    "underpair",
    "bottom pair",
    "middle pair",
    "top pair",
    "overpair",
    "two pair",
    "trips",
    "set",
    "straight",
    "flush",
    "full house",
    "quads",
    "straight flush",
)
HIGH_CARD, UNDERPAIR, BOTTOM_PAIR, MIDDLE_PAIR, TOP_PAIR, OVERPAIR, TWO_PAIR, TRIPS, SET = range(9)

# Bits of a drawing hand; 0 for none.
DRAWING_HANDS = {
    "flush draw": 1,
    "open-ended": 2,  # two ranks complete a straight, at its ends or not
    "gutshot": 4,  # one rank does
    "backdoor flush draw": 8,  # three of a suit on the flop
    "overcards": 16,  # two different ranks above all cards of the board
}
NO_DRAW = "no draw"

# A hand of two cards of a suit, or not, or one with a card of the suit that is named.
SUIT_WORDS = ("suited", "offsuit", "clubs", "diamonds", "hearts", "spades")

_OWN_FIVE = np.array([STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH])  # lowest ranks
_BOARD_SIZES = (3, 4, 5)
_OR_BETTER, _WITH = "+", " with "


def find_made_hands(board: Sequence[int]) -> NDArray[np.int8]:
    """[1326] number of `MADE_HANDS` of each pair of hole cards, or `BLOCKED`."""
    board_cards = _check_board(board)
    free = _free_pairs(board_cards)
    made = np.full(N_PAIRS, BLOCKED, np.int8)
    hands = PAIR_CARDS[free]
    cards = np.concatenate([hands, np.tile(board_cards, (len(hands), 1))], axis=1)
    best = np.searchsorted(_OWN_FIVE, rank_hands(cards), side="right")
    own = _own_pairs(hands // N_SUITS, np.bincount(board_cards // N_SUITS, minlength=N_RANKS))
    made[free] = np.where(best > 0, SET + best, own)
    return made


def find_drawing_hands(board: Sequence[int]) -> NDArray[np.int8]:
    """[1326] bits of `DRAWING_HANDS` of each pair of hole cards, or `BLOCKED`."""
    board_cards = _check_board(board)
    found = np.where(_free_pairs(board_cards), 0, BLOCKED).astype(np.int8)
    if len(board_cards) == _BOARD_SIZES[-1]:
        return found
    open_hands = (find_made_hands(board) <= SET) & (found != BLOCKED)
    bits = DRAWING_HANDS
    ranks = PAIR_CARDS // N_SUITS
    suited = _most_suited(board_cards)
    n_straights = _count_straights(ranks, board_cards // N_SUITS)
    overcards = (ranks > (board_cards // N_SUITS).max()).all(axis=1) & (ranks[:, 0] != ranks[:, 1])
    found[open_hands & (suited == 4)] |= bits["flush draw"]
    found[open_hands & (n_straights >= 2)] |= bits["open-ended"]
    found[open_hands & (n_straights == 1)] |= bits["gutshot"]
    if len(board_cards) == _BOARD_SIZES[0]:
        found[open_hands & (suited == 3)] |= bits["backdoor flush draw"]
    found[open_hands & overcards] |= bits["overcards"]
    return found


def filter_hands(board: Sequence[int], text: str) -> NDArray[np.bool_]:
    """[1326] the hands that `text` names, such as ``set, top pair+ with flush draw``.

    Commas separate alternatives, `with` joins what must be true together, and `+` means or better.
    Words of suits, such as ``suited`` and ``hearts``, and cards need no flop.
    """
    found = np.zeros(N_PAIRS, bool)
    free = _free_pairs(FULL.check(list(board)).astype(np.int64))
    for item in text.split(","):
        fits = free.copy()
        for word in item.lower().split(_WITH):
            fits &= _filter_word(word.strip(), board)
        found |= fits
    return found


def format_drawing_hand(bits: int) -> str:
    """The words of a drawing hand, such as ``flush draw, gutshot``."""
    words = [word for word, bit in DRAWING_HANDS.items() if bits & bit]
    return ", ".join(words) or NO_DRAW


def _filter_word(word: str, board: Sequence[int]) -> NDArray[np.bool_]:
    if word in SUIT_WORDS:
        return _filter_suits(word)
    with contextlib.suppress(CardError):
        return np.asarray(np.isin(PAIR_CARDS, [parse_card(word)]).any(axis=1))
    if word == NO_DRAW:
        return np.asarray(find_drawing_hands(board) == 0)
    if word in DRAWING_HANDS:
        drawing = find_drawing_hands(board)
        return np.asarray((drawing != BLOCKED) & (drawing & DRAWING_HANDS[word] > 0))
    name = word.removesuffix(_OR_BETTER).rstrip()
    if name not in MADE_HANDS:
        known = (*MADE_HANDS, *DRAWING_HANDS, NO_DRAW, *SUIT_WORDS)
        raise UnknownNameError("made hand, draw or suit", word, known)
    number, made = MADE_HANDS.index(name), find_made_hands(board)
    return np.asarray(made >= number if name != word else made == number)


def _filter_suits(word: str) -> NDArray[np.bool_]:
    suits = PAIR_CARDS % N_SUITS
    if word in SUIT_WORDS[:2]:
        return np.asarray((suits[:, 0] == suits[:, 1]) == (word == SUIT_WORDS[0]))
    return np.asarray((suits == SUITS.index(word[0])).any(axis=1))


def _check_board(board: Sequence[int]) -> NDArray[np.int64]:
    cards = FULL.check(list(board))
    if len(cards) not in _BOARD_SIZES:
        raise CardError(f"a board of {len(cards)} cards makes no hands; it must have 3, 4 or 5")
    return np.asarray(cards, np.int64)


def _free_pairs(board: NDArray[np.int64]) -> NDArray[np.bool_]:
    return np.asarray(~np.isin(PAIR_CARDS, board).any(axis=1))


def _own_pairs(ranks: NDArray[np.integer], on_board: NDArray[np.int64]) -> NDArray[np.int8]:
    """What hands of two `ranks` make, below a straight; `on_board` counts the board by rank."""
    present = np.flatnonzero(on_board)
    low, high = present[0], present[-1]
    matched = on_board[ranks]  # cards of the board of the rank of either card
    paired = np.where(matched[:, 0] > 0, ranks[:, 0], ranks[:, 1])
    pair = np.select([paired == high, paired == low], [TOP_PAIR, BOTTOM_PAIR], MIDDLE_PAIR)
    pocket = ranks[:, 0] == ranks[:, 1]
    return np.select(
        [
            pocket & (matched[:, 0] > 0),
            pocket & (ranks[:, 0] > high),
            pocket,
            matched.max(axis=1) >= 2,
            matched.min(axis=1) > 0,
            matched.max(axis=1) > 0,
        ],
        [SET, OVERPAIR, UNDERPAIR, TRIPS, TWO_PAIR, pair],
        HIGH_CARD,
    ).astype(np.int8)


def _most_suited(board: NDArray[np.int64]) -> NDArray[np.int64]:
    """[1326] the most cards of one suit, among suits of which the hand has one."""
    on_board = np.bincount(board % N_SUITS, minlength=N_SUITS)
    suits = PAIR_CARDS % N_SUITS
    both = suits[:, 0] == suits[:, 1]
    return np.asarray(on_board[suits].max(axis=1) + 1 + both)


def _count_straights(ranks: NDArray[np.integer], board: NDArray[np.int64]) -> NDArray[np.int64]:
    """[1326] ranks that give a hand a straight that the board alone does not have."""
    tops = _straight_tops()
    shared = np.bitwise_or.reduce(1 << board)
    masks = shared | np.bitwise_or.reduce(1 << ranks.astype(np.int64), axis=1)
    found = np.zeros(len(ranks), np.int64)
    for rank in range(N_RANKS):
        found += tops[masks | 1 << rank] > tops[shared | 1 << rank]
    return found


@cache
def _straight_tops() -> NDArray[np.int8]:
    """[8192] by set of ranks: one more than the highest rank of its best straight, 0 for none."""
    tops = np.zeros(1 << N_RANKS, np.int8)
    masks = np.arange(1 << N_RANKS)
    wheel = 1 << N_RANKS - 1 | 0b1111
    tops[masks & wheel == wheel] = 4
    for low in range(N_RANKS - 4):
        straight = 0b11111 << low
        tops[masks & straight == straight] = low + 5
    return tops
