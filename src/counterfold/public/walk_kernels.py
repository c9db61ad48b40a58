"""What a walk over a public graph reads, and the steps that all such walks share.

The cards of a hand are dealt before it is walked and enter as buckets and strengths (see
`public.deals_kernels`), so that a walk knows nothing of cards: a choice that changes the cards of a
seat only extends its hand path.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.games.holdem.betting_kernels import FOLDED
from counterfold.jit.compiler import borrowing_kernel, inlined_borrowing_kernel

# Columns of `WalkGraph.nodes`: one node is one cache line.
NODE_PHASE = 0
NODE_ACTOR = 1
NODE_START = 2  # first edge
NODE_DEGREE = 3
NODE_SLOT = 4  # of the first action in bucket 0
NODE_CELL = 5  # first hand cell of the stage, at a showdown of the last one
NODE_STAKE_0 = 6  # where a hand ends: chips that seat 0 has put in
NODE_STAKE_1 = 4  # and seat 1
NODE_STRIDE = 6  # where a player acts: slots from one bucket to the next
NODE_STREET = 7
N_NODE_COLUMNS = 8


# Columns of `WalkGraph.path_steps`: by seat, what its hand path is multiplied by and what is added.
# 1 and 0 leave a path as it is.
CHOICES_0, CHOICE_0, CHOICES_1, CHOICE_1 = range(4)
N_PATH_COLUMNS = 4


class WalkGraph(NamedTuple):
    """The arrays of a public game that a walk reads."""

    nodes: NDArray[np.int64]  # [N, N_NODE_COLUMNS]
    children: NDArray[np.int32]  # [E]
    path_steps: NDArray[np.int8]  # [E, N_PATH_COLUMNS] read before the betting of a street
    factor: float  # of a bounty; see `games.holdem.payoff`
    extra: float  # chips


class WalkDeals(NamedTuple):
    """A batch of deals that a walk reads."""

    lengths: NDArray[np.uint8]  # [n] last street
    buckets: NDArray[np.int32]  # [n, 2, hand cells]
    strengths: NDArray[np.int64]  # [n, 2, hand paths]
    hits: NDArray[np.uint8]  # [n, 2, hand cells] is the bounty hit?; [n, 0, 0] without any


@inlined_borrowing_kernel
def utility(nodes, node, traverser, strengths, i, hand_path_0, hand_path_1):
    """Chips that the traverser wins at the end of a hand; an odd chip of a tie is seat 1's."""
    stake_0, stake_1 = nodes[node, NODE_STAKE_0], nodes[node, NODE_STAKE_1]
    if nodes[node, NODE_PHASE] == FOLDED:
        won = -stake_0 if nodes[node, NODE_ACTOR] == 0 else stake_1
        return float(won if traverser == 0 else -won)
    first, second = strengths[i, 0, hand_path_0], strengths[i, 1, hand_path_1]
    won = (stake_1 - stake_0) // 2
    if first != second:
        won = stake_1 if first > second else -stake_0
    return float(won if traverser == 0 else -won)


@borrowing_kernel
def add_bounty(
    nodes, node, traverser, value, strengths, hits, i, hand_path_0, hand_path_1, factor, extra
):
    """What the end of a hand is worth to the traverser, `value` without bounties; not rounded."""
    cell = nodes[node, NODE_CELL]
    hit_0, hit_1 = hits[i, 0, cell + hand_path_0] != 0, hits[i, 1, cell + hand_path_1] != 0
    if nodes[node, NODE_PHASE] == FOLDED:
        wins, ties = nodes[node, NODE_ACTOR] != 0, False
    else:
        first, second = strengths[i, 0, hand_path_0], strengths[i, 1, hand_path_1]
        wins, ties = first > second, first == second
    if ties:
        if hit_0 == hit_1:
            return value
        stake = nodes[node, NODE_STAKE_1] if hit_0 else nodes[node, NODE_STAKE_0]
        won = (factor - 1.0) / 2.0 * stake + extra
        return won if hit_0 == (traverser == 0) else -won
    if not (hit_0 if wins else hit_1):
        return value
    return factor * value + (extra if wins == (traverser == 0) else -extra)


@inlined_borrowing_kernel
def dealt_child(nodes, children, node, last_street):
    """The child of a deal: where the board may run on, `last_street` says whether it does."""
    edge = nodes[node, NODE_START]
    if nodes[node, NODE_DEGREE] == 2 and nodes[node, NODE_STREET] + 1 == last_street:
        edge += 1
    return children[edge]


@inlined_borrowing_kernel
def extend_hand_paths(path_steps, edge, hand_path_0, hand_path_1):
    """Both hand paths after an edge of a choice before the betting."""
    return (
        hand_path_0 * path_steps[edge, CHOICES_0] + path_steps[edge, CHOICE_0],
        hand_path_1 * path_steps[edge, CHOICES_1] + path_steps[edge, CHOICE_1],
    )
