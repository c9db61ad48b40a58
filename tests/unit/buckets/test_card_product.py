"""Products of history bucketings with others, on deals of a deck of ten cards."""

from functools import reduce
from itertools import combinations, permutations
from operator import mul

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterfold.buckets import (
    HISTORY_PRESETS,
    STREETS,
    CardProduct,
    FittedHistory,
    History,
    ProductBuckets,
    StreetAbstraction,
    StrengthLookup,
    parse_bucketing,
    parse_card_abstraction,
)
from counterfold.buckets import card_product as module
from counterfold.buckets.bucketing import Lossless, Nested, Percentile, Uniform
from counterfold.buckets.card_product import multiply
from counterfold.buckets.clustering.clustered import Ochs
from counterfold.cards import EIGHT_RANGES, Deck, StrengthTables
from counterfold.cards.streets import BOARD_SIZES
from counterfold.errors import AbstractionError, CardError, UnknownNameError

DECK = Deck(5, 2)
CARDS = [int(card) for card in DECK.cards]
SIZES = {street: 2 + size for street, size in BOARD_SIZES.items()}


def list_deals():
    """Every hand, flop, turn and river; four in five are left out below."""
    for hole in combinations(CARDS, 2):
        rest = [card for card in CARDS if card not in hole]
        for flop in combinations(rest, 3):
            for turn, river in permutations([card for card in rest if card not in flop], 2):
                yield (*hole, *flop, turn, river)


DEALS = np.array(list(list_deals())[::5], np.uint8)


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    return StrengthLookup(StrengthTables(DECK, bins=10, clusters=EIGHT_RANGES, folder=folder))


def test_a_product_cannot_have_buckets_of_runs():
    runs = parse_card_abstraction("lossless; run: histogram(4)")
    with pytest.raises(AbstractionError, match="a product cannot have buckets of runs: 'preflop"):
        CardProduct((History(2),), runs)


def partition(labels):
    """The same for all labels that tell the same deals apart."""
    first = np.unique(labels, return_index=True, return_inverse=True)
    return first[1][first[2]]


def known(abstraction, source, street):
    """What an abstraction of any kind tells apart, as a partition of the deals."""
    deals = DEALS[:, : SIZES[street]]
    buckets = abstraction.build(source)
    if isinstance(buckets, ProductBuckets):
        return partition(buckets.numbers(deals))
    if isinstance(buckets, FittedHistory):
        rows = buckets.sequences(deals)
    else:
        last = STREETS.index(street)
        seen = STREETS[: last + 1] if abstraction.recall == "sequence" else (street,)
        rows = np.stack([buckets.buckets(deals[:, : SIZES[s]]) for s in seen], axis=1)
    numbers = np.zeros(len(rows), np.int64)
    for column in rows.T:
        numbers = numbers * (int(column.max()) + 1) + column
    return partition(numbers)


def all_streets(bucketing, recall="current"):
    return StreetAbstraction((bucketing,) * 4, recall)


HISTORIES = st.sampled_from([History(2), History(3, metric="ehs"), History(1), History(1, m=2)])
CARD_FACTORS = st.sampled_from(
    [
        all_streets(Percentile(2)),
        all_streets(Ochs(3)),
        all_streets(Lossless()),
        StreetAbstraction((Uniform(1), Nested(2, 2), Ochs(2), Percentile(3))),
    ]
)
FACTORS = st.one_of(HISTORIES, CARD_FACTORS)
ANY_STREET = st.sampled_from(STREETS)


@settings(max_examples=30)
@given(HISTORIES, FACTORS, ANY_STREET)
def test_a_product_tells_apart_exactly_what_one_of_its_factors_does(source, a, b, street):
    product, first, second = (known(x, source, street) for x in (a * b, a, b))
    pairs = first * len(DEALS) + second
    np.testing.assert_array_equal(product, partition(pairs))


@settings(max_examples=20)
@given(HISTORIES, FACTORS, FACTORS, ANY_STREET)
def test_products_are_associative_commutative_and_idempotent(source, a, b, c, street):
    expected = known((a * b) * c, source, street)
    for other in (c * (a * b), (b * a) * c, (a * b) * c * b, a * (a * b * c)):
        np.testing.assert_array_equal(known(other, source, street), expected)
    np.testing.assert_array_equal(known(a * a, source, street), known(a, source, street))


