"""The edges that a policy took in hands of which only the real actions were written down."""

from counterfold.bots.follow_kernels import follow, follow_deal
from counterfold.bots.policy_kernels import NO_EDGE, decide
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import (
    BET,
    DEAL,
    DISCARD,
    DRAW,
    RAISE,
    after_deal,
    after_draw,
)
from counterfold.jit.compiler import kernel
from counterfold.jit.random import stream_key, uniform
from counterfold.matches.aivat.bet_luck_kernels import next_situation
from counterfold.matches.aivat.search_luck_kernels import NOT_SEARCHED, find_searched
from counterfold.matches.policy_match_kernels import STEP_AMOUNT, STEP_EDGE, STEP_KIND

ALL_TRACED = -1


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
            if phase not in (BET, DRAW):
                break
            kind, amount = steps[i, step, STEP_KIND], steps[i, step, STEP_AMOUNT]
            if kind == RAISE:
                amount += situation[betting.BASE]
            number = uniform(key, drawn)
            if situation[betting.ACTOR] != seat:
                node = follow(policy, node, kind, amount, situation, stack, number)
            elif find_searched(searched, i, step) != NOT_SEARCHED:
                drawn += 1  # it reads its own action as it reads the opponent's
                number = uniform(key, drawn)
                node = follow(policy, node, kind, amount, situation, stack, number)
            else:
                stage = stage_table.stages[situation[betting.STREET], 1 if phase == DRAW else 0]
                hand_cell = stage_table.hand_cells[stage] + path
                bucket = cards.buckets[i, seat, hand_cell]
                its_kind, its_amount, edge, _ = decide(
                    policy, rules, situation, node, stage, bucket, number
                )
                if its_kind == DISCARD and cards.discard_places[i, seat, hand_cell] == 1:
                    its_amount = 1 - its_amount
                sized = kind in (RAISE, DISCARD)
                if its_kind != kind or (sized and its_amount != amount):
                    return i
                steps[i, step, STEP_EDGE] = edge
                if edge != NO_EDGE:
                    node = policy.children[edge]
                if phase == DRAW:
                    path = path * stage_table.n_choices + (1 + amount if kind == DISCARD else 0)
            if phase == DRAW:
                situation = after_draw(rules, situation, kind == DISCARD)
            else:
                situation = next_situation(tables, situation, kind, amount)
            step += 1
            drawn += 1
    return ALL_TRACED
