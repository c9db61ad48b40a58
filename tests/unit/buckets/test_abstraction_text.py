"""Bucketings and card abstractions as text, both ways."""

from functools import reduce
from operator import mul

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfold.buckets import (
    BUCKETINGS,
    STREETS,
    StreetAbstraction,
    parse_bucketing,
    parse_card_abstraction,
    parse_street_abstraction,
)
from counterfold.buckets.bucketing import Coarsen, Lossless, Nested, Percentile, PsOpti, Uniform
from counterfold.buckets.clustering.clustered import Histogram, Ochs, Potential
from counterfold.buckets.strength_lookup import MEANS, METRICS
from counterfold.errors import AbstractionError, UnknownNameError

RUNS = "run: histogram(40, seed=3)"
COUNTS = st.integers(1, 10_000)
METRIC = st.sampled_from(METRICS)
MEAN = st.sampled_from(MEANS)
TRIES = {"seed": st.integers(0, 2**32), "restarts": st.integers(1, 9), "iterations": COUNTS}
SHARES = st.floats(0.0, 1.0, exclude_min=True, exclude_max=True)


@st.composite
def psopti(draw):
    weak, strong = sorted(draw(st.lists(SHARES, min_size=2, max_size=2, unique=True)))
    taper = draw(st.floats(0.1, 10.0))
    return PsOpti(draw(st.integers(2, 50)), weak, strong, draw(SHARES), taper, draw(MEAN))


SIMPLE = st.one_of(
    st.just(Lossless()),
    st.builds(Uniform, COUNTS, METRIC),
    st.builds(Percentile, COUNTS, METRIC),
    st.builds(Nested, COUNTS, COUNTS, MEAN),
    psopti(),
    st.builds(Histogram, COUNTS, **TRIES, metric=MEAN),
    st.builds(Ochs, COUNTS, **TRIES),
)


def products(factors):
    """Stars without parentheses, which read from left to right."""
    return st.lists(factors, min_size=1, max_size=3).map(lambda found: reduce(mul, found))


NESTED = products(
    st.recursive(
        SIMPLE,
        lambda inner: st.one_of(
            st.builds(Coarsen, products(inner), COUNTS),
            st.builds(Potential, COUNTS, products(inner), **TRIES),
        ),
        max_leaves=5,
    )
)


@given(NESTED)
def test_names_read_back(bucketing):
    assert parse_bucketing(bucketing.name) == bucketing


@given(st.tuples(NESTED, NESTED, NESTED, NESTED), st.sampled_from(["current", "sequence"]))
def test_names_of_card_abstractions_read_back(streets, recall):
    abstraction = StreetAbstraction(streets, recall)
    assert parse_street_abstraction(abstraction.name) == abstraction


@given(NESTED, NESTED, NESTED)
def test_products_have_one_name_however_they_are_bracketed(a, b, c):
    assert (a * (b * c)).name == ((a * b) * c).name
    assert parse_bucketing(f"{a.name} * ({b.name} * {c.name})").name == (a * b * c).name


@pytest.mark.parametrize(
    ("text", "bucketing"),
    [
        ("lossless", Lossless()),
        (" lossless() ", Lossless()),
        ("percentile(10)", Percentile(10)),
        ("percentile(n=10, metric=ehs2)", Percentile(10, "ehs2")),
        ("percentile(10, 'ehs2')", Percentile(10, "ehs2")),
        ("percentile( 10 )*ochs(5,seed=3)", Percentile(10) * Ochs(5, seed=3)),
        ("psopti(6, strong=0.9)", PsOpti(6, strong=0.9)),
        ("potential(8, coarsen(lossless, 5))", Potential(8, Coarsen(Lossless(), 5))),
    ],
)
def test_texts_that_people_write(text, bucketing):
    assert parse_bucketing(text) == bucketing


