"""The luck of decisions that a search made, as `bet_luck_kernels` has that of a policy's."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.bots.follow_kernels import follow
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import RAISE
from counterfold.jit.compiler import inlined_kernel, kernel
from counterfold.matches.aivat.bet_luck_kernels import next_situation
from counterfold.matches.aivat.look_ahead_kernels import hand_worth
from counterfold.matches.aivat.worth_kernels import hand_features, weigh_anew

NOT_SEARCHED = -1


class SearchedSteps(NamedTuple):
    """Decisions that were searched. Shapes: ``D`` of them, ``A`` actions, ``M`` imagined hands."""

    rows: NDArray[np.int32]  # [n, steps] their numbers by hand and step, or `NOT_SEARCHED`
    widths: NDArray[np.int64]  # [D] how many actions there are
    kinds: NDArray[np.int64]  # [D, A]
    totals: NDArray[np.int64]  # [D, A] of raises, over the hand
    shares: NDArray[np.float64]  # [D, M, A] how likely each hand is to act so


@inlined_kernel
def find_searched(searched, i, step):
    """The number of a decision among those that were searched."""
    if step >= searched.rows.shape[1]:
        return NOT_SEARCHED
    return searched.rows[i, step]


@kernel
def correct_search(
    tables, values, seat, guide, guide_node, searched, row, situation, number, kind, amount, work
):  # fmt: skip
    """Luck of an action that was searched; the hands of the actor are weighted anew.

    `number` decides how the guide reads an action, its own too: it is not the one that was drawn
    to act.
    """
    actor = situation[betting.ACTOR]
    stack = tables.rules.table[betting.STACK]
    expected = happened = total = 0.0
    for m in range(work.after.size):
        work.after[m] = 0.0
        weight = work.weights[actor, m]
        if weight == 0.0:
            continue
        features = hand_features(work, actor, m)
        for k in range(searched.widths[row]):
            share = weight * searched.shares[row, m, k]
            if share == 0.0:
                continue
            its_kind, its_total = searched.kinds[row, k], searched.totals[row, k]
            child = follow(guide, guide_node, its_kind, its_total, situation, stack, number)
            after = next_situation(tables, situation, its_kind, its_total)
            worth = hand_worth(tables, values, seat, guide, child, after, actor, m, features, work)
            expected += share * worth
            if its_kind == kind and (kind != RAISE or its_total == amount):
                work.after[m] += share
                happened += share * worth
                total += share
    return weigh_anew(actor, expected, happened, total, work)
