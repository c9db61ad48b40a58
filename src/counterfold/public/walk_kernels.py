"""Monte Carlo CFR on a public graph: for each deal one walk per player.

The cards of a hand are dealt before it is walked and enter as buckets and strengths (see
`public.deals_kernels`), so that a walk knows nothing of cards: discards only change the discard
path of a hand. `walk` serves chance, external and average-strategy sampling; `follow` plays one
history for outcome sampling. Regrets and averages are accumulated in place, by several threads at
once if the caller likes: an addition that is lost now and then is less noise than the sampling.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.games.holdem.betting_kernels import BET, DEAL, DRAW, FOLDED
from counterfold.jit.compiler import inlined_kernel, kernel
from counterfold.jit.random import stream_key, uniform
from counterfold.tree.sampled_kernels import explore_probability, match, pick

# Columns of `WalkGraph.nodes`: one node is one cache line.
NODE_PHASE = 0
NODE_ACTOR = 1
NODE_START = 2  # first edge
NODE_DEGREE = 3
NODE_SLOT = 4  # of the first action in bucket 0
NODE_CELL = 5  # first hand cell of the stage
NODE_STAKE = 6  # where a hand ends: chips of the loser
NODE_STRIDE = 6  # where a player acts: slots from one bucket to the next
NODE_STREET = 7
N_NODE_COLUMNS = 8

_NOT_EXPLORED = np.nan
_WALKS = 1 << 62  # first stream of the walks; those before it deal
_FULL_WALK = 20  # of so many deals one is walked without pruning


class PublicSampling(NamedTuple):
    """What one walk explores; the kernels read it as it is. See `tree.sampled.Sampling`.

    With `prune_below` actions of lower regret are left out, but for every twentieth deal: there
    they have a chance to come back. The first `warm_up` deals are walked in full, both players
    taking all actions alike: an iteration of CFR before anything is known, after which no
    information set that these deals come by is unvisited.
    """

    expand: bool = False
    single: bool = False
    epsilon: float = 1.0
    tau: float = 0.0
    beta: float = 0.0
    prune_below: float = 0.0  # chips of regret; 0 to leave no action out
    warm_up: int = 0


class WalkGraph(NamedTuple):
    """The arrays of a public game that a walk reads."""

    nodes: NDArray[np.int64]  # [N, N_NODE_COLUMNS]
    children: NDArray[np.int32]  # [E]
    discard_choices: NDArray[np.int8]  # [E] of a discard path, at draws
    n_choices: int  # at a draw


class WalkDeals(NamedTuple):
    """A batch of deals that a walk reads."""

    lengths: NDArray[np.uint8]  # [n]
    buckets: NDArray[np.int32]  # [n, 2, hand cells]
    strengths: NDArray[np.int64]  # [n, 2, discard paths]


class WalkStack(NamedTuple):
    """Scratch memory of one walk: a row per level, a column per action."""

    node: NDArray[np.int64]
    action: NDArray[np.int64]
    slot: NDArray[np.int64]
    discard_paths: NDArray[np.int64]  # [depth, 2]
    q: NDArray[np.float64]
    others: NDArray[np.float64]
    own: NDArray[np.float64]
    value: NDArray[np.float64]
    strategy: NDArray[np.float64]
    values: NDArray[np.float64]
    waiting: NDArray[np.int64]
    regrets: NDArray[np.float64]


@inlined_kernel
def utility(nodes, node, traverser, strengths, i, discard_path_0, discard_path_1):
    """Chips that the traverser wins at the end of a hand."""
    stake = float(nodes[node, NODE_STAKE])
    if nodes[node, NODE_PHASE] == FOLDED:
        return -stake if nodes[node, NODE_ACTOR] == traverser else stake
    first, second = strengths[i, 0, discard_path_0], strengths[i, 1, discard_path_1]
    if first == second:
        return 0.0
    return stake if (first > second) == (traverser == 0) else -stake


@inlined_kernel
def _dealt(graph, node, last_street):
    """The child of a deal: where a run may go on, the deal says whether it does."""
    edge = graph.nodes[node, NODE_START]
    if graph.nodes[node, NODE_DEGREE] == 2 and graph.nodes[node, NODE_STREET] + 1 == last_street:
        edge += 1
    return graph.children[edge]


@inlined_kernel
def walk(
    graph, deals, i, traverser, plan, warms_up, prune_below, weight, key, regrets, averages, stack
):  # fmt: skip
    """One walk over deal `i` for `traverser`, weighted by `weight`; returns the nodes it visited.

    `plan` says what is explored, as for `tree.sampled_kernels.walk`; the traverser leaves out
    actions whose regret is below a negative `prune_below`, unless they end the hand. `stack` is
    scratch memory with one row per level. With `expand` regrets wait in `stack` until the walk is
    over, or there are too many of them.
    """
    expand = plan.expand or warms_up
    nodes, children, discard_choices = graph.nodes, graph.children, graph.discard_choices
    n_choices = graph.n_choices
    buckets, strengths = deals.buckets, deals.strengths
    last_street = deals.lengths[i]
    step = 0
    visited = 0
    n_waiting = 0
    d = 0  # frames in use
    node = 0
    discard_path_0 = discard_path_1 = 0
    q = 1.0  # probability of having explored the traverser's actions up to here
    others = 1.0  # probability that the other plays to here, where it is not sampled
    own = 1.0  # probability that the traverser plays to here
    value = 0.0
    while True:
        # Go down until a frame is needed or the hand is over.
        while True:
            visited += 1
            phase = nodes[node, NODE_PHASE]
            if phase == DEAL:
                node = _dealt(graph, node, last_street)
                continue
            if phase != BET and phase != DRAW:
                value = (
                    utility(nodes, node, traverser, strengths, i, discard_path_0, discard_path_1)
                    / q
                )
                break
            player = nodes[node, NODE_ACTOR]
            n_actions = nodes[node, NODE_DEGREE]
            discard_path = discard_path_0 if player == 0 else discard_path_1
            start = nodes[node, NODE_SLOT] + nodes[node, NODE_STRIDE] * np.int64(
                buckets[i, player, nodes[node, NODE_CELL] + discard_path]
            )
            if player == traverser or expand:
                stack.slot[d] = start
                stack.node[d] = node
                stack.action[d] = -1
                stack.discard_paths[d, 0] = discard_path_0
                stack.discard_paths[d, 1] = discard_path_1
                stack.q[d] = q
                stack.others[d] = others
                stack.own[d] = own
                stack.value[d] = 0.0
                if warms_up:
                    stack.strategy[d, :n_actions] = 1.0 / n_actions
                else:
                    match(regrets, start, n_actions, stack.strategy[d])
                if expand and player == traverser:
                    for k in range(n_actions):
                        averages[start + k] += weight * own * stack.strategy[d, k]
                d += 1
                break
            strategy = stack.strategy[d]
            match(regrets, start, n_actions, strategy)
            share = weight / q
            for k in range(n_actions):
                averages[start + k] += share * strategy[k]
            k = pick(strategy, n_actions, uniform(key, step))
            step += 1
            edge = nodes[node, NODE_START] + k
            if phase == DRAW:
                if player == 0:
                    discard_path_0 = discard_path_0 * n_choices + discard_choices[edge]
                else:
                    discard_path_1 = discard_path_1 * n_choices + discard_choices[edge]
            node = children[edge]
        # Hand the value up, close the frames that are done, open the next action.
        while d > 0:
            f = d - 1
            n = stack.node[f]
            start = stack.slot[f]
            n_actions = nodes[n, NODE_DEGREE]
            k = stack.action[f]
            if k >= 0:
                stack.values[f, k] = value
                stack.value[f] += stack.strategy[f, k] * value
            k += 1
            mine = nodes[n, NODE_ACTOR] == traverser
            rho = 1.0
            if mine and plan.epsilon < 1.0 and not warms_up:
                while k < n_actions:
                    rho = explore_probability(
                        averages, start, n_actions, k, plan.epsilon, plan.tau, plan.beta
                    )
                    if rho >= 1.0:
                        break
                    step += 1
                    if uniform(key, step - 1) < rho:
                        break
                    stack.values[f, k] = 0.0
                    k += 1
            elif mine and prune_below < 0.0:
                # With no probability the value above does not change.
                while (
                    k < n_actions
                    and stack.strategy[f, k] == 0.0
                    and regrets[start + k] < prune_below
                    and nodes[children[nodes[n, NODE_START] + k], NODE_PHASE] <= DEAL
                ):
                    stack.values[f, k] = _NOT_EXPLORED
                    k += 1
            if k < n_actions:
                stack.action[f] = k
                edge = nodes[n, NODE_START] + k
                node = children[edge]
                discard_path_0, discard_path_1 = (
                    stack.discard_paths[f, 0],
                    stack.discard_paths[f, 1],
                )
                if nodes[n, NODE_PHASE] == DRAW:
                    if nodes[n, NODE_ACTOR] == 0:
                        discard_path_0 = discard_path_0 * n_choices + discard_choices[edge]
                    else:
                        discard_path_1 = discard_path_1 * n_choices + discard_choices[edge]
                q = stack.q[f] * rho
                others = stack.others[f]
                own = stack.own[f]
                if mine:
                    own *= stack.strategy[f, k]
                else:
                    others *= stack.strategy[f, k]
                break
            value = stack.value[f]
            if mine:
                share = weight * stack.others[f]
                if expand:
                    if n_waiting + n_actions > stack.waiting.size:
                        _settle(stack, n_waiting, regrets)
                        n_waiting = 0
                    for a in range(n_actions):
                        stack.waiting[n_waiting] = start + a
                        stack.regrets[n_waiting] = share * (stack.values[f, a] - value)
                        n_waiting += 1
                else:
                    for a in range(n_actions):
                        if not np.isnan(stack.values[f, a]):
                            regrets[start + a] += share * (stack.values[f, a] - value)
            d -= 1
        if d == 0:
            break
    _settle(stack, n_waiting, regrets)
    return visited


@inlined_kernel
def _settle(stack, n_waiting, regrets):
    """Add the regrets that wait."""
    for j in range(n_waiting):
        regrets[stack.waiting[j]] += stack.regrets[j]


@inlined_kernel
def follow(graph, deals, i, traverser, epsilon, weight, key, regrets, averages, stack):
    """Play one history of deal `i`; the traverser explores with `epsilon`; returns its length."""
    nodes, children, discard_choices = graph.nodes, graph.children, graph.discard_choices
    step = 0
    visited = 0
    d = 0
    node = 0
    discard_path_0 = discard_path_1 = 0
    q = 1.0
    while True:
        visited += 1
        phase = nodes[node, NODE_PHASE]
        if phase == DEAL:
            node = _dealt(graph, node, deals.lengths[i])
            continue
        if phase != BET and phase != DRAW:
            break
        player = nodes[node, NODE_ACTOR]
        n_actions = nodes[node, NODE_DEGREE]
        discard_path = discard_path_0 if player == 0 else discard_path_1
        start = nodes[node, NODE_SLOT] + nodes[node, NODE_STRIDE] * np.int64(
            deals.buckets[i, player, nodes[node, NODE_CELL] + discard_path]
        )
        number = uniform(key, step)
        step += 1
        strategy = stack.strategy[d]
        match(regrets, start, n_actions, strategy)
        if player != traverser:
            share = weight / q
            for k in range(n_actions):
                averages[start + k] += share * strategy[k]
            k = pick(strategy, n_actions, number)
        else:
            if number < epsilon:
                k = min(int(number / epsilon * n_actions), n_actions - 1)
            else:
                k = pick(strategy, n_actions, (number - epsilon) / (1.0 - epsilon))
            q *= epsilon / n_actions + (1.0 - epsilon) * strategy[k]
            stack.slot[d] = start
            stack.node[d] = node
            stack.action[d] = k
            d += 1
        edge = nodes[node, NODE_START] + k
        if phase == DRAW:
            if player == 0:
                discard_path_0 = discard_path_0 * graph.n_choices + discard_choices[edge]
            else:
                discard_path_1 = discard_path_1 * graph.n_choices + discard_choices[edge]
        node = children[edge]
    # `tail` is the utility over q, times the probability that the traverser goes on to the end.
    tail = utility(nodes, node, traverser, deals.strengths, i, discard_path_0, discard_path_1) / q
    for f in range(d - 1, -1, -1):
        start = stack.slot[f]
        taken = stack.action[f]
        value = stack.strategy[f, taken] * tail
        for k in range(nodes[stack.node[f], NODE_DEGREE]):
            regrets[start + k] += weight * ((tail if k == taken else 0.0) - value)
        tail = value
    return visited


@kernel
def walk_deals(graph, deals, plan, seed, first, weight, regrets, averages, stack):
    """One walk per player over each deal, the first of which is number `first` of the seed.

    Returns how many nodes were visited.
    """
    visited = 0
    for i in range(deals.lengths.size):
        warms_up = first + i < plan.warm_up
        prunes = not warms_up and (first + i) % _FULL_WALK != 0
        prune_below = plan.prune_below if prunes else 0.0
        for p in range(2):
            key = stream_key(seed, _WALKS + (first + i) * 2 + p)
            if plan.single:
                visited += follow(
                    graph, deals, i, p, plan.epsilon, weight, key, regrets, averages, stack
                )
            else:
                visited += walk(
                    graph,
                    deals,
                    i,
                    p,
                    plan,
                    warms_up,
                    prune_below,
                    weight,
                    key,
                    regrets,
                    averages,
                    stack,
                )
    return visited
