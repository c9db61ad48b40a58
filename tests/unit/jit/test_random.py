"""Random numbers by counter: the published mixer, uniform numbers, streams that do not meet."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfold.jit.compiler import kernel
from counterfold.jit.random import (
    draw_from,
    mix,
    noise_at,
    round_at_random,
    stream_key,
    uniform,
)

GOLDEN = 0x9E3779B97F4A7C15
MASK = 2**64 - 1
words = st.integers(0, MASK)
counters = st.integers(0, 2**40)


def plain_mix(x):
    """The finalizer of splitmix64 on Python's integers."""
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def draws(key, n):
    return np.array([uniform(np.uint64(key), step) for step in range(n)])


@given(words)
def test_mix_is_that_of_splitmix64(x):
    assert int(mix(np.uint64(x))) == plain_mix(x)


def test_mix_gives_the_published_sequence():
    # The first five outputs of splitmix64 from the seed 1234567 (Rosetta Code, after Vigna's C).
    expected = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    states = [(1234567 + k * GOLDEN) & MASK for k in range(1, 6)]
    assert [int(mix(np.uint64(x))) for x in states] == expected


@given(words, counters)
def test_uniform_is_the_upper_53_bits_of_the_counter_mixed(key, step):
    bits = plain_mix((key + GOLDEN * (step + 1)) & MASK) >> 11
    assert uniform(np.uint64(key), step) == bits / 2**53


@given(words, counters)
def test_uniform_lies_in_the_half_open_unit_interval(key, step):
    assert 0.0 <= uniform(np.uint64(key), step) < 1.0


@given(st.integers(-(2**63), 2**63 - 1), counters)
def test_stream_keys_are_mixed_twice(seed, stream):
    expected = plain_mix((plain_mix((seed + GOLDEN) & MASK) + GOLDEN * (stream + 1)) & MASK)
    assert int(stream_key(seed, stream)) == expected


N = 50_000
CHI_SQUARED_63 = 131.4  # exceeded with probability 1e-6 (63 degrees of freedom)


@pytest.mark.parametrize("seed", [0, 1, 2**40])
def test_mean_and_variance_are_those_of_the_uniform_distribution(seed):
    numbers = draws(stream_key(seed, 7), N)
    # Five standard errors: a fair generator fails with probability 6e-7; seeds are fixed. The
    # variance of the uniform distribution is 1/12 and its fourth central moment 1/80.
    assert abs(numbers.mean() - 0.5) < 5 * (1 / 12 / N) ** 0.5
    assert abs(numbers.var() - 1 / 12) < 5 * ((1 / 80 - 1 / 144) / N) ** 0.5


@pytest.mark.parametrize(
    ("first", "second"),
    [((0, 1), (0, 2)), ((0, 0), (1, 0)), ((3, 1000), (3, 1001)), ((0, 5), (5, 0))],
    ids=["streams", "seeds", "late-streams", "swapped"],
)
def test_streams_are_independent(first, second):
    """Pairs of numbers fill a grid of 8 by 8 evenly."""
    one, two = (draws(stream_key(*pair), N) for pair in (first, second))
    counts = np.histogram2d(one, two, bins=8, range=((0, 1), (0, 1)))[0]
    statistic = ((counts - N / 64) ** 2 / (N / 64)).sum()
    assert statistic < CHI_SQUARED_63


def test_neighboring_numbers_are_independent():
    numbers = draws(stream_key(11, 3), 2 * N)
    counts = np.histogram2d(numbers[::2], numbers[1::2], bins=8, range=((0, 1), (0, 1)))[0]
    assert ((counts - N / 64) ** 2 / (N / 64)).sum() < CHI_SQUARED_63


def test_no_two_streams_share_a_key():
    keys = {int(stream_key(seed, stream)) for seed in range(100) for stream in range(200)}
    # Among 20,000 of 2^64 keys an accidental meeting has probability 1e-11.
    assert len(keys) == 20_000


@kernel
def rounded(x, noise):
    return round_at_random(x, noise)


@kernel
def noises(n_streams, n_steps):
    """The upper 29 bits for streams of a seed and steps of each, as numbers in [0, 1)."""
    found = np.empty((n_streams, n_steps))
    for stream in range(n_streams):
        for step in range(n_steps):
            noise = noise_at(stream_key(3, stream), step)
            found[stream, step] = (noise >> np.uint64(35)) * 2.0**-29
    return found


positive = st.floats(2.0**-100, 2.0**100)


@given(positive)
def test_as_many_noises_round_up_as_make_the_mean_exact(x):
    """Of all 2**29, without trying them: those from some first one on, found by bisection."""
    lower, upper = np.float32(x), np.float32(x)
    if float(lower) > x:
        lower = np.nextafter(lower, np.float32(0))
    elif float(lower) < x:
        upper = np.nextafter(upper, np.float32(np.inf))
    low, high = 0, 2**29  # the first noise that rounds up is among these
    while low < high:
        middle = (low + high) // 2
        found = rounded(x, np.uint64(middle << 35))
        assert found in (lower, upper)
        low, high = (low, middle) if found == upper != lower else (middle + 1, high)
    chance = Fraction(2**29 - low, 2**29)
    gap = Fraction(float(upper)) - Fraction(float(lower))
    assert Fraction(float(lower)) + chance * gap == Fraction(x)


@given(positive, words, words)
def test_a_larger_noise_never_rounds_down_where_a_smaller_rounds_up(x, one, other):
    """So the bisection above speaks for all noises; lower bits do not count."""
    low, high = sorted((one, other))
    assert rounded(x, np.uint64(low)) <= rounded(x, np.uint64(high))
    assert rounded(x, np.uint64(low)) == rounded(x, np.uint64(low | (2**35 - 1)))


@given(st.floats(0.0, 2.0**100, width=32), words)
def test_what_32_bits_hold_stays(x, noise):
    assert rounded(x, np.uint64(noise)) == x


def test_noise_is_even_among_keys_and_within_one():
    for numbers in (noises(1, N), noises(N, 1)):
        counts = np.histogram(numbers, bins=64, range=(0, 1))[0]
        assert ((counts - N / 64) ** 2 / (N / 64)).sum() < CHI_SQUARED_63


def test_noise_of_neighboring_keys_is_independent():
    numbers = noises(2 * N, 1)[:, 0]
    counts = np.histogram2d(numbers[::2], numbers[1::2], bins=8, range=((0, 1), (0, 1)))[0]
    assert ((counts - N / 64) ** 2 / (N / 64)).sum() < CHI_SQUARED_63


@given(st.lists(st.floats(0.0, 1.0, exclude_max=True), max_size=8))
def test_drawing_is_a_shuffle_step_by_step(numbers):
    """Fisher and Yates: each item drawn is one of those left, and none is lost."""
    left = np.arange(10, 18)
    n_left = len(left) - 1  # the last item is not to be drawn
    drawn = []
    for n_drawn, number in enumerate(numbers[:n_left]):
        remaining = left[n_drawn:n_left].tolist()
        item = draw_from(left, n_left, n_drawn, number)
        assert item == remaining[int(number * len(remaining))]
        drawn.append(item)
    assert left[: len(drawn)].tolist() == drawn
    assert sorted(left.tolist()) == list(range(10, 18))
    assert left[-1] == 17
