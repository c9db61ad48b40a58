"""Bots that need no training, to measure others by.

Their rules are those of `bots.baselines_kernels`; a bot only shows them one seat's view. With the
same seed, hands, cards and strengths it therefore plays as in kernel matches.
"""

from typing import ClassVar

import numpy as np

from counterfold.bots import baselines_kernels
from counterfold.bots.choices import LowerFirst, Numbers, write_action, write_actions
from counterfold.bots.interface import Bot, MatchInfo
from counterfold.bots.strengths import SampledStrength, StrengthOf, check_ranks_hands
from counterfold.bots.view import View
from counterfold.cards.ranking_kernels import rank_tables
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import KEEP


class Baseline(Bot):
    """A player of `bots.baselines_kernels`.

    Parameters
    ----------
    seed
        Random seed for its choices and samples.
    strength
        E[HS] of its hand, for those that look at it; sampled by default.
    player
        0 or 1; see `Numbers`.
    """

    kind: ClassVar[int]
    discards: ClassVar[int] = baselines_kernels.BY_SCORE

    def __init__(
        self, seed: int = 0, strength: StrengthOf | None = None, *, player: int = 0
    ) -> None:
        self.strength = strength or SampledStrength(seed)
        self.numbers = Numbers(seed, player)
        self._waiting: list[str] = []  # discards that it has chosen and not yet made

    @classmethod
    def ranks_hands(cls) -> bool:
        """Whether it looks at its cards."""
        return cls.kind in (baselines_kernels.POT_ODDS, baselines_kernels.HAND_RANK)

    def begin_match(self, match: MatchInfo) -> None:
        """Refuse variants in which it cannot tell how good a hand is."""
        if self.ranks_hands():
            check_ranks_hands(match.variant)

    def begin_hand(self, view: View) -> None:
        """Move to the random numbers of the next hand."""
        self.numbers.begin_hand(view.seat)
        self._waiting = []

    def act(self, view: View) -> str:
        """What the kernel does; what kernels do not know by a rule of thumb."""
        if view.phase == betting.DRAW and view.variant.gives_cards:
            return self._give_away(view)
        hole, score, discard = view.hole, 0.0, 0
        if view.phase == betting.DRAW:
            counted, board = view.counted_hole, view.counted_board
            if LowerFirst().first(counted, board) == 1:
                hole, counted = hole[::-1], counted[::-1]
            if self.ranks_hands():
                discard = baselines_kernels.choose_discard(
                    np.array(counted, np.uint8),
                    np.array(board, np.uint8),
                    view.variant.deck.cards,
                    self.discards,
                    rank_tables(view.variant.ranking).by_mask,
                )
        elif self.ranks_hands():
            score = float(np.float32(self._score(view)))  # as precise as in kernels
        kind, amount = baselines_kernels.act(
            self.kind,
            view.variant.rules,
            view.situation,
            score,
            discard,
            len(hole) + 1,
            self.numbers.draw(),
        )
        return write_action(view, kind, amount, hole)

    def _give_away(self, view: View) -> str:
        """Any cards; what it must, of which the lowest or those without which the hand is best."""
        if self._waiting:
            return self._waiting.pop(0)
        names, number = view.plain_actions(), self.numbers.draw()
        if self.ranks_hands():
            if KEEP in names:
                return KEEP
            return max(reversed(names), key=lambda name: self.strength(view.after(name)))
        rules, situation = view.variant.rules, view.situation
        amount = int(baselines_kernels.give_set(self.kind, rules, situation, number))
        if amount == baselines_kernels.NO_SET:
            return KEEP
        hole = tuple(sorted(view.hole, key=view.variant.counts_as.__getitem__))
        action, *self._waiting = write_actions(view, betting.DISCARD, amount, hole)
        return action

    def _score(self, view: View) -> float:
        hole, board = np.array(view.counted_hole, np.uint8), np.array(view.counted_board, np.uint8)
        if (
            self.kind == baselines_kernels.HAND_RANK
            and hole.size + board.size >= baselines_kernels.MIN_CARDS
        ):
            by_mask = rank_tables(view.variant.ranking).by_mask
            return float(baselines_kernels.rank_share(hole, board, by_mask))
        return self.strength(view)


class Random(Baseline):
    """Folds, calls and raises equally often, to any size; at a draw it keeps or discards."""

    kind = baselines_kernels.RANDOM


class AlwaysCall(Baseline):
    """Checks and calls; keeps its cards."""

    kind = baselines_kernels.ALWAYS_CALL


class CheckFold(Baseline):
    """Checks, folds to any bet; keeps its cards."""

    kind = baselines_kernels.CHECK_FOLD


class AllIn(Baseline):
    """Bets as much as possible whenever possible, else calls; keeps its cards."""

    kind = baselines_kernels.ALWAYS_ALL_IN


class PotOdds(Baseline):
    """Calls when E[HS] is worth the price; bets and raises the pot from 0.75 up."""

    kind = baselines_kernels.POT_ODDS


class Outs(PotOdds):
    """Bets like `PotOdds`, and discards by counting outs, as the winner of 2017 did."""

    discards = baselines_kernels.BY_OUTS


class HandRank(Baseline):
    """Plays hands above a cutoff in rank, as Pineapple's backup bot did in 2017. It ranks the cards
    as they are, and before the flop uses E[HS]. Betting the pot from 0.75 up is our addition.
    """

    kind = baselines_kernels.HAND_RANK


BASELINES: dict[str, type[Baseline]] = {
    "random": Random,
    "always-call": AlwaysCall,
    "check-fold": CheckFold,
    "all-in": AllIn,
    "pot-odds": PotOdds,
    "hand-rank": HandRank,
    "outs": Outs,
}
