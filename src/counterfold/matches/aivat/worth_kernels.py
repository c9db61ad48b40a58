"""What is known of pairs of hands: how they compare, by which a value function is linear.

Results are wins less losses in stakes, from -1 to 1 unless bounties pay more, and all chips are
those of seat 0. What situations are worth by them is in `chip_terms_kernels`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.ranking_kernels import card_bit
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import BET
from counterfold.jit.compiler import inlined_kernel, kernel
from counterfold.matches.aivat.hand_comparison_kernels import Ranking, RunOuts, compare_hands
from counterfold.matches.policy_match_kernels import StageTable
from counterfold.public.deals_kernels import (
    NO_CARD,
    STAGE_BOARD,
    STAGE_CELL,
    STAGE_LAID,
    Layout,
)

# Features of a situation for a pair of hands. Those of a value function:
RESULT = 0  # result of the two hands
HAND_0 = 1  # of seat 0's hand against the mean of all that are imagined for seat 1
HAND_1 = 2  # of all that are imagined for seat 0 against seat 1's
N_FEATURES = 3
N_TERMS = 1 + N_FEATURES  # a constant first
# Those of bounties alone: how often one is paid at a showdown to seat 0, less how often to seat 1;
# and whether each hand has hit its own by now, as is paid after a fold.
EXTRA = 3
HIT_0 = 4
HIT_1 = 5

_N_STREETS = 8  # that have classes of their own
_N_DEPTHS = 6
_N_PLACES = 16  # phases that wait for something, by the seat that acts and whether there is a bet
N_CLASSES = _N_PLACES * _N_DEPTHS * _N_STREETS

N_WINNERS = 4  # of an auction: nobody, seat 0, seat 1, both

NO_PLACE = -1


class GameTables(NamedTuple):
    """The variant."""

    rules: betting.Rules
    stage_table: StageTable
    layout: Layout
    ranking: Ranking
    first_situation: tuple[int, ...]
    # [stages, 2] where hands are found that change no more by choice: a hand cell, and how far
    # apart hand paths are there. Cards that chance has yet to bring belong to a hand.
    held_cells: NDArray[np.int64]
    last_change: int  # of hands
    alike: bool  # whether seats are dealt as many cards
    bounty_factor: float
    bounty_extra: float  # chips
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
    holes: NDArray[np.uint8]  # [n * n_hands, 2, hand cells, most cards of a hand]
    laid: NDArray[np.uint8]  # [n * n_hands, hand cells, cards laid onto the board]
    bounties: NDArray[np.uint8]  # [n * n_hands, 2] ranks; [n * n_hands, 0] where there are none


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
    extras: NDArray[np.float64]  # [M, M] `EXTRA`
    hits: NDArray[np.float64]  # [2, M] `HIT_0` and `HIT_1`
    shares: NDArray[np.float64]  # [M, most actions] how likely hands are to act so
    chances: NDArray[np.float64]  # [most actions] the same of one hand, by edge
    by_edge: NDArray[np.float64]  # [most actions, M] the same of all hands
    leaf: NDArray[np.float64]  # [M, M] chips to seat 0 where a street's betting ends
    draws: NDArray[np.float64]  # [M, 1 + hole cards, 2, 2] of `draw_luck_kernels`
    prized: NDArray[np.int64]  # [2, M] masks of hands with cards of an auction
    won_pairs: NDArray[np.float64]  # [N_WINNERS, M, M] `RESULT` by who wins it; as it is with 0
    others: NDArray[np.uint8]  # [MOST_OTHERS] cards that might have been drawn
    places: NDArray[np.int32]  # [nodes] where a node's worth is in `worths`, or `NO_PLACE`
    found: NDArray[np.int64]  # [L] the nodes of `worths`
    stack: NDArray[np.int64]  # [L] nodes to look at
    worths: NDArray[np.float64]  # [L, M, M] chips to seat 0, for each pair of hands
    looked: NDArray[np.int64]  # [2] how many nodes have been found, and on which street
    has_bounties: bool


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
    return (min(street, _N_STREETS - 1) * _N_DEPTHS + doublings) * _N_PLACES + place


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
def mean_features(work):
    """The means of the features by the weights of the hands."""
    n = work.pairs.shape[0]
    pair = hand_0 = hand_1 = extra = hit_0 = hit_1 = 0.0
    for m in range(n):
        if work.weights[0, m] > 0.0:
            row = paid = 0.0
            for k in range(n):
                row += work.weights[1, k] * work.pairs[m, k]
                if work.has_bounties:
                    paid += work.weights[1, k] * work.extras[m, k]
            pair += work.weights[0, m] * row
            extra += work.weights[0, m] * paid
            hand_0 += work.weights[0, m] * work.means[0, m]
        hand_1 += work.weights[1, m] * work.means[1, m]
        hit_0 += work.weights[0, m] * work.hits[0, m]
        hit_1 += work.weights[1, m] * work.hits[1, m]
    return pair, hand_0, hand_1, extra, hit_0, hit_1


@inlined_kernel
def pair_features(work, m, k):
    """The features of one hand of each seat."""
    extra = work.extras[m, k] if work.has_bounties else 0.0
    return (
        work.pairs[m, k], work.means[0, m], work.means[1, k], extra, work.hits[0, m],
        work.hits[1, k],
    )  # fmt: skip


@inlined_kernel
def hand_features(work, seat, m):
    """Features of one hand of a seat, by the weights of the other's."""
    pair = other = extra = hit = 0.0
    for k in range(work.pairs.shape[0]):
        weight = work.weights[1 - seat, k]
        pair += weight * (work.pairs[m, k] if seat == 0 else work.pairs[k, m])
        other += weight * work.means[1 - seat, k]
        hit += weight * work.hits[1 - seat, k]
        if work.has_bounties:
            extra += weight * (work.extras[m, k] if seat == 0 else work.extras[k, m])
    if seat == 0:
        return pair, work.means[0, m], other, extra, work.hits[0, m], hit
    return pair, other, work.means[1, m], extra, hit, work.hits[1, m]


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


