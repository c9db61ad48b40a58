"""Hands of the real game between two players that are arrays: policies and simple baselines.

Each deal may be played twice with the seats swapped. Cards enter as for walks: buckets of each
player's own abstraction and strengths at showdown, by deal, seat and cell.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.bots.baselines_kernels import act
from counterfold.bots.policy_kernels import NO_EDGE, TRAINED, decide, follow, follow_deal
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import (
    BET,
    DEAL,
    DRAW,
    FOLDED,
    after_call,
    after_deal,
    after_draw,
    after_fold,
    after_raise,
)
from counterfold.jit.compiler import kernel
from counterfold.jit.random import stream_key, uniform
from counterfold.public.graph_kernels import CALL, DISCARD, FOLD, RAISE

STRATEGY = 0  # the kind of a player that has a policy; others are those of `bots.baselines_kernels`

# Columns of the counts of a player.
DECISIONS, UNTRAINED, OFF_TREE, FORCED_CALLS = range(4)
N_COUNTS = 4

# Columns of `Played.ends`.
SETTLED = 0  # street from which on only the board was dealt, the stacks being in, or NO_STREET
VERSION_0 = 1  # of seat 0 at the end; see `public.deals_kernels`
VERSION_1 = 2
N_STEPS = 3  # decisions of both players
N_END_COLUMNS = 4
NO_STREET = -1

# Columns of `Played.steps`.
STREET = 0
SEAT = 1
KIND = 2  # that of an edge of the public graph
AMOUNT = 3  # of a call its price, of a raise its total on the street, of a discard the place
N_STEP_COLUMNS = 4


class StageTable(NamedTuple):
    """When players look at their cards, as `public.deals_kernels` lays them out."""

    stages: NDArray[np.int64]  # [streets, 2] card stage of a street's betting and of its draw
    cells: NDArray[np.int64]  # [stages] first cell
    n_choices: int  # at a draw
    last_change: int  # the last street that may change hole cards; 0 if none does


class Cards(NamedTuple):
    """The cards of a batch of deals as one player sees them."""

    buckets: NDArray[np.int32]  # [n, 2, cells]
    scores: NDArray[np.float32]  # [n, 2, cells] strength from 0 to 1, for baselines
    discards: NDArray[np.int8]  # [n, 2, cells] what a baseline does at a draw: 0, or 1 + place
    flips: NDArray[np.int8]  # [n, 2, cells] 1 where its order of discards is not that of the deals


class Played(NamedTuple):
    """What came of a batch of hands."""

    winnings: NDArray[np.float64]  # [n] chips of player 0
    ends: NDArray[np.int64]  # [n, N_END_COLUMNS]
    steps: NDArray[np.int32]  # [n, most, N_STEP_COLUMNS], `most` being 0 where nobody asks


@kernel
def play_hands(
    rules, stage_table, first_situation, lengths, strengths, players, policies, cards,
    seed, first, swaps, counts, played
):  # fmt: skip
    """Play each deal once; overwrite `played`.

    Parameters
    ----------
    players
        The kinds of player 0 and player 1.
    policies, cards
        Of player 0 and player 1, tuples; a baseline has a policy that is never asked.
    swaps
        [n] 1 where player 0 sits in seat 1.
    counts
        [2, N_COUNTS] of each player, accumulated.
    """
    stack = rules.table[betting.STACK]
    winnings, ends, steps = played
    most_steps = steps.shape[1]
    for i in range(lengths.size):
        swapped = swaps[i] == 1
        keys = (
            stream_key(seed, (first + i) * 4 + 2 * swapped),
            stream_key(seed, (first + i) * 4 + 2 * swapped + 1),
        )
        step_0 = step_1 = 0
        node_0 = node_1 = 0
        version_0 = version_1 = 0  # by seat
        n_steps = 0
        settled = NO_STREET
        real = first_situation
        while True:
            phase = real[betting.PHASE]
            if phase == DEAL:
                all_in = real[betting.SPENT_0] == stack
                if (
                    all_in
                    and settled == NO_STREET
                    and real[betting.STREET] >= stage_table.last_change
                ):
                    settled = real[betting.STREET]
                goes_on = real[betting.STREET] + 1 < lengths[i]
                real = after_deal(rules, real, goes_on)
                if players[0] == STRATEGY:
                    node_0 = follow_deal(policies[0], node_0, real)
                if players[1] == STRATEGY:
                    node_1 = follow_deal(policies[1], node_1, real)
                continue
            if phase != BET and phase != DRAW:
                break
            seat = real[betting.ACTOR]
            player = 1 - seat if swapped else seat
            stage = stage_table.stages[real[betting.STREET], 1 if phase == DRAW else 0]
            cell = stage_table.cells[stage] + (version_0 if seat == 0 else version_1)
            if player == 0:
                number = uniform(keys[0], step_0)
                step_0 += 1
                score, discard = cards[0].scores[i, seat, cell], cards[0].discards[i, seat, cell]
                bucket = cards[0].buckets[i, seat, cell]
            else:
                number = uniform(keys[1], step_1)
                step_1 += 1
                score, discard = cards[1].scores[i, seat, cell], cards[1].discards[i, seat, cell]
                bucket = cards[1].buckets[i, seat, cell]
            edge, how = NO_EDGE, TRAINED
            if players[player] != STRATEGY:
                kind, amount = act(
                    players[player], rules, real, score, discard, stage_table.n_choices, number
                )
            elif player == 0:
                kind, amount, edge, how = decide(
                    policies[0], rules, real, node_0, stage, bucket, number
                )
            else:
                kind, amount, edge, how = decide(
                    policies[1], rules, real, node_1, stage, bucket, number
                )
            if kind == DISCARD:
                flips = cards[0].flips if player == 0 else cards[1].flips
                if flips[i, seat, cell] == 1:
                    amount = 1 - amount
            if n_steps < most_steps:
                steps[i, n_steps, STREET] = real[betting.STREET]
                steps[i, n_steps, SEAT] = seat
                steps[i, n_steps, KIND] = kind
                steps[i, n_steps, AMOUNT] = amount
                if kind == CALL:
                    steps[i, n_steps, AMOUNT] = abs(real[betting.SPENT_0] - real[betting.SPENT_1])
                elif kind == RAISE:
                    steps[i, n_steps, AMOUNT] = amount - real[betting.BASE]
            n_steps += 1
            counts[player, DECISIONS] += 1
            if how != TRAINED:
                counts[player, how] += 1
            # Each player moves on: the one who acted along its edge, the other by translation.
            if players[0] == STRATEGY:
                if player == 0 and edge != NO_EDGE:
                    node_0 = policies[0].children[edge]
                elif player == 1:
                    other = uniform(keys[0], step_0)
                    step_0 += 1
                    node_0 = follow(policies[0], node_0, kind, amount, real, stack, other)
            if players[1] == STRATEGY:
                if player == 1 and edge != NO_EDGE:
                    node_1 = policies[1].children[edge]
                elif player == 0:
                    other = uniform(keys[1], step_1)
                    step_1 += 1
                    node_1 = follow(policies[1], node_1, kind, amount, real, stack, other)
            if kind == FOLD:
                real = after_fold(real)
            elif kind == CALL:
                real = after_call(rules, real)
            elif kind == RAISE:
                real = after_raise(real, amount)
            else:
                digit = 1 + amount if kind == DISCARD else 0
                if seat == 0:
                    version_0 = version_0 * stage_table.n_choices + digit
                else:
                    version_1 = version_1 * stage_table.n_choices + digit
                real = after_draw(rules, real, kind == DISCARD)
        if real[betting.PHASE] == FOLDED:
            loser = real[betting.ACTOR]
        else:
            mine, theirs = strengths[i, 0, version_0], strengths[i, 1, version_1]
            loser = -1 if mine == theirs else (0 if mine < theirs else 1)
        if loser == -1:
            winnings[i] = 0
        else:
            lost = real[betting.SPENT_0] if loser == 0 else real[betting.SPENT_1]
            losing = 1 - loser if swapped else loser
            winnings[i] = -lost if losing == 0 else lost
        ends[i, SETTLED] = settled
        ends[i, VERSION_0], ends[i, VERSION_1] = version_0, version_1
        ends[i, N_STEPS] = n_steps
