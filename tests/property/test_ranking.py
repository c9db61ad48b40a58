"""What holds of the rank of any hand."""

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from counterfold.cards.ranking import rank, rank_hands

compiled = settings(deadline=None)  # the first example compiles


def hands(min_size=5, max_size=33):
    return st.lists(st.integers(0, 51), min_size=min_size, max_size=max_size, unique=True)


@compiled
@given(hands(), st.randoms(use_true_random=False), st.permutations(range(4)), st.booleans())
def test_order_of_cards_and_names_of_suits_do_not_matter(
    hand, random, suits, first_flush_suit_only
):
    shuffled = random.sample(hand, len(hand))
    assert rank(shuffled, first_flush_suit_only=first_flush_suit_only) == rank(
        hand, first_flush_suit_only=first_flush_suit_only
    )
    assert rank([card // 4 * 4 + suits[card % 4] for card in hand]) == rank(hand)


@compiled
@given(hands(min_size=6))
def test_a_further_card_never_hurts(hand):
    assert rank(hand[:-1]) <= rank(hand)


@compiled
@given(hands(max_size=10))
def test_five_of_the_cards_have_the_rank_and_none_more(hand):
    assert rank(hand) == rank_hands(np.array(list(combinations(hand, 5)))).max()


@compiled
@given(hands())
def test_looking_at_one_flush_suit_never_gives_more(hand):
    seen = rank(hand, first_flush_suit_only=True)
    assert seen <= rank(hand)
    n_suits = sum([card % 4 for card in hand].count(suit) >= 5 for suit in range(4))
    if n_suits < 2:
        assert seen == rank(hand)


@compiled
@given(
    st.integers(5, 33).flatmap(lambda n: st.lists(hands(n, n), min_size=1, max_size=5)),
    st.booleans(),
)
def test_a_batch_is_its_hands_one_by_one(rows, first_flush_suit_only):
    ranks = rank_hands(np.array(rows), first_flush_suit_only=first_flush_suit_only)
    assert ranks.dtype == np.int16
    assert ranks.tolist() == [
        rank(row, first_flush_suit_only=first_flush_suit_only) for row in rows
    ]
