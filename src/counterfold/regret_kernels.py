"""Regret matching and the discounting of regrets, for every solver.

A strategy is in proportion to positive regret (Hart and Mas-Colell 2000). A sum of `LEAST_REGRET`
or less counts as no regret at all, so the strategy is uniform there. Solvers keep their tables in
64 or in 32 bits, and one threshold must serve both: 1e-30 lies well above the smallest normal
number of 32 bits, 1.2e-38, so that no sum above it is denormal and one over it is finite. No regret
that means anything is near it: regrets are in chips, and such small ones are left over from fading.
"""

from counterfold.jit.compiler import borrowing_kernel, inlined_borrowing_kernel

LEAST_REGRET = 1e-30  # chips


@inlined_borrowing_kernel
def match_regrets(regrets, start, n_actions, strategy):
    """Overwrite `strategy` by regret matching at the infoset whose slots begin at `start`."""
    total = strategy.dtype.type(0.0)
    for k in range(n_actions):
        strategy[k] = max(regrets[start + k], regrets.dtype.type(0.0))
        total += strategy[k]
    if total > LEAST_REGRET:
        scale = strategy.dtype.type(1.0) / total  # one division instead of several
        for k in range(n_actions):
            strategy[k] *= scale
    else:
        for k in range(n_actions):
            strategy[k] = 1.0 / n_actions


@inlined_borrowing_kernel
def match_predicted(regrets, guesses, start, n_actions, strategy):
    """The same with a guess of the next regret added to each (Farina, Kroer and Sandholm 2021)."""
    total = strategy.dtype.type(0.0)
    for k in range(n_actions):
        regret = regrets[start + k] + guesses[start + k]
        strategy[k] = max(regret, regrets.dtype.type(0.0))
        total += strategy[k]
    if total > LEAST_REGRET:
        scale = strategy.dtype.type(1.0) / total
        for k in range(n_actions):
            strategy[k] *= scale
    else:
        for k in range(n_actions):
            strategy[k] = 1.0 / n_actions


@inlined_borrowing_kernel
def pick(strategy, n_actions, number):
    """The action that `number` in [0, 1) falls on."""
    k = 0
    number -= strategy[0]
    while number >= 0.0 and k < n_actions - 1:
        k += 1
        number -= strategy[k]
    return k


@inlined_borrowing_kernel
def discount(regret, positive, negative):
    """A regret after it has faded by the factor of its sign."""
    return regret * (positive if regret > 0.0 else negative)


@borrowing_kernel
def discount_table(regrets, positive, negative):
    """Scale all regrets of a table; see `discounting.Discounting.weights`."""
    for q in range(regrets.size):
        regrets[q] = discount(regrets[q], positive, negative)
