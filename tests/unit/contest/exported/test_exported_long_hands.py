"""Buckets of more than two hole cards without Numba, against those by kernels."""

import numpy as np
import pytest

from counterfold.buckets import StrengthLookup
from counterfold.buckets.abstraction_text import parse_bucketing, parse_card_abstraction
from counterfold.buckets.long_hand_buckets import LongHandBuckets
from counterfold.buckets.long_hand_strength import LongHandStrength, is_squared
from counterfold.cards import Deck, StrengthTables
from counterfold.contest.export.card_export import pack_strength
from counterfold.contest.exported.exported_long_hands import PackedLongHands, bucket_long_hand
from counterfold.contest.exported.exported_strength import HandStrength


@pytest.mark.parametrize(("board", "held"), [(3, 3), (4, 3), (5, 3), (3, 4), (5, 5)])
def test_buckets_are_those_of_kernels(board, held, tmp_path_factory):
    tables = StrengthTables(Deck(6, 2), clusters=None, folder=tmp_path_factory.mktemp("tables"))
    buckets = parse_card_abstraction("percentile(6)").build(StrengthLookup(tables))
    deck = buckets.deck.cards
    hands, rng = HandStrength(deck.tolist()), np.random.default_rng(3)
    rows = np.array([rng.permutation(deck)[: held + board] for _ in range(80)], np.uint8)
    found = [
        bucket_long_hand(row[:held].tolist(), row[held:].tolist(), buckets.bucket, hands)
        for row in rows
    ]
    assert found == LongHandBuckets(buckets, held).label(rows).tolist()


@pytest.fixture(scope="module")
def lookup(tmp_path_factory):
    tables = StrengthTables(Deck(9, 2), clusters=None, folder=tmp_path_factory.mktemp("tables"))
    return StrengthLookup(tables, threads=1)


@pytest.mark.parametrize("held", [4, 6])
@pytest.mark.parametrize("text", ["percentile(40)", "percentile(40, metric=ehs2)", "uniform(30)"])
def test_buckets_by_strength_are_those_of_kernels(held, text, lookup):
    strength, bucketing = LongHandStrength(held, 5, lookup), parse_bucketing(text)
    arrays = pack_strength(strength, dict.fromkeys((3, 4, 5), bucketing))
    deck, rng = lookup.strength.deck.cards, np.random.default_rng(3)
    squared = {str(board): is_squared(bucketing) for board in (3, 4, 5)}
    packed = PackedLongHands(held, squared, arrays, HandStrength(deck.tolist()))
    for board in (3, 4, 5):
        rows = np.array([rng.permutation(deck)[: held + board] for _ in range(40)], np.uint8)
        found = [packed.bucket(row[:held].tolist(), row[held:].tolist()) for row in rows]
        assert found == strength.label(rows, bucketing).tolist()
        assert packed.knows([0] * board)
    assert not packed.knows([0] * 2)