@settings(max_examples=20)
@given(HISTORIES, ANY_STREET)
def test_one_bucket_is_the_identity(source, a, street):
    np.testing.assert_array_equal(known(a * Uniform(1), source, street), known(a, source, street))
    np.testing.assert_array_equal(known(History(1) * a, source, street), known(a, source, street))


@pytest.mark.parametrize("street", STREETS)
def test_recall_says_whether_the_buckets_of_earlier_streets_are_known(source, street):
    history = History(2)
    cards = StreetAbstraction((Lossless(), Ochs(3), Ochs(2), Percentile(2)), "sequence")
    current = StreetAbstraction(cards.streets)
    both = known(history * cards, source, street)
    pairs = known(history, source, street) * len(DEALS) + known(cards, source, street)
    np.testing.assert_array_equal(both, partition(pairs))
    forgets = known(history * current, source, street)
    assert len(np.unique(forgets)) < len(np.unique(both)) or street == "preflop"


@pytest.mark.parametrize("street", STREETS)
def test_numbers_are_the_parts_in_order(source, street):
    built = parse_card_abstraction("history(2) * history(3, metric=ehs) * ochs(3)").build(source)
    deals = DEALS[::7, : SIZES[street]]
    rows = built.known(deals)
    sizes = built.sizes(street)
    assert sizes == (2 ** SIZES_UPTO[street], 3 ** SIZES_UPTO[street], 3)
    assert (rows >= 0).all()
    assert (rows < sizes).all()
    expected = (rows[:, 0] * sizes[1] + rows[:, 1]) * sizes[2] + rows[:, 2]
    np.testing.assert_array_equal(built.numbers(deals), expected)
    assert built.n_numbers(street) == np.prod(sizes)
    for deal, number in zip(deals[:50].tolist(), expected[:50].tolist(), strict=True):
        turn, river = [*deal[5:], None, None][:2]
        assert built.number(deal[:2], deal[2:5], turn, river) == number


SIZES_UPTO = {street: k + 1 for k, street in enumerate(STREETS)}


@pytest.mark.parametrize("street", STREETS[:2])
def test_where_a_class_fixes_the_number_it_is_one_read(source, street, monkeypatch):
    built = (History(2) * Ochs(3)).build(source)
    deals = DEALS[:, : SIZES[street]]
    expected = built._compute(deals)
    table = built.tables[street]
    assert table.shape == (source.n_classes(street),)
    monkeypatch.setattr(ProductBuckets, "known", None)  # no factor is asked
    np.testing.assert_array_equal(built.numbers(deals), expected)
    again = (History(2) * Ochs(3)).build(source)  # from disk
    np.testing.assert_array_equal(again.numbers(deals), expected)


def test_suits_and_order_within_a_street_do_not_matter(source):
    built = (History(2) * Ochs(3)).build(source)
    same = (DEALS ^ 1)[:, [1, 0, 4, 2, 3, 5, 6]]
    np.testing.assert_array_equal(built.numbers(DEALS), built.numbers(same))


def test_fingerprints_tell_factors_tables_and_recall_apart(source, tmp_path):
    def fingerprint(text, of=source):
        return parse_card_abstraction(text).build(of).fingerprint

    texts = [
        "history(2) * ochs(3)",
        "history(3) * ochs(3)",
        "history(2) * ochs(2)",
        "history(2) * ochs(3) * uniform(2)",
        "history(2) * (ochs(3); recall: sequence)",
        "history(2) * history(3)",
    ]
    found = {fingerprint(text) for text in texts}
    bare = StrengthLookup(StrengthTables(DECK, bins=4, clusters=EIGHT_RANGES, folder=tmp_path))
    found.add(fingerprint(texts[0], bare))
    assert len(found) == len(texts) + 1
    assert fingerprint(texts[0]) == fingerprint("ochs(3) * history(2, metric=ehs2)")


SPECS = st.one_of(
    st.just(Lossless()),
    st.builds(Percentile, st.integers(1, 99), st.sampled_from(["ehs", "ehs2", "draw"])),
    st.builds(Ochs, st.integers(1, 99), st.integers(0, 9)),
)
SOME_HISTORY = st.one_of(
    st.builds(History, st.integers(1, 20), st.sampled_from(["ehs", "ehs2"])),
    st.builds(History, st.integers(1, 20), m=st.integers(1, 4)),
)
SOME_CARDS = st.builds(
    StreetAbstraction,
    st.tuples(SPECS, SPECS, SPECS, SPECS),
    st.sampled_from(["current", "sequence"]),
)


