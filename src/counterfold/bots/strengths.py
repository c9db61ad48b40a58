"""E[HS] of a hand, for the baselines that look at it: by tables, or sampled where there are none.

Future draws, discards and auctions are ignored. Samples depend only on the seed and the cards.
"""

from collections.abc import Callable
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from counterfold.bots.view import View
from counterfold.buckets.long_hand_buckets import PAIR_CARDS
from counterfold.cards import FULL, StrengthTables, expected_strength, hand_strength, rank_hands
from counterfold.cards.long_boards_kernels import bucket_long_boards
from counterfold.cards.pairs import N_PAIRS
from counterfold.cards.ranking import MIN_CARDS
from counterfold.cards.ranking_kernels import rank_tables
from counterfold.cards.streets import BOARD_SIZES
from counterfold.cards.text import N_CARDS
from counterfold.errors import UnsupportedGameError
from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.situation import choice_place
from counterfold.games.holdem.street import Deal, Step, Swap
from counterfold.public.deals_kernels import NO_CARD

N_SAMPLES = 200

_STREETS = {n: street for street, n in BOARD_SIZES.items()}  # by cards on the board
_FINE = 1000  # equal widths in which the strength on long boards is measured
_RUN_SUITS = "dh"
_EVERY = 1_000  # more choices than a street has

StrengthOf = Callable[[View], float]


def check_ranks_hands(variant: Variant) -> None:
    """Raise `UnsupportedGameError` unless hands have a strength on every street of `variant`."""
    n_cards = variant.board_cards_dealt + variant.hole_cards
    known = is_tabled(variant) or (variant.most_hole_cards > PAIR_CARDS and n_cards >= MIN_CARDS)
    if not known or variant.board_cards() == 0:
        raise UnsupportedGameError(
            f"{variant.name}: a player that ranks hands needs two hole cards and boards of 3, 4 "
            "and 5 cards; only random, always-call, check-fold and all-in can play it"
        )


def is_tabled(variant: Variant) -> bool:
    """Whether tables know hands wherever players act: two cards, or a third won at an auction.

    Elsewhere strength is sampled.
    """
    deals = any(isinstance(s, Deal) for street in variant.streets for s in street.steps)
    sizes = [
        variant.board_cards(at)
        for at, street in enumerate(variant.streets)
        if street.betting or street.choices
    ]
    usual = variant.hole_cards == PAIR_CARDS and not variant.lays_cards and not deals
    return usual and all(size in _STREETS for size in sizes)


class TabledStrength:
    """Exact strength from tables, which are built when they are first needed."""

    def __init__(
        self, tables: Callable[[], StrengthTables], first_flush_suit_only: bool = False
    ) -> None:
        self._tables = cache(tables)
        self._street = cache(lambda street: self._tables().street(street))
        self._first_suit_only = first_flush_suit_only

    def on_board(self, hands: NDArray[np.uint8], hole_cards: int = 2) -> NDArray[np.float64]:
        """E[HS] of hands, rows of hole cards and a board of up to five cards.

        A hand of more, the last of which may be `NO_CARD`, has that of its best pair.
        """
        if hole_cards > PAIR_CARDS:
            found = np.zeros(len(hands))
            board = range(hole_cards, hands.shape[1])
            for pair in combinations(range(hole_cards), PAIR_CARDS):
                rows = np.flatnonzero((hands[:, pair] != NO_CARD).all(axis=1))
                own = self.on_board(hands[rows][:, [*pair, *board]])
                found[rows] = np.maximum(found[rows], own)
            return found
        table = self._street(_STREETS[hands.shape[1] - 2])
        return table.mean(table.isomorphism.index_many(hands))

    def on_long_boards(
        self, boards: NDArray[np.uint8], holes: NDArray[np.uint8]
    ) -> NDArray[np.float64]:
        """[n, 2] HS of two hands each, `holes` [n, 2, 2], on `boards` [n, board]; in 1000 steps."""
        found = np.empty(holes.shape[:2], np.int64)
        ranks, left = np.empty(N_PAIRS, np.int16), np.empty(N_CARDS, np.uint8)
        deck, by_rank = self._tables().deck.cards, rank_tables(self._tables().ranking)
        bucket_long_boards(
            boards, holes, _FINE, self._first_suit_only, by_rank, deck, left, ranks, found
        )
        return (found + 0.5) / _FINE

    def __call__(self, view: View) -> float:
        """Of this seat's hand."""
        hole, board = np.array(view.counted_hole, np.uint8), np.array(view.counted_board, np.uint8)
        if board.size in _STREETS:
            return float(self.on_board(np.concatenate([hole, board])[None], hole.size)[0])
        return float(self.on_long_boards(board[None], np.array([[hole, hole]]))[0, 0])


