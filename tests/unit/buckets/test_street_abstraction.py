"""Built card abstractions: buckets of deals, and arrays that are kept and told apart on disk."""

import numpy as np
import pytest

from counterfold.buckets import (
    BUCKETINGS,
    STREETS,
    StreetAbstraction,
    StreetBuckets,
    StrengthLookup,
    parse_bucketing,
    street_abstraction,
)
from counterfold.buckets import parse_street_abstraction as parse
from counterfold.buckets.bucketing import Bucketing, Lossless, Nested, Percentile, Product, PsOpti
from counterfold.buckets.clustering.clustered import Histogram, Ochs, Potential
from counterfold.buckets.street_abstraction import build_labels, label_spec
from counterfold.cards import EIGHT_RANGES, Deck, StrengthTables, parse_cards
from counterfold.cards.streets import BOARD_SIZES
from counterfold.errors import AbstractionError, CardError, UnknownNameError

NAME = "lossless; flop: percentile(6); turn: histogram(5); river: nested(2, 2); recall: sequence"


@pytest.fixture(scope="module")
def buckets(source):
    return parse(NAME).build(source)


def random_deals(deck, street, n=200):
    rng = np.random.default_rng(3)
    return np.array([rng.permutation(deck.cards)[: 2 + BOARD_SIZES[street]] for _ in range(n)])


@pytest.mark.parametrize("street", STREETS)
def test_a_bucket_is_the_label_of_the_class(source, buckets, street):
    deals = random_deals(source.strength.deck, street)
    found = buckets.buckets(deals)
    isomorphism = buckets.isomorphism(street)
    for deal, bucket in zip(deals.tolist(), found.tolist(), strict=True):
        assert buckets.bucket(deal[:2], deal[2:]) == bucket
        assert buckets.labels[street][isomorphism.index(deal)] == bucket
    assert 0 <= found.min() <= found.max() < buckets.n_buckets(street)


def test_suits_and_the_order_of_cards_do_not_matter(buckets):
    hole, board = parse_cards("9cTd"), parse_cards("JcQdKc")
    assert buckets.bucket(hole, board) == buckets.bucket(hole[::-1], board[::-1])
    assert buckets.bucket(hole, board) == buckets.bucket(parse_cards("9dTc"), parse_cards("JdQcKd"))


def test_labels_are_those_of_the_bucketings(source, buckets):
    for street, bucketing in zip(STREETS, buckets.abstraction.streets, strict=True):
        assert buckets.labels[street].tolist() == bucketing.label(source, street).tolist()
    assert [buckets.n_buckets(street) for street in STREETS] == [36, 6, 5, 4]


def test_a_sequence_has_the_buckets_of_all_streets_so_far(source, buckets):
    deal = random_deals(source.strength.deck, "river", 1)[0].tolist()
    hole, board = deal[:2], deal[2:]
    each = [buckets.bucket(hole, board[:size]) for size in (0, 3, 4, 5)]
    assert buckets.sequence(hole) == tuple(each[:1])
    assert buckets.sequence(hole, board[:3]) == tuple(each[:2])
    assert buckets.sequence(hole, board[:4]) == tuple(each[:3])
    assert buckets.sequence(hole, board) == tuple(each)


def test_a_sequence_goes_on_from_the_one_before_if_it_is_remembered(source, buckets):
    deals = random_deals(source.strength.deck, "flop")
    before = np.arange(len(deals))
    found = buckets.buckets(deals)
    assert (buckets.label(deals, before) == 6 * before + found).all()
    assert (buckets.label(deals) == found).all()
    alone = parse(NAME.partition("; recall")[0]).build(source)
    assert (alone.label(deals, before) == alone.buckets(deals)).all()
    path = [(deals[0, :2].tolist(), ()), (deals[0, :2].tolist(), deals[0, 2:].tolist())]
    first, second = (buckets.bucket(*sight) for sight in path)
    assert buckets.bucket_path(path) == 6 * first + second
    assert alone.bucket_path(path) == alone.bucket(*path[1])


