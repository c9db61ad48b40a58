"""Random numbers by counter: number `step` of stream `stream` of a seed.

There is no state to share, save or restore: a run that stopped after iteration ``t`` continues with
the numbers of iteration ``t + 1``, on any thread. The mixer is the finalizer of splitmix64 (Steele,
Lea and Flood 2014).
"""

import numpy as np

from counterfold.jit.compiler import inlined_borrowing_kernel, kernel

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)


@kernel
def mix(x):
    """Scramble 64 bits."""
    x = (x ^ (x >> np.uint64(30))) * _FIRST
    x = (x ^ (x >> np.uint64(27))) * _SECOND
    return x ^ (x >> np.uint64(31))


@kernel
def stream_key(seed, stream):
    """The key of one stream, from which `uniform` draws."""
    return mix(mix(np.uint64(seed) + _GOLDEN) + _GOLDEN * np.uint64(stream + 1))


@kernel
def uniform(key, step):
    """Number `step` of the stream with this key, in [0, 1)."""
    return (mix(key + _GOLDEN * np.uint64(step + 1)) >> np.uint64(11)) * 2.0**-53


@inlined_borrowing_kernel
def draw_from(left, n_left, n_drawn, number):
    """One of the first `n_left` items but for the first `n_drawn`, which were drawn before.

    A `number` from `uniform` chooses it, and it joins those. Item by item that is a shuffle,
    whatever the order was.
    """
    k = n_drawn + int(number * (n_left - n_drawn))
    drawn = left[k]
    left[k] = left[n_drawn]
    left[n_drawn] = drawn
    return drawn
