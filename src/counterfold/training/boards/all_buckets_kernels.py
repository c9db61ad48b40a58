"""What a decision does for all of its buckets, also those that no hand of a board has.

A decision's slots follow each other bucket by bucket. With two or three actions LLVM takes sixteen
buckets at a time, if no loop over the actions is in between: that is four to eleven times as fast,
bucket for bucket, as to pick those of a board one by one. Where no hand comes nothing changes.
"""

from counterfold.jit.compiler import inlined_kernel
from counterfold.jit.random import noise_at, round_at_random
from counterfold.regret_kernels import LEAST_REGRET


@inlined_kernel
def _match_few(regrets, three, n_buckets, strategy):
    zero, one = strategy.dtype.type(0.0), strategy.dtype.type(1.0)
    n = 3 if three else 2
    least, alike = strategy.dtype.type(LEAST_REGRET), one / strategy.dtype.type(n)
    for b in range(n_buckets):
        first, second = max(regrets[n * b], zero), max(regrets[n * b + 1], zero)
        third = max(regrets[n * b + 2], zero) if three else zero
        total = first + second + third
        scale = one / total if total > least else zero
        even = zero if total > least else alike
        strategy[0, b] = first * scale + even
        strategy[1, b] = second * scale + even
        if three:
            strategy[2, b] = third * scale + even


@inlined_kernel
def _match_many(regrets, n, n_buckets, strategy):
    zero, one = strategy.dtype.type(0.0), strategy.dtype.type(1.0)
    for b in range(n_buckets):
        total = zero
        for a in range(n):
            strategy[a, b] = max(regrets[n * b + a], zero)
            total += strategy[a, b]
        for a in range(n):
            if total > LEAST_REGRET:
                strategy[a, b] /= total
            else:
                strategy[a, b] = one / strategy.dtype.type(n)


@inlined_kernel
def match_all(regrets, start, n_actions, n_buckets, strategy):
    """Overwrite `strategy` [actions, buckets] by regret matching; slots begin at `start`."""
    own = regrets[start : start + n_actions * n_buckets]
    if n_actions == 2:
        _match_few(own, False, n_buckets, strategy)
    elif n_actions == 3:
        _match_few(own, True, n_buckets, strategy)
    else:
        _match_many(own, n_actions, n_buckets, strategy)


@inlined_kernel
def _add(averages, slot, part, share, noise):
    """Add a share of `part`; a sum of 32 bits is rounded at random."""
    averages[slot] = round_at_random(float(averages[slot]) + part * share, noise)


@inlined_kernel
def _add_few_averages(averages, three, n_buckets, strategy, totals, share, noise):
    n = 3 if three else 2
    for b in range(n_buckets):
        part, own = share * totals[b], noise_at(noise, b)
        _add(averages, n * b, part, strategy[0, b], own)
        _add(averages, n * b + 1, part, strategy[1, b], own)
        if three:
            _add(averages, n * b + 2, part, strategy[2, b], own)


@inlined_kernel
def add_all_averages(averages, start, n_actions, n_buckets, strategy, totals, share, noise):
    """Add the strategy to its averages, by `share` times how often each bucket comes."""
    own = averages[start : start + n_actions * n_buckets]
    if n_actions == 2:
        _add_few_averages(own, False, n_buckets, strategy, totals, share, noise)
    elif n_actions == 3:
        _add_few_averages(own, True, n_buckets, strategy, totals, share, noise)
    else:
        for b in range(n_buckets):
            for a in range(n_actions):
                part = share * totals[b]
                _add(own, n_actions * b + a, part, strategy[a, b], noise_at(noise, b))


@inlined_kernel
def _add_few_regrets(regrets, three, n_buckets, strategy, sums):
    n = 3 if three else 2
    for b in range(n_buckets):
        value = strategy[0, b] * sums[0, b] + strategy[1, b] * sums[1, b]
        if three:
            value += strategy[2, b] * sums[2, b]
        regrets[n * b] += sums[0, b] - value
        regrets[n * b + 1] += sums[1, b] - value
        if three:
            regrets[n * b + 2] += sums[2, b] - value


@inlined_kernel
def add_all_regrets(regrets, start, n_actions, n_buckets, strategy, sums):
    """Add to the regrets of each bucket what its actions would have won."""
    own = regrets[start : start + n_actions * n_buckets]
    if n_actions == 2:
        _add_few_regrets(own, False, n_buckets, strategy, sums)
    elif n_actions == 3:
        _add_few_regrets(own, True, n_buckets, strategy, sums)
    else:
        for b in range(n_buckets):
            value = sums.dtype.type(0.0)
            for a in range(n_actions):
                value += strategy[a, b] * sums[a, b]
            for a in range(n_actions):
                own[n_actions * b + a] += sums[a, b] - value
