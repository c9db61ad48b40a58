"""Final strength with discards against plain enumeration of draws and boards, on small decks."""

import time
from collections import Counter
from itertools import combinations, count

import numpy as np
import pytest

from counterfold.cards import Deck, DrawHistograms, StrengthTables
from counterfold.errors import UnknownNameError
from helpers.naive.naive_strength import final_scores, left_of

DECKS = [Deck(6, 2), Deck((2, 7, 12), 4), Deck((0, 5, 9, 12), 3)]
BINS = 6


@pytest.fixture(scope="module", params=DECKS, ids=lambda deck: deck.name.replace("/", "-"))
def tables(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    strength = StrengthTables(request.param, bins=BINS, clusters=None, folder=folder)
    return DrawHistograms(strength)


def hands_after(tables, street, hole, board):
    """The hands that a player may hold after the best choice, each as often as it is drawn."""
    deck = tuple(tables.strength.deck.cards.tolist())
    drawn = left_of(deck, hole, board)
    gone = tables.draws.street(street).discard(hole, board)
    if gone is None:
        return [hole] * len(drawn)
    (kept,) = (card for card in hole if card != gone)
    return [(kept, card) for card in drawn]


def ends_on_turn(tables, hole, board):
    """The final score of every draw and river; what was discarded is back in the deck."""
    deck = tuple(tables.strength.deck.cards.tolist())
    hands = hands_after(tables, "turn", hole, board)
    return sum((Counter(final_scores(hand, board, deck)) for hand in hands), Counter())


def ends_on_flop(tables, hole, board):
    deck = tuple(tables.strength.deck.cards.tolist())
    ends = Counter()
    for hand, times in Counter(hands_after(tables, "flop", hole, board)).items():
        for card in left_of(deck, hand, board):
            found = ends_on_turn(tables, hand, (*board, card))
            ends += Counter({score: times * n for score, n in found.items()})
    return ends


ENDS = {"turn": ends_on_turn, "flop": ends_on_flop}


@pytest.mark.parametrize(("street", "n"), [("turn", 60), ("flop", 6)])
def test_tables_are_those_of_plain_enumeration(tables, street, n):
    table = tables.street(street)
    top = 2 * table.n_opponents
    classes = np.random.default_rng(n).choice(table.isomorphism.size, n, replace=False)
    n_discards = 0
    for c in classes.tolist():
        deal = tuple(table.isomorphism.unindex(c).tolist())
        ends = ENDS[street](tables, deal[:2], deal[2:])
        assert sum(ends.values()) == table.n_ends
        assert table.squares[c] == sum(score**2 * n for score, n in ends.items())
        histogram = [0] * BINS
        for score, times in ends.items():
            histogram[min(score * BINS // top, BINS - 1)] += times
        assert table.histograms[c].tolist() == histogram
        n_discards += hands_after(tables, street, deal[:2], deal[2:])[0] != deal[:2]
    assert n_discards > n // 6  # both cases are met


def test_before_the_flop_it_is_the_sum_over_all_flops(tables):
    preflop, flop = tables.street("preflop"), tables.street("flop")
    cards = tables.strength.deck.cards.tolist()
    for c in (0, preflop.isomorphism.size // 2, preflop.isomorphism.size - 1):
        hole = preflop.isomorphism.unindex(c).tolist()
        flops = combinations([card for card in cards if card not in hole], 3)
        classes = flop.isomorphism.index_many([[*hole, *board] for board in flops])
        assert preflop.squares[c] == flop.squares[classes].sum()
        expected = flop.histograms[classes].sum(axis=0, dtype=np.int64)
        np.testing.assert_array_equal(preflop.histograms[c], expected)


@pytest.mark.parametrize("street", ["preflop", "flop", "turn"])
def test_every_histogram_counts_all_ends(tables, street):
    table = tables.street(street)
    sums = table.histograms.sum(axis=1, dtype=np.int64)
    assert (sums == table.n_ends).all()
    moments = table.second_moment()
    assert ((moments >= 0) & (moments <= 1)).all()


def test_exchanging_makes_hands_stronger(tables):
    """By the exact choice, on average over all deals; a dead card back in the deck is no more."""
    for street in ("flop", "turn"):
        table, plain = tables.street(street), tables.strength.street(street)
        weights = plain.isomorphism.weights()
        drawn = np.average(table.second_moment(), weights=weights)
        assert drawn > np.average(plain.second_moment(), weights=weights)
        kept = tables.draws.street(street).choice == 0
        if street == "turn":
            assert table.second_moment()[kept] == pytest.approx(plain.second_moment()[kept])


def test_one_and_two_threads_build_the_same_bytes(tables, tmp_path):
    strength = StrengthTables(tables.strength.deck, bins=BINS, clusters=None, folder=tmp_path)
    other = DrawHistograms(strength)
    for street in ("turn", "flop", "preflop"):
        ours, theirs = tables.street(street), other.street(street, threads=2)
        assert ours.squares.tobytes() == theirs.squares.tobytes()
        assert ours.histograms.tobytes() == theirs.histograms.tobytes()


def test_without_bins_there_are_squares_alone(tables, tmp_path):
    bare = DrawHistograms(StrengthTables(tables.strength.deck, bins=0, folder=tmp_path))
    table = bare.street("turn")
    assert table.histograms is None
    assert table.squares.tobytes() == tables.street("turn").squares.tobytes()
    assert bare.spec("turn").fingerprint != tables.spec("turn").fingerprint


def test_an_estimate_leaves_nothing(tmp_path, monkeypatch):
    ticks = count()  # a busy machine cannot change them
    monkeypatch.setattr(time, "perf_counter", lambda: next(ticks))
    tables = DrawHistograms(StrengthTables(DECKS[0], bins=BINS, folder=tmp_path))
    for street in ("turn", "flop"):
        assert tables.estimate_seconds(street) > tables.estimate_seconds(street, 1000) > 0
    assert not list(tmp_path.iterdir())


def test_there_is_none_on_the_river(tables):
    with pytest.raises(UnknownNameError, match="street before the last discard 'river'"):
        tables.street("river")
