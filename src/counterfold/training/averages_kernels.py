"""Averages as sums in 32 bits that are rounded at random, so that they notice whatever is added.

Rounded to the nearest, a sum of 2**20 no longer notices a twentieth, and one of 2**24 no longer a
one. Rounded at random, with the nearer neighbor the likelier, a sum is right in expectation however
large it is; what is left is an error of 2**-12 of it after any number of additions, and far less
before 2**20. The actions of an infoset share the noise of an addition, so that their errors go the
same way and cancel in their shares.
"""

import numpy as np

from counterfold.jit.compiler import borrowing_kernel, copied_kernel
from counterfold.jit.random import noise_at, round_at_random, stream_key

# First streams of what is rounded outside of walks; deals come before them, walks after them.
_FADES = 1 << 60
_SHARES = 1 << 61


@copied_kernel
def add_rounded(averages, start, n_actions, share, strategy, noise):
    """Add a strategy, weighted by `share`, to the averages of an infoset."""
    for k in range(n_actions):
        total = np.float64(averages[start + k]) + share * strategy[k]
        averages[start + k] = round_at_random(total, noise)


@borrowing_kernel
def fade_averages(averages, first, factor, seed, epoch):
    """Scale the averages of slots `first` and after it at the end of `epoch`."""
    key = stream_key(seed, _FADES + epoch)
    for q in range(averages.size):
        noise = noise_at(key, first + q)
        averages[q] = round_at_random(np.float64(averages[q]) * factor, noise)


@borrowing_kernel
def add_changes(averages, slots, changes, seed, sample):
    """Add what the share that begins with `sample` added to the averages of `slots`."""
    key = stream_key(seed, _SHARES + sample)
    for i in range(slots.size):
        q = slots[i]
        total = np.float64(averages[q]) + np.float64(changes[i])
        averages[q] = round_at_random(total, noise_at(key, q))
