"""Monte Carlo CFR on a public graph: for each deal one walk per player.

`walk` serves chance, external and average-strategy sampling; `follow` plays one history for outcome
sampling. What a walk reads is in `public.walk_kernels`, what it shares with walks over trees in
`sampling_kernels`. Regrets and averages are accumulated in place, by several threads at once if the
caller likes: an addition that is lost now and then is less noise than the sampling.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.games.holdem.betting_kernels import BET, DEAL
from counterfold.jit.compiler import borrowing_kernel, copied_kernel, inlined_borrowing_kernel
from counterfold.jit.random import noise_at, stream_key, uniform
from counterfold.public.walk_kernels import (
    NODE_ACTOR,
    NODE_CELL,
    NODE_DEGREE,
    NODE_PHASE,
    NODE_SLOT,
    NODE_START,
    NODE_STRIDE,
    add_bounty,
    dealt_child,
    extend_hand_paths,
    utility,
)
from counterfold.regret_kernels import match_regrets, pick
from counterfold.sampling_kernels import (
    BEFORE_FIRST,
    Frames,
    explore_outcome,
    explore_probability,
    learn_outcome,
)
from counterfold.training.averages_kernels import add_rounded
from counterfold.training.frozen_kernels import learn_response, play_frozen, respond_to_frozen

_NOT_EXPLORED = np.nan
_WALKS = 1 << 62  # first stream of the walks; those before it deal
_FULL_WALK = 20  # one deal in twenty is walked without pruning
# Regrets stop a little below the limit of pruning. Without a floor an action would fall on every
# twentieth deal as far as it likes, and need as many full deals to come back, during which the
# others adapt to what is not played; at the limit itself each small gain would unprune it.
FLOOR = 1.03  # times the limit


class WalkStack(NamedTuple):
    """Scratch memory of one walk."""

    frames: Frames
    slot: NDArray[np.int64]  # [D] first slot of the frame's information set
    hand_paths: NDArray[np.int64]  # [D, 2]
    waiting: NDArray[np.int64]  # slots whose regrets wait until the walk is over
    regrets: NDArray[np.float64]  # what will be added to them


@copied_kernel
def _first_slot(nodes, node, buckets, i, player, hand_path):
    """Where the slots of the actor's information set begin."""
    bucket = np.int64(buckets[i, player, nodes[node, NODE_CELL] + hand_path])
    return nodes[node, NODE_SLOT] + nodes[node, NODE_STRIDE] * bucket


@copied_kernel
def _settle(stack, n_waiting, floor, regrets):
    """Add the regrets that wait, none of which falls below `floor`."""
    for j in range(n_waiting):
        slot = stack.waiting[j]
        regrets[slot] = max(regrets[slot] + stack.regrets[j], floor)


