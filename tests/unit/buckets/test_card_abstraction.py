"""What all card abstractions have in common, whatever they are a product of."""

import pytest

from counterfold.buckets.abstraction_text import parse_card_abstraction
from counterfold.buckets.card_abstraction import CardAbstraction, CardBuckets

STREETS = ("preflop", "flop", "turn", "river")
TEXTS = (
    "percentile(3)",
    "percentile(3); recall: sequence",
    "history(2)",
    "history(2) * (lossless; flop: percentile(2); recall: sequence)",
)


@pytest.fixture(scope="module", params=TEXTS)
def abstraction(request):
    return parse_card_abstraction(request.param)


@pytest.fixture(scope="module")
def built(abstraction, source):
    return abstraction.build(source)


def test_a_description_names_itself(abstraction):
    assert isinstance(abstraction, CardAbstraction)
    assert parse_card_abstraction(abstraction.name) == abstraction


def test_what_is_built_knows_its_description(abstraction, built, source):
    assert isinstance(built, CardBuckets)
    assert built.description == abstraction
    assert (built.name, built.recalls) == (abstraction.name, abstraction.recalls)
    assert built.deck == source.strength.deck
    histories, by_street = built.factors
    assert len(histories) == len(abstraction.factors.histories)
    assert (by_street is None) == (abstraction.factors.by_street is None)


def test_buckets_that_include_earlier_ones_say_so(abstraction):
    sequence = "recall: sequence" in abstraction.name
    assert abstraction.recalls == (bool(abstraction.factors.histories) or sequence)


def test_bounds_hold_for_what_is_built(abstraction, built, source):
    bounds = abstraction.max_buckets(source, STREETS)
    n_before = 1
    for street, bound in zip(STREETS, bounds, strict=True):
        n = built.count(street, n_before)
        assert 1 <= n <= bound
        n_before = n if built.recalls else 1


def test_tables_on_disk_have_a_hash_each(built, source):
    digests = built.digests()
    assert digests
    assert all((source.strength.folder / name).is_dir() for name in digests)
    assert len({*digests.values()}) == len(digests)


def test_a_path_ends_in_the_bucket_of_its_last_stage(built, source):
    cards = [int(card) for card in source.strength.deck.cards]
    hole, board = (cards[0], cards[5]), tuple(cards[7:10])
    bucket = built.bucket_path([(hole, ()), (hole, board)])
    assert 0 <= bucket < built.count("flop", built.count("preflop"))


def test_equal_descriptions_have_equal_buckets(abstraction, built, source):
    assert abstraction.build(source).fingerprint == built.fingerprint
    other = parse_card_abstraction("percentile(4)").build(source)
    assert other.fingerprint != built.fingerprint
