"""Monte Carlo CFR on the tree of histories: one walk per player and iteration.

`walk` serves chance, external and average-strategy sampling, which differ only in how much of the
players' actions they explore; `follow` plays one history for outcome sampling. Both keep their own
stack. `tree` is a `tree.sampled.Histories`; regrets and averages are accumulated in place.

In every method the others' actions and nature's are sampled with their own probabilities, so what
remains to divide by is the probability ``q`` with which the walk explored the traverser's actions.
"""

from counterfold.jit.compiler import inlined_kernel, kernel
from counterfold.jit.random import stream_key, uniform

_CHANCE = -1
_TERMINAL = -2
_LEAST = 1e-300  # sums of regrets below this count as none: one over them would be infinite
EVEN_CHANCE = -2  # in place of the infoset of a chance node whose outcomes are equally likely


@inlined_kernel
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


@inlined_kernel
def match(regrets, start, n_actions, strategy):
    """Overwrite `strategy` by regret matching at the infoset whose slots begin at `start`."""
    total = 0.0
    for k in range(n_actions):
        strategy[k] = max(regrets[start + k], 0.0)
        total += strategy[k]
    if total > _LEAST:
        scale = 1.0 / total  # one division instead of several
        for k in range(n_actions):
            strategy[k] *= scale
    else:
        for k in range(n_actions):
            strategy[k] = 1.0 / n_actions


@inlined_kernel
def pick(strategy, n_actions, number):
    """The action that `number` in [0, 1) falls on."""
    k = 0
    number -= strategy[0]
    while number >= 0.0 and k < n_actions - 1:
        k += 1
        number -= strategy[k]
    return k


@inlined_kernel
def explore_probability(averages, start, n_actions, k, epsilon, tau, beta):
    """How often average-strategy sampling tries action `k` (Gibson et al. 2012)."""
    total = 0.0
    for a in range(n_actions):
        total += averages[start + a]
    return min(1.0, max(epsilon, (beta + tau * averages[start + k]) / (beta + total)))


@inlined_kernel
def walk(tree, traverser, plan, weight, key, regrets, averages, stack):
    """One walk for `traverser`, weighted by `weight`.

    `plan` says what is explored: with `expand` all actions of everybody; else the others' actions
    are sampled and the traverser's are tried with `explore_probability`, or all if its `epsilon`
    is one. `stack` is scratch memory with one row per level. With `expand` the walk comes to an
    infoset again where others' actions are hidden; it must play alike there, so regrets wait in
    `stack` until the walk is over.
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
            strategy = stack.strategy[d]
            match(regrets, start, n_actions, strategy)
            if player == traverser or plan.expand:
                if plan.expand and player == traverser:
                    for k in range(n_actions):
                        averages[start + k] += weight * own * strategy[k]
                stack.node[d] = node
                stack.action[d] = -1
                stack.q[d] = q
                stack.others[d] = others
                stack.own[d] = own
                stack.value[d] = 0.0
                d += 1
                break
            # The next player's average gains here: it is sampled, so its reach is accounted for.
            if player == following:
                share = weight / q
                for k in range(n_actions):
                    averages[start + k] += share * strategy[k]
            node = tree.first_child[node] + pick(strategy, n_actions, uniform(key, step))
            step += 1
        # Hand the value up, close the frames that are done, open the next action.
        while d > 0:
            f = d - 1
            n = stack.node[f]
            i = tree.infoset[n]
            start = tree.offsets[i]
            n_actions = tree.offsets[i + 1] - start
            k = stack.action[f]
            if k >= 0:
                stack.values[f, k] = value
                stack.value[f] += stack.strategy[f, k] * value
            k += 1
            mine = tree.player[n] == traverser
            rho = 1.0
            if mine and plan.epsilon < 1.0:
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
            if k < n_actions:
                stack.action[f] = k
                node = tree.first_child[n] + k
                q = stack.q[f] * rho
                others = stack.others[f]
                own = stack.own[f]
                if mine:
                    own *= stack.strategy[f, k]
                else:
                    others *= stack.strategy[f, k]
                break
            value = stack.value[f]
            if mine and plan.expand:
                if not stack.is_touched[i]:
                    stack.is_touched[i] = True
                    stack.touched[n_touched] = i
                    n_touched += 1
                share = weight * stack.others[f]
                for a in range(n_actions):
                    stack.regrets[start + a] += share * (stack.values[f, a] - value)
            elif mine:
                for a in range(n_actions):
                    regrets[start + a] += weight * (stack.values[f, a] - value)
            d -= 1
        if d == 0:
            break
    for j in range(n_touched):
        i = stack.touched[j]
        stack.is_touched[i] = False
        for slot in range(tree.offsets[i], tree.offsets[i + 1]):
            regrets[slot] += stack.regrets[slot]
            stack.regrets[slot] = 0.0


@inlined_kernel
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
        strategy = stack.strategy[d]
        match(regrets, start, n_actions, strategy)
        if player != traverser:
            if player == following:
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
            stack.node[d] = node
            stack.action[d] = k
            d += 1
        node = tree.first_child[node] + k
    # `tail` is the utility over q, times the probability that the traverser goes on to the end.
    tail = tree.utilities[tree.infoset[node], traverser] / q
    for f in range(d - 1, -1, -1):
        start = tree.offsets[tree.infoset[stack.node[f]]]
        n_actions = tree.offsets[tree.infoset[stack.node[f]] + 1] - start
        taken = stack.action[f]
        value = stack.strategy[f, taken] * tail
        for k in range(n_actions):
            regrets[start + k] += weight * ((tail if k == taken else 0.0) - value)
        tail = value


@kernel
def sample_iterations(tree, plan, seed, first, last, regrets, averages, stack):
    """Iterations `first` to `last`, both included, each with one walk per player."""
    n_players = tree.utilities.shape[1]
    for t in range(first, last + 1):
        weight = float(t) if plan.linear else 1.0
        for p in range(n_players):
            key = stream_key(seed, t * n_players + p)
            if plan.single:
                follow(tree, p, plan.epsilon, weight, key, regrets, averages, stack)
            else:
                walk(tree, p, plan, weight, key, regrets, averages, stack)