def test_runs_may_have_more_buckets_than_rivers(source):
    runs = parse("lossless; flop: percentile(6); river: percentile(4); run: histogram(40)")
    assert runs.most_buckets(source, STREETS)[1:] == (6, 6, 40)
    few = parse("lossless; flop: percentile(6); river: percentile(4); run: histogram(3)")
    assert few.most_buckets(source, STREETS)[1:] == (6, 6, 4)


@pytest.mark.parametrize("n_board", [1, 2, 6])
def test_a_board_of_no_street_is_refused_in_one_sentence(source, buckets, n_board):
    deal = source.strength.deck.cards[: 2 + n_board].tolist()
    message = f"^a board of {n_board} cards does not belong to a street with tables$"
    for ask in (buckets.bucket, buckets.sequence):
        with pytest.raises(CardError, match=message):
            ask(deal[:2], deal[2:])
    with pytest.raises(CardError, match=message):
        buckets.buckets([deal])


@pytest.mark.parametrize(
    ("deals", "message"),
    [
        ([36, 37], r"deals must have shape \(n, cards\), not \(2,\); use bucket\(\) for one"),
        ([[[36, 37]]], r"not \(1, 1, 2\)"),
        ([[36.0, 37.0]], "cards must be integers, not float64"),
        ([[36, 293]], "deal 0"),  # 293 is 37 in a byte
        ([[36, -1]], "deal 0"),
    ],
)
def test_deals_of_another_form_are_refused(buckets, deals, message):
    with pytest.raises(CardError, match=message):
        buckets.buckets(deals)


def test_a_card_of_another_deck_is_refused(buckets):
    with pytest.raises(CardError, match=r"card 2c.* is not in the deck 9TJQKA/cd"):
        buckets.bucket(parse_cards("2cAd"))


def test_unknown_recall():
    with pytest.raises(UnknownNameError, match="unknown recall 'all'"):
        StreetAbstraction((Lossless(),) * 4, "all")


def test_arrays_must_fit_the_classes(source, buckets):
    labels = {**buckets.labels, "turn": buckets.labels["flop"]}
    with pytest.raises(AbstractionError, match="buckets of the turn do not fit"):
        StreetBuckets(buckets.abstraction, source, labels)


def refuse(*arguments):
    raise AssertionError("fitted again")


def test_a_second_build_does_no_work(source, buckets, monkeypatch):
    monkeypatch.setattr(Bucketing, "label", refuse)
    again = parse(NAME).build(source)
    for street in STREETS:
        assert np.array_equal(again.labels[street], buckets.labels[street])
    # A street is found whatever the others are, and whatever is remembered.
    assert build_labels(Histogram(5), source, "turn").tolist() == buckets.labels["turn"].tolist()
    with pytest.raises(AssertionError, match="fitted again"):
        parse(NAME.replace("histogram(5)", "histogram(5, seed=9)")).build(source)


def test_a_failed_build_leaves_nothing_that_is_found_later(source, monkeypatch):
    bucketing = Percentile(11)
    with monkeypatch.context() as patch:
        patch.setattr(Bucketing, "label", refuse)
        with pytest.raises(AssertionError, match="fitted again"):
            build_labels(bucketing, source, "flop")
    expected = bucketing.label(source, "flop").tolist()
    assert build_labels(bucketing, source, "flop").tolist() == expected


