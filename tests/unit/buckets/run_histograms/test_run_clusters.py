"""Clusters of hands on boards whose run goes on: centers, labels, and what they are kept as."""

import numpy as np
import pytest

from counterfold.buckets import StrengthLookup, bucket_cost, parse_street_abstraction
from counterfold.buckets.bucketing import Percentile
from counterfold.buckets.clustering.clustered import Histogram
from counterfold.buckets.run_histograms import run_clusters
from counterfold.buckets.run_histograms.run_clusters import (
    SIZES,
    RunClusters,
    build_run,
    estimate_run,
    goes_on,
    run_spec,
    sample_runs,
)
from counterfold.buckets.run_histograms.run_strength import SHARES, cumulative_run_strengths
from counterfold.cards import Deck, StrengthTables, parse_cards
from counterfold.cards.table_files import table_digest
from counterfold.errors import AbstractionError, ArtifactError

N_CLUSTERS = 6


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    return StrengthLookup(StrengthTables(folder=tmp_path_factory.mktemp("tables")), threads=1)


@pytest.fixture(scope="module")
def clusters(source):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run_clusters, "_BOARDS", 400)
        yield build_run(Histogram(N_CLUSTERS), source)


def test_a_board_goes_on_after_a_red_card():
    boards = np.array([parse_cards(f"2c3c4c5c{last}") for last in ("6d", "6h", "6c", "6s")])
    assert goes_on(boards.astype(np.uint8)).tolist() == [True, True, False, False]


@pytest.mark.parametrize("n_board", SIZES)
def test_sampled_boards_are_those_of_the_game(n_board):
    holes, boards = sample_runs(n_board, 3000, 2, 1)
    dealt = np.concatenate([holes.reshape(3000, 4), boards], axis=1)
    assert (np.diff(np.sort(dealt, axis=1), axis=1) > 0).all()
    red = np.isin(boards % 4, [1, 2])
    assert red[:, 4:].all()
    # Of the other cards 26 in 52 less those of the run are black; the error is under 0.01.
    share = (26 - (n_board - 4)) / (52 - (n_board - 4))
    assert red[:, :4].mean() == pytest.approx(share, abs=0.02)


@pytest.mark.parametrize("n_board", [*SIZES, 11])
def test_a_label_is_the_nearest_center(clusters, n_board):
    holes, boards = sample_runs(n_board, 30, 3, 2)
    labels = clusters.label(holes, boards, False)
    cumulative = cumulative_run_strengths(holes, boards).astype(int)
    centers = clusters.centers[min(n_board, 9) - 5].astype(int)
    gaps = np.abs(cumulative[:, :, None, :-1] - centers).sum(axis=3)
    np.testing.assert_array_equal(labels, gaps.argmin(axis=2))


def test_centers_go_from_the_weakest_to_the_strongest(clusters):
    assert clusters.centers.shape == (len(SIZES), N_CLUSTERS, 49)
    means = 1 - clusters.centers.mean(axis=2) / SHARES
    assert (np.diff(means, axis=1) > 0).all()
    assert (means[:, 0] < 0.35).all()
    assert (means[:, -1] > 0.65).all()


def test_clusters_distinguish_a_draw_from_a_made_hand(source):
    """Two hands of like strength now, which a bucket of strength alone would not tell apart."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run_clusters, "_BOARDS", 2000)
        clusters = build_run(Histogram(40), source)
    board = parse_cards("2c7cTs9d3h")
    holes = np.array([[parse_cards("QcJc"), parse_cards("AsJh")]], np.uint8)
    draw, high = clusters.label(holes, np.array([board], np.uint8), False)[0]
    assert draw > high + 4


def test_centers_are_kept_and_checked(clusters, source, monkeypatch):
    monkeypatch.setattr(run_clusters, "_BOARDS", 400)
    spec = run_spec(clusters.bucketing, source)
    folder = source.strength.folder
    before = table_digest(spec, folder)
    monkeypatch.setattr(run_clusters, "_fit", None)  # found, not fitted again
    np.testing.assert_array_equal(
        build_run(Histogram(N_CLUSTERS), source).centers, clusters.centers
    )
    assert run_spec(Histogram(N_CLUSTERS, seed=1), source).fingerprint != spec.fingerprint
    assert table_digest(spec, folder) == before
    path = folder / spec.folder_name / "centers.npy"
    content = path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(ArtifactError, match=r"centers.npy has changed"):
        build_run(Histogram(N_CLUSTERS), source)
    path.write_bytes(content)


def test_what_fitting_costs_is_estimated(source, monkeypatch):
    monkeypatch.setattr(bucket_cost, "_seconds_per_class", lambda: 0.0)  # which is measured
    text = "preflop: lossless; flop: uniform(3); turn: uniform(3); river: uniform(3)"
    totals = []
    for run in ("", "; run: histogram(50)"):
        needs = bucket_cost._Needs(source)
        needs.add_streets(parse_street_abstraction(text + run))
        totals.append(needs.total)
    without, having = totals
    assert having.seconds == without.seconds + estimate_run(Histogram(50))[0]
    assert having.disk_bytes == without.disk_bytes + 5 * 50 * 49 * 2


def test_what_runs_cannot_be_bucketed_by():
    with pytest.raises(AbstractionError, match=r"by histogram\(n\), not by 'percentile\(5\)'"):
        run_clusters.check_run(Percentile(5))
    with pytest.raises(AbstractionError, match="metric=draw"):
        run_clusters.check_run(Histogram(5, metric="draw"))


def test_a_small_deck_has_no_clusters_of_runs(tmp_path):
    small = StrengthLookup(StrengthTables(Deck(6, 2), folder=tmp_path))
    abstraction = parse_street_abstraction("uniform(3); run: histogram(4)")
    with pytest.raises(AbstractionError, match="need the full deck and histograms, not the deck 9"):
        abstraction.check(small)


def test_longer_boards_have_the_clusters_of_nine_cards():
    centers = np.arange(5, dtype=np.uint16).reshape(5, 1, 1)
    clusters = RunClusters(Histogram(1), centers)
    assert [int(clusters.of_size(n).item()) for n in (5, 6, 9, 10, 31)] == [0, 1, 4, 4, 4]
