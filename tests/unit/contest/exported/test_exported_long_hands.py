"""Buckets of three hole cards without Numba, against those by kernels."""

import numpy as np
import pytest

from counterfold.buckets import StrengthLookup
from counterfold.buckets.abstraction_text import parse_card_abstraction
from counterfold.buckets.long_hand_buckets import LongHandBuckets
from counterfold.cards import Deck, StrengthTables
from counterfold.contest.exported.exported_long_hands import bucket_long_hand
from counterfold.contest.exported.exported_strength import HandStrength


@pytest.mark.parametrize("board", [3, 4, 5])
def test_buckets_are_those_of_kernels(board, tmp_path_factory):
    tables = StrengthTables(Deck(6, 2), clusters=None, folder=tmp_path_factory.mktemp("tables"))
    buckets = parse_card_abstraction("percentile(6)").build(StrengthLookup(tables))
    deck = buckets.deck.cards
    hands, rng = HandStrength(deck.tolist()), np.random.default_rng(3)
    rows = np.array([rng.permutation(deck)[: 3 + board] for _ in range(80)], np.uint8)
    found = [
        bucket_long_hand(row[:3].tolist(), row[3:].tolist(), buckets.bucket, hands) for row in rows
    ]
    assert found == LongHandBuckets(buckets, 3).label(rows).tolist()
