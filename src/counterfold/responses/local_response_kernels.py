"""Hands of a local best response against a policy.

The responder knows the policy, carries the range of the bot (`responses.range_tracking_kernels`)
and at each decision takes what would be best if both checked and called from then on (Lisý and
Bowling 2017): a raise wins the pot from the hands that fold, and is a showdown with the others.

The bot holds a hand of the deal and acts by it, so that the public cards and actions are those of
real play. Where hole cards stay, the result is the mean over the range at the end, given all that
was seen, which has the same expectation and varies less. Where they change, the range is not exact
to the last card, and the result is that of the hand that the bot holds.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.bets.menu_kernels import Menu, offered_totals
from counterfold.bots.policy_kernels import (
    NO_EDGE,
    Policy,
    decide,
    find_readings,
    follow,
    follow_deal,
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
    KEEP,
    RAISE,
    Rules,
    after_call,
    after_deal,
    after_draw,
    after_fold,
    after_raise,
)
from counterfold.jit.compiler import kernel
from counterfold.jit.random import stream_key, uniform
from counterfold.public.deals_kernels import STAGE_BOARD, STAGE_CELL, Layout
from counterfold.responses.range_tracking_kernels import (
    MOST_READINGS,
    NO_CARD_SHOWN,
    Range,
    RangeScratch,
    add_up,
    begin_range,
    count_readings,
    find_hand,
    range_after_bot,
    range_after_deal,
    range_after_opponent,
    range_after_swap,
    remove_cards,
    sum_folds,
)
from counterfold.responses.run_out_kernels import Hands, RunOutScratch, Showdowns, find_scores

# Random numbers of a hand in a seat.
_BOT, _RUN_OUTS = range(2)
N_STREAMS = 4  # of a deal: those two for each seat of the responder

# Columns of `ends`.
END_STREET = 0  # of the betting
END_SHOWDOWN = 1  # whether nobody folded
END_DECISIONS = 2  # of the responder
N_END_COLUMNS = 3


class Opponent(NamedTuple):
    """What the responder knows before the first hand."""

    rules: Rules
    layout: Layout
    policy: Policy
    menu: Menu  # the responder's own
    hands: Hands
    showdowns: Showdowns
    stages: NDArray[np.int64]  # [streets, 2] card stage of a street's betting and of its draw
    swaps: NDArray[np.float64]  # [streets] probability that a hole card is replaced
    shown: NDArray[np.bool_]  # [streets] whether discards are seen
    first_scores: NDArray[np.float32]  # [H, H] before the board is dealt; empty if few boards are
    hands_change: bool


class Dealt(NamedTuple):
    """A batch of deals. Shapes: ``n`` deals, ``S`` stages, ``H`` hands."""

    cards: NDArray[np.uint8]  # [n, columns]
    lengths: NDArray[np.uint8]  # [n] last street
    holes: NDArray[np.uint8]  # [n, 2, hand cells, hole cards]
    discard_first: NDArray[np.int8]  # [n, 2, hand cells]
    strengths: NDArray[np.int64]  # [n, 2, discard paths]
    buckets: NDArray[np.int32]  # [n, 2, hand cells]
    labels: NDArray[np.int32]  # [n, S, H] the bucket of every hand that the board leaves
    orders: NDArray[np.int8]  # [n, S, H] before a draw: which hole card has place 0


class ResponseScratch(NamedTuple):
    """Work space."""

    held: Range
    ranges: RangeScratch
    run_outs: RunOutScratch
    totals: NDArray[np.float64]  # [H]
    scores: NDArray[np.float64]  # [H]
    raises: NDArray[np.int64]  # [2, sizes of the menu]


@kernel
def _dot(first, second):
    """The sum of products."""
    total = 0.0
    for k in range(first.size):
        total += first[k] * second[k]
    return total


@kernel
def _score_hand(opponent, board, size, hole, n_draws, seen, key, room):
    """Set `room.scores` to those of the responder's hand, of which a drawing one has one card."""
    if size == 0 and n_draws == 0 and opponent.first_scores.size > 0:
        row = opponent.first_scores[find_hand(opponent.hands, hole)]
        for h in range(row.size):
            room.scores[h] = row[h]
        return
    masks = np.int64(0)
    for card in hole:
        masks |= card_bit(card)
    find_scores(
        opponent.hands,
        opponent.showdowns,
        board,
        size,
        masks,
        n_draws,
        seen,
        key,
        room.run_outs,
        room.scores,
    )


