"""The luck of choices that change hands or the board in more ways than a hidden exchange of one of
two cards: what a known player gave away, beside what it gives away on average.

The cards that would come instead are those of the deal.
"""

import numpy as np

from counterfold.bots.follow_kernels import follow
from counterfold.bots.policy_kernels import NO_EDGE, perform
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import KEEP, after_discards
from counterfold.games.holdem.card_sets_kernels import move_set, set_size
from counterfold.jit.compiler import kernel
from counterfold.matches.aivat.chip_terms_kernels import find_terms, worth_of
from counterfold.matches.aivat.look_ahead_kernels import find_choices
from counterfold.matches.aivat.worth_kernels import (
    compare_on,
    find_board,
    hand_features,
    hold_hands,
)
from counterfold.matches.policy_match_kernels import (
    GIVE_CHOICES,
    GIVE_FIRST_SET,
    GIVE_KEEPS,
    GIVE_SHARED,
)


@kernel
def after_giving(tables, situation, kind, amount):
    """The situation once the actor has given a set of cards away, or has kept all."""
    n_gone = 0
    if kind != KEEP:
        n_gone = set_size(betting.choice_rule(tables.rules, situation, betting.N_HELD), amount)
    return after_discards(tables.rules, situation, n_gone)


@kernel
def find_digit(tables, stage, kind, amount):
    """The digit of a hand path for a set of cards, named as in the deals, or for keeping all."""
    give = tables.stage_table.gives[stage]
    if kind == KEEP:
        return np.int64(0)
    return np.int64(amount) - give[GIVE_FIRST_SET] + give[GIVE_KEEPS]


@kernel
def give_cards(tables, imagined, i, actor, stage, digit, work):
    """Extend hand paths by what the actor gives away at `stage`; set the hands that are left."""
    give = tables.stage_table.gives[stage]
    for seat in range(2):
        if seat == actor or give[GIVE_SHARED] == 1:
            for m in range(imagined.n_hands):
                work.paths[seat, m] = work.paths[seat, m] * give[GIVE_CHOICES] + digit
            hold_hands(tables, imagined, i, seat, stage + 1, work)


@kernel
def _take_back(tables, actor, stage, work):
    """Shorten hand paths by the last digit; the hands stay as they are."""
    give = tables.stage_table.gives[stage]
    for seat in range(2):
        if seat == actor or give[GIVE_SHARED] == 1:
            for m in range(work.after.size):
                work.paths[seat, m] //= give[GIVE_CHOICES]


@kernel
def correct_choice(
    tables, values, imagined, i, key, seat, guides, guide, guide_node, policy, node, cards, stage,
    situation, number, kind, amount, work
):  # fmt: skip
    """Luck of what a known player gave away, of which the hand that was dealt alone is looked at.

    Parameters as of `correct_bet`; `amount` is the set that went. Features are overwritten.
    """
    actor = situation[betting.ACTOR]
    stack = tables.rules.table[betting.STACK]
    row = i * imagined.n_hands
    hand_cell = tables.stage_table.hand_cells[stage] + work.paths[actor, 0]
    bucket = cards.buckets[row, actor, hand_cell]
    places = np.int64(cards.discard_places[row, actor, hand_cell])
    n_held = betting.choice_rule(tables.rules, situation, betting.N_HELD)
    shares = work.shares[0]
    width, chooses = find_choices(policy, situation, node, bucket, shares)
    luck = 0.0
    for k in range(width):
        its_kind, its_amount, its_edge, _ = perform(
            policy, tables.rules, situation, node, stage, bucket, k if chooses else NO_EDGE
        )
        if not guides:
            child = follow(guide, guide_node, its_kind, its_amount, situation, stack, number)
        else:
            child = guide_node if its_edge == NO_EDGE else policy.children[its_edge]
        if its_kind != KEEP and places != 0:
            its_amount = move_set(n_held, its_amount, places)
        happens = its_kind == kind and (kind == KEEP or its_amount == amount)
        if shares[k] == 0.0 and not happens:
            continue
        after = after_giving(tables, situation, its_kind, its_amount)
        digit = find_digit(tables, stage, its_kind, its_amount)
        give_cards(tables, imagined, i, actor, stage, digit, work)
        path = work.paths[0, 0]
        board, size, n_left = find_board(tables, imagined, i, stage + 1, path, work.runs.left)
        compare_on(tables, key, after, board, size, n_left, work)
        terms = find_terms(tables, values, seat, child, after)
        worth = worth_of(terms, hand_features(work, actor, 0))
        luck += (shares[k] - (1.0 if happens else 0.0)) * worth
        _take_back(tables, actor, stage, work)
    return luck
