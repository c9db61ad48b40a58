"""Public chance sampling: for each board one walk per player, over all hands of both at once.

Johanson, Bard, Lanctot, Gibson and Bowling 2012. Nature deals only the board; a walk carries how
often the opponent plays to a node with each type of hand (`public.boards_kernels`), and hands up
what the traverser's types are worth there. Ends of a hand cost one pass over the hands in the order
of their strength instead of one over their pairs: sums so far, in all and by card, give what a hand
beats.

Reach is weighted so that all pairs of disjoint hands on a board make one, as a deal does for
`training.deal_sampling_kernels`; regrets are summed over the hands of a bucket. The opponent's
average is updated where the walk meets it, so the traverser's own reach is not needed, and where
the opponent never comes there is nothing to do.

One seat may be a *responder* (see `best_response`): it learns on the streets before the
last with regrets of its own, and on the last it answers the other's current strategy as well as can
be, hand by hand. A walk for the responder finds its answers, the walk for the other meets them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.games.holdem.betting_kernels import BET, DEAL, FOLDED
from counterfold.jit.compiler import inlined_kernel, kernel
from counterfold.jit.random import noise_at, round_at_random, stream_key, uniform
from counterfold.public.walk_kernels import (
    NODE_ACTOR,
    NODE_CELL,
    NODE_DEGREE,
    NODE_PHASE,
    NODE_SLOT,
    NODE_STAKE_0,
    NODE_STAKE_1,
    NODE_START,
    NODE_STREET,
    dealt_child,
)
from counterfold.regret_kernels import match_regrets
from counterfold.training.boards.board_ends_kernels import (
    count_beaten,
    count_disjoint,
    count_met,
    count_won,
    fill_matrices,
)

NOBODY = -1  # responds


class Answers(NamedTuple):
    """A responder's answers on one board, by node of its own on the last street."""

    known: NDArray[np.bool_]  # [nodes] whether the other comes there
    best: NDArray[np.uint8]  # [nodes, hands] an action


@inlined_kernel
def match_rows(regrets, start, n_actions, buckets, n_rows, strategy):
    """Overwrite `strategy` [actions, rows] by regret matching for every row."""
    for row in range(n_rows):
        first = start + n_actions * buckets[row]
        match_regrets(regrets, first, n_actions, strategy[:, row])


@inlined_kernel
def _is_by_hand(types, n_hands):
    """Whether every hand is a type, from the weakest on."""
    h = 0
    while h < n_hands and types[h] == h:
        h += 1
    return h == n_hands


@inlined_kernel
def _multiply(matrix, reach, values):
    """Overwrite `values` with the sum of the rows of `matrix`, weighted by `reach`."""
    n = reach.size
    for t in range(n):
        values[t] = 0.0
    u = 0
    while u + 4 <= n:  # four at a time: a pass over the values costs as much as one over a row
        a, b, c, d = reach[u], reach[u + 1], reach[u + 2], reach[u + 3]
        row_a, row_b, row_c, row_d = matrix[u], matrix[u + 1], matrix[u + 2], matrix[u + 3]
        for t in range(n):
            values[t] += a * row_a[t] + b * row_b[t] + c * row_c[t] + d * row_d[t]
        u += 4
    for rest in range(u, n):
        for t in range(n):
            values[t] += reach[rest] * matrix[rest, t]


@inlined_kernel
def _end(nodes, node, traverser, boards, i, dense, by_hand, reach, stack, values):
    """Overwrite `values` with what the end of a hand is worth to the traverser's types."""
    # At a showdown both have put in the same.
    stake = float(nodes[node, NODE_STAKE_1 if nodes[node, NODE_ACTOR] == 1 else NODE_STAKE_0])
    if nodes[node, NODE_PHASE] == FOLDED:
        if dense:
            _multiply(stack.disjoint, reach, values)
        elif by_hand:
            count_met(boards, i, reach, stack.work.taken, values)
        else:
            count_disjoint(boards, i, reach, stack.work, values)
        if nodes[node, NODE_ACTOR] == traverser:
            stake = -stake
    elif dense:
        _multiply(stack.beaten, reach, values)
    elif by_hand:
        count_won(boards, i, reach, stack.work.taken, values)
    else:
        count_beaten(boards, i, reach, stack.work, values)
    for t in range(values.size):
        values[t] *= stake


@inlined_kernel
def _descend(rows, aligned, strategy, reach, after):
    """Overwrite `after` with the opponent's reach after an action; says whether there is any."""
    if aligned:
        for t in range(reach.size):
            after[t] = reach[t] * strategy[t]
    else:
        for t in range(reach.size):
            after[t] = reach[t] * strategy[rows[t]]
    found = False
    for t in range(reach.size):
        found |= after[t] > 0.0
    return found


