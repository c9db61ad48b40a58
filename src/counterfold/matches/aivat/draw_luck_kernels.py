"""The luck of draws: of the card that came, and of which one a known player discarded."""

import numpy as np

from counterfold.bots.policy_kernels import NO_EDGE, perform
from counterfold.cards.ranking_kernels import card_bit
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import KEEP
from counterfold.jit.compiler import inlined_kernel, kernel
from counterfold.jit.random import stream_key, uniform
from counterfold.matches.aivat.chip_terms_kernels import worth_of
from counterfold.matches.aivat.hand_comparison_kernels import draw_board, rank_hand
from counterfold.matches.aivat.look_ahead_kernels import find_choices
from counterfold.matches.aivat.worth_kernels import find_board, hand_mask, weigh_anew
from counterfold.public.deals_kernels import STAGE_DRAW

MOST_OTHERS = 8  # cards that might have been drawn as well

_CHOICES = 1  # the stream of which card an imagined hand discards


@kernel
def compare_draws(tables, imagined, i, key, situation, stage, work):
    """Set `work.draws` [hand, choice, kind, against]: the mean results of a seat's hands.

    Choices are to keep and to discard each card; kinds are the card that was drawn and the mean
    over all that might have been; against are the other's weighted hands and all of them.
    """
    layout, n, runs = tables.layout, imagined.n_hands, work.runs
    actor, draws = situation[betting.ACTOR], work.draws
    draws[:] = 0.0
    board, size, n_left = find_board(tables, imagined, i, stage, work.paths[0, 0], runs.left)
    n_choices = tables.stage_table.draws[stage]
    n_more = layout.board_cards - size
    # Some of the cards that are left might have been drawn as well; the board comes from the rest.
    n_others = min(MOST_OTHERS, (n_left - n_more) // 2)
    step = 0
    for j in range(n_others):
        k = int(uniform(key, step) * n_left)
        step += 1
        work.others[j] = runs.left[k]
        n_left -= 1
        runs.left[k] = runs.left[n_left]
    column = layout.stages[stage + 1, STAGE_DRAW] + actor
    held_cell, apart = tables.held_cells[stage + 1, 0], tables.held_cells[stage + 1, 1]
    n_samples = tables.n_samples if n_more > 0 else 1
    for _ in range(n_samples):
        full, n_board = board, size
        if n_more > 0:
            full, n_board, _, step = draw_board(
                layout, key, step, board, size, size, n_left, runs.left
            )
        for k in range(n):
            runs.ranks[1 - actor, k] = rank_hand(
                tables.ranking, full | work.masks[1 - actor, k], n_board
            )
        for m in range(n):
            if work.weights[actor, m] == 0.0:
                continue
            drawn = card_bit(imagined.cards[i * n + m, column])
            for choice in range(n_choices):
                masks = work.masks[actor, m]
                if choice > 0:
                    path = (work.paths[actor, m] * n_choices + choice) * apart
                    masks = hand_mask(imagined.holes, i * n + m, actor, held_cell + path)
                for j in range(-1, n_others if choice > 0 else 0):
                    held = masks
                    if j >= 0:
                        held = (masks & ~drawn) | card_bit(work.others[j])
                    own = rank_hand(tables.ranking, full | held, n_board)
                    weighted = plain = 0.0
                    for k in range(n):
                        other = runs.ranks[1 - actor, k]
                        won = np.int64(own > other) - np.int64(own < other)
                        weighted += work.weights[1 - actor, k] * won
                        plain += won / n
                    if j < 0:
                        draws[m, choice, 0, 0] += weighted / n_samples
                        draws[m, choice, 0, 1] += plain / n_samples
                    share = 1.0 / (n_samples * (1 + n_others) if choice > 0 else n_samples)
                    draws[m, choice, 1, 0] += weighted * share
                    draws[m, choice, 1, 1] += plain * share


@inlined_kernel
def _draw_worth(terms, actor, other, results):
    """What a hand is worth at a draw; `other` is the feature of the other seat's hands."""
    sign = 1.0 if actor == 0 else -1.0
    if actor == 0:
        return worth_of(terms, (results[0], results[1], other, 0.0, 0.0, 0.0))
    return worth_of(terms, (sign * results[0], other, sign * results[1], 0.0, 0.0, 0.0))


@kernel
def shares_of_draw(
    tables, policy, known, node, cards, rows, cell, stage, situation, kind, place, work
):  # fmt: skip
    """Set `work.shares` [hand, choice] to how likely hands are to keep, or to discard a place.

    Of an unknown player it is known what it did. Places are in the order of the deals.
    """
    actor = situation[betting.ACTOR]
    for m in range(work.after.size):
        shares = work.shares[m]
        shares[: tables.stage_table.draws[stage]] = 0.0
        if not known:
            shares[0 if kind == KEEP else 1 + place] = 1.0
            continue
        hand_cell = cell + work.paths[actor, m]
        bucket = cards.buckets[rows + m, actor, hand_cell]
        width, chooses = find_choices(policy, situation, node, bucket, work.chances)
        for k in range(width):
            its_kind, amount, _, _ = perform(
                policy, tables.rules, situation, node, stage, bucket, k if chooses else NO_EDGE
            )
            choice = 0
            if its_kind != KEEP:
                differs = cards.discard_places[rows + m, actor, hand_cell] == 1
                choice = 2 - amount if differs else 1 + amount
            shares[choice] += work.chances[k]


@kernel
def _discard(shares, n_choices, key, m, place):
    """The choice of a hand that discards: an imagined one takes either card as it would have."""
    if m == 0:
        return 1 + place
    total = 0.0
    for choice in range(1, n_choices):
        total += shares[choice]
    number = uniform(key, m) * total
    choice = 1
    while choice < n_choices - 1 and number >= shares[choice]:
        number -= shares[choice]
        choice += 1
    return choice


@kernel
def correct_draw(kept, gone, actor, n_choices, kind, place, key, work):
    """Luck of a draw, and of a known player's choice; its hands are weighted anew.

    `kept` and `gone` are the terms of the two situations that may follow.
    """
    choices_key = stream_key(key, _CHOICES)
    other = 0.0
    for k in range(work.after.size):
        other += work.weights[1 - actor, k] * work.means[1 - actor, k]
    expected = happened = total = 0.0
    for m in range(work.after.size):
        work.after[m] = 0.0
        weight, shares = work.weights[actor, m], work.shares[m]
        if weight == 0.0:
            continue
        worth = _draw_worth(kept, actor, other, work.draws[m, 0, 0])
        expected += weight * shares[0] * worth
        share = weight * shares[0]
        if kind != KEEP:
            choice = _discard(shares, n_choices, choices_key, m, place)
            worth = _draw_worth(gone, actor, other, work.draws[m, choice, 0])
            share = 0.0
        for choice in range(1, n_choices):
            mean = _draw_worth(gone, actor, other, work.draws[m, choice, 1])
            expected += weight * shares[choice] * mean
            if kind != KEEP:
                share += weight * shares[choice]
        work.after[m] = share
        happened += share * worth
        total += share
    return weigh_anew(actor, expected, happened, total, work)


@kernel
def extend_paths(actor, n_choices, kind, place, key, work):
    """Add a draw to the hand paths of a seat's hands."""
    choices_key = stream_key(key, _CHOICES)
    for m in range(work.after.size):
        work.paths[actor, m] *= n_choices
        if kind != KEEP and work.weights[actor, m] > 0.0:
            work.paths[actor, m] += _discard(work.shares[m], n_choices, choices_key, m, place)
