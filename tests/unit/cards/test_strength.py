"""Strength tables of small decks against plain enumeration, exact identities, and what is refused.

Single boards of the full deck are tested beside the kernels; its whole tables are slow.
"""

from dataclasses import replace
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from counterfold.buckets.clustering.opponent_clustering import cluster_by_histogram
from counterfold.cards import FULL, Deck, parse_cards, strength_kernels
from counterfold.cards.clusters import EIGHT_RANGES, OpponentClusters
from counterfold.cards.pairs import PAIR_HAND_CLASSES, index_pair
from counterfold.cards.streets import BOARD_SIZES
from counterfold.cards.strength import Strength, StrengthTables
from counterfold.errors import CardError, UnknownNameError
from helpers.naive.naive_strength import final_scores, left_of, score, scores_by_cluster
from helpers.processes.cluster_jobs import Traveling

DECKS = [Deck(6, 2), Deck((0, 5, 9, 12), 3), Deck((2, 7, 12), 4)]
STREETS = list(BOARD_SIZES)
BINS = 7
# Five clusters that mix the classes; four have hands in each of the small decks, the last has none.
MIXED = np.where(PAIR_HAND_CLASSES == 168 - 14, 4, PAIR_HAND_CLASSES * 5 % 11 % 4).astype(np.uint8)
CLUSTERS = OpponentClusters("mixed, and threes", MIXED)
FLOAT32 = 2.0**-24  # the relative error of one rounding


def cluster_of(pair):
    return int(MIXED[index_pair(*pair)])


def sample(classes, n, seed=0):
    """All classes, or a sample of `n`; their standard deals as hole cards and board."""
    rng = np.random.default_rng(seed)
    chosen = np.arange(classes.size) if n >= classes.size else rng.choice(classes.size, n, False)
    deals = classes.unindex_many(chosen).tolist()
    return [(c, tuple(d[:2]), tuple(d[2:])) for c, d in zip(chosen.tolist(), deals, strict=True)]