@inlined_kernel
def _add_below(rows, aligned, strategy, below, values, sums):
    """Add an action's values to those of the traverser's node, and to the sums of its rows."""
    if aligned:
        for t in range(values.size):
            values[t] += strategy[t] * below[t]
            sums[t] = below[t]
    else:
        for t in range(values.size):
            values[t] += strategy[rows[t]] * below[t]
            sums[rows[t]] += below[t]


@inlined_kernel
def add_averages(averages, start, n_actions, buckets, strategy, totals, share, noise):
    """Add the opponent's strategy to its averages, weighted by how often each row comes here.

    As in `training.averages_kernels`, with a noise for each row.
    """
    for row in range(totals.size):
        first = start + n_actions * buckets[row]
        part = share * totals[row]
        for k in range(n_actions):
            total = np.float64(averages[first + k]) + part * strategy[k, row]
            averages[first + k] = round_at_random(total, noise_at(noise, row))


@inlined_kernel
def add_regrets(regrets, start, n_actions, buckets, n_rows, strategy, sums, weight):
    """Add to the regrets of every row what its actions would have won."""
    for row in range(n_rows):
        first = start + n_actions * buckets[row]
        value = 0.0
        for a in range(n_actions):
            value += strategy[a, row] * sums[a, row]
        for a in range(n_actions):
            regrets[first + a] += weight * (sums[a, row] - value)


@inlined_kernel
def take_best(k, below, values, best):
    """Raise a responder's `values` to those of action `k` where they are higher."""
    for t in range(values.size):
        if k == 0 or below[t] > values[t]:
            values[t] = below[t]
            best[t] = k


@inlined_kernel
def _play_best(n_actions, best, strategy):
    """Overwrite `strategy` [actions, types] by the answers of a responder."""
    for k in range(n_actions):
        for t in range(best.size):
            strategy[k, t] = 1.0 if best[t] == k else 0.0


@inlined_kernel
def _pick(sizes, rows, strategy, n_actions, reach, number):
    """An action of the opponent, drawn by how often its hands take it, and one over its chance."""
    total = 0.0
    for t in range(sizes.size):
        total += sizes[t] * reach[t]
    number *= total
    part = 0.0
    k = 0
    while True:
        part = 0.0
        for t in range(sizes.size):
            part += sizes[t] * reach[t] * strategy[k, rows[t]]
        number -= part
        if (number < 0.0 and part > 0.0) or k == n_actions - 1:
            break
        k += 1
    return k, total / part if part > 0.0 else 0.0