@inlined_borrowing_kernel
def walk(
    graph, deals, i, traverser, sampling, warms_up, prune_below, weight, key, regrets, averages,
    stack, frozen
):  # fmt: skip
    """One walk over deal `i` for `traverser`, weighted by `weight`; returns the nodes it visited.

    `sampling` says what is explored, as for `tree.sampled_kernels.walk`; the traverser leaves out
    actions whose regret is below a negative `prune_below`, unless they end the hand. `stack` is
    scratch memory with one row per level. Where `sampling` prunes, regrets have a floor, also on
    deals walked without pruning.

    With a `frozen` opponent, else None, the traverser alone learns, by external sampling without
    pruning: `regrets` are then what actions gained over what the opponent itself plays there, and
    `averages` the sums of their squares. Numba compiles a walk of its own for that.

    The walk alternates between two loops. The first goes down from `node` until something has to be
    remembered: a frame for a node whose actions are explored one after another, or the value of an
    end. The second hands that value up: it closes frames that have no action left, and leaves as
    soon as one has, with `node` set to where the first loop goes on.
    """
    # A deal that warms up is walked as chance sampling does, with a uniform strategy.
    expand = sampling.expand or warms_up
    floor = FLOOR * sampling.prune_below if sampling.prune_below < 0.0 else -np.inf
    nodes, children, path_steps = graph.nodes, graph.children, graph.path_steps
    buckets, strengths = deals.buckets, deals.strengths
    has_bounties = deals.hits.shape[1] > 0
    last_street = deals.lengths[i]
    # Arrays by themselves: those of a tuple within a tuple cost 4 % of the walk.
    frame_node, frame_action, frame_q = stack.frames.node, stack.frames.action, stack.frames.q
    frame_others, frame_own = stack.frames.others, stack.frames.own
    frame_value, strategies, values = stack.frames.value, stack.frames.strategy, stack.frames.values
    step = 0
    visited = 0
    n_waiting = 0
    d = 0  # frames in use
    node = 0
    hand_path_0 = hand_path_1 = 0
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
                node = dealt_child(nodes, children, node, last_street)
                continue
            if phase > BET:
                # What was sampled has its own probability; only what was explored is divided out.
                value = utility(nodes, node, traverser, strengths, i, hand_path_0, hand_path_1)
                if has_bounties:
                    value = add_bounty(
                        nodes, node, traverser, value, strengths, deals.hits, i, hand_path_0,
                        hand_path_1, graph.factor, graph.extra
                    )  # fmt: skip
                value /= q
                break
            player = nodes[node, NODE_ACTOR]
            n_actions = nodes[node, NODE_DEGREE]
            hand_path = hand_path_0 if player == 0 else hand_path_1
            start = _first_slot(nodes, node, buckets, i, player, hand_path)
            if player == traverser or expand:
                frame_node[d] = node
                frame_action[d] = BEFORE_FIRST
                frame_q[d] = q
                frame_others[d] = others
                frame_own[d] = own
                frame_value[d] = 0.0
                stack.slot[d] = start
                stack.hand_paths[d, 0] = hand_path_0
                stack.hand_paths[d, 1] = hand_path_1
                if warms_up:
                    strategies[d, :n_actions] = 1.0 / n_actions
                elif frozen is not None:
                    respond_to_frozen(
                        frozen, nodes, node, start, n_actions, regrets, averages, strategies[d]
                    )
                else:
                    match_regrets(regrets, start, n_actions, strategies[d])
                # Only where nobody is sampled is the traverser's own reach at hand; else its
                # average gains while the other walks, just below.
                if expand and player == traverser:
                    noise = noise_at(key, visited)
                    add_rounded(averages, start, n_actions, weight * own, strategies[d], noise)
                d += 1
                break
            # The other is sampled by its strategy, so how often it comes here is accounted for.
            number = uniform(key, step)
            step += 1
            strategy = strategies[d]
            if frozen is not None:
                play_frozen(frozen, nodes, node, start, n_actions, strategy)
            else:
                match_regrets(regrets, start, n_actions, strategy)
                noise = noise_at(key, visited)
                add_rounded(averages, start, n_actions, weight / q, strategy, noise)
            k = pick(strategy, n_actions, number)
            edge = nodes[node, NODE_START] + k
            if phase < BET:
                hand_path_0, hand_path_1 = extend_hand_paths(
                    path_steps, edge, hand_path_0, hand_path_1
                )
            node = children[edge]
        # Hand the value up, close the frames that are done, open the next action.
        while d > 0:
            f = d - 1
            n = frame_node[f]
            start = stack.slot[f]
            n_actions = nodes[n, NODE_DEGREE]
            k = frame_action[f]
            if k != BEFORE_FIRST:
                values[f, k] = value
                frame_value[f] += strategies[f, k] * value
            k += 1
            mine = nodes[n, NODE_ACTOR] == traverser
            rho = 1.0
            if mine and sampling.epsilon < 1.0 and not warms_up:
                while k < n_actions:
                    rho = explore_probability(averages, start, n_actions, k, sampling)
                    if rho >= 1.0:
                        break
                    step += 1
                    if uniform(key, step - 1) < rho:
                        break
                    values[f, k] = 0.0  # of what is not tried
                    k += 1
            elif mine and prune_below < 0.0:
                # An action without probability adds nothing to the value, so leaving it out does
                # not bias what is handed up. One that ends the hand costs no walk: it is kept.
                while (
                    k < n_actions
                    and strategies[f, k] == 0.0
                    and regrets[start + k] < prune_below
                    and nodes[children[nodes[n, NODE_START] + k], NODE_PHASE] <= DEAL
                ):
                    values[f, k] = _NOT_EXPLORED
                    k += 1
            if k < n_actions:
                # Back to what was known at the frame, then one action further.
                frame_action[f] = k
                edge = nodes[n, NODE_START] + k
                node = children[edge]
                hand_path_0, hand_path_1 = (
                    stack.hand_paths[f, 0],
                    stack.hand_paths[f, 1],
                )
                if nodes[n, NODE_PHASE] < BET:
                    hand_path_0, hand_path_1 = extend_hand_paths(
                        path_steps, edge, hand_path_0, hand_path_1
                    )
                q = frame_q[f] * rho
                others = frame_others[f]
                own = frame_own[f]
                if mine:
                    own *= strategies[f, k]
                else:
                    others *= strategies[f, k]
                break
            value = frame_value[f]
            if mine:
                share = weight * frame_others[f]
                if expand:
                    # The walk comes to an information set again where merged nodes or hidden
                    # discards lead there; it must play alike, so its regrets wait. The room for
                    # them is limited: a very wide walk settles early and plays on with that.
                    if n_waiting + n_actions > stack.waiting.size:
                        _settle(stack, n_waiting, floor, regrets)
                        n_waiting = 0
                    for a in range(n_actions):
                        stack.waiting[n_waiting] = start + a
                        stack.regrets[n_waiting] = share * (values[f, a] - value)
                        n_waiting += 1
                elif frozen is not None:
                    learn_response(
                        frozen, nodes, n, start, n_actions, values[f], weight, regrets, averages,
                        strategies[f], noise_at(key, visited)
                    )  # fmt: skip
                else:
                    for a in range(n_actions):
                        if not np.isnan(values[f, a]):
                            gained = share * (values[f, a] - value)
                            regrets[start + a] = max(regrets[start + a] + gained, floor)
            d -= 1
        if d == 0:
            break
    _settle(stack, n_waiting, floor, regrets)
    return visited


