"""Counts of a device against those of threads, to the bit; with NumPy its twins count."""

import numpy as np
import pytest

from counterfold.buckets import joint_tables
from counterfold.buckets.device import board_counts
from counterfold.buckets.device.board_counts import MOST_SEQUENCES, BoardCounts, fits_device
from counterfold.buckets.histories import history_fit
from counterfold.buckets.histories.history import History
from counterfold.buckets.histories.joint_walks import count_pairs
from counterfold.buckets.perfect_recall import ClassBuckets, n_sequences
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards import Deck, Isomorphism, StrengthTables
from counterfold.cards.streets import STREETS
from helpers.array_libraries import LIBRARIES, library

# Decks of as many suits as make flushes, and not; the flops of the last are several chunks.
DECKS = {"two suits": Deck(6, 2), "three suits": Deck(5, 3)}
HISTORIES = {"by score": History(3), "nested": History(2, m=2), "one bucket": History(1)}


@pytest.fixture(params=LIBRARIES)
def xp(request):
    return library(request.param)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("tables")


def fit(history, deck, folder):
    tables = StrengthTables(deck, bins=0, clusters=None, folder=folder)
    return history.build(StrengthLookup(tables, threads=1, device="cpu"))


def random_classes(deck):
    rng = np.random.default_rng(3)
    rounds = dict(zip(STREETS, [(2,), (2, 3), (2, 4), (2, 5)], strict=True))
    labels = {
        street: rng.integers(0, 3, Isomorphism(split, deck).size)
        for street, split in rounds.items()
    }
    return ClassBuckets(deck, labels)


def count_boards(xp, buckets, seen=None):
    preflop, flop, turn, _ = buckets.streets
    return BoardCounts(xp, buckets.deck, preflop.levels, flop, turn, 1, seen)


@pytest.mark.parametrize("deck", DECKS.values(), ids=DECKS)
@pytest.mark.parametrize("history", HISTORIES.values(), ids=HISTORIES)
def test_pairs_and_wins_are_those_of_threads(xp, deck, history, folder):
    buckets = fit(history, deck, folder)
    n = n_sequences(buckets, "river")
    found = count_boards(xp, buckets).tally(buckets.streets[3], n)
    expected = count_pairs(buckets, "river", 1, None)
    np.testing.assert_array_equal(found, expected)
    assert np.triu(expected).any()


def test_levels_may_go_by_class(xp):
    buckets = random_classes(DECKS["two suits"])
    n = n_sequences(buckets, "river")
    found = count_boards(xp, buckets).tally(buckets.streets[3], n)
    np.testing.assert_array_equal(found, count_pairs(buckets, "river", 1, None))


@pytest.mark.parametrize("deck", DECKS.values(), ids=DECKS)
def test_scores_are_those_of_threads(xp, deck, folder):
    buckets = fit(History(3), deck, folder)
    n_rows, n_scores = buckets.arrays["river_counts"].shape
    found = count_boards(xp, buckets).count_scores(n_rows, n_scores)
    np.testing.assert_array_equal(found, buckets.arrays["river_counts"])


def test_chunks_add_up_and_are_told(xp, monkeypatch, folder):
    buckets = fit(History(2), DECKS["two suits"], folder)
    whole = count_boards(xp, buckets).tally(buckets.streets[3], 16)
    told = []
    monkeypatch.setattr(board_counts, "_FLOPS_AT_ONCE", 7)
    parts = count_boards(xp, buckets, lambda *now: told.append(now)).tally(buckets.streets[3], 16)
    np.testing.assert_array_equal(parts, whole)
    n_flops = told[-1][2]
    assert n_flops > 7
    assert [done for _, done, _ in told] == [*range(7, n_flops, 7), n_flops]
    assert {name for name, _, _ in told} == {"joint-river"}


def test_fits_and_tables_are_the_same_on_a_device(xp, monkeypatch, tmp_path):
    """The whole way from strength to joint tables, with the library of a device chosen."""
    deck = DECKS["two suits"]
    here = fit(History(2), deck, tmp_path / "here")
    joint_here = joint_tables.build_joint(here, tmp_path / "here", threads=1, device="cpu")
    for module in (history_fit, joint_tables):
        monkeypatch.setattr(module, "counting_library", lambda asked: xp)
    asked = []
    for name in ("count_scores", "tally"):
        plain = getattr(BoardCounts, name)
        monkeypatch.setattr(
            BoardCounts, name, lambda *a, plain=plain, name=name: asked.append(name) or plain(*a)
        )
    there = fit(History(2), deck, tmp_path / "there")
    joint_there = joint_tables.build_joint(there, tmp_path / "there", threads=1)
    assert asked == ["count_scores", "tally"]
    assert there.arrays.keys() == here.arrays.keys()
    for name, expected in here.arrays.items():
        np.testing.assert_array_equal(there.arrays[name], expected)
    for one, other in zip(joint_there.probabilities, joint_here.probabilities, strict=True):
        np.testing.assert_array_equal(one.values, other.values)
    np.testing.assert_array_equal(joint_there.net.values, joint_here.net.values)


def test_what_has_no_room_on_a_device_is_left_to_threads(monkeypatch, folder, tmp_path):
    buckets = fit(History(2), DECKS["two suits"], folder)
    monkeypatch.setattr(joint_tables, "counting_library", lambda asked: np)
    monkeypatch.setattr(joint_tables, "fits_device", lambda xp, n: False)
    monkeypatch.setattr(BoardCounts, "tally", None)
    found = joint_tables.build_joint(buckets, tmp_path, threads=1)
    assert found.net.values.shape == (16, 16)


def test_keys_have_room_for_so_many_sequences():
    assert fits_device(np, MOST_SEQUENCES)
    assert not fits_device(np, MOST_SEQUENCES + 1)


def test_the_memory_of_a_gpu_is_asked_for(monkeypatch):
    monkeypatch.setattr(board_counts, "free_gpu_bytes", lambda: 2 << 30)
    assert fits_device(None, 5_000)
    assert not fits_device(None, 10_000)
