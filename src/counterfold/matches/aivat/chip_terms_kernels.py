"""What situations are worth in chips of seat 0: terms for the features of `worth_kernels`.

Seats may have paid unequally at auctions, and a winner may be paid a bounty: what a seat stands to
win and to lose need not be the same.
"""

from math import ceil, floor

from counterfold.bots.policy_kernels import LOST
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import CALL, DEAL, FOLDED, RAISE, SHOWDOWN
from counterfold.jit.compiler import inlined_kernel, kernel
from counterfold.matches.aivat.worth_kernels import (
    EXTRA,
    HAND_0,
    HAND_1,
    HIT_0,
    HIT_1,
    RESULT,
    class_of,
)
from counterfold.matches.policy_match_kernels import STEP_KIND, STEP_STREET


@inlined_kernel
def stake_of(situation, seat):
    """Chips that a seat has put in, at auctions too."""
    if seat == 0:
        return float(situation[betting.SPENT_0] + situation[betting.PAID_0])
    return float(situation[betting.SPENT_1] + situation[betting.PAID_1])


@inlined_kernel
def mean_stake(situation):
    """Chips that a seat has put in, on average."""
    return 0.5 * (stake_of(situation, 0) + stake_of(situation, 1))


@inlined_kernel
def fold_terms(tables, folds, stake_0, stake_1):
    """Terms of a fold of seat `folds`."""
    more = tables.bounty_factor - 1.0
    if folds == 0:
        return -stake_0, 0.0, 0.0, 0.0, 0.0, 0.0, -more * stake_0 - tables.bounty_extra
    return stake_1, 0.0, 0.0, 0.0, 0.0, more * stake_1 + tables.bounty_extra, 0.0


@inlined_kernel
def showdown_terms(tables, stake_0, stake_1):
    """Terms of a situation whose result is a matter of the board alone."""
    half = 0.5 * (stake_0 + stake_1)
    return 0.5 * (stake_1 - stake_0), half, 0.0, 0.0, tables.bounty_extra, 0.0, 0.0


@inlined_kernel
def fitted_terms(tables, row, scale):
    """Terms by a row of a value function, which are in mean stakes."""
    return (
        scale * row[0],
        scale * row[1 + RESULT],
        scale * row[1 + HAND_0],
        scale * row[1 + HAND_1],
        tables.bounty_extra * row[1 + RESULT],
        0.0,
        0.0,
    )


@inlined_kernel
def is_exact(tables, situation):
    """Whether the result is a matter of the board alone."""
    phase = situation[betting.PHASE]
    if phase == SHOWDOWN:
        return True
    paid = max(situation[betting.PAID_0], situation[betting.PAID_1])
    spent = min(situation[betting.SPENT_0], situation[betting.SPENT_1])
    all_in = spent == tables.rules.table[betting.STACK] - paid
    return phase == DEAL and all_in and situation[betting.STREET] >= tables.last_change


@inlined_kernel
def find_terms(tables, values, seat, node, situation):
    """What a situation is worth to seat 0: a constant and a factor for each feature."""
    stake_0, stake_1 = stake_of(situation, 0), stake_of(situation, 1)
    if situation[betting.PHASE] == FOLDED:
        return fold_terms(tables, situation[betting.ACTOR], stake_0, stake_1)
    if is_exact(tables, situation):
        return showdown_terms(tables, stake_0, stake_1)
    if node == LOST:
        row = values.classes[seat, class_of(tables.rules.table[betting.STACK], situation)]
    else:
        row = values.nodes[seat, node]
    return fitted_terms(tables, row, 0.5 * (stake_0 + stake_1))


@inlined_kernel
def worth_of(terms, features):
    """Chips, by terms and features."""
    return (
        terms[0]
        + terms[1 + RESULT] * features[RESULT]
        + terms[1 + HAND_0] * features[HAND_0]
        + terms[1 + HAND_1] * features[HAND_1]
        + terms[1 + EXTRA] * features[EXTRA]
        + terms[1 + HIT_0] * features[HIT_0]
        + terms[1 + HIT_1] * features[HIT_1]
    )


@kernel
def rounds_up(tables, steps, n_steps, folded, pays):
    """Whether half chips of a bounty are rounded up for seat 0: see `games.holdem.situation`.

    `pays` says whether the last of the `n_steps` was a call of chips.
    """
    if n_steps == 0:
        return False
    street = steps[n_steps - 1, STEP_STREET] if folded else tables.stage_table.stages.shape[0] - 1
    number = 0
    for step in range(n_steps):
        bets = steps[step, STEP_KIND] <= RAISE  # fold, call or raise
        number += steps[step, STEP_STREET] == street and bets
    if number == 0:
        return False  # both were all-in and checked
    number += pays and steps[n_steps - 1, STEP_KIND] == CALL
    return (number - (street == 0)) % 2 == 1


@kernel
def end_worth(tables, situation, up, work):
    """What the end of a hand pays in whole chips, in the mean over the hands by their weights.

    The features are those of the last board.
    """
    stake_0, stake_1 = stake_of(situation, 0), stake_of(situation, 1)
    folded = situation[betting.PHASE] == FOLDED
    total = 0.0
    for m in range(work.pairs.shape[0]):
        if work.weights[0, m] == 0.0:
            continue
        for k in range(work.pairs.shape[0]):
            weight = work.weights[0, m] * work.weights[1, k]
            if weight == 0.0:
                continue
            own, other = work.runs.ranks[0, m], work.runs.ranks[1, k]
            hit_0, hit_1 = work.hits[0, m] > 0.0, work.hits[1, k] > 0.0
            if folded:
                won, paid = (-stake_0, hit_1) if situation[betting.ACTOR] == 0 else (stake_1, hit_0)
            elif own != other:
                won, paid = (stake_1, hit_0) if own > other else (-stake_0, hit_1)
            else:
                won, paid = 0.5 * (stake_1 - stake_0), False
                if hit_0 != hit_1:
                    stake = stake_1 if hit_0 else stake_0
                    won = 0.5 * (tables.bounty_factor - 1.0) * stake + tables.bounty_extra
                    won = won if hit_0 else -won
            if paid:
                extra = tables.bounty_extra if won > 0.0 else -tables.bounty_extra
                won = tables.bounty_factor * won + extra
            total += weight * (ceil(won) if up else floor(won))
    return total
