"""Ranges through draws and swaps, where weights move from hand to hand.

A card that was given away is dead; a range remembers that for the card that comes next, but not
later on, where the weights are off by the few hands that would need a dead card. Private deals
(`responses.private_deals`) know their cards and are exact.
"""

import numpy as np

from counterfold.bots.tracking.range_tracking_kernels import (
    CHILD,
    NO_TARGET,
    TARGET,
    find_hand_chances,
    list_actions,
    mark_actions,
    reading_at,
    replace_range,
)
from counterfold.games.holdem.betting_kernels import DISCARD, KEEP
from counterfold.jit.compiler import borrowing_kernel

NO_CARD_SHOWN = -1


@borrowing_kernel
def range_after_discard(
    hands, policy, rules, situation, stage, labels, discard_first, shown, held, room
):
    """The hands that discard, with all cards that they may draw.

    Parameters
    ----------
    labels, discard_first
        [H] the buckets of hands, and which hole card has place 0; any number for those that are not
        possible.
    shown
        The card that the opponent saw discarded, or `NO_CARD_SHOWN`.
    """
    after = room.after
    after.n[0] = 0
    for r in range(held.n[0]):
        node, weights = held.nodes[r], held.weights[r]
        n_actions = list_actions(policy, rules, situation, node, room.actions)
        if n_actions == 0:
            continue
        mark_actions(policy, node, n_actions, DISCARD, 0, after, room.actions)
        room.moved[:] = 0.0
        child = NO_TARGET
        for k in range(n_actions):
            place = room.actions[k, TARGET]
            if place == NO_TARGET:
                continue
            child = room.actions[k, CHILD]
            find_hand_chances(
                policy, situation, node, stage, labels, weights, n_actions, DISCARD, place,
                NO_TARGET, room, room.found
            )  # fmt: skip
            for h in range(weights.size):
                at = place ^ np.int64(discard_first[h])
                given = np.int64(hands.cards[h, at])
                if shown in (NO_CARD_SHOWN, given):
                    stays = hands.cards[h, hands.cards.shape[1] - 1 - at]
                    room.moved[stays, given] += weights[h] * room.found[h]
        _draw(hands, room, after.weights[reading_at(after, child)])
    replace_range(held, after)


@borrowing_kernel
def _draw(hands, room, weights):
    """Add to `weights` the hands that draw a card for each that was given away in `room.moved`.

    Any card is as likely to come, but for those of the hand before.
    """
    for stays in range(room.kept.size):
        room.kept[stays] = room.moved[stays].sum()
    everything = room.kept.sum()
    for h in range(hands.bits.size):
        a = hands.cards[h, 0]
        if hands.cards.shape[1] == 1:  # a hand of one card keeps none: it stands for itself
            weights[h] += everything - room.moved[a, a]
        else:
            b = hands.cards[h, 1]
            weights[h] += room.kept[a] - room.moved[a, b] + room.kept[b] - room.moved[b, a]


@borrowing_kernel
def deals_after_draw(
    policy, rules, situation, stage, labels, given, n_paths, n_choices, kind, shown,
    held, room
):  # fmt: skip
    """As `range_after_bot` at a draw, where "hands" are hand paths of private deals.

    Parameters
    ----------
    given
        [H, hole cards] the card that each hand would discard, by place.
    n_paths, n_choices
        Hand paths of a private deal, and choices at a draw. Path ``p`` becomes ``p * n_choices``
        if the bot keeps its cards, and that plus the place plus 1 if it discards.
    """
    after = room.after
    after.n[0] = 0
    for r in range(held.n[0]):
        node, weights = held.nodes[r], held.weights[r]
        n_actions = list_actions(policy, rules, situation, node, room.actions)
        untrained = mark_actions(policy, node, n_actions, kind, 0, after, room.actions)
        if kind == KEEP:
            for target in range(after.n[0]):
                find_hand_chances(
                    policy, situation, node, stage, labels, weights, n_actions, KEEP, target,
                    untrained, room, room.found
                )  # fmt: skip
                for h in range(weights.size):
                    if weights[h] > 0.0:
                        moved = h - h % n_paths + h % n_paths * n_choices
                        after.weights[target, moved] += weights[h] * room.found[h]
            continue
        for k in range(n_actions):
            place = room.actions[k, TARGET]
            if place == NO_TARGET:
                continue
            target = reading_at(after, room.actions[k, CHILD])
            find_hand_chances(
                policy, situation, node, stage, labels, weights, n_actions, DISCARD, place,
                NO_TARGET, room, room.found
            )  # fmt: skip
            for h in range(weights.size):
                if weights[h] > 0.0 and shown in (NO_CARD_SHOWN, np.int64(given[h, place])):
                    moved = h - h % n_paths + h % n_paths * n_choices + 1 + place
                    after.weights[target, moved] += weights[h] * room.found[h]
    replace_range(held, after)


@borrowing_kernel
def range_after_swap(hands, chance, n_unseen, held, room):
    """Every hole card is replaced with a probability of `chance`, by one of `n_unseen` cards."""
    stay = 1.0 - chance
    for r in range(held.n[0]):
        weights, after = held.weights[r], room.after.weights[r]
        room.kept[:] = 0.0
        total = 0.0
        for h in range(weights.size):
            total += weights[h]
            for place in range(hands.cards.shape[1]):
                room.kept[hands.cards[h, place]] += weights[h]
        for h in range(weights.size):
            if hands.cards.shape[1] == 1:
                after[h] = stay * weights[h] + chance * (total - weights[h]) / n_unseen
                continue
            a, b = room.kept[hands.cards[h, 0]], room.kept[hands.cards[h, 1]]
            one = (a - weights[h] + b - weights[h]) / n_unseen
            both = (total - a - b + weights[h]) * 2.0 / (n_unseen * (n_unseen - 1.0))
            after[h] = stay * stay * weights[h] + stay * chance * one + chance * chance * both
        for h in range(weights.size):
            weights[h] = after[h]
