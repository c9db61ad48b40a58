"""Monte Carlo CFR on the tree of histories: one walk per player and iteration.

`walk` serves chance, external and average-strategy sampling, which differ only in how much of the
players' actions they explore; `follow` plays one history for outcome sampling. Both keep their own
stack, as explained in `sampling_kernels`. `tree` is a `tree.sampled.Histories`; regrets and
averages are accumulated in place.
"""

from counterfold.jit.compiler import borrowing_kernel, inlined_borrowing_kernel
from counterfold.jit.random import stream_key, uniform
from counterfold.regret_kernels import match_regrets, pick
from counterfold.sampling_kernels import (
    BEFORE_FIRST,
    add_average,
    explore_outcome,
    explore_probability,
    learn_outcome,
)

_CHANCE = -1
_TERMINAL = -2
EVEN_CHANCE = -2  # in place of the infoset of a chance node whose outcomes are equally likely


@inlined_borrowing_kernel
def sample_chance(tree, node, number):
    """The child of chance node `node` that `number` in [0, 1) falls on."""
    child = tree.first_child[node]
    last = tree.first_child[node + 1] - 1
    if tree.infoset[node] == EVEN_CHANCE:  # a scan would cost branches that nobody can predict
        return child + min(int(number * (last - child + 1)), last - child)
    number -= tree.chance[child]
    while number >= 0.0 and child < last:
        child += 1
        number -= tree.chance[child]
    return child


@inlined_borrowing_kernel
def walk(tree, traverser, sampling, weight, key, regrets, averages, stack):
    """One walk for `traverser`, weighted by `weight`.

    `sampling` says what is explored: with `expand` all actions of everybody; else the others'
    actions are sampled and the traverser's are tried with `explore_probability`, or all if its
    `epsilon` is one. `stack` is scratch memory with one row per level. With `expand` the walk comes
    to an infoset again where others' actions are hidden; it must play alike there, so regrets wait
    in `stack` until the walk is over.
    """
    following = (traverser + 1) % tree.utilities.shape[1]
    step = 0
    n_touched = 0  # infosets whose regrets wait
    d = 0  # frames in use; a frame is a node whose actions are being explored one after another
    node = 0
    q = 1.0  # probability of having explored the traverser's actions up to here
    others = 1.0  # probability that the others play to here, where they are not sampled
    own = 1.0  # probability that the traverser plays to here
    while True:
        # Go down until a frame is needed or the hand is over.
        value = 0.0
        while True:
            player = tree.player[node]
            if player == _TERMINAL:
                value = tree.utilities[tree.infoset[node], traverser] / q
                break
            if player == _CHANCE:
                node = sample_chance(tree, node, uniform(key, step))
                step += 1
                continue
            i = tree.infoset[node]
            start = tree.offsets[i]
            n_actions = tree.offsets[i + 1] - start
            strategy = stack.frames.strategy[d]
            match_regrets(regrets, start, n_actions, strategy)
            if player == traverser or sampling.expand:
                if sampling.expand and player == traverser:
                    add_average(averages, start, n_actions, weight * own, strategy)
                stack.frames.node[d] = node
                stack.frames.action[d] = BEFORE_FIRST
                stack.frames.q[d] = q
                stack.frames.others[d] = others
                stack.frames.own[d] = own
                stack.frames.value[d] = 0.0
                d += 1
                break
            # The next player's average gains here: it is sampled, so its reach is accounted for.
            if player == following:
                add_average(averages, start, n_actions, weight / q, strategy)
            node = tree.first_child[node] + pick(strategy, n_actions, uniform(key, step))
            step += 1
        # Hand the value up, close the frames that are done, open the next action.
        while d > 0:
            f = d - 1
            n = stack.frames.node[f]
            i = tree.infoset[n]
            start = tree.offsets[i]
            n_actions = tree.offsets[i + 1] - start
            k = stack.frames.action[f]
            if k != BEFORE_FIRST:
                stack.frames.values[f, k] = value
                stack.frames.value[f] += stack.frames.strategy[f, k] * value
            k += 1
            mine = tree.player[n] == traverser
            rho = 1.0
            # Average strategy sampling skips actions at random; q has the chance of those tried.
            if mine and sampling.epsilon < 1.0:
                while k < n_actions:
                    rho = explore_probability(averages, start, n_actions, k, sampling)
                    if rho >= 1.0:
                        break
                    step += 1
                    if uniform(key, step - 1) < rho:
                        break
                    stack.frames.values[f, k] = 0.0  # of what is not tried
                    k += 1
            if k < n_actions:
                stack.frames.action[f] = k
                node = tree.first_child[n] + k
                q = stack.frames.q[f] * rho
                others = stack.frames.others[f]
                own = stack.frames.own[f]
                if mine:
                    own *= stack.frames.strategy[f, k]
                else:
                    others *= stack.frames.strategy[f, k]
                break
            value = stack.frames.value[f]
            # All histories of an infoset meet one strategy, so its regrets wait for the end.
            if mine and sampling.expand:
                if not stack.is_touched[i]:
                    stack.is_touched[i] = True
                    stack.touched[n_touched] = i
                    n_touched += 1
                share = weight * stack.frames.others[f]
                for a in range(n_actions):
                    stack.regrets[start + a] += share * (stack.frames.values[f, a] - value)
            elif mine:
                for a in range(n_actions):
                    regrets[start + a] += weight * (stack.frames.values[f, a] - value)
            d -= 1
        if d == 0:
            break
    for j in range(n_touched):
        i = stack.touched[j]
        stack.is_touched[i] = False
        for slot in range(tree.offsets[i], tree.offsets[i + 1]):
            regrets[slot] += stack.regrets[slot]
            stack.regrets[slot] = 0.0


