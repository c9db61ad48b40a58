"""The edges that a policy took in hands of which only the real actions were written down."""

import numpy as np

from counterfold.bots.follow_kernels import follow, follow_auction, follow_deal
from counterfold.bots.policy_kernels import NO_EDGE, decide
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import (
    AUCTION,
    BET,
    BID,
    DEAL,
    DISCARD,
    DRAW,
    RAISE,
    after_bid,
    after_deal,
)
from counterfold.games.holdem.card_sets_kernels import move_set
from counterfold.jit.compiler import kernel
from counterfold.jit.random import stream_key, uniform
from counterfold.matches.aivat.bet_luck_kernels import next_situation
from counterfold.matches.aivat.choice_luck_kernels import after_giving, find_digit
from counterfold.matches.aivat.look_ahead_kernels import find_winners
from counterfold.matches.aivat.search_luck_kernels import NOT_SEARCHED, find_searched
from counterfold.matches.aivat.worth_kernels import stage_of
from counterfold.matches.policy_match_kernels import (
    GIVE_CHOICES,
    GIVE_SHARED,
    STEP_AMOUNT,
    STEP_EDGE,
    STEP_KIND,
)

ALL_TRACED = -1


@kernel
def _extend(tables, stage, own, path, kind, amount):
    """The hand path of a player after a discard of its own, or one that the other made."""
    give = tables.stage_table.gives[stage]
    if give[GIVE_CHOICES] > 0:
        if own or give[GIVE_SHARED] == 1:
            return path * give[GIVE_CHOICES] + find_digit(tables, stage, kind, amount)
    elif own:
        return path * tables.stage_table.draws[stage] + (1 + amount if kind == DISCARD else 0)
    return path


@kernel
def trace_edges(tables, policy, cards, player, seed, lengths, swaps, searched, steps):
    """Fill in the edges of a player's `steps`; the first hand in which it acted unlike its policy,
    or `ALL_TRACED`. Decisions that were `searched` have none.

    `cards` are the deals of a match from the first one on, as the player sees them.
    """
    rules, stage_table = tables.rules, tables.stage_table
    stack = rules.table[betting.STACK]
    for i in range(lengths.size):
        seat = 1 - player if swaps[i] == 1 else player
        key = stream_key(seed, i * 4 + 2 * (swaps[i] == 1) + player)
        node = path = step = drawn = 0
        situation = tables.first_situation
        while True:
            phase = situation[betting.PHASE]
            if phase == DEAL:
                situation = after_deal(rules, situation, situation[betting.STREET] + 1 < lengths[i])
                node = follow_deal(policy, node, situation)
                continue
            if phase > BET:
                break
            kind, amount = steps[i, step, STEP_KIND], steps[i, step, STEP_AMOUNT]
            if kind == RAISE:
                amount += situation[betting.BASE]
            number = uniform(key, drawn)
            stage = stage_of(tables, situation)
            settles = phase == AUCTION and situation[betting.FIRST_BID] > 0
            if situation[betting.ACTOR] != seat:
                node = follow(policy, node, kind, amount, situation, stack, number)
            elif find_searched(searched, i, step) != NOT_SEARCHED:
                drawn += 1  # it reads its own action as it reads the opponent's
                number = uniform(key, drawn)
                node = follow(policy, node, kind, amount, situation, stack, number)
            else:
                hand_cell = stage_table.hand_cells[stage] + path
                bucket = cards.buckets[i, seat, hand_cell]
                its_kind, its_amount, edge, _ = decide(
                    policy, rules, situation, node, stage, bucket, number
                )
                places = np.int64(cards.discard_places[i, seat, hand_cell])
                if its_kind == DISCARD and places != 0:
                    n_held = betting.choice_rule(rules, situation, betting.N_HELD)
                    its_amount = move_set(n_held, its_amount, places)
                sized = kind in (RAISE, DISCARD, BID)
                if its_kind != kind or (sized and its_amount != amount):
                    return i
                steps[i, step, STEP_EDGE] = edge
                if edge != NO_EDGE and not settles:
                    node = policy.children[edge]
            before = situation
            if phase == BET:
                situation = next_situation(tables, situation, kind, amount)
            elif phase == AUCTION:
                situation = after_bid(rules, situation, amount)
            else:
                situation = after_giving(tables, situation, kind, amount)
            if settles:
                won = find_winners(before[betting.DREW], situation[betting.DREW])
                path = 2 * path + (won >> seat & 1)
                node = follow_auction(policy, node, situation)
            elif phase == DRAW:
                path = _extend(tables, stage, before[betting.ACTOR] == seat, path, kind, amount)
            step += 1
            drawn += 1
    return ALL_TRACED
