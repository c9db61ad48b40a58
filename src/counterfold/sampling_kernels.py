"""What sampled walks over trees and over public graphs have in common: frames and how they learn.

A *frame* is a node whose actions a walk explores one after another; the frames in use are the stack
of the walk. In every method the opponents' actions and nature's are sampled with their own
probabilities, so what remains to divide by is the probability ``q`` with which the walk explored
the traverser's actions. The loops themselves differ in what a node is, and stand with each walk.

The helpers take tables and numbers, never `Frames`, and borrow them (see `jit.compiler`): counting
the references to arrays takes as long as the rest of a short walk.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.jit.compiler import copied_kernel
from counterfold.regret_kernels import pick

BEFORE_FIRST = -1  # the action of a frame of which none is explored yet


class Frames(NamedTuple):
    """Scratch memory of one walk: a row per level, a column per action."""

    node: NDArray[np.int32]  # [D]
    action: NDArray[np.int32]  # [D] that is being explored
    q: NDArray[np.float64]  # [D] probability of having explored the traverser's actions up to here
    others: NDArray[np.float64]  # [D] probability that the others play to here, if not sampled
    own: NDArray[np.float64]  # [D] probability that the traverser plays to here
    value: NDArray[np.float64]  # [D] of the strategy, so far
    strategy: NDArray[np.float64]  # [D, A]
    values: NDArray[np.float64]  # [D, A] of the actions explored so far


def make_frames(depth: int, width: int) -> Frames:
    """Frames for walks of up to `depth` levels with up to `width` actions at each."""
    return Frames(
        node=np.zeros(depth, np.int32),
        action=np.zeros(depth, np.int32),
        q=np.zeros(depth),
        others=np.zeros(depth),
        own=np.zeros(depth),
        value=np.zeros(depth),
        strategy=np.zeros((depth, width)),
        values=np.zeros((depth, width)),
    )


@copied_kernel
def add_average(averages, start, n_actions, share, strategy):
    """Add a strategy, weighted by `share`, to the averages of an infoset."""
    for k in range(n_actions):
        averages[start + k] += share * strategy[k]


@copied_kernel
def explore_probability(averages, start, n_actions, k, sampling):
    """How often average-strategy sampling tries action `k` (Gibson et al. 2012)."""
    total = 0.0
    for a in range(n_actions):
        total += averages[start + a]
    share = (sampling.beta + sampling.tau * averages[start + k]) / (sampling.beta + total)
    return min(1.0, max(sampling.epsilon, share))


@copied_kernel
def explore_outcome(strategy, n_actions, epsilon, number):
    """The traverser's action in outcome sampling: any with `epsilon`, else one of its strategy.

    One number decides both. Returns the action and its probability.
    """
    if number < epsilon:
        k = min(int(number / epsilon * n_actions), n_actions - 1)
    else:
        k = pick(strategy, n_actions, (number - epsilon) / (1.0 - epsilon))
    return k, epsilon / n_actions + (1.0 - epsilon) * strategy[k]


@copied_kernel
def learn_outcome(regrets, start, n_actions, taken, probability, tail, weight):
    """Add the regrets of outcome sampling at an infoset of the traverser (Lanctot et al. 2009).

    `tail` is the utility over ``q``, times the probability that the traverser plays on from the
    action `taken`, which it plays with `probability`, to the end; returns the same seen from before
    that action.
    """
    value = probability * tail
    for k in range(n_actions):
        regrets[start + k] += weight * ((tail if k == taken else 0.0) - value)
    return value