@inlined_borrowing_kernel
def follow(graph, deals, i, traverser, epsilon, weight, key, regrets, averages, stack):
    """Play one history of deal `i`; the traverser explores with `epsilon`; returns its length."""
    nodes, children, path_steps = graph.nodes, graph.children, graph.path_steps
    buckets, last_street = deals.buckets, deals.lengths[i]
    # Arrays by themselves, as in `walk`.
    frame_node, frame_action = stack.frames.node, stack.frames.action
    frame_slot, strategies = stack.slot, stack.frames.strategy
    step = 0
    visited = 0
    d = 0
    node = 0
    hand_path_0 = hand_path_1 = 0
    q = 1.0
    while True:
        visited += 1
        phase = nodes[node, NODE_PHASE]
        if phase == DEAL:
            node = dealt_child(nodes, children, node, last_street)
            continue
        if phase > BET:
            break
        player = nodes[node, NODE_ACTOR]
        n_actions = nodes[node, NODE_DEGREE]
        hand_path = hand_path_0 if player == 0 else hand_path_1
        start = _first_slot(nodes, node, buckets, i, player, hand_path)
        number = uniform(key, step)
        step += 1
        strategy = strategies[d]
        match_regrets(regrets, start, n_actions, strategy)
        if player != traverser:
            noise = noise_at(key, visited)
            add_rounded(averages, start, n_actions, weight / q, strategy, noise)
            k = pick(strategy, n_actions, number)
        else:
            k, chance = explore_outcome(strategy, n_actions, epsilon, number)
            q *= chance
            frame_slot[d] = start
            frame_node[d] = node
            frame_action[d] = k
            d += 1
        edge = nodes[node, NODE_START] + k
        if phase < BET:
            hand_path_0, hand_path_1 = extend_hand_paths(path_steps, edge, hand_path_0, hand_path_1)
        node = children[edge]
    tail = utility(nodes, node, traverser, deals.strengths, i, hand_path_0, hand_path_1)
    if deals.hits.shape[1] > 0:
        tail = add_bounty(
            nodes, node, traverser, tail, deals.strengths, deals.hits, i, hand_path_0, hand_path_1,
            graph.factor, graph.extra
        )  # fmt: skip
    tail /= q
    for f in range(d - 1, -1, -1):
        n_actions = nodes[frame_node[f], NODE_DEGREE]
        taken = frame_action[f]
        probability = strategies[f, taken]
        tail = learn_outcome(regrets, frame_slot[f], n_actions, taken, probability, tail, weight)
    return visited


@borrowing_kernel
def walk_deals(graph, deals, sampling, seed, first, weight, regrets, averages, stack, frozen):
    """One walk per player over each deal, the first of which is number `first` of the seed.

    Returns how many nodes were visited. For `frozen` see `walk`.
    """
    visited = 0
    for i in range(deals.lengths.size):
        warms_up = first + i < sampling.warm_up
        prunes = not warms_up and (first + i) % _FULL_WALK != 0
        prune_below = sampling.prune_below if prunes else 0.0
        for p in range(2):
            key = stream_key(seed, _WALKS + (first + i) * 2 + p)
            visited += walk(
                graph, deals, i, p, sampling, warms_up, prune_below, weight, key, regrets, averages,
                stack, frozen
            )  # fmt: skip
    return visited


@borrowing_kernel
def follow_deals(graph, deals, sampling, seed, first, weight, regrets, averages, stack):
    """The same for outcome sampling, of which each walk is one history."""
    visited = 0
    for i in range(deals.lengths.size):
        for p in range(2):
            key = stream_key(seed, _WALKS + (first + i) * 2 + p)
            visited += follow(
                graph, deals, i, p, sampling.epsilon, weight, key, regrets, averages, stack
            )
    return visited
