"""What the ends of a hand are worth on one board, for all hands of both players at once.

One pass over the hands in the order of their strength, instead of one over their pairs. Walks carry
a number for each type of hand (`public.boards_kernels`); these functions spread them over the hands
and collect the results.
"""

from counterfold.cards.removal_kernels import sweep_groups, take_hands
from counterfold.jit.compiler import inlined_kernel, kernel


@inlined_kernel
def _spread(types, n_hands, reach, held):
    """Overwrite `held` with the reach of every hand."""
    for h in range(n_hands):
        held[h] = reach[types[h]]


@inlined_kernel
def _collect(types, n_hands, held, sums, values):
    """Overwrite `values` with the sums of `held` by type; `sums` is work space."""
    for t in range(values.size):
        sums[t] = 0.0
    for h in range(n_hands):
        sums[types[h]] += held[h]
    for t in range(values.size):
        values[t] = sums[t]


@inlined_kernel
def count_met(boards, i, held, taken, scores):
    """Overwrite `scores` with the weight `held` of the hands that are disjoint from each hand."""
    firsts, seconds, n_hands = boards.firsts[i], boards.seconds[i], boards.n_hands[i]
    for c in range(taken.size):
        taken[c] = 0.0
    total = take_hands(0, n_hands, None, firsts, seconds, held, taken, 0.0)
    for h in range(n_hands):
        scores[h] = held[h] + (total - taken[firsts[h]] - taken[seconds[h]])


@inlined_kernel
def count_won(boards, i, held, taken, scores):
    """Overwrite `scores` with the weight of disjoint hands beaten less that of those that win."""
    firsts, seconds, ends = boards.firsts[i], boards.seconds[i], boards.ends[i]
    n_groups = boards.n_groups[i]
    total = sweep_groups(n_groups, None, ends, firsts, seconds, held, taken, scores)
    # Twice what is beaten plus what is equal, less all disjoint hands. The hand's own weight, which
    # is off both, cancels out.
    for h in range(boards.n_hands[i]):
        scores[h] -= total - taken[firsts[h]] - taken[seconds[h]]


@kernel
def count_disjoint(boards, i, reach, work, values):
    """Overwrite `values` with the reach of the hands that are disjoint from those of each type.

    Summed over the hands of the type. `work` is a `training.boards.public_chance.HandWork`.
    """
    _spread(boards.types[i], boards.n_hands[i], reach, work.held)
    count_met(boards, i, work.held, work.taken, work.scores)
    _collect(boards.types[i], boards.n_hands[i], work.scores, work.sums, values)


@kernel
def count_beaten(boards, i, reach, work, values):
    """Overwrite `values` with the reach of the disjoint hands beaten less that of those that win.

    Summed over the hands of a type. `work` is a `training.boards.public_chance.HandWork`.
    """
    _spread(boards.types[i], boards.n_hands[i], reach, work.held)
    count_won(boards, i, work.held, work.taken, work.scores)
    _collect(boards.types[i], boards.n_hands[i], work.scores, work.sums, values)


@kernel
def fill_matrices(boards, i, reach, work, disjoint, beaten):
    """Overwrite the rows of `disjoint` and `beaten` with the above for each type alone.

    `reach` is work space, a number for each type.
    """
    n = boards.n_types[i]
    reach[:n] = 0.0
    for t in range(n):
        reach[t] = 1.0
        count_disjoint(boards, i, reach[:n], work, disjoint[t, :n])
        count_beaten(boards, i, reach[:n], work, beaten[t, :n])
        reach[t] = 0.0