@inlined_kernel
def stage_of(tables, situation):
    """The card stage of a situation: that of a turn of a choice, or of the street's betting."""
    turn = 1 + situation[betting.N_ACTIONS] if situation[betting.PHASE] < BET else 0
    return tables.stage_table.stages[situation[betting.STREET], turn]


@inlined_kernel
def hand_mask(holes, row, seat, cell):
    """The cards of a hand, as a mask."""
    mask = np.int64(0)
    for place in range(holes.shape[3]):
        if holes[row, seat, cell, place] != NO_CARD:
            mask |= card_bit(holes[row, seat, cell, place])
    return mask


@kernel
def hold_hands(tables, imagined, i, seat, stage, work):
    """Set the masks of a seat's hands, whose hand paths lead to `stage`."""
    n = imagined.n_hands
    for m in range(n):
        cell = tables.held_cells[stage, 0] + work.paths[seat, m] * tables.held_cells[stage, 1]
        work.masks[seat, m] = hand_mask(imagined.holes, i * n + m, seat, cell)


@kernel
def find_board(tables, imagined, i, stage, path, left):
    """The board at a stage and the real hand path `path` of seat 0, how many of its cards chance
    has dealt, and how many cards nobody holds or imagines, in `left`.
    """
    layout, n = tables.layout, imagined.n_hands
    h = layout.hole_cards
    row = layout.stages[stage]
    size = row[STAGE_BOARD] - row[STAGE_LAID]
    extras = 2 * h + layout.board_cards + layout.max_runs
    board = np.int64(0)
    seen = np.int64(0)
    for column in range(2 * h, 2 * h + size):
        board |= card_bit(imagined.cards[i * n, column])
        seen |= np.int64(1) << np.int64(imagined.cards[i * n, column])
    for place in range(row[STAGE_LAID]):
        card = imagined.laid[i * n, row[STAGE_CELL] + path, place]
        if card != NO_CARD:
            board |= card_bit(card)
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
    """Set the features of all pairs for the board of the situation."""
    runs, stage = work.runs, stage_of(tables, situation)
    path = work.paths[0, 0]
    board, size, n_left = find_board(tables, imagined, i, stage, path, runs.left)
    if work.has_bounties:
        find_bounties(imagined, i, work)
    compare_on(tables, key, situation, board, size, n_left, work)


@kernel
def compare_on(tables, key, situation, board, size, n_left, work):
    """Set the features of all pairs for a board, as `compare_all`."""
    runs = work.runs
    final = situation[betting.FINAL] == 1 and size >= tables.layout.board_cards
    next_size = size
    if situation[betting.FINAL] == 0:
        following = tables.stage_table.stages[situation[betting.STREET] + 1, 0]
        row = tables.layout.stages[following]
        next_size = row[STAGE_BOARD] - row[STAGE_LAID]
    compare_hands(
        tables.layout, tables.ranking, key, tables.n_samples, board, size, next_size, final, n_left,
        work.masks, runs
    )  # fmt: skip
    count = runs.counts[0] + runs.counts[1]
    take_sums(work, runs.sums[0] + runs.sums[1], count)
    if work.has_bounties:
        for seat in range(2):
            for m in range(work.pairs.shape[0]):
                hit = (board | work.masks[seat, m]) & runs.bounties[seat] != 0
                work.hits[seat, m] = 1.0 if hit else 0.0
        for m in range(work.pairs.shape[0]):
            for k in range(work.pairs.shape[0]):
                work.extras[m, k] = runs.extras[m, k] / count


@kernel
def find_bounties(imagined, i, work):
    """Set which cards hit the bounties of a deal."""
    n = imagined.n_hands
    for seat in range(2):
        mask = np.int64(0)
        for suit in range(4):
            mask |= card_bit(4 * np.int64(imagined.bounties[i * n, seat]) + suit)
        work.runs.bounties[seat] = mask
