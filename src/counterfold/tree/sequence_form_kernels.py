"""Kernels over the sequence form: reach, counterfactual values, best response, the CFR iteration.

`form` is a `tree.sequence_form.Sequences`. `reach[s]` is the probability with which a player plays
sequence ``s`` if nature and the others let it; `values[s]` is the counterfactual value of ``s`` to
its player. `strategy`, `regrets`, `averages` and `instant_regrets` are tables over slots.
"""

import numpy as np

from counterfold.jit.compiler import kernel
from counterfold.regret_kernels import discount, match_predicted, match_regrets


@kernel
def reach_sequences(form, player, strategy, reach):
    """Overwrite `reach` of the sequences of `player`."""
    reach[player] = 1.0
    for j in range(form.points[player], form.points[player + 1]):
        above = reach[form.parent[j]]
        start = form.first[j]
        slot = form.slot[j]
        for k in range(form.first[j + 1] - start):
            reach[start + k] = above * strategy[slot + k]


@kernel
def value_terminals(form, player, reach, values):
    """Overwrite `values` of the sequences of `player` by what their terminals pay at once."""
    values[player] = 0.0
    for s in range(form.first[form.points[player]], form.first[form.points[player + 1]]):
        values[s] = 0.0
    own = form.terminals[player]
    weights = form.weights[player]
    n_players = form.terminals.shape[0]
    if n_players == 2:
        other = form.terminals[1 - player]
        for z in range(own.size):
            values[own[z]] += weights[z] * reach[other[z]]
    else:
        for z in range(own.size):
            weight = weights[z]
            for p in range(n_players):
                if p != player:
                    weight *= reach[form.terminals[p, z]]
            values[own[z]] += weight


@kernel
def value_sequences(form, player, strategy, values):
    """Add to `values`, leaves first, what `strategy` earns after each sequence of `player`."""
    for j in range(form.points[player + 1] - 1, form.points[player] - 1, -1):
        start = form.first[j]
        slot = form.slot[j]
        value = 0.0
        for k in range(form.first[j + 1] - start):
            value += strategy[slot + k] * values[start + k]
        values[form.parent[j]] += value


@kernel
def respond(form, player, values, choice):
    """Add to `values` what the best action earns; `choice` is set to its number at each point."""
    for j in range(form.points[player + 1] - 1, form.points[player] - 1, -1):
        start = form.first[j]
        best = 0
        for k in range(1, form.first[j + 1] - start):
            if values[start + k] > values[start + best]:
                best = k
        choice[j] = best
        values[form.parent[j]] += values[start + best]


@kernel
def match_infosets(regrets, instant_regrets, predictive, offsets, first, last, strategy):
    """Set `strategy` of the infosets ``first:last`` by regret matching.

    With `predictive`, the last instantaneous regret is counted once more, as a guess of the next.
    """
    for i in range(first, last):
        start, stop = offsets[i], offsets[i + 1]
        if predictive:
            match_predicted(regrets, instant_regrets, start, stop - start, strategy[start:stop])
        else:
            match_regrets(regrets, start, stop - start, strategy[start:stop])


@kernel
def update_player(form, player, values, reach, strategy, instant_regrets, averages):
    """One pass up the decision points of `player`.

    Overwrites `instant_regrets` (the counterfactual regrets of this iteration, summed over the
    points of an infoset), completes `values`, accumulates `averages`.
    """
    low, high = form.points[player], form.points[player + 1]
    for j in range(low, high):
        slot = form.slot[j]
        for k in range(form.first[j + 1] - form.first[j]):
            instant_regrets[slot + k] = 0.0
    for j in range(high - 1, low - 1, -1):
        start = form.first[j]
        slot = form.slot[j]
        n_actions = form.first[j + 1] - start
        value = 0.0
        for k in range(n_actions):
            value += strategy[slot + k] * values[start + k]
        for k in range(n_actions):
            instant_regrets[slot + k] += values[start + k] - value
            averages[slot + k] += reach[start + k]
        values[form.parent[j]] += value


@kernel
def settle(regrets, instant_regrets, averages, first, last, positive, negative, average):
    """Add `instant_regrets` to `regrets` in slots ``first:last``, then apply the weights."""
    for q in range(first, last):
        regrets[q] = discount(regrets[q] + instant_regrets[q], positive, negative)
        averages[q] *= average


@kernel
def iterate(form, offsets, owners, weights, predictive, regrets, averages, instant_regrets):
    """Run ``len(weights)`` iterations of CFR with alternating updates.

    Row ``t`` of `weights` holds the factors on positive regrets, negative regrets and averages
    after that iteration. The tables `regrets`, `averages` and `instant_regrets` are all that one
    call leaves for the next.
    """
    n_players = owners.size - 1
    strategy = np.empty(regrets.size)
    reach = np.empty(form.first[-1])
    values = np.empty(form.first[-1])
    match_infosets(regrets, instant_regrets, predictive, offsets, 0, offsets.size - 1, strategy)
    for p in range(n_players):
        reach_sequences(form, p, strategy, reach)
    for t in range(weights.shape[0]):
        for p in range(n_players):
            value_terminals(form, p, reach, values)
            update_player(form, p, values, reach, strategy, instant_regrets, averages)
            first, last = owners[p], owners[p + 1]
            settle(
                regrets,
                instant_regrets,
                averages,
                offsets[first],
                offsets[last],
                weights[t, 0],
                weights[t, 1],
                weights[t, 2],
            )
            match_infosets(regrets, instant_regrets, predictive, offsets, first, last, strategy)
            reach_sequences(form, p, strategy, reach)
