"""Average strategies in few bits, and hands played with them."""

import numpy as np

from counterfold.games.holdem.betting_kernels import BET, DEAL
from counterfold.jit.compiler import kernel
from counterfold.jit.random import stream_key, uniform
from counterfold.public.walk_kernels import (
    NODE_ACTOR,
    NODE_CELL,
    NODE_DEGREE,
    NODE_PHASE,
    NODE_SLOT,
    NODE_START,
    add_bounty,
    dealt_child,
    extend_hand_paths,
    utility,
)

VISIT_STEPS = 8  # of a logarithm to base two, in `code_visits`

# Entries of `quantize`'s figures.
TRAINED, LARGEST, TOTAL = range(3)
# Entries of `count_reached`'s counts.
N_VISITED, N_TRAINED = range(2)
# Entries of `play_deals`'s counts.
DECISIONS, UNTRAINED = range(2)


@kernel
def quantize(averages, layout, offsets, n_actions, levels, out, figures):
    """Overwrite `out` with the shares of each information set in `levels` steps that add up.

    `averages` are ordered by `layout`, `out` by `offsets`, both over the classes of a public game.

    An information set that was never reached is all zeros. Of the steps that are left over after
    rounding down, the largest remainders get one each. `figures` become how many information sets
    are trained, and the largest and the summed difference of a probability.
    """
    figures[:] = 0.0
    for c in range(n_actions.size):
        width = n_actions[c]
        for b in range((offsets[c + 1] - offsets[c]) // width):
            sums = averages[layout.starts[c] + b * layout.strides[c] :: layout.steps[c]][:width]
            steps = out[offsets[c] + b * width :][:width]
            total = 0.0
            for k in range(width):
                total += sums[k]
            if total <= 0.0:
                steps[:] = 0
                continue
            left = levels
            for k in range(width):
                steps[k] = np.int64(sums[k] / total * levels)
                left -= steps[k]
            for _ in range(left):
                best = 0
                for k in range(width):
                    if (
                        sums[k] / total * levels - steps[k]
                        > sums[best] / total * levels - steps[best]
                    ):
                        best = k
                steps[best] += 1
            figures[TRAINED] += 1
            for k in range(width):
                error = abs(sums[k] / total - steps[k] / levels)
                figures[LARGEST] = max(figures[LARGEST], error)
                figures[TOTAL] += error


@kernel
def code_visits(averages, layout, offsets, n_actions, out):
    """Overwrite `out` with the summed averages of each information set as steps of their logarithm.

    Eight steps are a factor of two, so that a byte reaches 4e9 and is right to 5 %.
    """
    i = 0
    for c in range(n_actions.size):
        width = n_actions[c]
        for b in range((offsets[c + 1] - offsets[c]) // width):
            start = layout.starts[c] + b * layout.strides[c]
            total = 0.0
            for k in range(width):
                total += averages[start + k * layout.steps[c]]
            out[i] = min(255, np.int64(VISIT_STEPS * np.log2(1.0 + max(total, 0.0)) + 0.5))
            i += 1


@kernel
def count_reached(regrets, averages, starts, widths, steps, counts):
    """Add to `counts` how many information sets were visited, and how many are trained.

    They begin at `starts` and have `widths` actions, `steps` apart. A trained one has an average
    strategy; one that only the exploring player reached has only regrets.
    """
    for i in range(starts.size):
        visited = trained = False
        for k in range(starts[i], starts[i] + widths[i] * steps[i], steps[i]):
            visited |= regrets[k] != 0.0
            trained |= averages[k] > 0.0
        counts[N_VISITED] += visited or trained
        counts[N_TRAINED] += trained


@kernel
def play_deals(graph, deals, strategy, seed, first, counts, winnings):
    """Play each deal once with the quantized `strategy` in both seats.

    Adds to `counts` the decisions and those that are untrained, where all actions are equally
    likely; overwrites `winnings` with the chips of seat 0.
    """
    nodes, children = graph.nodes, graph.children
    for i in range(deals.lengths.size):
        key = stream_key(seed, first + i)
        step = 0
        node = 0
        hand_path_0 = hand_path_1 = 0
        while True:
            phase = nodes[node, NODE_PHASE]
            if phase == DEAL:
                node = dealt_child(nodes, children, node, deals.lengths[i])
                continue
            if phase > BET:
                break
            player = nodes[node, NODE_ACTOR]
            width = nodes[node, NODE_DEGREE]
            hand_path = hand_path_0 if player == 0 else hand_path_1
            bucket = np.int64(deals.buckets[i, player, nodes[node, NODE_CELL] + hand_path])
            start = nodes[node, NODE_SLOT] + width * bucket
            total = 0
            for k in range(start, start + width):
                total += strategy[k]
            counts[DECISIONS] += 1
            number = uniform(key, step)
            step += 1
            k = 0
            if total == 0:
                counts[UNTRAINED] += 1
                k = min(int(number * width), width - 1)
            else:
                number *= total
                number -= strategy[start]
                while number >= 0.0 and k < width - 1:
                    k += 1
                    number -= strategy[start + k]
            edge = nodes[node, NODE_START] + k
            if phase < BET:
                hand_path_0, hand_path_1 = extend_hand_paths(
                    graph.path_steps, edge, hand_path_0, hand_path_1
                )
            node = children[edge]
        won = utility(nodes, node, 0, deals.strengths, i, hand_path_0, hand_path_1)
        if deals.hits.shape[1] > 0:
            won = add_bounty(
                nodes, node, 0, won, deals.strengths, deals.hits, i, hand_path_0, hand_path_1,
                graph.factor, graph.extra
            )  # fmt: skip
        winnings[i] = won
