"""Any range can be written and read back."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from counterfold.cards.pairs import N_HAND_CLASSES, N_PAIRS, PAIR_HAND_CLASSES
from counterfold.cards.ranges import Range, format_range, parse_range

weights = st.one_of(
    st.sampled_from([0.0, 0.5, 1.0]),
    st.floats(0, allow_infinity=False, allow_nan=False),
)


@st.composite
def ranges(draw):
    """Weights by class, as people write them, then some pairs with weights of their own."""
    by_class = draw(st.dictionaries(st.integers(0, N_HAND_CLASSES - 1), weights, max_size=60))
    by_pair = draw(st.dictionaries(st.integers(0, N_PAIRS - 1), weights, max_size=10))
    table = np.full(N_HAND_CLASSES, draw(st.sampled_from([0.0, 1.0])))
    for hand_class, weight in by_class.items():
        table[hand_class] = weight
    all_weights = table[PAIR_HAND_CLASSES]
    for pair, weight in by_pair.items():
        all_weights[pair] = weight
    return Range(all_weights)


@settings(deadline=None)
@given(ranges())
def test_text_round_trips(hands):
    text = format_range(hands)
    assert parse_range(text) == hands
    assert format_range(parse_range(text)) == text


@settings(deadline=None, max_examples=10)
@given(st.integers(0, 2**32 - 1))
def test_arbitrary_weights_round_trip(seed):
    hands = Range(np.random.default_rng(seed).random(N_PAIRS))
    assert parse_range(format_range(hands)) == hands


@settings(deadline=None)
@given(ranges(), st.lists(st.integers(0, 51), unique=True, max_size=7))
def test_blocking_cards_one_by_one_or_at_once(hands, cards):
    one_by_one = hands
    for card in cards:
        one_by_one = one_by_one.without([card])
    assert one_by_one == hands.without(cards)