def test_fingerprints_tell_bucketings_streets_and_strength_tables_apart(source, tables_folder):
    deck = source.strength.deck
    ten = StrengthLookup(StrengthTables(deck, bins=10, clusters=EIGHT_RANGES, folder=tables_folder))
    bare = StrengthLookup(StrengthTables(deck, clusters=None, folder=tables_folder))
    specs = [
        label_spec(Percentile(5), source, "flop"),
        label_spec(Percentile(5), source, "turn"),
        label_spec(Percentile(6), source, "flop"),
        label_spec(Percentile(5, "draw"), source, "flop"),
        label_spec(Percentile(5), ten, "flop"),
        label_spec(Percentile(5), bare, "flop"),
        label_spec(Ochs(5), source, "river"),
        label_spec(Histogram(5), source, "river"),
        label_spec(Potential(5, Histogram(5)), source, "flop"),
        label_spec(Potential(5, Histogram(5)), ten, "flop"),
        label_spec(Nested(2, 3), source, "flop"),
        label_spec(Nested(2, 3, "draw"), source, "flop"),
        label_spec(Nested(2, 3, "draw"), ten, "flop"),
        label_spec(Histogram(5, metric="draw"), source, "flop"),
        label_spec(Histogram(5, metric="draw"), ten, "flop"),
    ]
    assert len({spec.fingerprint for spec in specs}) == len(specs)
    same = label_spec(Percentile(5), StrengthLookup(source.strength, threads=2), "flop")
    assert same.fingerprint == specs[0].fingerprint


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("percentile(5)", {"percentile"}),
        ("coarsen(ochs(3) * nested(2, 2), 3)", {"coarsen", "product", "ochs", "nested"}),
        ("potential(5, histogram(4))", {"potential", "histogram"}),
    ],
)
def test_a_new_version_of_any_part_is_another_fingerprint(source, monkeypatch, text, words):
    bucketing = parse_bucketing(text)
    before = label_spec(bucketing, source, "flop").fingerprint
    assert bucketing.versions.keys() == words
    kinds = [*BUCKETINGS.values(), Product]
    for kind in kinds:
        with monkeypatch.context() as patch:
            patch.setattr(kind, "version", 2)
            other = label_spec(bucketing, source, "flop").fingerprint
        assert (other != before) == (kind.word in words)
    monkeypatch.setattr(street_abstraction, "ORDER_VERSION", 2)
    assert label_spec(bucketing, source, "flop").fingerprint != before


def test_buckets_of_the_next_street_are_part_of_the_fingerprint(source):
    uses = Potential(5, Ochs(3)).uses(source, "turn")
    names = ("turn", "river", "river-ochs")
    assert uses == sorted(source.strength.spec(name).fingerprint for name in names)
    draws = Percentile(5, "draw").uses(source, "turn")
    assert source.draws.spec("turn").fingerprint in draws
    final = source.draw_histograms.spec("turn").fingerprint
    for bucketing in (Nested(2, 2, "draw"), PsOpti(5, metric="draw"), Percentile(5, "draw2")):
        assert final in bucketing.uses(source, "turn")
        assert bucketing.uses(source, "river") == [source.strength.spec("river").fingerprint]


def test_labels_of_another_strength_table_are_not_used(source, tables_folder):
    fine = build_labels(Histogram(6), source, "flop")
    two = StrengthLookup(StrengthTables(source.strength.deck, bins=2, folder=tables_folder))
    coarse = build_labels(Histogram(6), two, "flop")
    assert coarse.tolist() == Histogram(6).label(two, "flop").tolist()
    assert coarse.tolist() != fine.tolist()


def test_labels_of_another_deck_are_not_used(source, tables_folder):
    # As many classes, but hardly a straight: strengths are not those of 9TJQKA.
    deck = Deck((0, 2, 4, 7, 9, 12), 2)
    other = StrengthLookup(StrengthTables(deck, clusters=EIGHT_RANGES, folder=tables_folder))
    for street in STREETS:
        assert other.n_classes(street) == source.n_classes(street)
        ours = build_labels(Percentile(4), source, street)
        theirs = build_labels(Percentile(4), other, street)
        assert theirs.tolist() == Percentile(4).label(other, street).tolist()
        assert theirs.tolist() != ours.tolist()


@pytest.mark.parametrize(
    ("bucketing", "dtype"),
    [(Percentile(256), "u1"), (Percentile(257), "<u2"), (Lossless(), "<u2")],
)
def test_labels_take_as_few_bytes_as_they_can(source, bucketing, dtype):
    assert label_spec(bucketing, source, "flop").columns["labels"].dtype == dtype
    labels = build_labels(bucketing, source, "flop")
    assert labels.dtype == np.dtype(dtype)
    assert labels.tolist() == bucketing.label(source, "flop").tolist()
