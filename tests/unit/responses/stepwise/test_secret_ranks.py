"""Bounties that a bot may have, by hit or miss, against all ranks one by one."""

import numpy as np
import pytest

from counterfold.cards import parse_deck
from counterfold.responses.stepwise.columns import all_hands
from counterfold.responses.stepwise.secret_ranks import SecretRanks, rank_bits

DECK = parse_deck("9TJQKA/cd")


@pytest.mark.parametrize("boards", [[(28, 32)], [(28, 29), (28, 29, 44)], [(), (40,), (40, 48)]])
def test_two_columns_tell_what_all_ranks_tell(boards):
    hands = all_hands(DECK, 2)
    two, each = (SecretRanks(DECK, hands, knows) for knows in ("hit", "rank"))
    weights = np.empty((1, len(two.columns)))
    two.begin(weights)
    before = 0
    for board in boards:
        two.deal(before, rank_bits(board), weights)
        before = rank_bits(board)
        by_rank = each.find_hits(before).reshape(len(hands.cards), -1)
        assert weights[0, 1::2] == pytest.approx(by_rank.mean(axis=1))
        assert weights[0, ::2] == pytest.approx(1 - by_rank.mean(axis=1))


def test_buckets_know_the_rank_or_whether_it_is_hit_or_nothing():
    hands = all_hands(parse_deck("KA/cd"), 2)
    known = {
        knows: SecretRanks(parse_deck("KA/cd"), hands, knows).find_known()[:4].tolist()
        for knows in ("rank", "hit", "nothing")
    }
    assert known == {"rank": [0, 1, 0, 1], "hit": [0, 1, 0, 1], "nothing": [0, 0, 0, 0]}
