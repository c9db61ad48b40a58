"""The bet of a responder whose winnings need not be what the other has put in."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.bets.menu_kernels import Menu, offered_totals
from counterfold.bots.policy_kernels import Policy
from counterfold.bots.tracking.range_tracking_kernels import (
    MOST_READINGS,
    add_up,
    count_readings,
)
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import CALL, FOLD, RAISE, Rules
from counterfold.jit.compiler import borrowing_kernel
from counterfold.responses.local_choice_kernels import dot, raise_value


class Known(NamedTuple):
    """What the responder knows before the first hand."""

    rules: Rules
    policy: Policy
    menu: Menu  # the responder's own


class Prospects(NamedTuple):
    """Chips that the responder wins: at a check-down ``slopes * stake + more`` [J], where both have
    put in `stake` by betting; with a fold a factor of what the loser has put in, and chips more.
    """

    slopes: NDArray[np.float64]
    more: NDArray[np.float64]
    if_bot_folds: tuple[float, float]
    if_folded: tuple[float, float]


@borrowing_kernel
def choose_bet(known, prospects, situation, seat, stage, labels, held, totals, worth, raises, room):
    """Kind and amount of what is best if both check and call from then on.

    `totals` and `worth` [J] and `raises` [2, sizes of the menu] are work space.
    """
    rules = known.rules
    own = situation[betting.SPENT_0 + seat]
    other = situation[betting.SPENT_1 - seat]
    total = add_up(held, totals)
    if total <= 0.0:
        return CALL, 0
    kind, amount = CALL, 0
    more = dot(totals, prospects.more)
    best = (dot(totals, prospects.slopes) * other + more) / total
    lost = own * prospects.if_folded[0] + prospects.if_folded[1]
    if own < other and -lost > best:
        kind, best = FOLD, -lost
    n_raises = offered_totals(rules, known.menu, situation, raises[0], raises[1])
    stack = rules.table[betting.STACK]
    won_by_fold = other * prospects.if_bot_folds[0] + prospects.if_bot_folds[1]
    for k in range(n_raises):
        to = raises[0, k]
        n_after = count_readings(known.policy, RAISE, to, situation, stack, held, room)
        if n_after > MOST_READINGS:
            continue
        for h in range(worth.size):
            worth[h] = prospects.slopes[h] + prospects.more[h] / to
        won = raise_value(known, situation, to, won_by_fold, stage, labels, held, worth, room)
        if won / total > best:
            kind, amount, best = RAISE, to, won / total
    return kind, amount
