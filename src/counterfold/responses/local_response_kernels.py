"""Hands of a local best response against a policy.

The responder knows the policy, carries the range of the bot (`bots.tracking`)
and at each decision takes what would be best if both checked and called from then on (Lisý and
Bowling 2017): a raise wins the pot from the hands that fold, and is a showdown with the others.

The bot holds a hand of the deal and acts by it, so that the public cards and actions are those of
real play. The result is the mean over all hands that the bot might hold at the end, given what was
seen, which has the same expectation and varies less. Where hole cards stay, these are the hands of
the range. Where they change, the range is not exact to the last card and serves decisions only: the
mean is then over *private deals*, the bot's own cards and others drawn from the same deck. Any of
them is as likely to be the bot's, and what the bot has done tells how likely each one is.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.bots.follow_kernels import follow, follow_deal
from counterfold.bots.policy_kernels import NO_EDGE, decide
from counterfold.bots.tracking.range_tracking_kernels import (
    add_up,
    begin_range,
    range_after_bot,
    range_after_deal,
    range_after_opponent,
    remove_cards,
)
from counterfold.cards.ranking_kernels import card_bit
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import (
    BET,
    CALL,
    DEAL,
    DISCARD,
    DRAW,
    FOLD,
    FOLDED,
    RAISE,
    after_call,
    after_deal,
    after_draw,
    after_fold,
    after_raise,
)
from counterfold.jit.compiler import borrowing_kernel
from counterfold.jit.random import stream_key, uniform
from counterfold.public.deals_kernels import STAGE_BOARD, STAGE_CELL
from counterfold.responses.local_choice_kernels import (
    choose_bet,
    choose_discard,
    dot,
    find_own_margins,
    raise_value,
)
from counterfold.responses.private_deals import PrivateDeals
from counterfold.responses.range_changes_kernels import (
    NO_CARD_SHOWN,
    deals_after_draw,
    range_after_discard,
    range_after_swap,
)
from counterfold.responses.run_out_kernels import find_margins

# Random numbers of a hand in a seat.
_BOT, _RUN_OUTS = range(2)
N_STREAMS = 4  # of a deal: those two for each seat of the responder
NO_STOP = -1


class Dealt(NamedTuple):
    """A batch of deals. Shapes: ``n`` deals, ``S`` stages, ``H`` hands."""

    cards: NDArray[np.uint8]  # [n, columns]
    lengths: NDArray[np.uint8]  # [n] last street
    holes: NDArray[np.uint8]  # [n, 2, hand cells, hole cards]
    discard_first: NDArray[np.int8]  # [n, 2, hand cells]
    strengths: NDArray[np.int64]  # [n, 2, hand paths]
    buckets: NDArray[np.int32]  # [n, 2, hand cells]
    labels: NDArray[np.int32]  # [n, S, H] the bucket of every hand that the board leaves
    orders: NDArray[np.int8]  # [n, S, H] before a draw: which hole card has place 0
    private: PrivateDeals


@borrowing_kernel
def _bits(cards):
    """The cards as bits of their numbers."""
    bits = np.int64(0)
    for card in cards:
        bits |= np.int64(1) << np.int64(card)
    return bits


@borrowing_kernel
def _find_end_margins(opponent, dealt, i, seat, path, situation, seen, key, room):
    """Set the margins over all hands that the bot may hold at a showdown."""
    if opponent.hands_change:
        mine = dealt.strengths[i, seat, path]
        for j in range(room.private_margins.size):
            theirs = dealt.private.strengths[i, seat, j]
            room.private_margins[j] = np.int64(mine > theirs) - np.int64(mine < theirs)
        return
    stage = opponent.stages[situation[betting.STREET], 0]
    masks = np.int64(0)
    for card in dealt.holes[i, seat, 0]:
        masks |= card_bit(card)
    # Not the random numbers that decisions were made by: their luck would be counted as skill.
    find_margins(
        opponent.hands,
        opponent.showdowns,
        dealt.cards[i, 2 * opponent.layout.hole_cards :],
        opponent.layout.stages[stage, STAGE_BOARD],
        masks,
        0,
        seen,
        key,
        room.run_outs,
        room.margins,
    )


@borrowing_kernel
def _mean_result(opponent, situation, room):
    """Chips that the responder wins at a showdown, over all hands that the bot may hold."""
    stake = float(max(situation[betting.SPENT_0], situation[betting.SPENT_1]))
    if opponent.hands_change:
        total = add_up(room.private, room.private_totals)
        return stake * dot(room.private_totals, room.private_margins) / total
    total = add_up(room.held, room.totals)
    return stake * dot(room.totals, room.margins) / total


@borrowing_kernel
def _all_in_result(opponent, dealt, i, situation, seat, stage, to, room):
    """Chips that the responder wins by going all-in, over all hands and replies of the bot."""
    other = situation[betting.SPENT_1 - seat]
    if opponent.hands_change:
        total = add_up(room.private, room.private_totals)
        won = raise_value(
            opponent, situation, to, other, stage, dealt.private.labels[i, seat, stage],
            room.private, room.private_margins, room.private_ranges
        )  # fmt: skip
        return won / total
    total = add_up(room.held, room.totals)
    won = raise_value(
        opponent, situation, to, other, stage, dealt.labels[i, stage], room.held, room.margins,
        room.ranges
    )  # fmt: skip
    return won / total


@borrowing_kernel
def _begin_private(dealt, private):
    """Every private deal is equally likely."""
    private.n[0] = 1
    private.nodes[0] = 0
    private.weights[0, :] = 0.0
    private.weights[0, :: dealt.private.n_paths] = 1.0


@borrowing_kernel
def respond_to_deals(
    opponent, first_situation, dealt, seat, seed, first, stop, room, values, streets, acts
):  # fmt: skip
    """Play each deal once; overwrite `values` with the chips that the responder wins, and `streets`
    with those on which the betting ended.

    Parameters
    ----------
    seat
        Of the responder.
    seed, first
        Of the random numbers for the bot's choices and for run-outs; `first` is the number of the
        first deal.
    stop, acts
        A street before which a hand is left as it is, worth NaN, or `NO_STOP`; and [n, most, 2]
        what was done until then, kinds and amounts, as far as there is room.
    """
    rules, layout, policy, hands = opponent.rules, opponent.layout, opponent.policy, opponent.hands
    held, stack, h = room.held, rules.table[betting.STACK], layout.hole_cards
    private, private_room, paths = room.private, room.private_ranges, room.paths
    for i in range(dealt.lengths.size):
        stream = (first + i) * N_STREAMS + 2 * seat
        bot_key, run_out_key = stream_key(seed, stream + _BOT), stream_key(seed, stream + _RUN_OUTS)
        step = n_keys = 0
        node = 0
        stopped = False
        paths[:] = 0
        board = dealt.cards[i, 2 * h :]
        situation = first_situation
        seen = _bits(dealt.holes[i, seat, 0])
        begin_range(hands, seen, held)
        if opponent.hands_change:
            _begin_private(dealt, private)
        looked = False  # whether `room.margins` are those of the hand as it is
        all_in = 0  # the raise of the responder's to which the bot replies last
        while True:
            phase, street = situation[betting.PHASE], situation[betting.STREET]
            if phase == DEAL:
                if situation[betting.SPENT_0] == stack and not opponent.hands_change:
                    break
                if street + 1 == stop:
                    stopped = True
                    break
                situation = after_deal(rules, situation, street + 1 < dealt.lengths[i])
                street = situation[betting.STREET]
                drawing = 1 if situation[betting.PHASE] == DRAW else 0
                stage = opponent.stages[street, drawing]
                size = layout.stages[stage, STAGE_BOARD]
                cell = layout.stages[stage, STAGE_CELL] + paths[seat]
                seen |= _bits(board[:size])
                row = min(street, opponent.swaps.size - 1)
                if opponent.swaps[row] > 0.0:
                    remove_cards(hands, seen, held)
                    n_unseen = 0
                    for card in hands.deck:
                        n_unseen += not (seen >> np.int64(card)) & 1
                    range_after_swap(hands, opponent.swaps[row], n_unseen - h, held, room.ranges)
                seen |= _bits(dealt.holes[i, seat, cell])
                remove_cards(hands, seen, held)
                range_after_deal(policy, situation, held, room.ranges)
                if opponent.hands_change:
                    range_after_deal(policy, situation, private, private_room)
                node = follow_deal(policy, node, situation)
                looked = False
                continue
            if phase != BET and phase != DRAW:
                break
            stage = opponent.stages[street, 1 if phase == DRAW else 0]
            size = layout.stages[stage, STAGE_BOARD]
            actor = situation[betting.ACTOR]
            cell = layout.stages[stage, STAGE_CELL] + paths[actor]
            if actor == seat:
                if not looked:
                    key = stream_key(run_out_key, n_keys)
                    hole = dealt.holes[i, seat, cell]
                    find_own_margins(opponent, board, size, hole, 0, seen, key, room)
                    n_keys += 1
                    looked = True
                if phase == DRAW:
                    key = stream_key(run_out_key, n_keys)
                    hole = dealt.holes[i, seat, cell]
                    order = np.int64(dealt.discard_first[i, seat, cell])
                    kind, amount = choose_discard(
                        opponent, board, size, hole, order, seen, key, room
                    )
                    n_keys += 1
                    looked = False
                else:
                    kind, amount = choose_bet(
                        opponent, situation, seat, stage, dealt.labels[i, stage], room
                    )
                if kind == RAISE and amount == stack and street >= opponent.last_change:
                    all_in = amount
                    break
                range_after_opponent(policy, kind, amount, situation, stack, held, room.ranges)
                if opponent.hands_change:
                    range_after_opponent(
                        policy, kind, amount, situation, stack, private, private_room
                    )
                number = uniform(bot_key, step)
                step += 1
                node = follow(policy, node, kind, amount, situation, stack, number)
            else:
                bucket = dealt.buckets[i, actor, cell]
                number = uniform(bot_key, step)
                step += 1
                kind, amount, edge, _ = decide(
                    policy, rules, situation, node, stage, bucket, number
                )
                if kind != FOLD:
                    shown = NO_CARD_SHOWN
                    row = min(street, opponent.shown.size - 1)
                    if kind == DISCARD and opponent.shown[row]:
                        place = amount ^ np.int64(dealt.discard_first[i, actor, cell])
                        shown = np.int64(dealt.holes[i, actor, cell, place])
                        seen |= np.int64(1) << shown
                    labels = dealt.labels[i, stage]
                    if kind == DISCARD:
                        orders = dealt.orders[i, stage]
                        range_after_discard(
                            hands, policy, rules, situation, stage, labels, orders, shown, held,
                            room.ranges
                        )  # fmt: skip
                    else:
                        range_after_bot(
                            policy, rules, situation, stage, labels, kind, amount, held, room.ranges
                        )
                    remove_cards(hands, seen, held)
                    if opponent.hands_change and phase == DRAW:
                        deals_after_draw(
                            policy,
                            rules,
                            situation,
                            stage,
                            dealt.private.labels[i, seat, stage],
                            dealt.private.given[i, seat, stage],
                            dealt.private.n_paths,
                            h + 1,
                            kind,
                            shown,
                            private,
                            private_room,
                        )
                    elif opponent.hands_change:
                        range_after_bot(
                            policy,
                            rules,
                            situation,
                            stage,
                            dealt.private.labels[i, seat, stage],
                            kind,
                            amount,
                            private,
                            private_room,
                        )
                if edge != NO_EDGE:
                    node = policy.children[edge]
            if step <= acts.shape[1]:
                acts[i, step - 1, 0] = kind
                acts[i, step - 1, 1] = amount
            if kind == FOLD:
                situation = after_fold(situation)
            elif kind == CALL:
                situation = after_call(rules, situation)
            elif kind == RAISE:
                situation = after_raise(situation, amount)
            else:
                choice = 1 + amount if kind == DISCARD else 0
                paths[actor] = paths[actor] * (h + 1) + choice
                situation = after_draw(rules, situation, kind == DISCARD)
                if actor == seat:
                    after = opponent.stages[street, 0]
                    cell = layout.stages[after, STAGE_CELL] + paths[seat]
                    seen |= _bits(dealt.holes[i, seat, cell])
                    remove_cards(hands, seen, held)
        streets[i] = stop if stopped else situation[betting.STREET]
        if stopped:
            values[i] = np.nan
        elif situation[betting.PHASE] == FOLDED:
            loser = situation[betting.ACTOR]
            lost = float(situation[betting.SPENT_0 + loser])
            values[i] = -lost if loser == seat else lost
        else:
            key = stream_key(run_out_key, n_keys)
            _find_end_margins(opponent, dealt, i, seat, paths[seat], situation, seen, key, room)
            if all_in > 0:
                stage = opponent.stages[situation[betting.STREET], 0]
                values[i] = _all_in_result(opponent, dealt, i, situation, seat, stage, all_in, room)
            else:
                values[i] = _mean_result(opponent, situation, room)