@inlined_borrowing_kernel
def follow(tree, traverser, epsilon, weight, key, regrets, averages, stack):
    """Play one history; the traverser explores with `epsilon` (Lanctot et al. 2009)."""
    following = (traverser + 1) % tree.utilities.shape[1]
    step = 0
    d = 0
    node = 0
    q = 1.0
    while True:
        player = tree.player[node]
        if player == _TERMINAL:
            break
        number = uniform(key, step)
        step += 1
        if player == _CHANCE:
            node = sample_chance(tree, node, number)
            continue
        i = tree.infoset[node]
        start = tree.offsets[i]
        n_actions = tree.offsets[i + 1] - start
        strategy = stack.frames.strategy[d]
        match_regrets(regrets, start, n_actions, strategy)
        if player != traverser:
            if player == following:
                add_average(averages, start, n_actions, weight / q, strategy)
            k = pick(strategy, n_actions, number)
        else:
            k, chance = explore_outcome(strategy, n_actions, epsilon, number)
            q *= chance
            stack.frames.node[d] = node
            stack.frames.action[d] = k
            d += 1
        node = tree.first_child[node] + k
    tail = tree.utilities[tree.infoset[node], traverser] / q
    for f in range(d - 1, -1, -1):
        start = tree.offsets[tree.infoset[stack.frames.node[f]]]
        n_actions = tree.offsets[tree.infoset[stack.frames.node[f]] + 1] - start
        taken = stack.frames.action[f]
        probability = stack.frames.strategy[f, taken]
        tail = learn_outcome(regrets, start, n_actions, taken, probability, tail, weight)


@borrowing_kernel
def sample_iterations(tree, sampling, seed, first, last, regrets, averages, stack):
    """Iterations `first` to `last`, both included, each with one walk per player."""
    n_players = tree.utilities.shape[1]
    for t in range(first, last + 1):
        weight = float(t) if sampling.linear else 1.0
        for p in range(n_players):
            key = stream_key(seed, t * n_players + p)
            if sampling.single:
                follow(tree, p, sampling.epsilon, weight, key, regrets, averages, stack)
            else:
                walk(tree, p, sampling, weight, key, regrets, averages, stack)