class SampledStrength:
    """Strength without tables: exact on complete boards, sampled before."""

    def __init__(self, seed: int = 0, n_samples: int = N_SAMPLES) -> None:
        self.seed, self.n_samples = seed, n_samples

    def __call__(self, view: View) -> float:
        """Of this seat's hand."""
        variant, board, n = view.variant, view.board_cards, self.n_samples
        first_flush_suit_only = variant.first_flush_suit_only
        usual = len(view.hole) == view.opponent_cards == 2 and not _ranks_otherwise(variant)
        if usual and variant.deck == FULL and view.situation[betting.FINAL]:
            return hand_strength(view.hole, board, first_flush_suit_only)
        if variant.deck == FULL and variant.run_suits == _RUN_SUITS:
            return expected_strength(
                view.hole, board, n, self.seed, first_flush_suit_only, threads=1
            ).mean
        added, n_board = _cards_to_come(view)
        held = view.opponent_cards + added[1 - view.seat]
        draws = self._draw(view, added[view.seat] + held + n_board)
        new, theirs, run_outs = np.split(draws, np.cumsum([added[view.seat], held]), axis=1)
        own, fixed = (np.tile(np.array(c, np.uint8), (n, 1)) for c in (view.hole, board))
        own = np.concatenate([own, new], axis=1)
        ranks = [
            _rank(variant, np.concatenate([hole, fixed, run_outs], axis=1))
            for hole in (own, theirs)
        ]
        return float((ranks[0] > ranks[1]).mean() + (ranks[0] == ranks[1]).mean() / 2)

    def _draw(self, view: View, n: int) -> NDArray[np.uint8]:
        """Draws of `n` unseen cards, the same for the same cards."""
        left = np.setdiff1d(view.variant.deck.cards, [*view.seen_cards])
        rng = np.random.default_rng((self.seed, *view.hole, *view.board_cards))
        return left[rng.random((self.n_samples, left.size)).argsort(axis=1)[:, :n]]


def _cards_to_come(view: View) -> tuple[list[int], int]:
    """How many cards chance will still deal, to the hand of each seat and to the board."""
    streets, street = view.variant.streets, view.street
    steps = [step for each in streets[street + 1 :] for step in each.steps]
    if street < len(streets):
        place = choice_place(view.situation) if view.phase < betting.BET else _EVERY
        choices = [at for at, step in enumerate(streets[street].steps) if _is_choice(step)]
        steps += streets[street].steps[choices[place] :] if place < len(choices) else ()
    deals = [step for step in steps if isinstance(step, Deal)]
    added = [sum(deal.holes[seat] for deal in deals) for seat in (0, 1)]
    return added, sum(s.cards for s in streets[street + 1 :]) + sum(d.board for d in deals)


def _is_choice(step: Step) -> bool:
    return not isinstance(step, Swap | Deal)


def _ranks_otherwise(variant: Variant) -> bool:
    """Whether hands have another order than in hold'em."""
    return variant.ranking != "standard" or variant.rank_order != ""


def _rank(variant: Variant, hands: NDArray[np.uint8]) -> NDArray[np.int64]:
    """What decides showdowns between hands, a row each."""
    counted = np.array(variant.counts_as, np.uint8)[hands]
    first_suit_only = variant.first_flush_suit_only
    ranks = rank_hands(counted, first_flush_suit_only=first_suit_only, ranking=variant.ranking)
    return ranks.astype(np.int64)
