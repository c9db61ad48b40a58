"""One place to ask for all measures of strength, and which tables they are read from."""

from itertools import pairwise

import numpy as np
import pytest

from counterfold.buckets.strength_lookup import (
    HISTOGRAMS,
    MEANS,
    METRICS,
    StrengthLookup,
    check_histogram,
    check_mean,
    check_metric,
    histogram_tables,
    metric_tables,
)
from counterfold.cards import Deck, StrengthTables
from counterfold.errors import AbstractionError, UnknownNameError

STREETS = ("preflop", "flop", "turn", "river")


@pytest.mark.parametrize("street", ["preflop", "flop", "river"])
@pytest.mark.parametrize("metric", ["ehs", "ehs2"])
def test_a_metric_has_a_number_for_every_class(source, metric, street):
    values = source.value(metric, street)
    assert values.shape == (source.n_classes(street),) == source.weights(street).shape
    assert 0.0 <= values.min() <= values.max() <= 1.0


@pytest.mark.parametrize("street", ["preflop", "flop", "turn"])
@pytest.mark.parametrize("metric", METRICS)
def test_the_order_is_that_of_the_values(source, metric, street):
    values, order = source.value(metric, street), source.order(metric, street)
    at = np.argsort(order, kind="stable")
    assert (np.diff(values[at]) >= -1e-12).all()


def test_on_the_river_nothing_is_to_come(source):
    for metric in ("draw", "draw2"):
        plain = {"draw": "ehs", "draw2": "ehs2"}[metric]
        np.testing.assert_array_equal(source.value(metric, "river"), source.value(plain, "river"))
    assert source.histograms("river") is None


def test_squares_are_at_least_the_square_of_the_mean(source):
    assert (source.value("ehs2", "flop") >= source.value("ehs", "flop") ** 2 - 1e-9).all()


def test_before_the_flop_a_draw_is_worth_the_mean_over_all_flops(source):
    """Both are means over deals, so the weighted means of all classes agree."""
    means = []
    for street in ("preflop", "flop"):
        weights = source.weights(street).astype(float)
        means.append((weights * source.value("draw", street)).sum() / weights.sum())
    assert means[0] == pytest.approx(means[1])


def test_the_chance_to_end_above_a_strength_falls(source):
    chances = [source.chance_above(strength, "flop") for strength in (0.0, 0.14, 0.5, 1.0)]
    assert (chances[0] == 1.0).all()
    assert (chances[-1] == 0.0).all()
    assert all((a >= b).all() for a, b in pairwise(chances))


def test_tables_without_bins_know_no_chance(tables_folder):
    plain = StrengthLookup(StrengthTables(Deck(6, 2), bins=0, folder=tables_folder))
    with pytest.raises(AbstractionError, match="has no histograms; set bins above 0"):
        plain.chance_above(0.5, "flop")


def test_other_rankings_have_no_discards_and_no_runs():
    short = StrengthLookup(StrengthTables(Deck(9, 4), ranking="short-deck"))
    for ask in ("draws", "draw_histograms", "runs"):
        with pytest.raises(AbstractionError, match="needs the standard ranking, not short-deck"):
            getattr(short, ask)


@pytest.mark.parametrize(
    ("metric", "street", "tables"),
    [
        ("ehs", "flop", {"flop"}),
        ("draw", "flop", {"flop", "draws-flop"}),
        ("draw", "preflop", {"preflop", "draws-flop"}),
        ("draw2", "turn", {"turn", "final-turn"}),
        ("draw2", "river", {"river"}),
    ],
)
def test_the_tables_of_a_metric(metric, street, tables):
    assert metric_tables(metric, street) == tables


def test_the_tables_of_histograms():
    assert histogram_tables("ehs", "flop") == {"flop"}
    assert histogram_tables("draw", "flop") == {"flop", "final-flop"}
    assert histogram_tables("run", "turn") == {"turn", "run-turn"}
    assert histogram_tables("run", "river") == {"river"}


@pytest.mark.parametrize("table", ["flop", "draws-turn", "final-preflop", "run-flop"])
def test_tables_are_found_by_the_names_that_the_command_line_has(source, table):
    assert source.spec(table).name.endswith(table.rpartition("-")[2])
    assert all(source.spec(needed).name for needed in source.needs(table))


def test_unknown_metrics_are_refused():
    for check, known in (
        (check_metric, METRICS),
        (check_mean, MEANS),
        (check_histogram, HISTOGRAMS),
    ):
        for metric in known:
            check(metric)
        with pytest.raises(UnknownNameError, match="unknown metric"):
            check("luck")