@kernel
def _choose_bet(opponent, situation, seat, stage, labels, room):
    """Kind and amount of what is best if both check and call from then on; see the module.

    `room.scores` are those of the responder's hand.
    """
    rules, held = opponent.rules, room.held
    own = situation[betting.SPENT_0 + seat]
    other = situation[betting.SPENT_1 - seat]
    total = add_up(held, room.totals)
    if total <= 0.0:
        return CALL, 0
    kind, amount = CALL, 0
    best = _dot(room.totals, room.scores) / total * other
    if own < other and -own > best:
        kind, best = FOLD, -float(own)
    n_raises = offered_totals(rules, opponent.menu, situation, room.raises[0], room.raises[1])
    stack = rules.table[betting.STACK]
    for k in range(n_raises):
        to = room.raises[0, k]
        n_after = count_readings(opponent.policy, RAISE, to, situation, stack, held, room.ranges)
        if n_after > MOST_READINGS:
            continue
        after = after_raise(situation, to)
        folded = scored = 0.0
        for r in range(held.n[0]):
            low, high, share = find_readings(
                opponent.policy, held.nodes[r], RAISE, to, situation, stack
            )
            for way in range(2):
                chance = share if way == 0 else 1.0 - share
                if chance == 0.0:
                    continue
                found = sum_folds(
                    opponent.policy,
                    rules,
                    after,
                    low if way == 0 else high,
                    stage,
                    labels,
                    held.weights[r],
                    room.scores,
                    chance,
                    room.ranges,
                )
                folded += found[0]
                scored += found[1]
        value = (folded * other + scored * to) / total
        if value > best:
            kind, amount, best = RAISE, to, value
    return kind, amount


@kernel
def _choose_discard(opponent, board, size, hole, first, seen, key, room):
    """Kind and place of the draw after which the hand does best at a showdown.

    `first` is the hole card with place 0, and `room.scores` are those of the hand as it is.
    """
    total = add_up(room.held, room.totals)
    best = _dot(room.totals, room.scores) / max(total, 1e-300)
    kind, place = KEEP, 0
    for k in range(hole.size):
        given = k ^ first
        kept = hole[:0] if hole.size == 1 else hole[1 - given : 2 - given]
        _score_hand(opponent, board, size, kept, 1, seen, stream_key(key, k), room)
        value = _dot(room.totals, room.scores) / max(total, 1e-300)
        if value > best:
            kind, place, best = DISCARD, k, value
    return kind, place


@kernel
def _bits(cards):
    """The cards as bits of their numbers."""
    bits = np.int64(0)
    for card in cards:
        bits |= np.int64(1) << np.int64(card)
    return bits


@kernel
def _end(opponent, dealt, i, seat, paths, situation, seen, key, room):
    """Chips that the responder wins where nobody has folded, over the range of the bot."""
    stake = float(situation[betting.SPENT_0])
    if opponent.hands_change:
        mine = dealt.strengths[i, seat, paths[seat]]
        theirs = dealt.strengths[i, 1 - seat, paths[1 - seat]]
        return stake * (np.int64(mine > theirs) - np.int64(mine < theirs))
    h = opponent.layout.hole_cards
    stage = opponent.stages[situation[betting.STREET], 0]
    size = opponent.layout.stages[stage, STAGE_BOARD]
    masks = np.int64(0)
    for card in dealt.holes[i, seat, 0]:
        masks |= card_bit(card)
    # Not the numbers that decisions were made by: their luck would be counted as skill.
    find_scores(
        opponent.hands,
        opponent.showdowns,
        dealt.cards[i, 2 * h :],
        size,
        masks,
        0,
        seen,
        key,
        room.run_outs,
        room.scores,
    )
    total = add_up(room.held, room.totals)
    return stake * _dot(room.totals, room.scores) / total


