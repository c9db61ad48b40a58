"""Buckets of three hole cards without Numba, against those by kernels."""

import numpy as np
import pytest

from counterfold.buckets import StrengthLookup
from counterfold.buckets.abstraction_text import parse_card_abstraction
from counterfold.buckets.trio_buckets import TrioBuckets
from counterfold.cards import Deck, StrengthTables
from counterfold.contest.exported.exported_strength import HandStrength
from counterfold.contest.exported.exported_trios import bucket_trio


@pytest.mark.parametrize("board", [3, 4, 5])
def test_buckets_are_those_of_kernels(board, tmp_path_factory):
    tables = StrengthTables(Deck(6, 2), clusters=None, folder=tmp_path_factory.mktemp("tables"))
    buckets = parse_card_abstraction("percentile(6)").build(StrengthLookup(tables))
    deck = buckets.deck.cards
    hands, rng = HandStrength(deck.tolist()), np.random.default_rng(3)
    rows = np.array([rng.permutation(deck)[: 3 + board] for _ in range(80)], np.uint8)
    found = [bucket_trio(row[:3].tolist(), row[3:].tolist(), buckets.bucket, hands) for row in rows]
    assert found == TrioBuckets(buckets).label(rows).tolist()
