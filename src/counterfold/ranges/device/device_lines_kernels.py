"""What the kernels of both CUDA files do along lines, for a processor.

A GPU has a thread for each sequence or hand; here each is a turn of a loop.
"""

from counterfold.jit.compiler import inlined_kernel
from counterfold.ranges.line_kernels import NONE


@inlined_kernel
def match_slots(slots, n_actions, least, shares):
    """Overwrite `shares` by regret matching on the regrets that `slots` begins with."""
    total = least * 0
    for a in range(n_actions):
        shares[a] = max(slots[a], least * 0)
        total += shares[a]
    for a in range(n_actions):
        shares[a] = shares[a] / total if total > least else 1 / n_actions


@inlined_kernel
def most_actions(n_actions):
    """The most actions of a decision; a seat may have none on a street."""
    most = 1
    for n in n_actions:
        most = max(most, n)
    return most


@inlined_kernel
def begin_value(
    line, x, least, fold, fold_stake, show, show_stake, later, folds, shows, coming
):  # fmt: skip
    """What `line` is worth to `x` without a decision: where it ends, or on the next street."""
    value = least * 0 if later[line] == NONE else coming[later[line], x]
    if fold[line] != NONE:
        value += fold_stake[line] * folds[fold[line], x]
    if show[line] != NONE:
        value += show_stake[line] * shows[show[line], x]
    return value
