"""Random numbers by counter: number `step` of stream `stream` of a seed.

There is no state to share, save or restore: a run that stopped after iteration ``t`` continues with
the numbers of iteration ``t + 1``, on any thread. The mixer is the finalizer of splitmix64 (Steele,
Lea and Flood 2014).
"""

import numpy as np

from counterfold.jit.compiler import copied_kernel, inlined_borrowing_kernel, kernel

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_CUT = np.uint64(29)  # bits of a fraction in 64 bits that one in 32 bits lacks
_KEPT = np.uint64(2**64 - 2**29)  # the others


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


@copied_kernel
def noise_at(key, step):
    """Number `step` of this key as 64 bits, for `round_at_random`: cheaper than `uniform`.

    Those of one key are evenly spread, so they know of each other; those of two keys do not.
    """
    return key + _GOLDEN * np.uint64(step)


@copied_kernel
def round_at_random(x, noise):
    """One of the two neighbors of `x` in 32 bits, with chances that make `x` the expectation.

    The upper 29 bits of `noise` decide; what 32 bits hold stays as it is. Below the smallest normal
    number of 32 bits, 1.2e-38, it is the nearest.
    """
    bits = np.float64(x).view(np.uint64) + (noise >> (np.uint64(64) - _CUT))
    return np.float32(np.uint64(bits & _KEPT).view(np.float64))


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
