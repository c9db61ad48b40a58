"""Hands of the real game between two players that are arrays: policies and simple baselines.

Each deal may be played twice with the seats swapped. Cards enter as for walks: buckets of each
player's own abstraction and strengths at showdown, by deal, seat and hand cell.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.bots.baselines_kernels import NO_SET, act, give_set
from counterfold.bots.follow_kernels import follow, follow_auction, follow_deal
from counterfold.bots.policy_kernels import FORCED, NO_EDGE, OFF_TREE, TRAINED, UNTRAINED, decide
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import (
    BET,
    BID,
    CALL,
    DEAL,
    DISCARD,
    FOLD,
    FOLDED,
    KEEP,
    RAISE,
    after_bid,
    after_call,
    after_deal,
    after_discards,
    after_fold,
    after_raise,
)
from counterfold.games.holdem.card_sets_kernels import move_set, set_size
from counterfold.jit.compiler import kernel
from counterfold.jit.random import stream_key, uniform

UNKNOWN = -1  # the kind of a player that cannot be asked
STRATEGY = 0  # the kind of a player that has a policy; others are those of `bots.baselines_kernels`

# Columns of the counts of a player: all that it is asked, and by the numbers of `policy_kernels`
# how those came about that were not trained.
DECISIONS = TRAINED
N_COUNTS = 1 + max(TRAINED, UNTRAINED, OFF_TREE, FORCED)

# Columns of `Played.ends`.
SETTLED = 0  # street from which on only the board was dealt, the stacks being in, or NO_STREET
HAND_PATH_0 = 1  # of seat 0 at the end; see `public.deals_kernels`
HAND_PATH_1 = 2
N_STEPS = 3  # decisions of both players
STAKE_0 = 4  # chips that seat 0 has put in, by bets and bids
STAKE_1 = 5
N_END_COLUMNS = 6
NO_STREET = -1

_EVERY_ROUND = 0x5555_5555  # bits of seat 0 in `DREW`

# Columns of `Played.steps`.
STEP_STREET = 0
STEP_SEAT = 1
STEP_KIND = 2  # that of an edge of the public graph
# Of a call its price, of a raise its total on the street, of a discard the set of cards, of a bid
# chips.
STEP_AMOUNT = 3
STEP_EDGE = 4  # of the actor's own graph, or `NO_EDGE`
N_STEP_COLUMNS = 5


class StageTable(NamedTuple):
    """When players look at their cards, as `public.deals_kernels` lays them out."""

    stages: NDArray[np.int64]  # [streets, 1 + turns] as `stages.stage_table` has them
    hand_cells: NDArray[np.int64]  # [stages] first hand cell
    n_choices: int  # at a draw from the hole cards that were dealt at first
    last_change: int  # the last street with more than bets, as `Variant.last_change` has it
    gives: NDArray[np.int64]  # [stages, N_GIVE_COLUMNS] how seats give cards away there
    draws: NDArray[np.int64]  # [stages] choices of each seat at a draw; 0 elsewhere


# Columns of `StageTable.gives`.
GIVE_CHOICES = 0  # digits of a hand path; 0 where nobody gives cards away
GIVE_KEEPS = 1  # 1 if all may be kept
GIVE_FIRST_SET = 2  # of those that may be given away
GIVE_SHARED = 3  # 1 if the digit extends both paths
N_GIVE_COLUMNS = 4


class Cards(NamedTuple):
    """The cards of a batch of deals as one player sees them."""

    buckets: NDArray[np.int32]  # [n, 2, hand cells]
    scores: NDArray[np.float32]  # [n, 2, hand cells] strength from 0 to 1, for baselines
    discards: NDArray[np.int8]  # [n, 2, hand cells] what a baseline does at a draw: 0, or 1 + place
    # [n, 2, hand cells] 0 where discards have the places of the deals; else three bits for each
    # place of the player's order, the place in the deals': 1 if the only two are swapped.
    discard_places: NDArray[np.int32]


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
        hand_path_0 = hand_path_1 = 0  # by seat
        n_steps = 0
        settled = NO_STREET
        situation = first_situation
        while True:
            phase = situation[betting.PHASE]
            if phase == DEAL:
                paid = max(situation[betting.PAID_0], situation[betting.PAID_1])
                all_in = situation[betting.SPENT_0] == stack - paid
                if (
                    all_in
                    and settled == NO_STREET
                    and situation[betting.STREET] >= stage_table.last_change
                ):
                    settled = situation[betting.STREET]
                goes_on = situation[betting.STREET] + 1 < lengths[i]
                situation = after_deal(rules, situation, goes_on)
                if players[0] == STRATEGY:
                    node_0 = follow_deal(policies[0], node_0, situation)
                if players[1] == STRATEGY:
                    node_1 = follow_deal(policies[1], node_1, situation)
                continue
            if phase > BET:
                break
            seat = situation[betting.ACTOR]
            player = 1 - seat if swapped else seat
            turn = 1 + situation[betting.N_ACTIONS] if phase < BET else 0
            stage = stage_table.stages[situation[betting.STREET], turn]
            hand_cell = stage_table.hand_cells[stage] + (hand_path_0 if seat == 0 else hand_path_1)
            if player == 0:
                number = uniform(keys[0], step_0)
                step_0 += 1
                score, discard = (
                    cards[0].scores[i, seat, hand_cell],
                    cards[0].discards[i, seat, hand_cell],
                )
                bucket = cards[0].buckets[i, seat, hand_cell]
            else:
                number = uniform(keys[1], step_1)
                step_1 += 1
                score, discard = (
                    cards[1].scores[i, seat, hand_cell],
                    cards[1].discards[i, seat, hand_cell],
                )
                bucket = cards[1].buckets[i, seat, hand_cell]
            edge, how = NO_EDGE, TRAINED
            gives = stage_table.gives[stage, GIVE_CHOICES] > 0
            if players[player] != STRATEGY and gives:
                amount = give_set(players[player], rules, situation, number)
                kind = DISCARD
                if amount == NO_SET:
                    kind, amount = KEEP, 0
            elif players[player] != STRATEGY:
                kind, amount = act(
                    players[player],
                    rules,
                    situation,
                    score,
                    discard,
                    stage_table.draws[stage],
                    number,
                )
            elif player == 0:
                kind, amount, edge, how = decide(
                    policies[0], rules, situation, node_0, stage, bucket, number
                )
            else:
                kind, amount, edge, how = decide(
                    policies[1], rules, situation, node_1, stage, bucket, number
                )
            if kind == DISCARD:
                own = cards[0] if player == 0 else cards[1]
                places = np.int64(own.discard_places[i, seat, hand_cell])
                if places != 0:
                    n_held = betting.choice_rule(rules, situation, betting.N_HELD)
                    amount = move_set(n_held, amount, places)
            if n_steps < most_steps:
                steps[i, n_steps, STEP_STREET] = situation[betting.STREET]
                steps[i, n_steps, STEP_SEAT] = seat
                steps[i, n_steps, STEP_KIND] = kind
                steps[i, n_steps, STEP_AMOUNT] = amount
                steps[i, n_steps, STEP_EDGE] = edge
                if kind == CALL:
                    steps[i, n_steps, STEP_AMOUNT] = abs(
                        situation[betting.SPENT_0] - situation[betting.SPENT_1]
                    )
                elif kind == RAISE:
                    steps[i, n_steps, STEP_AMOUNT] = amount - situation[betting.BASE]
            n_steps += 1
            counts[player, DECISIONS] += 1
            if how != TRAINED:
                counts[player, how] += 1
            # Each player moves on: the one who acted along its edge, the other by translation. An
            # auction is settled below.
            settles = kind == BID and situation[betting.FIRST_BID] > 0
            if settles:
                edge = NO_EDGE
            if players[0] == STRATEGY:
                if player == 0 and edge != NO_EDGE:
                    node_0 = policies[0].children[edge]
                elif player == 1:
                    other = uniform(keys[0], step_0)
                    step_0 += 1
                    node_0 = follow(policies[0], node_0, kind, amount, situation, stack, other)
            if players[1] == STRATEGY:
                if player == 1 and edge != NO_EDGE:
                    node_1 = policies[1].children[edge]
                elif player == 0:
                    other = uniform(keys[1], step_1)
                    step_1 += 1
                    node_1 = follow(policies[1], node_1, kind, amount, situation, stack, other)
            if kind == FOLD:
                situation = after_fold(situation)
            elif kind == CALL:
                situation = after_call(rules, situation)
            elif kind == RAISE:
                situation = after_raise(situation, amount)
            elif kind == BID:
                before = situation[betting.DREW]
                situation = after_bid(rules, situation, amount)
                if settles:
                    won = situation[betting.DREW] ^ before
                    hand_path_0 = 2 * hand_path_0 + (won & _EVERY_ROUND != 0)
                    hand_path_1 = 2 * hand_path_1 + (won >> 1 & _EVERY_ROUND != 0)
                    if players[0] == STRATEGY:
                        node_0 = follow_auction(policies[0], node_0, situation)
                    if players[1] == STRATEGY:
                        node_1 = follow_auction(policies[1], node_1, situation)
            else:
                n_choices, digit, both = stage_table.draws[stage], 1 + amount, False
                if gives:
                    give = stage_table.gives[stage]
                    n_choices, both = give[GIVE_CHOICES], give[GIVE_SHARED] == 1
                    digit = amount - give[GIVE_FIRST_SET] + give[GIVE_KEEPS]
                if kind == KEEP:
                    digit = 0
                if seat == 0 or both:
                    hand_path_0 = hand_path_0 * n_choices + digit
                if seat == 1 or both:
                    hand_path_1 = hand_path_1 * n_choices + digit
                n_gone = 0
                if kind == DISCARD:
                    n_gone = set_size(betting.choice_rule(rules, situation, betting.N_HELD), amount)
                # An engine asks for card after card, and whether there is one more.
                n_turns = betting.choice_rule(rules, situation, betting.N_TURNS)
                counts[player, DECISIONS] += min(n_gone, n_turns - 1)
                situation = after_discards(rules, situation, n_gone)
        if situation[betting.PHASE] == FOLDED:
            loser = situation[betting.ACTOR]
        else:
            mine, theirs = strengths[i, 0, hand_path_0], strengths[i, 1, hand_path_1]
            loser = -1 if mine == theirs else (0 if mine < theirs else 1)
        stake_0 = situation[betting.SPENT_0] + situation[betting.PAID_0]
        stake_1 = situation[betting.SPENT_1] + situation[betting.PAID_1]
        won = (stake_1 - stake_0) // 2
        if loser != -1:
            won = -stake_0 if loser == 0 else stake_1
        winnings[i] = -won if swapped else won
        ends[i, SETTLED] = settled
        ends[i, HAND_PATH_0], ends[i, HAND_PATH_1] = hand_path_0, hand_path_1
        ends[i, N_STEPS] = n_steps
        ends[i, STAKE_0], ends[i, STAKE_1] = stake_0, stake_1
