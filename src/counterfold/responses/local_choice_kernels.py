"""What a local best responder does at its decisions; see `responses.local_response_kernels`."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.bets.menu_kernels import Menu, offered_totals
from counterfold.bots.follow_kernels import find_readings
from counterfold.bots.policy_kernels import Policy
from counterfold.bots.tracking.range_tracking_kernels import (
    MOST_READINGS,
    RangeScratch,
    TrackedRange,
    add_up,
    count_readings,
    sum_folds,
)
from counterfold.cards.ranking_kernels import card_bit
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import (
    CALL,
    DISCARD,
    FOLD,
    KEEP,
    RAISE,
    Rules,
    after_raise,
)
from counterfold.jit.compiler import borrowing_kernel
from counterfold.jit.random import stream_key
from counterfold.public.deals_kernels import Layout
from counterfold.public.hand_list_kernels import Hands, find_hand
from counterfold.responses.run_out_kernels import RunOutScratch, Showdowns, find_margins


class Opponent(NamedTuple):
    """What the responder knows before the first hand."""

    rules: Rules
    layout: Layout
    policy: Policy
    menu: Menu  # the responder's own
    hands: Hands
    showdowns: Showdowns
    stages: NDArray[np.int64]  # [streets, 1 + turns] as `stages.stage_table` has them
    swaps: NDArray[np.float64]  # [streets] probability that a hole card is replaced
    shown: NDArray[np.bool_]  # [streets] whether discards are seen
    first_margins: NDArray[np.float32]  # [H, H] before the board is dealt; empty if few boards are
    hands_change: bool
    last_change: int  # the last street that may change hole cards


class ResponseScratch(NamedTuple):
    """Work space."""

    held: TrackedRange
    ranges: RangeScratch
    private: TrackedRange  # of private deals
    private_ranges: RangeScratch
    run_outs: RunOutScratch
    totals: NDArray[np.float64]  # [H]
    margins: NDArray[np.float64]  # [H]
    private_totals: NDArray[np.float64]  # [J]
    private_margins: NDArray[np.float64]  # [J]
    raises: NDArray[np.int64]  # [2, sizes of the menu]
    paths: NDArray[np.int64]  # [2] hand path of each seat


@borrowing_kernel
def dot(first, second):
    """The sum of products."""
    total = 0.0
    for k in range(first.size):
        total += first[k] * second[k]
    return total


@borrowing_kernel
def find_own_margins(opponent, board, size, hole, n_draws, seen, key, room):
    """Set `room.margins` to those of the responder's hand, of which a drawing one has one card."""
    if size == 0 and n_draws == 0 and opponent.first_margins.size > 0:
        row = opponent.first_margins[find_hand(opponent.hands, hole)]
        for h in range(row.size):
            room.margins[h] = row[h]
        return
    masks = np.int64(0)
    for card in hole:
        masks |= card_bit(card)
    find_margins(
        opponent.hands,
        opponent.showdowns,
        board,
        size,
        masks,
        n_draws,
        seen,
        key,
        room.run_outs,
        room.margins,
    )


@borrowing_kernel
def raise_value(opponent, situation, to, other, stage, labels, held, margins, room):
    """Chips that a raise wins if the bot folds or calls and nothing more is bet, times weights."""
    stack = opponent.rules.table[betting.STACK]
    after = after_raise(situation, to)
    won = 0.0
    for r in range(held.n[0]):
        low, high, share = find_readings(
            opponent.policy, held.nodes[r], RAISE, to, situation, stack
        )
        for way in range(2):
            chance = share if way == 0 else 1.0 - share
            if chance > 0.0:
                folded, called = sum_folds(
                    opponent.policy,
                    opponent.rules,
                    after,
                    low if way == 0 else high,
                    stage,
                    labels,
                    held.weights[r],
                    margins,
                    chance,
                    room,
                )
                won += folded * other + called * to
    return won


@borrowing_kernel
def choose_bet(opponent, situation, seat, stage, labels, room):
    """Kind and amount of what is best if both check and call from then on; see the module.

    `room.margins` are those of the responder's hand.
    """
    rules, held = opponent.rules, room.held
    own = situation[betting.SPENT_0 + seat]
    other = situation[betting.SPENT_1 - seat]
    total = add_up(held, room.totals)
    if total <= 0.0:
        return CALL, 0
    kind, amount = CALL, 0
    best = dot(room.totals, room.margins) / total * other
    if own < other and -own > best:
        kind, best = FOLD, -float(own)
    n_raises = offered_totals(rules, opponent.menu, situation, room.raises[0], room.raises[1])
    stack = rules.table[betting.STACK]
    for k in range(n_raises):
        to = room.raises[0, k]
        n_after = count_readings(opponent.policy, RAISE, to, situation, stack, held, room.ranges)
        if n_after > MOST_READINGS:
            continue
        won = raise_value(
            opponent, situation, to, other, stage, labels, held, room.margins, room.ranges
        )
        if won / total > best:
            kind, amount, best = RAISE, to, won / total
    return kind, amount


@borrowing_kernel
def choose_discard(opponent, board, size, hole, first, seen, key, room):
    """Kind and place of the draw after which the hand does best at a showdown.

    `first` is the hole card with place 0, and `room.margins` are those of the hand as it is.
    """
    total = add_up(room.held, room.totals)
    best = dot(room.totals, room.margins) / max(total, 1e-300)
    kind, place = KEEP, 0
    for k in range(hole.size):
        given = k ^ first
        kept = hole[:0] if hole.size == 1 else hole[1 - given : 2 - given]
        find_own_margins(opponent, board, size, kept, 1, seen, stream_key(key, k), room)
        value = dot(room.totals, room.margins) / max(total, 1e-300)
        if value > best:
            kind, place, best = DISCARD, k, value
    return kind, place