@inlined_kernel
def walk(
    graph, boards, i, traverser, sampled, weight, key, regrets, others, averages, responder,
    answers, stack,
):  # fmt: skip
    """One walk over board `i` for `traverser`; returns the nodes it visited.

    With `sampled` one action of the opponent is drawn at each of its nodes. `regrets` are those of
    the traverser, `others` those of the opponent. `responder` is a seat or `NOBODY`; boards that it
    walks have a type for each hand. `stack` is scratch memory with a row per level.
    """
    nodes, children = graph.nodes, graph.children
    last_street = boards.lengths[i]
    n_hands, n = boards.n_hands[i], boards.n_types[i]
    sizes = boards.sizes[i, :n]
    dense = n <= stack.beaten.shape[0]
    by_hand = _is_by_hand(boards.types[i], n_hands)
    # Disjoint hands are as many for each hand, whatever its cards.
    stack.reach[0, :n] = 1.0
    count_disjoint(boards, i, stack.reach[0, :n], stack.work, stack.values[0, :n])
    n_others = float(stack.values[0, 0] / sizes[0])
    stack.reach[0, :n] = 1.0 / (n_hands * n_others)
    share = weight * n_others
    step = 0
    visited = 0
    d = 0  # frames in use; a frame is a decision whose actions are explored one after another
    node = 0
    level = 0  # row of the reach at `node`
    while True:
        # Go down until a frame is needed or the hand is over; leave the values in row d.
        while True:
            visited += 1
            phase = nodes[node, NODE_PHASE]
            if phase == DEAL:
                node = dealt_child(nodes, children, node, last_street)
                continue
            values = stack.values[d, :n]
            if phase != BET:
                reach = stack.reach[level, :n]
                _end(nodes, node, traverser, boards, i, dense, by_hand, reach, stack, values)
                break
            stage = nodes[node, NODE_CELL]
            n_actions = nodes[node, NODE_DEGREE]
            n_rows = boards.n_rows[i, stage]
            strategy, sums = stack.strategy[d], stack.sums[d]
            buckets = boards.buckets[i, stage]
            actor = nodes[node, NODE_ACTOR]
            answering = actor == responder and nodes[node, NODE_STREET] == last_street
            if answering and actor == traverser:
                answers.known[node] = True
            elif answering and answers.known[node]:
                _play_best(n_actions, answers.best[node, :n], strategy)
            else:
                # Where the other never comes a responder plays like the seat whose place it takes.
                table = regrets if actor == traverser or answering else others
                match_rows(table, nodes[node, NODE_SLOT], n_actions, buckets, n_rows, strategy)
            stack.node[d] = node
            stack.action[d] = -1
            stack.level[d] = level
            for t in range(n):
                values[t] = 0.0
            for k in range(n_actions):
                for row in range(n_rows):
                    sums[k, row] = 0.0
            # The average of a player gains in the walk of the other, who comes with all hands.
            if actor != traverser and actor != responder:
                rows = boards.rows[i, stage]
                reach = stack.reach[level]
                for t in range(n):
                    sums[0, rows[t]] += sizes[t] * reach[t]
                totals = sums[0, :n_rows]
                add_averages(
                    averages, nodes[node, NODE_SLOT], n_actions, buckets, strategy, totals, share,
                    noise_at(key, visited)
                )  # fmt: skip
            d += 1
            break
        # Hand the values up, close the frames that are done, open the next action.
        while d > 0:
            f = d - 1
            at = stack.node[f]
            stage = nodes[at, NODE_CELL]
            n_actions = nodes[at, NODE_DEGREE]
            mine = nodes[at, NODE_ACTOR] == traverser
            rows = boards.rows[i, stage, :n]
            answering = nodes[at, NODE_ACTOR] == responder and nodes[at, NODE_STREET] == last_street
            aligned = boards.aligned[i, stage] or (answering and answers.known[at])
            strategy, sums = stack.strategy[f], stack.sums[f]
            values, below = stack.values[f, :n], stack.values[d, :n]
            reach = stack.reach[stack.level[f], :n]
            # What is below belongs to action k; a new frame, with k = -1, has none yet.
            k = stack.action[f]
            if k >= 0 and mine and answering:
                take_best(k, below, values, answers.best[at])
            elif k >= 0 and mine:
                _add_below(rows, aligned, strategy[k], below, values, sums[k])
            elif k >= 0:
                for t in range(n):
                    values[t] += below[t]
            k += 1
            level = stack.level[f]
            if not mine:
                after = stack.reach[level + 1, :n]
                # One action stands for all: its reach is divided by how likely it was drawn.
                if sampled and k == 0:
                    k, scale = _pick(sizes, rows, strategy, n_actions, reach, uniform(key, step))
                    step += 1
                    _descend(rows, aligned, strategy[k], reach, after)
                    for t in range(n):
                        after[t] *= scale
                elif sampled:
                    k = n_actions
                else:
                    # Where the opponent never comes values and regrets are zero.
                    while k < n_actions and not _descend(rows, aligned, strategy[k], reach, after):
                        k += 1
                level += 1
            if k < n_actions:
                stack.action[f] = k
                node = children[nodes[at, NODE_START] + k]
                break
            # All actions are done, and their values are known: the frame closes.
            if mine and not answering:
                n_rows, buckets = boards.n_rows[i, stage], boards.buckets[i, stage]
                add_regrets(
                    regrets,
                    nodes[at, NODE_SLOT],
                    n_actions,
                    buckets,
                    n_rows,
                    strategy,
                    sums,
                    weight,
                )
            d -= 1
        if d == 0:
            break
    return visited


@inlined_kernel
def who_walks(w, n_walks, regrets, responding):
    """Traverser and responder of walk `w` of a board, and regrets of the traverser and the other.

    For each player a walk for the responder that it meets, who finds answers, comes before its own.
    """
    if n_walks == 2:
        return w, NOBODY, regrets, regrets
    player = w // 2
    if w % 2 == 0:
        return 1 - player, 1 - player, responding, regrets
    return player, 1 - player, regrets, responding


@kernel
def walk_boards(
    graph, boards, sampled, seed, first, weight, regrets, averages, responding, answers, stack
):
    """One walk per player over each board, the first of which is number `first` of the seed.

    With `responding`, the regrets of responders in both seats, each player meets a responder: a
    walk for the responder comes before that for the player. Returns how many nodes were visited.
    """
    visited = 0
    n_walks = 4 if responding.size > 0 else 2
    for i in range(boards.lengths.size):
        if boards.n_types[i] <= stack.beaten.shape[0]:
            reach = stack.reach[0]
            fill_matrices(boards, i, reach, stack.work, stack.disjoint, stack.beaten)
        for w in range(n_walks):
            key = stream_key(seed, (first + i) * n_walks + w)
            traverser, responder, own, others = who_walks(w, n_walks, regrets, responding)
            if traverser == responder:
                answers.known[:] = False
            visited += walk(
                graph, boards, i, traverser, sampled, weight, key, own, others, averages,
                responder, answers, stack,
            )  # fmt: skip
    return visited