def test_defaults_are_not_named():
    assert Percentile(10, "ehs").name == "percentile(10)"
    assert Histogram(5, restarts=4).name == "histogram(5, restarts=4)"
    assert (Lossless() * Nested(5, 2)).name == "lossless * nested(5, 2)"
    assert set(BUCKETINGS) == {kind.word for kind in BUCKETINGS.values()}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("percntile(10)", "unknown bucketing 'percntile'; did you mean percentile"),
        ("losless", "unknown bucketing 'losless'; did you mean lossless"),
        ("lossless * histgram(3)", "unknown bucketing 'histgram'; did you mean histogram"),
        ("percentile(10, metric=ehs3)", "unknown metric 'ehs3'; did you mean ehs or ehs2"),
        ("uniform(10, metric=x)", "unknown metric 'x'; known: draw, draw2, ehs, ehs2"),
        ("preflop: lossless; trun: lossless", "unknown street 'trun'; did you mean run or turn"),
        ("lossless; recall: sequences", "unknown recall 'sequences'; did you mean sequence"),
    ],
)
def test_unknown_names_get_suggestions(text, message):
    with pytest.raises(UnknownNameError, match=message):
        parse_street_abstraction(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "cannot read the bucketing ''"),
        ("percentile(10", "cannot read the bucketing"),
        ("percentile(10) histogram(5)", "cannot read the bucketing"),
        ("percentile", "is not a bucketing; write it like percentile"),
        ("7", "'7' is not a bucketing"),
        ("percentile(10) + ochs(5)", r"cannot read 'percentile\(10\) \+ ochs\(5\)'"),
        ("percentile(10) * 3", "a star in .* is not between two bucketings"),
        ("percentile()", "missing a required argument: 'n'; parameters of percentile: n, metric"),
        ("percentile(5, ehs, 3)", "too many positional arguments"),
        ("percentile(5, metrc=ehs)", "unexpected keyword argument 'metrc'"),
        ("percentile(**lossless)", "parameters of percentile"),
        ("percentile(0)", "a whole number of buckets of at least 1, not 0"),
        ("percentile(2.5)", "n of percentile must be a whole number, not 2.5"),
        ("percentile(5, metric=3)", "metric of percentile must be a word, not 3"),
        ("percentile(5, metric=lossless)", "metric of percentile must be a word"),
        ("psopti(5, weak=low)", "weak of psopti must be a number, not 'low'"),
        ("histogram(5, seed=x)", "seed of histogram must be a whole number, not 'x'"),
        ("histogram(5, seed=-1)", "seed of histogram must be 0 or more, not -1"),
        ("potential(5, lossless, seed=-1)", "seed of potential must be 0 or more, not -1"),
        ("coarsen(5, 3)", "fine of coarsen must be a bucketing, not 5"),
        ("potential(5, percentile)", "later of potential must be a bucketing, not 'percentile'"),
        ("__import__('os').getcwd()", "cannot read"),
    ],
)
def test_malformed_text_is_refused_in_one_sentence(text, message):
    with pytest.raises(AbstractionError, match=message) as caught:
        parse_bucketing(text)
    assert "\n" not in str(caught.value)


def test_one_bucketing_serves_all_streets():
    abstraction = parse_street_abstraction("percentile(5)")
    assert abstraction == StreetAbstraction((Percentile(5),) * 4)
    assert abstraction.recall == "current"


def test_a_street_left_out_is_bucketed_like_the_one_before():
    abstraction = parse_street_abstraction(
        "river: uniform(3); preflop: lossless; flop: ochs(4); ; recall: sequence;"
    )
    assert abstraction.streets == (Lossless(), Ochs(4), Ochs(4), Uniform(3))
    assert abstraction.recall == "sequence"
    assert abstraction.name == (
        "preflop: lossless; flop: ochs(4); turn: ochs(4); river: uniform(3); recall: sequence"
    )


@pytest.mark.parametrize("street", STREETS)
def test_a_street_named_twice_is_refused(street):
    with pytest.raises(AbstractionError, match=f"names the {street} twice"):
        parse_street_abstraction(
            f"lossless; flop: ochs(2); turn: ochs(2); river: ochs(2); {street}: uniform(2)"
        )


@pytest.mark.parametrize("second", ["current", "sequence"])
def test_recall_given_twice_is_refused(second):
    with pytest.raises(AbstractionError, match="sets recall twice"):
        parse_street_abstraction(f"lossless; recall: current; recall: {second}")


@pytest.mark.parametrize("text", ["", " ; ", "flop: lossless", "recall: sequence"])
def test_the_first_street_must_be_named(text):
    with pytest.raises(AbstractionError, match="does not say how the preflop is bucketed"):
        parse_street_abstraction(text)


def test_runs_are_named_like_a_street():
    text = "preflop: lossless; flop: uniform(3); turn: uniform(3); river: uniform(4); "
    abstraction = parse_street_abstraction(f"lossless; flop: uniform(3); river: uniform(4); {RUNS}")
    assert abstraction.run == Histogram(40, seed=3)
    assert abstraction.name == text + RUNS
    assert parse_street_abstraction(abstraction.name) == abstraction


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lossless; run: uniform(3)", r"bucketed by histogram\(n\), not by 'uniform\(3\)'"),
        ("lossless; run: histogram(3); run: histogram(3)", "names the run twice"),
        ("history(2) * (lossless; run: histogram(3))", "a product cannot have buckets of runs"),
        ("(lossless; run: histogram(3)) * uniform(2)", "a product cannot have buckets of runs"),
    ],
)
def test_runs_that_cannot_be_read(text, message):
    with pytest.raises(AbstractionError, match=message):
        parse_card_abstraction(text)


def test_a_misspelt_run_is_a_misspelt_street():
    with pytest.raises(UnknownNameError, match="unknown street 'runs'; did you mean run"):
        parse_street_abstraction("lossless; runs: histogram(3)")
