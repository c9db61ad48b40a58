"""What situations are worth to pairs of hands: a value function that is linear in showdown results.

All results are from -1 to 1, wins less losses, and all chips are those of seat 0.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.bots.policy_kernels import LOST
from counterfold.cards.ranking_kernels import card_bit
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import DEAL, FOLDED, SHOWDOWN
from counterfold.jit.compiler import inlined_kernel, kernel
from counterfold.matches.aivat.hand_comparison_kernels import Ranking, RunOuts, compare_hands
from counterfold.matches.policy_match_kernels import StageTable
from counterfold.public.deals_kernels import NO_CARD, STAGE_BOARD, STAGE_CELL, Layout

# Features of a situation for a pair of hands.
RESULT = 0  # result of the two hands
HAND_0 = 1  # of seat 0's hand against the mean of all that are imagined for seat 1
HAND_1 = 2  # of all that are imagined for seat 0 against seat 1's
N_FEATURES = 3
N_TERMS = 1 + N_FEATURES  # a constant first

_N_STREETS = 8  # that have classes of their own
_N_DEPTHS = 6
N_CLASSES = 12 * _N_DEPTHS * _N_STREETS

NO_PLACE = -1


class GameTables(NamedTuple):
    """The variant."""

    rules: betting.Rules
    stage_table: StageTable
    layout: Layout
    ranking: Ranking
    first_situation: tuple[int, ...]
    draws_before: NDArray[np.int64]  # [stages] draws of a seat, completed before
    n_draws: int
    n_samples: int  # of boards that are too many to be enumerated


class ValueFunction(NamedTuple):
    """What situations are worth, by the guide's seat: terms of `N_TERMS`, in mean stakes."""

    nodes: NDArray[np.float64]  # [2, nodes of the guide's graph, N_TERMS]
    classes: NDArray[np.float64]  # [2, N_CLASSES, N_TERMS] where the guide is lost


class Seats(NamedTuple):
    """Who plays."""

    guide: int  # the player whose nodes the value function is for; 0 or 1
    guide_known: bool
    other_known: bool
    n_guide: int  # hands of the guide that are weighted
    n_other: int
    alike: bool  # whether both have the same graph, so that the other's strategy is looked up, too


class Imagined(NamedTuple):
    """The deals with imagined hands: row `i * n_hands` is deal `i` itself."""

    n_hands: int
    lengths: NDArray[np.uint8]  # [n]
    cards: NDArray[np.uint8]  # [n * n_hands, columns]
    holes: NDArray[np.uint8]  # [n * n_hands, 2, hand cells, hole cards]


class WorthScratch(NamedTuple):
    """Work space; ``M`` hands of each seat, ``L`` nodes."""

    runs: RunOuts
    masks: NDArray[np.int64]  # [2, M] what the hands are if no more cards are discarded
    paths: NDArray[np.int64]  # [2, M] hand paths
    weights: NDArray[np.float64]  # [2, M] how likely each hand is, given the betting
    after: NDArray[np.float64]  # [M] weights after an action
    buckets: NDArray[np.int64]  # [2, M] on the street that was looked ahead
    pairs: NDArray[np.float64]  # [M, M] `RESULT`
    means: NDArray[np.float64]  # [2, M] `HAND_0` and `HAND_1`
    shares: NDArray[np.float64]  # [M, most actions] how likely hands are to act so
    chances: NDArray[np.float64]  # [most actions] the same of one hand, by edge
    by_edge: NDArray[np.float64]  # [most actions, M] the same of all hands
    leaf: NDArray[np.float64]  # [M, M] chips to seat 0 where a street's betting ends
    draws: NDArray[np.float64]  # [M, 1 + hole cards, 2, 2] of `draw_luck_kernels`
    others: NDArray[np.uint8]  # [MOST_OTHERS] cards that might have been drawn
    places: NDArray[np.int32]  # [nodes] where a node's worth is in `worths`, or `NO_PLACE`
    found: NDArray[np.int64]  # [L] the nodes of `worths`
    stack: NDArray[np.int64]  # [L] nodes to look at
    worths: NDArray[np.float64]  # [L, M, M] chips to seat 0, for each pair of hands
    looked: NDArray[np.int64]  # [2] how many nodes have been found, and on which street


@kernel
def classify(stack, street, phase, actor, spent_0, spent_1):
    """A class of situations: street, what is waited for, who acts, whether there is a bet, and how
    often the mean stake may double before the stacks are in.
    """
    doublings = 0
    while doublings < _N_DEPTHS - 1 and (spent_0 + spent_1) << doublings < stack:
        doublings += 1
    facing = 1 if spent_0 != spent_1 else 0
    place = phase * 4 + actor * 2 + facing
    return (min(street, _N_STREETS - 1) * _N_DEPTHS + doublings) * 12 + place


@kernel
def class_of(stack, situation):
    """The class of a real situation."""
    return classify(
        stack,
        situation[betting.STREET],
        situation[betting.PHASE],
        situation[betting.ACTOR],
        situation[betting.SPENT_0],
        situation[betting.SPENT_1],
    )


@inlined_kernel
def is_exact(tables, situation):
    """Whether the result is a matter of the board alone."""
    phase = situation[betting.PHASE]
    if phase == SHOWDOWN:
        return True
    all_in = (
        min(situation[betting.SPENT_0], situation[betting.SPENT_1])
        == tables.rules.table[betting.STACK]
    )
    return phase == DEAL and all_in and situation[betting.STREET] >= tables.stage_table.last_change


