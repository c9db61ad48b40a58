"""What bots that choose like kernels share: their random numbers and their actions."""

from collections.abc import Sequence

import numpy as np

from counterfold.bots.view import View
from counterfold.cards import format_card
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import KEEP, letter_of
from counterfold.games.holdem.betting_kernels import BID, DISCARD, DRAW, RAISE
from counterfold.games.holdem.card_sets_kernels import SET_BITS
from counterfold.games.holdem.situation import choice_of
from counterfold.games.holdem.street import Discard
from counterfold.jit.random import stream_key, uniform
from counterfold.public.deals_kernels import first_discard


class Numbers:
    """The random numbers of a player, hand by hand, as `matches.policy_match_kernels` draws them.

    Parameters
    ----------
    player
        0 or 1; which of the two streams of a hand it uses, in case the opponent has the same seed.
    """

    def __init__(self, seed: int, player: int = 0) -> None:
        self.seed, self.player = seed, player
        self.hand = 0  # number of the next one
        self._key, self._step = np.uint64(stream_key(seed, player)), 0

    def begin_hand(self, seat: int) -> None:
        """Go to the stream of the next hand, in which the player has `seat`."""
        swapped = int(seat != self.player)
        stream = self.hand * 4 + 2 * swapped + self.player
        self._key, self._step = np.uint64(stream_key(self.seed, stream)), 0
        self.hand += 1

    def draw(self) -> float:
        """The next number, from 0 to 1."""
        number = float(uniform(self._key, self._step))
        self._step += 1
        return number


class LowerFirst:
    """An order of discards: the lower card first."""

    def first(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """The place of the lower card."""
        if len(hole) == 1:
            return 0
        return int(first_discard(hole[0], hole[1], np.array(board, np.int64)))


def write_actions(view: View, kind: int, amount: int, hole: tuple[int, ...]) -> list[str]:
    """As `write_action`, where several cards may go: one after another, the highest first."""
    step = choice_of(view.variant, view.situation) if view.phase == DRAW else None
    if kind != DISCARD or not isinstance(step, Discard):
        return [write_action(view, kind, amount, hole)]
    n_held = betting.choice_rule(view.variant.rules, view.situation, betting.N_HELD)
    bits = int(SET_BITS[n_held, amount])
    gone = sorted((card for place, card in enumerate(hole) if bits >> place & 1), reverse=True)
    rest = [KEEP] * (len(gone) < step.count)
    return [*(letter_of(DISCARD, 0) + format_card(card) for card in gone), *rest]


def write_action(view: View, kind: int, amount: int, hole: tuple[int, ...]) -> str:
    """An action of the kernels in the notation of views; discards are places in `hole`."""
    letter = letter_of(kind, view.to_call)
    if kind == BID:
        return f"{letter}{int(amount)}"
    if kind == RAISE:
        return f"{letter}{int(amount) - view.situation[betting.BASE]}"
    return letter + format_card(hole[int(amount)]) if kind == DISCARD else letter
