"""Bucketings by k-means: what they refuse, the river, and what they expect to cost."""

import numpy as np
import pytest

from counterfold.buckets import StrengthLookup, parse_bucketing
from counterfold.buckets.bucketing import PsOpti
from counterfold.buckets.clustering.clustered import Histogram, Ochs, Potential
from counterfold.cards import Deck, StrengthTables
from counterfold.errors import AbstractionError


@pytest.mark.parametrize("word", ["histogram(4000)", "ochs(4000)", "potential(4000, lossless)"])
@pytest.mark.parametrize("form", ["{}", "percentile(2) * {}"])
def test_more_clusters_than_classes_are_refused(source, word, form):
    with pytest.raises(AbstractionError, match=r"4,?000"):
        parse_bucketing(form.format(word)).label(source, "flop")


def test_more_clusters_than_strengths_of_the_river_are_refused(source):
    n_strengths = len(np.unique(source.order("ehs", "river")))
    assert Histogram(n_strengths).label(source, "river").max() == n_strengths - 1
    with pytest.raises(AbstractionError, match=f"{n_strengths} strengths, not {n_strengths + 1}"):
        Histogram(n_strengths + 1).label(source, "river")


def test_on_the_river_histograms_are_clustered_by_strength_alone(source):
    scores = source.order("ehs", "river")
    labels = Histogram(4).label(source, "river")
    assert (np.diff(labels[np.argsort(scores, kind="stable")]) >= 0).all()
    assert len({*zip(scores.tolist(), labels.tolist(), strict=True)}) == len(np.unique(scores))
    potential = parse_bucketing("potential(4, lossless)").label(source, "river")
    assert potential.tolist() == labels.tolist()


def test_tables_without_bins_have_no_histograms_to_cluster(tables_folder):
    plain = StrengthLookup(StrengthTables(Deck(6, 2), bins=0, folder=tables_folder))
    for bucketing in (Histogram(3), PsOpti(3)):
        with pytest.raises(AbstractionError, match="flop table has no histograms"):
            bucketing.label(plain, "flop")
        assert bucketing.label(plain, "river").max() > 0


@pytest.mark.parametrize("kind", [Histogram, Ochs])
def test_more_work_takes_longer(source, kind):
    seconds = kind(5).estimate_seconds(source, "flop")
    assert 0.0 < seconds < kind(50).estimate_seconds(source, "flop")
    assert seconds < kind(5, restarts=3).estimate_seconds(source, "flop")
    assert kind(5).estimate_space(source, "flop").memory_bytes > source.n_classes("flop")


def test_potential_pays_for_the_next_street(source):
    alone = Histogram(5).estimate_seconds(source, "flop")
    later = Histogram(6)
    both = Potential(5, later).estimate_seconds(source, "flop")
    assert both > alone + later.estimate_seconds(source, "turn")
    assert Potential(5, later).tables("flop") >= {"flop", "turn"}
    assert Potential(5, later).estimate_space(source, "river").memory_bytes == 0


@pytest.mark.parametrize("text", ["histogram(3, seed=-1)", "potential(3, lossless, seed=-1)"])
def test_seeds_are_not_negative(text):
    with pytest.raises(AbstractionError, match=r"seed of .* must be 0 or more, not -1"):
        parse_bucketing(text)
