"""An opponent that does not learn, in the walks of whoever learns to respond to it."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.jit.compiler import copied_kernel
from counterfold.jit.random import round_at_random
from counterfold.public.walk_kernels import NODE_SLOT, NODE_STRIDE


class FrozenOpponent(NamedTuple):
    """A strategy that does not learn, as somebody plays it; see `responses.frozen_opponent`."""

    steps: NDArray[np.uint8] | NDArray[np.uint16]  # [Q] shares of actions, 0 where it is untrained
    habits: NDArray[np.int64]  # [N, N_HABIT_COLUMNS] what it does at each node where it is
    evidence: float  # standard errors by which a responder must gain to play something else


# Columns of `FrozenOpponent.habits`: two actions, and the odds by which one of them is chosen.
HABIT_CALL = 0  # or the usual choice before the betting
HABIT_FOLD = 1
HABIT_PRICE = 2  # chips to call
HABIT_POT = 3  # after the call
HABIT_BUCKETS = 4  # of one street, from weak to strong
N_HABIT_COLUMNS = 5


@copied_kernel
def _habit(frozen, nodes, node, start):
    """The action of the opponent at an untrained information set, which begins at `start`."""
    habits = frozen.habits
    bucket = (start - nodes[node, NODE_SLOT]) // nodes[node, NODE_STRIDE]
    n = habits[node, HABIT_BUCKETS]
    beaten = ((bucket % n) + 0.5) / n
    calls = beaten * habits[node, HABIT_POT] >= habits[node, HABIT_PRICE]
    return habits[node, HABIT_CALL if calls else HABIT_FOLD]


@copied_kernel
def play_frozen(frozen, nodes, node, start, n_actions, out):
    """Fill in the strategy of an opponent that does not learn at the slots from `start`."""
    total = 0
    for k in range(n_actions):
        total += int(frozen.steps[start + k])
    if total == 0:
        out[:n_actions] = 0.0
        out[_habit(frozen, nodes, node, start)] = 1.0
    else:
        for k in range(n_actions):
            out[k] = frozen.steps[start + k] / total


@copied_kernel
def find_better(gains, squares, start, stop, step, evidence):
    """The slot whose gain over what the opponent plays is largest and no accident, or -1.

    `gains` are sums, `squares` the sums of squares of what was added to them.
    """
    best = start
    for slot in range(start + step, stop, step):
        if gains[slot] > gains[best]:
            best = slot
    is_better = gains[best] > evidence * math.sqrt(squares[best])
    return best if is_better else -1


@copied_kernel
def respond_to_frozen(frozen, nodes, node, start, n_actions, gains, squares, out):
    """Fill in what the responder plays: as its opponent does, unless something is known better."""
    better = find_better(gains, squares, start, start + n_actions, 1, frozen.evidence)
    if better < 0:
        play_frozen(frozen, nodes, node, start, n_actions, out)
    else:
        out[:n_actions] = 0.0
        out[better - start] = 1.0


@copied_kernel
def learn_response(
    frozen, nodes, node, start, n_actions, values, weight, gains, squares, usual, noise
):  # fmt: skip
    """Add what each action gained over what the opponent plays here; `usual` is overwritten.

    Squares only grow, so they are rounded by `noise`, as averages are.
    """
    play_frozen(frozen, nodes, node, start, n_actions, usual)
    value = 0.0
    for k in range(n_actions):
        value += usual[k] * values[k]
    for k in range(n_actions):
        gained = weight * (values[k] - value)
        gains[start + k] += gained
        total = np.float64(squares[start + k]) + gained * gained
        squares[start + k] = round_at_random(total, noise)
