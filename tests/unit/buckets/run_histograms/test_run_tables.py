"""Tables of strength at the end of a run, against enumeration on a small deck."""

import numpy as np
import pytest

from counterfold.buckets import StrengthLookup, parse_bucketing
from counterfold.buckets.run_histograms import run_tables
from counterfold.buckets.run_histograms.run_tables import RunTables
from counterfold.cards import Deck, StrengthTables, parse_cards
from counterfold.errors import AbstractionError, UnknownNameError
from helpers.naive.naive_runs import strengths_after_turn

SMALL = Deck(5, 3)  # TJQKA in clubs, diamonds and hearts
N_BINS = 20


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run_tables, "_ROUNDS", {"flop": 40, "turn": 200})
        yield RunTables(
            StrengthTables(SMALL, bins=N_BINS, folder=tmp_path_factory.mktemp("tables"))
        )


# Each suit has two cards, so that no run can use up the deck.
@pytest.mark.parametrize(
    ("hand", "board"), [("AcAd", "KcTdQhJh"), ("TcJd", "QcKdAhTh"), ("KcQc", "TdJdAhKh")]
)
def test_histograms_on_the_turn_are_those_of_all_runs(tables, hand, board):
    hole, cards = tuple(parse_cards(hand)), tuple(parse_cards(board))
    exact = strengths_after_turn(hole, cards, tuple(SMALL.cards.tolist()))
    assert sum(exact.values()) == 1
    expected = np.zeros(N_BINS)
    for final, chance in exact.items():
        expected[min(int(final * N_BINS), N_BINS - 1)] += float(chance)
    row = tables.strength.isomorphism("turn").index([*hole, *cards])
    found = tables.street("turn", threads=1)[row] / 255
    # 2,200 run-outs leave a share off by 0.01 or so, rounding to bytes by 0.002.
    assert np.abs(np.cumsum(found) - np.cumsum(expected)).sum() / N_BINS < 0.02


@pytest.mark.parametrize(("street", "total"), [("preflop", 16383), ("flop", 16383), ("turn", 255)])
def test_all_rows_have_one_sum(tables, street, total):
    histograms = tables.street(street, threads=1)
    assert histograms.shape == (tables.strength.isomorphism(street).size, N_BINS)
    assert (histograms.sum(axis=1, dtype=np.int64) == total).all()


def test_means_of_all_streets_agree(tables):
    """Whatever is to come, all hands together win half."""
    middles = (np.arange(N_BINS) + 0.5) / N_BINS
    for street in ("preflop", "flop", "turn"):
        histograms = tables.street(street, threads=1)
        weights = tables.strength.isomorphism(street).weights().astype(float)
        means = histograms @ middles / histograms.sum(axis=1)
        # Bins are wide here, and many hands tie.
        assert means @ weights / weights.sum() == pytest.approx(0.5, abs=0.03)


def test_hands_are_clustered_by_them(tables):
    source = StrengthLookup(tables.strength, threads=1)
    for street in ("preflop", "flop", "turn", "river"):
        labels = parse_bucketing("histogram(4, metric=run)").label(source, street)
        assert set(labels.tolist()) == {0, 1, 2, 3}
    plain = parse_bucketing("histogram(4)")
    assert plain.label(source, "river").tolist() == labels.tolist()
    run = parse_bucketing("histogram(4, metric=run)")
    assert (plain.label(source, "turn") != run.label(source, "turn")).any()


def test_what_they_are_built_from(tables):
    source = StrengthLookup(tables.strength)
    run = parse_bucketing("histogram(4, metric=run)")
    assert run.tables("flop") == {"flop", "run-flop"}
    assert run.tables("river") == {"river"}
    assert source.needs("run-preflop") == {"run-flop"}
    assert source.needs("run-turn") == set()
    assert source.spec("run-turn").fingerprint == tables.spec("turn").fingerprint
    assert source.estimate_seconds("run-preflop") == 0.0
    assert source.estimate_seconds("run-turn") > 0.0


def test_what_has_no_histograms_of_runs(tables, tmp_path):
    with pytest.raises(UnknownNameError, match="unknown street before a run 'river'"):
        tables.spec("river")
    with pytest.raises(AbstractionError, match="need bins"):
        RunTables(StrengthTables(SMALL, bins=0, folder=tmp_path)).spec("flop")
    with pytest.raises(UnknownNameError, match="unknown metric with histograms 'ehs2'"):
        parse_bucketing("histogram(4, metric=ehs2)")