@pytest.fixture(scope="module", params=DECKS, ids=lambda deck: deck.name.replace("/", "-"))
def tables(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    return StrengthTables(deck=request.param, bins=BINS, clusters=CLUSTERS, folder=folder)


@pytest.fixture(scope="module")
def cards(tables):
    return tuple(tables.deck.cards.tolist())


@pytest.fixture(params=STREETS)
def table(request, tables):
    return tables.street(request.param)


def test_sums_squares_and_histograms_are_those_of_all_run_outs(tables, table, cards):
    n_opponents = comb(len(cards) - 7, 2)
    for c, hole, board in sample(table.isomorphism, 400):
        scores = final_scores(hole, board, cards)
        assert len(scores) == table.n_run_outs
        assert table.sums[c] == sum(scores)
        if table.street == "river":
            assert table.squares is None
            assert table.histograms is None
            continue
        assert table.squares[c] == sum(score**2 for score in scores)
        strengths = [Fraction(score, 2 * n_opponents) for score in scores]
        bins = [min(int(strength * BINS), BINS - 1) for strength in strengths]
        assert table.histograms[c].tolist() == [bins.count(b) for b in range(BINS)]
        assert table.mean(c) == pytest.approx(float(sum(strengths) / len(strengths)))
        moment = sum(strength**2 for strength in strengths) / len(strengths)
        assert table.second_moment(c) == pytest.approx(float(moment))


def test_ochs_is_the_equity_against_each_cluster(tables, cards):
    for street, n in (("preflop", 6), ("flop", 100), ("turn", 200), ("river", 200)):
        table = tables.street(street, river_ochs=True)
        error = 0.5 / 255 if street == "river" else 2 * FLOAT32
        for c, hole, board in sample(table.isomorphism, n):
            sums, counts = scores_by_cluster(hole, board, cards, 5, cluster_of)
            equities = [s / (2 * n) if n else 0.5 for s, n in zip(sums, counts, strict=True)]
            assert table.ochs_vectors(c) == pytest.approx(equities, abs=1.001 * error)


def test_a_cluster_that_no_opponent_can_be_in_counts_as_one_half(tables):
    for street in STREETS:
        vectors = tables.street(street, river_ochs=True).ochs_vectors()
        rounded = round(255 / 2 + 1e-9) / 255 if street == "river" else 0.5
        assert (vectors[:, 4] == rounded).all()


def test_ochs_weighed_by_the_opponents_left_is_the_mean(table, tables, cards):
    if table.street == "river":
        table = tables.street("river", river_ochs=True)
    error = 0.5 / 255 if table.street == "river" else 2 * FLOAT32
    for c, hole, board in sample(table.isomorphism, 300):
        left = left_of(cards, hole, board)
        weights = np.zeros(5)
        for i, low in enumerate(left):
            for high in left[i + 1 :]:
                weights[cluster_of((low, high))] += 1
        mean = table.ochs_vectors(c) @ weights / weights.sum()
        assert mean == pytest.approx(table.mean(c), abs=1.001 * error)


def test_all_hands_together_win_half_of_all_showdowns(table):
    """Each showdown gives two points to two hands: the mean is one half, in integers."""
    weights = table.isomorphism.weights().astype(int)
    total = int(weights @ table.sums.astype(int))
    assert total == weights.sum() * table.n_run_outs * table.n_opponents


@pytest.mark.parametrize("table", ["preflop", "flop", "turn"], indirect=True)
def test_histograms_agree_with_both_moments_within_a_bin(table):
    assert (table.histograms.sum(axis=1, dtype=int) == table.n_run_outs).all()
    histogram = table.histogram()
    assert histogram.sum(axis=1) == pytest.approx(1.0)
    low, high = np.arange(BINS) / BINS, np.arange(1, BINS + 1) / BINS
    slack = 1e-12
    assert (histogram @ low <= table.mean() + slack).all()
    assert (histogram @ high >= table.mean() - slack).all()
    assert (histogram @ low**2 <= table.second_moment() + slack).all()
    assert (histogram @ high**2 >= table.second_moment() - slack).all()


def test_the_mean_of_squares_is_at_least_the_square_of_the_mean(table):
    assert (table.second_moment() >= table.mean() ** 2 - 1e-12).all()
    assert (table.second_moment() <= table.mean() + 1e-12).all()  # HS² <= HS


def test_a_table_is_the_mean_of_the_next_street(tables):
    """Whoever waits for one more card has the mean of what it brings, with the board in order."""
    turn, river = tables.street("turn"), tables.street("river")
    deck = tables.deck.cards.tolist()
    for c, hole, board in sample(turn.isomorphism, 100):
        following = [river.index(hole, [*board, card]) for card in left_of(deck, hole, board)]
        assert turn.sums[c] == river.sums[following].sum(dtype=int)


def test_strength_does_not_depend_on_suits_or_the_order_of_cards(tables, cards):
    flop = tables.street("flop")
    rng = np.random.default_rng(0)
    for _ in range(20):
        deal = rng.permutation(cards)[:5]
        suits = rng.permutation(tables.deck.suits)
        other = deal // 4 * 4 + suits[deal % 4]
        index = flop.index(deal[:2], deal[2:])
        assert flop.index(other[1::-1], rng.permutation(other[2:])) == index
        assert flop.sums[index] == sum(final_scores(tuple(deal[:2]), tuple(deal[2:]), cards))


@pytest.mark.parametrize(("street", "later"), [("flop", "turn"), ("turn", "river")])
def test_next_street_counts_the_labels_of_all_cards_to_come(tables, cards, street, later):
    classes, following = tables.isomorphism(street), tables.isomorphism(later)
    labels = np.random.default_rng(1).integers(0, 5, following.size)
    counts = tables.next_street(street, labels)
    assert counts.shape == (classes.size, 5)
    assert (counts.sum(axis=1) == len(cards) - 2 - BOARD_SIZES[street]).all()
    for c, hole, board in sample(classes, 200):
        deals = [(*hole, *board, card) for card in left_of(cards, hole, board)]
        expected = np.bincount(labels[following.index_many(deals)], minlength=5)
        assert counts[c].tolist() == expected.tolist()


def test_next_street_keeps_a_table_per_labelling(tmp_path):
    tables = StrengthTables(deck=Deck((2, 7, 12), 4), bins=0, folder=tmp_path)
    size = tables.isomorphism("river").size
    even, odd = np.arange(size) % 2, np.arange(size) % 3
    first = tables.next_street("turn", even)
    assert tables.next_street("turn", odd).shape[1] == 3
    assert np.array_equal(tables.next_street("turn", even.astype(np.uint8)), first)
    assert len(list(tmp_path.glob("next-turn-*.lock"))) == 2


def test_the_two_outcome_examples_of_johanson():
    """Strengths 0.4 or 0.6, and 0.2 or 0.8: E[HS] 0.5 for both, E[HS²] 0.26 and 0.34."""
    for scores, moment in (((4, 6), 0.26), ((2, 8), 0.34)):
        s = strength_kernels.make_scratch(9, 5, 10, np.zeros(0, np.uint8))
        s.cards[:] = [0, 1, 2, 3]
        for value in scores:  # of 2 * 5 opponents
            s.scores[0] = value
            strength_kernels.add_run_out(np.minimum(np.arange(11), 9).astype(np.uint8), s)
        table = Strength("turn", None, 2, 5, s.sums, s.squares, s.histograms, None)
        hand = 52 * 0 + 1
        assert table.mean(hand) == pytest.approx(0.5)
        assert table.second_moment(hand) == pytest.approx(moment)
        assert np.flatnonzero(table.histogram(hand)).tolist() == list(scores)
        assert table.histogram(hand).sum() == 1


def test_one_and_two_threads_build_the_same_bytes(tmp_path):
    for threads in (1, 2):
        folder = tmp_path / str(threads)
        tables = StrengthTables(DECKS[1], BINS, CLUSTERS, folder)
        for street in STREETS:
            tables.street(street, river_ochs=True, threads=threads)
    for file in (tmp_path / "1").rglob("*.npy"):
        other = tmp_path / "2" / file.relative_to(tmp_path / "1")
        assert file.read_bytes() == other.read_bytes()


def test_columns_that_are_not_asked_for_are_left_out(tmp_path):
    deck = Deck((2, 7, 12), 4)
    full = StrengthTables(deck, BINS, CLUSTERS, tmp_path)
    plain = StrengthTables(deck, 0, None, tmp_path)
    for street in STREETS:
        bare = plain.street(street)
        assert np.array_equal(bare.sums, full.street(street).sums)
        assert bare.histograms is None
        assert bare.ochs is None
        with pytest.raises(CardError, match=f"the {street} table has no histograms"):
            bare.histogram()
        with pytest.raises(CardError, match=f"the {street} table has no OCHS"):
            bare.ochs_vectors()
    for bins, clusters, names in (
        (0, None, ["sums", "squares"]),
        (BINS, None, ["sums", "squares", "histograms"]),
        (0, CLUSTERS, ["sums", "squares", "ochs"]),
    ):
        tables = StrengthTables(deck, bins, clusters, tmp_path)
        assert list(tables.spec("flop").columns) == names
        assert np.array_equal(tables.street("flop").squares, full.street("flop").squares)
    # The river holds neither, so all four have one river table.
    assert len(list(tmp_path.glob("strength-river-*.lock"))) == 1


def test_what_is_built_is_known_and_estimated(tmp_path):
    tables = StrengthTables(Deck((2, 7, 12), 4), BINS, CLUSTERS, tmp_path)
    for street in [*STREETS, "river-ochs"]:
        assert not tables.is_built(street)
        assert tables.estimate_seconds(street) > 0
    assert not list(tmp_path.iterdir())  # an estimate leaves nothing
    tables.street("preflop")
    assert [street for street in STREETS if tables.is_built(street)] == ["preflop", "flop"]


def test_tables_that_make_no_sense_are_refused(tmp_path):
    with pytest.raises(CardError, match=r"need 9 cards, but the deck KA/cdhs has only 8"):
        StrengthTables(deck=Deck(2, 4))
    for bins in (-1, 256):
        with pytest.raises(CardError, match=f"0 to 255 bins, not {bins}"):
            StrengthTables(bins=bins)
    tables = StrengthTables(deck=Deck((2, 7, 12), 4), clusters=None, folder=tmp_path)
    with pytest.raises(UnknownNameError, match="unknown street 'fflop'; did you mean flop"):
        tables.street("fflop")
    with pytest.raises(CardError, match="needs opponent clusters"):
        tables.street("river", river_ochs=True)
    with pytest.raises(UnknownNameError, match="street with one card to come 'river'"):
        tables.next_street("river", np.zeros(1, int))
    size = tables.isomorphism("river").size
    for wrong in (np.zeros(size - 1, int), np.full(size, -1), np.full(size, 1 << 16)):
        with pytest.raises(CardError, match=f"needs {size} labels from 0 to 65535"):
            tables.next_street("turn", wrong)


def test_tables_of_nine_cards_have_one_opponent(tmp_path):
    tables = StrengthTables(deck=Deck(9, 1), bins=2, folder=tmp_path)
    river = tables.street("river")
    assert tables.n_opponents == 1
    assert set(np.unique(river.sums)) <= {0, 1, 2}
    cards = tuple(tables.deck.cards.tolist())
    for c, hole, board in sample(river.isomorphism, 100):
        assert river.sums[c] == score(hole, board, cards)


def exact_mean_is_half(table):
    """Over all deals, in integers; in chunks, since a river has 123 million classes."""
    total = n_deals = 0
    for start in range(0, table.isomorphism.size, 1 << 22):
        classes = np.arange(start, min(start + (1 << 22), table.isomorphism.size))
        weights = table.isomorphism.weights(classes).astype(np.int64)
        total += int(weights @ np.asarray(table.sums[classes], np.int64))
        n_deals += int(weights.sum())
    assert n_deals == table.isomorphism.n_deals
    return total == n_deals * table.n_run_outs * table.n_opponents


@pytest.mark.slow
def test_flop_and_preflop_of_the_full_deck(tmp_path):
    """Half a minute on two threads."""
    tables = StrengthTables(bins=50, clusters=EIGHT_RANGES, folder=tmp_path)
    flop, preflop = tables.street("flop", threads=2), tables.street("preflop", threads=2)
    assert flop.isomorphism.size == 1_286_792
    for table in (flop, preflop):
        assert exact_mean_is_half(table)
        assert (table.histograms.sum(axis=1, dtype=int) == table.n_run_outs).all()
    assert preflop.n_run_outs == comb(50, 5)

    def equity(hole):
        return preflop.mean(preflop.index(parse_cards(hole), []))

    # Ganzfried and Sandholm 2014: two aces win 84.93%, tie 0.55%; two kings have 0.824.
    assert equity("AcAd") == pytest.approx(0.8493 + 0.0055 / 2, abs=1e-4)
    assert equity("AcAd") == pytest.approx(0.852, abs=5e-4)
    assert equity("KcKd") == pytest.approx(0.824, abs=5e-4)
    assert preflop.mean().argmax() == preflop.index(parse_cards("AcAd"), [])
    assert preflop.mean().argmin() == preflop.index(parse_cards("3c2d"), [])

    ochs = preflop.ochs_vectors()
    aces = ochs[preflop.index(parse_cards("AcAd"), [])]
    assert (aces > 0.8).all()
    assert (ochs.argmin(axis=1) == 7).all()  # nobody likes to meet eights and better pairs
    assert (ochs[:, 5:].max(axis=0) == aces[5:]).all()  # aces, broadway, pairs fear aces most

    clusters = cluster_by_histogram(preflop.histogram(), 8)
    of_hand = clusters.cluster_of[[index_pair(*parse_cards(h)) for h in ("AcAd", "2c3d", "2c7d")]]
    assert of_hand.tolist() == [7, 0, 0]


@pytest.mark.slow
@pytest.mark.parametrize("street", ["turn", "river"])
def test_turn_and_river_of_the_full_deck_have_mean_one_half(tmp_path, street):
    tables = StrengthTables(bins=0, folder=tmp_path)
    table = tables.street(street, threads=2)
    assert exact_mean_is_half(table)
    assert table.mean(table.isomorphism.size - 1) <= 1
    assert tables.deck is FULL


@pytest.mark.parametrize("street", ["preflop", "turn", "river"])
def test_workers_elsewhere_make_the_same_numbers(street, tables, tmp_path):
    elsewhere = replace(tables, folder=tmp_path)
    made = elsewhere.street(street, river_ochs=True, workers=Traveling(3))
    here = tables.street(street, river_ochs=True)
    for name in ("sums", "squares", "histograms", "ochs"):
        np.testing.assert_array_equal(getattr(made, name), getattr(here, name))
