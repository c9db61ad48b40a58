"""The luck of betting: what a known player did, beside what it does on average."""

from counterfold.bots.follow_kernels import follow
from counterfold.bots.policy_kernels import NO_EDGE, perform
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import (
    CALL,
    FOLD,
    after_call,
    after_fold,
    after_raise,
)
from counterfold.jit.compiler import inlined_kernel, kernel
from counterfold.matches.aivat.look_ahead_kernels import find_choices, hand_worth
from counterfold.matches.aivat.worth_kernels import hand_features, weigh_anew


@inlined_kernel
def next_situation(tables, situation, kind, total):
    """The situation after a fold, a call, or a raise to `total`."""
    if kind == FOLD:
        return after_fold(situation)
    if kind == CALL:
        return after_call(tables.rules, situation)
    return after_raise(situation, total)


@kernel
def correct_bet(
    tables, values, seat, guides, guide, guide_node, policy, node, cards, rows, cell, stage,
    situation, number, kind, edge, work
):  # fmt: skip
    """Luck of a known player's action; its hands are weighted anew.

    `guides` says whether it is the guide; else `number` decides how the guide would have read
    another action. Its hands are `rows` and on of `cards`, in hand cell `cell` and on.
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
        bucket = cards.buckets[rows + m, actor, cell + work.paths[actor, m]]
        shares = work.shares[m]
        width, chooses = find_choices(policy, situation, node, bucket, shares)
        for k in range(width):
            share = weight * shares[k]
            if share == 0.0:
                continue
            its_kind, amount, its_edge, _ = perform(
                policy, tables.rules, situation, node, stage, bucket, k if chooses else NO_EDGE
            )
            if not guides:
                child = follow(guide, guide_node, its_kind, amount, situation, stack, number)
            else:
                child = guide_node if its_edge == NO_EDGE else policy.children[its_edge]
            after = next_situation(tables, situation, its_kind, amount)
            worth = hand_worth(tables, values, seat, guide, child, after, actor, m, features, work)
            expected += share * worth
            if its_kind == kind and its_edge == edge:
                work.after[m] += share
                happened += share * worth
                total += share
    return weigh_anew(actor, expected, happened, total, work)
