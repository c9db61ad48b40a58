"""Buckets of more than two hole cards without Numba, against those by kernels."""

import numpy as np
import pytest

from counterfold.buckets import StrengthLookup
from counterfold.buckets.abstraction_text import parse_card_abstraction
from counterfold.buckets.long_hand_buckets import LongHandBuckets
from counterfold.cards import Deck, StrengthTables
from counterfold.contest.exported.exported_long_hands import bucket_long_hand
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