@inlined_kernel
def mean_stake(situation):
    """Chips that a seat has put in, on average."""
    return 0.5 * (situation[betting.SPENT_0] + situation[betting.SPENT_1])


@inlined_kernel
def find_terms(tables, values, seat, node, situation):
    """What a situation is worth to seat 0, in chips: a constant and a factor for each feature."""
    if situation[betting.PHASE] == FOLDED:
        if situation[betting.ACTOR] == 0:
            return -float(situation[betting.SPENT_0]), 0.0, 0.0, 0.0
        return float(situation[betting.SPENT_1]), 0.0, 0.0, 0.0
    if is_exact(tables, situation):
        return 0.0, float(situation[betting.SPENT_0]), 0.0, 0.0
    scale = mean_stake(situation)
    if node == LOST:
        row = values.classes[seat, class_of(tables.rules.table[betting.STACK], situation)]
    else:
        row = values.nodes[seat, node]
    return (
        scale * row[0],
        scale * row[1 + RESULT],
        scale * row[1 + HAND_0],
        scale * row[1 + HAND_1],
    )


@inlined_kernel
def mean_features(work):
    """The means of the features by the weights of the hands."""
    n = work.pairs.shape[0]
    pair = hand_0 = hand_1 = 0.0
    for m in range(n):
        if work.weights[0, m] > 0.0:
            row = 0.0
            for k in range(n):
                row += work.weights[1, k] * work.pairs[m, k]
            pair += work.weights[0, m] * row
            hand_0 += work.weights[0, m] * work.means[0, m]
        hand_1 += work.weights[1, m] * work.means[1, m]
    return pair, hand_0, hand_1


@inlined_kernel
def worth_of(terms, features):
    """Chips, by terms and features."""
    return terms[0] + terms[1] * features[0] + terms[2] * features[1] + terms[3] * features[2]


@inlined_kernel
def hand_features(work, seat, m):
    """Features of one hand of a seat, by the weights of the other's."""
    pair = 0.0
    other = 0.0
    for k in range(work.pairs.shape[0]):
        pair += work.weights[1 - seat, k] * (work.pairs[m, k] if seat == 0 else work.pairs[k, m])
        other += work.weights[1 - seat, k] * work.means[1 - seat, k]
    if seat == 0:
        return pair, work.means[0, m], other
    return pair, other, work.means[1, m]


@inlined_kernel
def weigh_anew(actor, expected, happened, total, work):
    """Luck of what a seat did, by what it was expected to win; its hands get their new weights.

    `work.after` has the weights of the hands that did so, which come to `total` and won `happened`.
    """
    for m in range(work.after.size):
        work.weights[actor, m] = work.after[m] / total
    return expected - happened / total


@kernel
def take_sums(work, sums, count):
    """Set pairs and means from sums over `count` boards."""
    n = work.pairs.shape[0]
    work.means[:] = 0.0
    for m in range(n):
        for k in range(n):
            value = sums[m, k] / count
            work.pairs[m, k] = value
            work.means[0, m] += value / n
            work.means[1, k] += value / n


@kernel
def hold_hands(tables, imagined, i, seat, draws, work):
    """Set the masks of a seat's hands, which have had `draws` draws."""
    layout, n = tables.layout, imagined.n_hands
    later = 1
    for _ in range(draws, tables.n_draws):
        later *= tables.stage_table.n_choices
    for m in range(n):
        cell = layout.stages[-1, STAGE_CELL] + work.paths[seat, m] * later
        masks = np.int64(0)
        for place in range(layout.hole_cards):
            masks |= card_bit(imagined.holes[i * n + m, seat, cell, place])
        work.masks[seat, m] = masks


@kernel
def find_board(tables, imagined, i, street, left):
    """The board of a street, its size, and how many cards nobody holds or imagines, in `left`."""
    layout, n = tables.layout, imagined.n_hands
    h = layout.hole_cards
    size = layout.stages[tables.stage_table.stages[street, 0], STAGE_BOARD]
    extras = 2 * h + layout.board_cards + layout.max_runs
    board = np.int64(0)
    seen = np.int64(0)
    for column in range(2 * h, 2 * h + size):
        board |= card_bit(imagined.cards[i * n, column])
        seen |= np.int64(1) << np.int64(imagined.cards[i * n, column])
    for m in range(n):
        for column in range(layout.n_columns):
            if 2 * h <= column < extras or imagined.cards[i * n + m, column] == NO_CARD:
                continue
            seen |= np.int64(1) << np.int64(imagined.cards[i * n + m, column])
    n_left = 0
    for card in layout.deck:
        if (seen >> np.int64(card)) & 1 == 0:
            left[n_left] = card
            n_left += 1
    return board, size, n_left


@kernel
def compare_all(tables, imagined, i, key, situation, work):
    """Set pairs and means for the board of the situation's street."""
    runs = work.runs
    street = situation[betting.STREET]
    board, size, n_left = find_board(tables, imagined, i, street, runs.left)
    final = situation[betting.FINAL] == 1
    next_size = size
    if not final:
        stages = tables.stage_table.stages
        next_size = tables.layout.stages[stages[street + 1, 0], STAGE_BOARD]
    compare_hands(
        tables.layout, tables.ranking, key, tables.n_samples, board, size, next_size, final, n_left,
        work.masks, runs
    )  # fmt: skip
    take_sums(work, runs.sums[0] + runs.sums[1], runs.counts[0] + runs.counts[1])