@kernel
def respond_to_deals(opponent, first_situation, dealt, seat, seed, first, room, values, ends):
    """Play each deal once; overwrite `values` with the chips that the responder wins, and `ends`.

    Parameters
    ----------
    seat
        Of the responder.
    seed, first
        Of the random numbers for the bot's choices and for run-outs; `first` is the number of the
        first deal.
    """
    rules, layout, policy, hands = opponent.rules, opponent.layout, opponent.policy, opponent.hands
    held, stack, h = room.held, rules.table[betting.STACK], layout.hole_cards
    paths = np.zeros(2, np.int64)
    for i in range(dealt.lengths.size):
        stream = (first + i) * N_STREAMS + 2 * seat
        bot_key, run_out_key = stream_key(seed, stream + _BOT), stream_key(seed, stream + _RUN_OUTS)
        step = n_decisions = n_scored = 0
        node = 0
        paths[:] = 0
        board = dealt.cards[i, 2 * h :]
        situation = first_situation
        seen = _bits(dealt.holes[i, seat, 0])
        begin_range(hands, seen, held)
        scored = False  # whether `room.scores` are those of the hand as it is
        settled = False
        while not settled:
            phase, street = situation[betting.PHASE], situation[betting.STREET]
            if phase == DEAL:
                if situation[betting.SPENT_0] == stack and not opponent.hands_change:
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
                node = follow_deal(policy, node, situation)
                scored = False
                continue
            if phase != BET and phase != DRAW:
                break
            stage = opponent.stages[street, 1 if phase == DRAW else 0]
            size = layout.stages[stage, STAGE_BOARD]
            actor = situation[betting.ACTOR]
            cell = layout.stages[stage, STAGE_CELL] + paths[actor]
            if actor == seat:
                n_decisions += 1
                if not scored:
                    key = stream_key(run_out_key, n_scored)
                    hole = dealt.holes[i, seat, cell]
                    _score_hand(opponent, board, size, hole, 0, seen, key, room)
                    n_scored += 1
                    scored = True
                if phase == DRAW:
                    key = stream_key(run_out_key, n_scored)
                    hole = dealt.holes[i, seat, cell]
                    order = np.int64(dealt.discard_first[i, seat, cell])
                    kind, amount = _choose_discard(
                        opponent, board, size, hole, order, seen, key, room
                    )
                    n_scored += 1
                    scored = False
                else:
                    kind, amount = _choose_bet(
                        opponent, situation, seat, stage, dealt.labels[i, stage], room
                    )
                range_after_opponent(policy, kind, amount, situation, stack, held, room.ranges)
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
                    range_after_bot(
                        hands,
                        policy,
                        rules,
                        situation,
                        stage,
                        dealt.labels[i, stage],
                        dealt.orders[i, stage],
                        kind,
                        amount,
                        shown,
                        held,
                        room.ranges,
                    )
                    remove_cards(hands, seen, held)
                if edge != NO_EDGE:
                    node = policy.children[edge]
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
        ends[i, END_STREET] = situation[betting.STREET]
        ends[i, END_SHOWDOWN] = situation[betting.PHASE] != FOLDED
        ends[i, END_DECISIONS] = n_decisions
        if situation[betting.PHASE] == FOLDED:
            loser = situation[betting.ACTOR]
            lost = float(situation[betting.SPENT_0 + loser])
            values[i] = -lost if loser == seat else lost
        else:
            key = stream_key(run_out_key, n_scored)
            values[i] = _end(opponent, dealt, i, seat, paths, situation, seen, key, room)
