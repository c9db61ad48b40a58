"""Chips that a responder wins: exactly, at the end of a hand, and as it expects them before."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.payoff import NOBODY, settle, settle_bounty
from counterfold.games.holdem.situation import Situation, rounds_up, total_spent
from counterfold.responses.stepwise.step_choice_kernels import Prospects

Chips = NDArray[np.float64]


@dataclass(frozen=True)
class Winnings:
    """What the responder in `seat` wins."""

    variant: Variant
    seat: int

    def chips(
        self, spent: tuple[int, int], sign: int, hits: tuple[bool, bool], history: str
    ) -> float:
        """Chips for a win, a tie or a loss, a `sign` of 1, 0 or -1.

        Parameters
        ----------
        spent
            All that each seat has put in.
        hits
            Whether the responder's bounty is hit, and the bot's.
        history
            The betting, which decides how half chips are rounded.
        """
        seat = self.seat
        loser = NOBODY if sign == 0 else (1 - seat if sign > 0 else seat)
        if self.variant.bounty is None:
            won = settle(spent, loser)
        else:
            by_seat = hits if seat == 0 else hits[::-1]
            up = rounds_up(history)
            won = settle_bounty(self.variant.bounty, spent, loser, by_seat, rounds_up=up)
        return float(won if seat == 0 else -won)

    def chips_of_all(
        self,
        spent: tuple[int, int],
        signs: NDArray[np.float64],
        own_hit: bool,
        hits: NDArray[np.bool_],
        history: str,
    ) -> Chips:
        """[J] chips at a showdown with results `signs`, where the bot's bounties are `hits`."""
        table = np.array(
            [
                [self.chips(spent, sign, (own_hit, hit), history) for hit in (False, True)]
                for sign in (-1, 0, 1)
            ]
        )
        return np.asarray(table[np.sign(signs).astype(np.int64) + 1, hits.astype(np.int64)])

    def prospects(
        self,
        situation: Situation,
        margins: Chips,
        own_hits: tuple[float, float],
        hits: tuple[Chips, Chips, Chips],
    ) -> Prospects:
        """What is to be won from here.

        Parameters
        ----------
        margins
            [J] wins less losses if nothing more is bet.
        own_hits
            How likely the responder's bounty is hit now, and by the end.
        hits
            [J] the same of the bot's, and the weights of columns.
        """
        bounty = self.variant.bounty
        if bounty is None:
            spent, own = total_spent(situation), self.seat
            paid = [spent[at] - situation[betting.SPENT_0 + at] for at in (0, 1)]
            more = margins * (sum(paid) / 2) + (paid[1 - own] - paid[own]) / 2
            return Prospects(margins, more, (1.0, float(paid[1 - own])), (1.0, float(paid[own])))
        factor = bounty.factor - 1.0
        now, end, weights = hits
        wins, losses = (1.0 + margins) / 2, (1.0 - margins) / 2
        slopes = wins * (1 + factor * own_hits[1]) - losses * (1 + factor * end)
        more = bounty.extra * (wins * own_hits[1] - losses * end)
        share = float(weights @ now) / max(float(weights.sum()), 1e-300)
        return Prospects(
            slopes,
            more,
            (1 + factor * own_hits[0], bounty.extra * own_hits[0]),
            (1 + factor * share, bounty.extra * share),
        )
