"""Chips that a hand brings the responder: the mean over all that the bot may hold at the end."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import FOLDED, after_raise
from counterfold.games.holdem.situation import total_spent
from counterfold.responses.local_choice_kernels import raise_value
from counterfold.responses.stepwise.secret_ranks import rank_bits
from counterfold.responses.stepwise.step_choices import find_margins

if TYPE_CHECKING:
    from counterfold.responses.stepwise.step_walk import StepWalk

Chips = NDArray[np.float64]
Flags = NDArray[np.bool_]


def find_result(walk: "StepWalk") -> float:
    """Chips at the end, the mean over all that the bot may hold."""
    if walk.situation[betting.PHASE] == FOLDED:
        won = walk.situation[betting.ACTOR] != walk.seat
        if not walk.secrets:  # whatever the bot holds
            spent = total_spent(walk.situation)
            return walk.winnings.chips(spent, 1 if won else -1, (False, False), walk.history)
        signs = np.full(len(walk.ranges[-1].columns), 1.0 if won else -1.0)
    else:
        walk.look(len(walk.game.dealer.stages) - 1)
        signs = find_margins(walk, walk.ranges[-1].columns, ends=True)
    found = walk.ranges[-1]
    spent = total_spent(walk.situation)
    chips = walk.winnings.chips_of_all(spent, signs, walk.own_hit, _hits(walk), walk.history)
    total = found.total
    return float(total @ chips / total.sum())


def find_all_in(walk: "StepWalk", to: int) -> float:
    """Chips if the responder goes all-in by a raise to `to`, over all replies of the bot as well.

    Only a fold or a call can follow, and then the board of the deal.
    """
    street, stage, situation = walk.situation[betting.STREET], walk.at, walk.situation
    spent = total_spent(tuple(after_raise(situation, to)))
    labels = walk.find_labels(walk.ranges[-1]).copy()  # those of this street
    folded = walk.winnings.chips(spent, 1, (walk.own_hit, False), walk.history + "rf")
    hit, before = _hits(walk), rank_bits(walk.board)
    walk.look(len(walk.game.dealer.stages) - 1, reveals=False)
    found = walk.ranges[-1]
    signs = find_margins(walk, found.columns, ends=True)
    history = walk.history + "rc" + "/" * (len(walk.game.variant.streets) - 1 - street)
    paid = situation[betting.PAID_0], situation[betting.PAID_1]
    chips = [
        walk.winnings.chips_of_all(
            (to + paid[0], to + paid[1]),
            signs,
            walk.own_hit,
            np.full(signs.size, ends_hit),
            history,
        )
        for ends_hit in (False, True)
    ]
    chance = _chance_of_hit(walk, hit, before)
    worth = (chips[0] * (1.0 - chance) + chips[1] * chance) / to
    won = raise_value(
        walk.game.known, situation, to, folded, stage, labels, found.held, worth, found.scratch
    )
    return float(won / found.total.sum())


def _chance_of_hit(walk: "StepWalk", hit: Flags, before: int) -> Chips:
    """[J] how likely the bot's bounty is hit on the board of now, where `before` is known."""
    if not walk.secrets:
        return np.zeros(hit.size)
    if walk.secrets.by_rank:
        return _hits(walk).astype(np.float64)
    chance = walk.secrets.chance_of(before, rank_bits(walk.board))
    return np.where(hit, 1.0, walk.secrets.columns.spread(chance))


def _hits(walk: "StepWalk") -> Flags:
    """[J] whether the bot's bounty is hit, for each column of the range for results."""
    if not walk.secrets:
        return np.zeros(len(walk.ranges[-1].columns), bool)
    return walk.secrets.find_hits(rank_bits(walk.board))
