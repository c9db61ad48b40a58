"""Bots that look at their cards: pot odds by E[HS], and a cut-off on the hand rank.

They are what people write first in a contest, and what a strategy must beat. A decision takes about
a millisecond; where strength is sampled the samples follow from the seed and the cards alone.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from counterfold.bots.discards import discard_by_outs, discard_by_rank, rank_share, unseen
from counterfold.bots.protocol import Bot, MatchInfo
from counterfold.bots.view import View
from counterfold.cards import FULL, expected_strength, hand_strength, rank_hands
from counterfold.cards.ranking import MIN_CARDS, N_HAND_RANKS
from counterfold.errors import UnsupportedGameError
from counterfold.games.holdem.state import CALL, CHECK, FOLD, RAISE
from counterfold.kernels import betting as kernels

N_SAMPLES = 200
_RUN_SUITS = "dh"


class RuleOfThumb(Bot):
    """A bot with one number for its hand, of two hole cards, and a rule for discards."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    discard: Callable[[View], str] = staticmethod(discard_by_rank)

    def begin_match(self, match: MatchInfo) -> None:
        """Refuse variants with one hole card or hands of fewer than five cards."""
        variant = match.variant
        if variant.hole_cards != 2 or variant.hole_cards + variant.board_cards() < MIN_CARDS:
            raise UnsupportedGameError(
                f"{variant.name}: a bot that ranks hands needs two hole cards and a board"
            )


class PotOdds(RuleOfThumb):
    """Calls when E[HS] exceeds the pot odds; bets half the pot from 0.6 on, raises from 0.8.

    E[HS] is exact on complete boards and sampled before. Draws still to come are left out of it.
    """

    BETS_FROM = 0.6
    RAISES_FROM = 0.8

    def act(self, view: View) -> str:
        """By the odds."""
        if view.phase == kernels.DRAW:
            return self.discard(view)
        strength = expected_hand_strength(view, self.seed)
        if strength >= (self.RAISES_FROM if view.to_call else self.BETS_FROM):
            bet = half_pot(view)
            if bet:
                return bet
        if not view.to_call:
            return CHECK
        return CALL if strength >= view.to_call / (view.pot + view.to_call) else FOLD


class CountsOuts(PotOdds):
    """Bets like `PotOdds`, and discards by counting outs, as the winner of 2017 did."""

    discard = staticmethod(discard_by_outs)


class HandRank(RuleOfThumb):
    """Plays hands that beat at least 0.4 of all hand ranks, as Pineapple's backup bot did in 2017.

    It takes the cards as they lie, and before the flop the mean over complete boards. It discards
    for the best mean rank. That it bets and raises half the pot from 0.7 on is ours.
    """

    PLAYS_FROM = 0.4
    BETS_FROM = 0.7

    def act(self, view: View) -> str:
        """By the hand rank."""
        if view.phase == kernels.DRAW:
            return self.discard(view)
        cards = [*view.hole, *view.board_cards]
        value = rank_share(cards) if len(cards) >= MIN_CARDS else _mean_share(view, self.seed)
        if value >= self.BETS_FROM:
            bet = half_pot(view)
            if bet:
                return bet
        if not view.to_call:
            return CHECK
        return CALL if value >= self.PLAYS_FROM else FOLD


def half_pot(view: View) -> str | None:
    """A bet or raise of half the pot after the call, as near as it is legal; None if none is."""
    bounds = view.raise_bounds()
    if bounds is None:
        return None
    called = max(view.spent)  # by each seat, so that it is half of the pot after the call
    total = called - view.situation[kernels.BASE] + called
    return f"{RAISE}{min(max(total, bounds[0]), bounds[1])}"


def expected_hand_strength(view: View, seed: int = 0, n_samples: int = N_SAMPLES) -> float:
    """E[HS] of this seat's hand against a random one."""
    variant, board = view.variant, view.board_cards
    quirk = variant.first_flush_suit_only
    if variant.deck == FULL and view.situation[kernels.FINAL] and len(board) >= 3:
        return hand_strength(view.hole, board, quirk)
    if variant.deck == FULL and variant.run_suits == _RUN_SUITS:
        return expected_strength(view.hole, board, n_samples, seed, quirk, threads=1).mean
    draws = _draw(view, 2 + max(0, variant.board_cards() - len(board)), seed, n_samples)
    theirs, run_outs = draws[:, :2], draws[:, 2:]
    ranks = [
        rank_hands(_hands(hole, board, run_outs), first_flush_suit_only=quirk)
        for hole in (np.tile(np.asarray(view.hole, np.uint8), (n_samples, 1)), theirs)
    ]
    return float((ranks[0] > ranks[1]).mean() + (ranks[0] == ranks[1]).mean() / 2)


def _mean_share(view: View, seed: int) -> float:
    board = view.board_cards
    run_outs = _draw(view, max(0, view.variant.board_cards() - len(board)), seed, N_SAMPLES)
    own = np.tile(np.asarray(view.hole, np.uint8), (N_SAMPLES, 1))
    return float(rank_hands(_hands(own, board, run_outs)).mean() / N_HAND_RANKS)


def _hands(
    holes: NDArray[np.uint8],
    board: tuple[int, ...],
    run_outs: NDArray[np.uint8],
) -> NDArray[np.uint8]:
    fixed = np.tile(np.asarray(board, np.uint8), (len(holes), 1))
    return np.concatenate([holes, fixed, run_outs], axis=1)


def _draw(view: View, n: int, seed: int, n_samples: int) -> NDArray[np.uint8]:
    """`n_samples` draws of `n` unseen cards, the same for the same cards."""
    left = unseen(view)
    rng = np.random.default_rng((seed, *view.hole, *view.board_cards))
    return left[rng.random((n_samples, left.size)).argsort(axis=1)[:, :n]]
