"""Strength of hands on boards of 3 to 31 cards, and its expectation in River of Blood.

HS is the probability of beating a uniformly random opponent hand plus half that of a tie, exact
over all opponent hands. In River of Blood a board ends with the first black card from the fifth on;
until then its length is open, and the boards are too many to tabulate, so the expectation is
sampled. The length itself has a closed form.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, sqrt

import numpy as np
from numpy.typing import NDArray

from counterfold.cards import long_boards_kernels
from counterfold.cards.deck import FULL, Deck
from counterfold.cards.pairs import N_PAIRS
from counterfold.cards.ranking_kernels import N_HAND_RANKS, STANDARD, rank_board, rank_tables
from counterfold.cards.strength_kernels import order_by_rank, score_hands
from counterfold.cards.text import N_CARDS, N_SUITS, SUITS, format_card, format_cards
from counterfold.errors import CardError
from counterfold.threads import ThreadPool, stretches

MIN_BOARD = 3  # with two hole cards, enough for a hand
MAX_BOARD = 31  # four cards of any color, all 26 red ones and a black one
RIVER = long_boards_kernels.RIVER  # the first card whose color matters
N_HOLE = 2
NO_SCORE = -1
_CHUNK = 1024  # samples at a time
_N_WORDS = (N_HAND_RANKS + 63) // 64


@dataclass(frozen=True)
class StrengthEstimate:
    """A mean over samples; without samples it is exact."""

    mean: float
    standard_error: float
    n_samples: int


def hand_strength(
    hole: Sequence[int], board: Sequence[int], first_flush_suit_only: bool = False
) -> float:
    """HS of a hand on a board without more cards; see `rank_hands` for `first_flush_suit_only`."""
    score, most = hand_score(hole, board, first_flush_suit_only)
    return score / most


def hand_score(
    hole: Sequence[int],
    board: Sequence[int],
    first_flush_suit_only: bool = False,
    deck: Deck = FULL,
    ranking: str = STANDARD,
) -> tuple[int, int]:
    """Twice the wins plus the ties of a hand, and what it would have if it always won."""
    cards = _check_board(board, MIN_BOARD, deck)
    own = _check_hole(hole, cards, deck)
    left = _list_left(own, cards, deck=deck)
    ranks = np.empty(comb(left.size, 2), np.int16)
    score = long_boards_kernels.score_hand(
        own, cards, left, first_flush_suit_only, rank_tables(ranking), ranks
    )
    return int(score), 2 * ranks.size


def hand_strengths(
    board: Sequence[int], first_flush_suit_only: bool = False
) -> NDArray[np.float64]:
    """HS of all 1326 pairs on a board, nan for those that have a card of it."""
    scores, most = hand_scores(board, first_flush_suit_only)
    return np.where(scores == NO_SCORE, np.nan, scores / most)


def hand_scores(
    board: Sequence[int],
    first_flush_suit_only: bool = False,
    deck: Deck = FULL,
    ranking: str = STANDARD,
) -> tuple[NDArray[np.int64], int]:
    """As `hand_score` for all 1326 pairs, `NO_SCORE` for those of which a card is on the board or
    not in the deck.
    """
    cards = _check_board(board, MIN_BOARD, deck)
    left = _list_left(cards, deck=deck)
    firsts, seconds = (places.astype(np.uint8) for places in np.triu_indices(left.size, 1))
    ranks = np.empty(firsts.size, np.int16)
    rank_board(cards, left, first_flush_suit_only, rank_tables(ranking), ranks)
    order, ends = np.empty(ranks.size, np.uint16), np.empty(ranks.size, np.uint16)
    counts, marks = np.zeros(N_HAND_RANKS, np.int16), np.zeros(_N_WORDS, np.uint64)
    n_groups = order_by_rank(ranks, counts, marks, order, ends)
    ones, taken = np.ones(ranks.size, np.int64), np.empty(left.size, np.int64)
    found = np.empty(ranks.size, np.int64)
    score_hands(n_groups, order, ends, firsts, seconds, ones, taken, found)
    low, high = left[firsts].astype(np.int64), left[seconds].astype(np.int64)
    scores = np.full(N_PAIRS, NO_SCORE, np.int64)
    scores[high * (high - 1) // 2 + low] = found
    return scores, 2 * comb(left.size - 2, 2)


def expected_strength(
    hole: Sequence[int],
    board: Sequence[int] = (),
    n_samples: int = 10_000,
    seed: int = 0,
    first_flush_suit_only: bool = False,
    threads: int | None = None,
) -> StrengthEstimate:
    """Mean HS of a hand at the end of a River of Blood board that has started with `board`.

    About 3 µs per sample. The result does not depend on `threads`.
    """
    cards = _check_board(board)
    own = _check_hole(hole, cards)
    left = _list_left(own, cards)
    if _is_over(cards):
        return StrengthEstimate(hand_strength(hole, board, first_flush_suit_only), 0.0, 0)
    if n_samples < 2:
        raise CardError(f"a standard error needs at least 2 samples, not {n_samples!r}")
    strengths = np.empty(n_samples)

    def work(first: int, last: int, _: int) -> None:
        long_boards_kernels.sample_runs(
            first,
            seed,
            own,
            cards,
            left,
            first_flush_suit_only,
            rank_tables(),
            np.empty(N_CARDS, np.uint8),
            np.empty(N_CARDS, np.uint8),
            np.empty(N_PAIRS, np.int16),
            strengths[first:last],
        )

    with ThreadPool(threads) as pool:
        pool.share_out(work, stretches(0, n_samples, _CHUNK))
    error = strengths.std(ddof=1) / sqrt(n_samples)
    return StrengthEstimate(float(strengths.mean()), float(error), n_samples)


def final_sizes(hole: Sequence[int] = (), board: Sequence[int] = ()) -> NDArray[np.float64]:
    """Probability of each final size of a River of Blood board, ``[32]``.

    `hole` may be empty, for someone who sees no hand. The opponent's cards do not matter: unseen,
    they are like those at the bottom of the deck.
    """
    cards = _check_board(board)
    own = _check_hole(hole, cards) if len(hole) else cards
    left = _list_left(own, cards)
    sizes = np.zeros(MAX_BOARD + 1)
    if _is_over(cards):
        sizes[cards.size] = 1.0
        return sizes
    n_black = int((~is_red(left)).sum())
    shortest = max(RIVER, cards.size + 1)
    # From there on red cards come, then a black one; of the others n_black - 1 are black.
    for n_red in range(left.size - n_black + 1):
        ways = comb(left.size - n_red - 1, n_black - 1)
        sizes[shortest + n_red] = ways / comb(left.size, n_black)
    return sizes


def _check_board(board: Sequence[int], fewest: int = 0, deck: Deck = FULL) -> NDArray[np.uint8]:
    cards = deck.check(list(board))
    if not fewest <= cards.size <= MAX_BOARD:
        raise CardError(f"a board must have {fewest} to {MAX_BOARD} cards here, not {cards.size}")
    return cards


def _check_hole(
    hole: Sequence[int], board: NDArray[np.uint8], deck: Deck = FULL
) -> NDArray[np.uint8]:
    own = deck.check(list(hole))
    if own.size != N_HOLE:
        raise CardError(f"a hand must have {N_HOLE} cards, not {own.size}")
    for card in own.tolist():
        if card in board:
            raise CardError(
                f"card {format_card(card)} of the hand {format_cards(own)} is also number "
                f"{board.tolist().index(card) + 1} of the board {format_cards(board)}"
            )
    return own


def _list_left(*known: NDArray[np.uint8], deck: Deck = FULL) -> NDArray[np.uint8]:
    """The other cards, in ascending order."""
    return np.setdiff1d(deck.cards, np.concatenate(known))


def _is_over(board: NDArray[np.uint8]) -> bool:
    """Whether a River of Blood board has ended; raises if it should have ended before."""
    black = ~is_red(board)
    for k in range(RIVER - 1, board.size - 1):
        if black[k]:
            raise CardError(
                f"the board {format_cards(board)} ended with its black card "
                f"{format_card(board[k])}, number {k + 1}"
            )
    return board.size >= RIVER and bool(black[-1])


def is_red(cards: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which cards are diamonds or hearts."""
    return np.isin(cards % N_SUITS, [SUITS.index("d"), SUITS.index("h")])
