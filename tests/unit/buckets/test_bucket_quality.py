"""Figures of quality against definitions, written out in plain Python where they are short."""

import math

import numpy as np
import pytest

from counterfold.buckets import STREETS, StrengthLookup, measure_street, parse_bucketing
from counterfold.buckets import bucket_quality as module
from counterfold.cards import Deck, StrengthTables, parse_cards

NAMES = ["lossless", "uniform(1)", "percentile(4)", "histogram(5)", "percentile(3) * ochs(3)"]
ROUNDING = 1e-12
# A variance of rounding errors has a root of this size.
ROOT_OF_ROUNDING = 1e-7


@pytest.fixture(params=STREETS)
def street(request):
    return request.param


def measure(name, source, street):
    return measure_street(parse_bucketing(name).label(source, street), source, street)


@pytest.mark.parametrize("name", NAMES)
def test_figures_are_within_their_bounds(source, name, street):
    labels = parse_bucketing(name).label(source, street)
    quality = measure_street(labels, source, street)
    assert (quality.street, quality.n_classes) == (street, labels.size)
    assert quality.n_buckets == quality.shares.size == quality.means.size == labels.max() + 1
    assert quality.shares.sum() == pytest.approx(1.0)
    assert 0.0 <= quality.explained <= 1.0
    assert 0.0 <= quality.entropy_bits <= math.log2(quality.n_buckets) + ROUNDING
    assert math.copysign(1.0, quality.entropy_bits) == 1.0  # no minus zero
    assert (np.diff(quality.means) >= -ROUNDING).all()
    assert (quality.emd is None) == (street == "river")
    strength, weights = source.mean(street), source.weights(street).astype(float)
    errors = (strength - quality.means[labels]) ** 2
    assert quality.spread == pytest.approx(
        math.sqrt(np.average(errors, weights=weights)), abs=ROOT_OF_ROUNDING
    )
    overall = np.average((strength - np.average(strength, weights=weights)) ** 2, weights=weights)
    assert 1 - quality.explained == pytest.approx(quality.spread**2 / overall, abs=1e-9)


def test_lossless_hides_nothing(source, street):
    quality = measure("lossless", source, street)
    assert quality.explained == pytest.approx(1.0)
    assert quality.spread == pytest.approx(0.0, abs=ROOT_OF_ROUNDING)
    assert street == "river" or quality.emd == pytest.approx(0.0, abs=ROUNDING)


def test_one_bucket_explains_nothing(source, street):
    quality = measure("uniform(1)", source, street)
    assert quality.explained == pytest.approx(0.0, abs=ROUNDING)
    assert quality.entropy_bits == 0.0
    assert quality.means.tolist() == pytest.approx([0.5])  # against a random hand


def test_a_finer_bucketing_explains_more(source, street):
    coarse, fine = measure("percentile(3)", source, street), measure("nested(3, 4)", source, street)
    both = measure("percentile(3) * nested(3, 4)", source, street)
    assert both.explained >= max(coarse.explained, fine.explained) - ROUNDING
    assert both.entropy_bits >= max(coarse.entropy_bits, fine.entropy_bits) - ROUNDING


@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_the_entropy_of_equal_buckets_is_the_logarithm_of_their_number(source, n):
    # All 36 classes before the flop stand for 1 or 2 hands, 66 in all: a multiple of 1, 2, 3 and 6.
    weights = source.weights("preflop")
    order = np.argsort(-weights.astype(int), kind="stable")
    labels, room = np.empty(36, np.int64), np.full(n, 66 // n)
    for c in order:
        labels[c] = np.argmax(room)
        room[labels[c]] -= weights[c]
    assert not room.any()
    quality = measure_street(labels, source, "preflop")
    assert quality.shares.tolist() == pytest.approx([1 / n] * n)
    assert quality.entropy_bits == pytest.approx(math.log2(n))


def move_earth(first, second):
    """Cost of turning one histogram into another of the same sum, in bins: greedily, by unit."""
    have = [b for b, count in enumerate(first) for _ in range(count)]
    want = [b for b, count in enumerate(second) for _ in range(count)]
    return sum(abs(a - b) for a, b in zip(have, want, strict=True))


@pytest.mark.parametrize("chunk", [1 << 18, 100])
@pytest.mark.parametrize("street_name", ["flop", "turn"])
def test_the_emd_is_the_work_of_moving_every_histogram_to_its_mean(
    tmp_path, monkeypatch, street_name, chunk
):
    monkeypatch.setattr(module, "_CHUNK", chunk)
    source = StrengthLookup(StrengthTables(Deck(5, 2), bins=6, clusters=None, folder=tmp_path))
    labels = parse_bucketing("percentile(3)").label(source, street_name)
    histograms = np.asarray(source.histograms(street_name)).astype(int)
    weights = source.weights(street_name).astype(int)
    n_run_outs = source.strength.n_run_outs(street_name)
    distance = 0.0
    for bucket in range(3):
        held = np.flatnonzero(labels == bucket)
        deals = int(weights[held].sum())
        pooled = weights[held] @ histograms[held]  # `deals` times the mean
        for c in held[:: max(len(held) // 15, 1)]:  # a sample, by strength and class
            work = move_earth((histograms[c] * deals).tolist(), pooled.tolist())
            cumulative = np.abs(np.cumsum(histograms[c] * deals - pooled)).sum()
            assert work == cumulative
        gaps = [
            np.abs(np.cumsum(histograms[c] * deals - pooled)).sum() / (deals * n_run_outs)
            for c in held
        ]
        distance += weights[held] @ np.array(gaps)
    quality = measure_street(labels, source, street_name)
    assert quality.emd == pytest.approx(distance / weights.sum() / 6)  # bins of width 1/6
    assert quality.emd > 0


def test_examples_lie_in_their_buckets(source, street):
    labels = parse_bucketing("percentile(12)").label(source, street)
    quality = measure_street(labels, source, street)
    assert len(quality.examples) == 10
    isomorphism = source.strength.isomorphism(street)
    for example in quality.examples:
        bucket, _, cards = example.partition(": ")
        assert labels[isomorphism.index(parse_cards(cards))] == int(bucket)
