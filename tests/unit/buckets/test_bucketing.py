"""Buckets of small decks: what each bucketing promises, and the laws of products."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfold.buckets import STREETS, StrengthLookup, parse_bucketing
from counterfold.buckets.bucketing import Coarsen, Lossless, Nested, Percentile, PsOpti, Uniform
from counterfold.buckets.clustering.clustered import Histogram
from counterfold.buckets.label_numbers import dense, order_by_strength, percentiles
from counterfold.buckets.strength_lookup import METRICS
from counterfold.cards import EIGHT_RANGES, Deck, StrengthTables
from counterfold.errors import AbstractionError, UnknownNameError

ALL = [
    "lossless",
    "uniform(7)",
    "uniform(5, metric=ehs2)",
    "percentile(6)",
    "percentile(6, metric=ehs2)",
    "percentile(6, metric=draw)",
    "uniform(5, metric=draw2)",
    "nested(3, 2)",
    "nested(3, 2, metric=draw)",
    "psopti(5)",
    "psopti(5, metric=draw)",
    "histogram(5)",
    "histogram(5, metric=draw)",
    "ochs(5)",
    "potential(5, histogram(6))",
    "percentile(3) * ochs(3)",
    "coarsen(histogram(8), 4)",
]
ROUNDING = 1e-12  # of means of a few thousand numbers from 0 to 1


def partition(labels):
    """The same for all labels that tell the same points apart."""
    first = np.unique(labels, return_index=True, return_inverse=True)
    return first[1][first[2]].tolist()


def refines(fine, coarse):
    """Whether each bucket of `fine` lies in one of `coarse`."""
    pairs = set(zip(fine.tolist(), coarse.tolist(), strict=True))
    return len(pairs) == len(np.unique(fine))


def sizes_of(labels, weights, n):
    return np.bincount(labels, weights=weights, minlength=n)


POINTS = st.lists(st.tuples(st.integers(0, 9), st.integers(1, 24)), min_size=1, max_size=60)


@given(POINTS, st.integers(1, 12))
def test_parts_are_an_equal_share_but_for_the_weight_of_one_point(points, n):
    values, weights = np.array(points).T
    sizes = sizes_of(percentiles(values, weights, n), weights, n)
    assert np.abs(sizes - weights.sum() / n).max() <= weights.max() + 1e-9


@given(st.lists(st.integers(0, 9), min_size=1, max_size=60), st.integers(1, 12))
def test_parts_of_equal_points_differ_by_one_point(values, n):
    sizes = np.bincount(percentiles(np.array(values), np.ones(len(values)), n), minlength=n)
    assert np.ptp(sizes) <= 1


@given(POINTS, st.integers(1, 12))
def test_counting_and_sorting_cut_alike(points, n):
    values, weights = np.array(points).T
    weights = weights.astype(np.uint8)
    counted = percentiles(values.astype(np.uint16), weights, n)
    assert counted.tolist() == percentiles(values.astype(float), weights, n).tolist()
    assert counted.tolist() == percentiles(values.astype(np.uint32) << 20, weights, n).tolist()
    order = np.argsort(values, kind="stable")
    assert (np.diff(counted[order]) >= 0).all()


@pytest.mark.parametrize("street", STREETS)
@pytest.mark.parametrize("metric", METRICS)
def test_percentile_buckets_have_an_equal_share_of_deals_but_for_one_class(source, street, metric):
    weights = source.weights(street)
    labels = Percentile(7, metric).split(source, street)
    sizes = sizes_of(labels, weights, 7)
    assert np.abs(sizes - weights.sum() / 7).max() <= weights.max()
    value = source.value(metric, street)
    highest = [value[labels == k].max() for k in range(6)]
    lowest = [value[labels == k].min() for k in range(1, 7)]
    assert np.all(np.array(highest) <= np.array(lowest) + ROUNDING)


@pytest.mark.parametrize("street", STREETS)
def test_uniform_buckets_are_equal_widths(source, street):
    labels = Uniform(4).split(source, street)
    value = source.value("ehs", street)
    assert (value >= labels / 4).all()
    assert ((value < (labels + 1) / 4) | (labels == 3)).all()
    if street == "river":  # the nuts lie on the upper end
        assert value.max() == 1.0
        assert set(labels.tolist()) == {0, 1, 2, 3}


@pytest.mark.parametrize("street", STREETS)
@pytest.mark.parametrize(("metric", "square"), [("ehs", "ehs2"), ("draw", "draw2")])
def test_nested_cuts_each_set_of_equal_second_moments(source, street, metric, square):
    weights = source.weights(street)
    labels = Nested(3, 4, metric).split(source, street)
    outer = Percentile(3, square).split(source, street)
    assert refines(labels, outer)
    strength = source.value(metric, street)
    for k in range(3):
        inside = labels[outer == k] - 4 * k
        assert np.ptp(sizes_of(inside, weights[outer == k], 4)) <= 2 * weights.max()
        means = [strength[outer == k][inside == j].mean() for j in range(4)]
        assert means == sorted(means)


@pytest.mark.parametrize("street", STREETS[:3])
@pytest.mark.parametrize(("weak", "strong", "chance"), [(0.5, 0.8, 0.2), (0.45, 0.62, 0.5)])
def test_the_potential_bucket_has_exactly_the_weak_hands_that_rise(
    source, street, weak, strong, chance
):
    bucketing = PsOpti(6, weak, strong, chance)
    labels = bucketing.split(source, street)
    table = source.strength.street(street)
    first_bin = round(strong * source.strength.bins)
    rises = table.histogram()[:, first_bin:].sum(axis=1)
    expected = (table.mean() < weak) & (rises >= chance - ROUNDING)
    assert (labels == 5).tolist() == expected.tolist()
    assert street != "turn" or expected.any()  # few rise from an early street
    ends = 1 - (1 - np.arange(1, 6) / 5) ** 1.5
    assert np.all(np.diff(ends) > 0)
    assert np.all(np.diff(ends, 2) < 0)  # narrower toward the top
    others = ~expected
    assert (table.mean()[others] <= ends[labels[others]]).all()


@pytest.mark.parametrize("street", STREETS[:3])
def test_with_discards_the_potential_bucket_has_the_weak_hands_that_rise_by_them(source, street):
    labels = PsOpti(6, 0.55, 0.6, 0.4, metric="draw").split(source, street)
    final = source.draw_histograms.street(street)
    rises = final.histograms[:, 30:].sum(axis=1) / final.n_ends
    expected = (source.value("draw", street) < 0.55) & (rises >= 0.4 - ROUNDING)
    assert (labels == 5).tolist() == expected.tolist()
    assert expected.any() or street == "preflop"  # there all hands are alike


@pytest.mark.parametrize("street", STREETS)
def test_with_discards_buckets_are_others_until_the_river(source, street):
    for text in ("nested(3, 2{})", "psopti(6, 0.55, 0.6, 0.4{})", "histogram(5{})"):
        plain = parse_bucketing(text.format("")).label(source, street)
        drawn = parse_bucketing(text.format(", metric=draw")).label(source, street)
        assert (plain.tolist() == drawn.tolist()) == (street == "river")


def test_before_the_flop_draw_is_the_mean_over_all_flops(source):
    flop = source.strength.isomorphism("flop")
    deals = flop.unindex_many(np.arange(flop.size))
    hole = source.strength.isomorphism("preflop").index_many(deals[:, :2])
    before, weights = source.value("draw", "flop"), source.weights("flop")
    found = source.value("draw", "preflop")
    for c in range(0, found.size, 7):
        held = hole == c
        assert found[c] == pytest.approx(np.average(before[held], weights=weights[held]))
    assert (found > source.mean("preflop")).all()


@pytest.mark.parametrize("kind", [lambda m: Nested(2, 2, m), lambda m: PsOpti(5, metric=m)])
def test_squares_have_no_squares(kind):
    with pytest.raises(UnknownNameError, match="unknown metric of final strength 'draw2'; did you"):
        kind("draw2")


def test_on_the_river_nothing_has_potential(source):
    assert PsOpti(6).split(source, "river").max() == 4


@pytest.mark.parametrize("strength", [k / 50 for k in range(1, 50)])
def test_a_threshold_on_the_edge_of_a_bin_keeps_the_bin(source, strength):
    histograms = source.histograms("turn")
    expected = histograms[:, round(strength * 50) :].sum(axis=1) / source.strength.n_run_outs(
        "turn"
    )
    assert source.chance_above(strength, "turn").tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"weak": 0.8, "strong": 0.5}, "weak 0.8 and strong 0.5"),
        ({"weak": 0.5, "strong": 0.5}, "0 < weak < strong < 1"),
        ({"weak": 0.0}, "0 < weak"),
        ({"strong": 1.0}, "strong < 1"),
        ({"chance": 0.0}, "0 < chance < 1, not 0.0"),
        ({"chance": 1.0}, "0 < chance < 1, not 1.0"),
        ({"taper": 0.0}, "taper above 0, not 0.0"),
        ({"taper": float("nan")}, "taper above 0, not nan"),
        ({"n": 1}, "at least two"),
    ],
)
def test_thresholds_out_of_order_are_refused(arguments, message):
    with pytest.raises(AbstractionError, match=message):
        PsOpti(**{"n": 5, **arguments})


@pytest.mark.parametrize("n", [0, -1, 2.0, True, "3"])
@pytest.mark.parametrize(
    "kind",
    [
        Uniform,
        Percentile,
        Histogram,
        PsOpti,
        lambda n: Nested(2, n),
        lambda n: Nested(n, 2),
        lambda n: Coarsen(Lossless(), n),
    ],
)
def test_counts_are_whole_and_positive(kind, n):
    with pytest.raises(AbstractionError, match="a whole number of buckets of at least 1"):
        kind(n)


def test_unknown_metric():
    with pytest.raises(UnknownNameError, match="did you mean ehs or ehs2"):
        Percentile(5, "ehs3")


@pytest.mark.parametrize("street", STREETS)
@pytest.mark.parametrize("name", ALL)
def test_buckets_are_numbered_by_mean_strength_without_gaps(source, name, street):
    bucketing = parse_bucketing(name)
    labels = bucketing.label(source, street)
    weights = source.weights(street).astype(float)
    sizes = np.bincount(labels, weights=weights)
    assert labels.shape == (source.n_classes(street),)
    assert sizes.min() > 0
    assert sizes.size <= bucketing.most_buckets(source.n_classes(street))
    means = np.bincount(labels, weights=weights * source.mean(street)) / sizes
    assert (np.diff(means) >= -ROUNDING).all()
    assert partition(labels) == partition(bucketing.split(source, street))
    assert labels.tolist() == bucketing.label(source, street).tolist()


PARTS = [parse_bucketing(t) for t in ("percentile(4)", "uniform(3, metric=ehs2)", "ochs(3)")]


@pytest.mark.parametrize("street", STREETS)
def test_products_refine_both_and_obey_the_laws(source, street):
    def parts(bucketing):
        return partition(bucketing.label(source, street))

    a, b, c = PARTS
    product = (a * b).label(source, street)
    assert refines(product, a.label(source, street))
    assert refines(product, b.label(source, street))
    pairs = zip(parts(a), parts(b), strict=True)
    assert len(np.unique(product)) == len(set(pairs))  # and tells nothing else apart
    assert parts(a * b) == parts(b * a)
    assert parts((a * b) * c) == parts(a * (b * c))
    assert parts(a * a) == parts(a)
    assert parts(a * Lossless()) == parts(Lossless()) == parts(Lossless() * a)
    assert parts(a * Uniform(1)) == parts(a)


@pytest.mark.parametrize("street", STREETS)
@pytest.mark.parametrize("n", [1, 3, 8, 30])
def test_coarsening_merges_neighbors_into_at_most_n(source, street, n):
    fine = parse_bucketing("percentile(5) * histogram(4)")
    labels = fine.label(source, street)
    merged = Coarsen(fine, n).label(source, street)
    assert refines(labels, merged)
    assert merged.max() < n
    of_fine = [merged[labels == k][0] for k in range(labels.max() + 1)]
    assert of_fine == sorted(of_fine)
    if n == 30:  # more than there are
        assert merged.max() <= labels.max()


@pytest.mark.parametrize("name", ["percentile(37)", "uniform(37)", "nested(19, 2)", "psopti(37)"])
@pytest.mark.parametrize("wrap", ["{}", "coarsen({}, 3)"])
def test_more_buckets_than_classes_are_refused(source, name, wrap):
    with pytest.raises(AbstractionError, match=r"makes 3[78] buckets from the 36 classes"):
        parse_bucketing(wrap.format(name)).label(source, "preflop")


def test_labels_do_not_depend_on_threads(tmp_path):
    deck = Deck(5, 3)
    made = []
    for threads in (1, 2):
        strength = StrengthTables(deck, clusters=EIGHT_RANGES, folder=tmp_path / str(threads))
        source = StrengthLookup(strength, threads)
        made.append([parse_bucketing(n).label(source, s) for n in ALL for s in STREETS])
    for one, two in zip(*made, strict=True):
        assert np.array_equal(one, two)


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=30))
def test_dense_labels_keep_the_partition(labels):
    given_labels = np.array(labels)
    numbered = dense(given_labels)
    assert partition(numbered) == partition(given_labels)
    assert sorted(set(numbered.tolist())) == list(range(len(set(labels))))


def test_empty_buckets_are_dropped():
    labels = order_by_strength(np.array([5, 2, 5]), np.array([0.1, 0.9, 0.3]), np.ones(3, np.uint8))
    assert labels.tolist() == [0, 1, 0]