@given(st.lists(SOME_HISTORY, min_size=1, max_size=3, unique=True), st.none() | SOME_CARDS)
def test_names_read_back(histories, cards):
    product = CardProduct(tuple(histories), cards)
    if product == CardProduct((histories[0],)):
        assert parse_card_abstraction(product.name) == histories[0]
    else:
        assert parse_card_abstraction(product.name) == product


@given(SOME_HISTORY, st.lists(SPECS, min_size=1, max_size=3))
def test_a_bucketing_alone_serves_all_streets(history, bucketings):
    product = reduce(mul, bucketings, history)
    text = " * ".join([history.name, *(b.name for b in bucketings)])
    assert product.name == text
    assert parse_card_abstraction(text) == product
    assert parse_card_abstraction(f"({text})") == product
    assert reduce(mul, bucketings) * history == product  # histories come first


def test_texts_that_people_write():
    assert parse_card_abstraction("cprg-5 * ochs(10)") == HISTORY_PRESETS["cprg-5"] * Ochs(10)
    assert parse_card_abstraction("ochs(10)*cprg-10-nested") == History(5, m=2) * Ochs(10)
    assert parse_card_abstraction("history(5)*history(5)") == CardProduct((History(5),))
    assert parse_card_abstraction("percentile(3) * ochs(4)") == all_streets(Percentile(3) * Ochs(4))
    street = parse_card_abstraction(
        "cprg-5 * (lossless; flop: ochs(4) * uniform(2); recall: sequence)"
    )
    flop = Ochs(4) * Uniform(2)
    cards = StreetAbstraction((Lossless(), flop, flop, flop), "sequence")
    assert street == CardProduct((History(5),), cards)
    assert street.factors.recall == (History(2) * History(3)).factors.recall == "sequence"


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("cprg-7 * ochs(3)", UnknownNameError, "unknown card abstraction 'cprg-7'; did you mean"),
        ("history(5) * och(3)", UnknownNameError, "unknown bucketing 'och'; did you mean ochs"),
        ("history * ochs(3)", AbstractionError, r"needs a number of buckets, as in history\(5\)"),
        ("history(5) *", AbstractionError, "cannot read the bucketing ''"),
        ("history(5) * 3", AbstractionError, "'3' is not a bucketing"),
        ("lossless; flop: history(5)", AbstractionError, "buckets for all streets at once; make"),
        ("lossless; flop: ochs(2) * cprg-5", AbstractionError, "'cprg-5' has buckets for all"),
        ("history(5) * coarsen(history(3), 2)", UnknownNameError, "unknown bucketing 'history'"),
        (
            "history(5) * (ochs(3); recall: sequence) * ochs(2)",
            AbstractionError,
            "factors of a product must have the same recall, not 'sequence' and 'current'",
        ),
    ],
)
def test_what_cannot_be_multiplied_is_refused_in_one_sentence(text, error, message):
    with pytest.raises(error, match=message) as caught:
        parse_card_abstraction(text)
    assert "\n" not in str(caught.value)


def test_only_card_abstractions_are_factors():
    with pytest.raises(AbstractionError, match="3 is not a card abstraction"):
        History(5) * 3
    with pytest.raises(TypeError):
        Percentile(5) * 3
    assert multiply(Percentile(2), History(3)) == History(3) * Percentile(2)


def test_what_does_not_fit_is_refused_before_anything_is_fitted(tmp_path):
    empty = StrengthLookup(StrengthTables(DECK, folder=tmp_path))
    for text in ("history(2) * percentile(26)", "history(26) * percentile(2)"):
        with pytest.raises(AbstractionError, match=r"26 buckets from the 25 classes"):
            parse_card_abstraction(text).build(empty)
    assert not list(tmp_path.iterdir())


def test_more_than_can_be_numbered_is_refused(source, monkeypatch):
    monkeypatch.setattr(module, "_MOST_NUMBERS", 2**4 * 3 - 1)
    (History(2) * Ochs(2)).build(source)
    with pytest.raises(AbstractionError, match="more than 62 bits can number"):
        (History(2) * Ochs(3)).build(source)


@pytest.mark.parametrize("deals", [[32, 33], [[32]], [[32, 33, 36]], [["a", "b"]]])
def test_deals_of_no_street_are_refused(source, deals):
    built = (History(2) * parse_bucketing("ochs(3)")).build(source)
    with pytest.raises((AbstractionError, CardError)):
        built.numbers(deals)
