"""What holds of the class of any deal, for any deck and any split into rounds."""

from itertools import permutations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from counterfold.cards.deck import Deck
from counterfold.cards.isomorphism import Isomorphism

compiled = settings(deadline=None)  # the first example compiles


@st.composite
def isomorphisms(draw):
    ranks = draw(st.sets(st.integers(0, 12), min_size=1))
    deck = Deck(sorted(ranks), draw(st.integers(1, 4)))
    rounds = []
    left = min(deck.n_cards, 9)
    while left and (not rounds or (len(rounds) < 4 and draw(st.booleans()))):
        rounds.append(draw(st.integers(1, left)))
        left -= rounds[-1]
    return Isomorphism(tuple(rounds), deck)


def deals(isomorphism):
    cards = st.permutations(isomorphism.deck.cards.tolist())
    return cards.map(lambda cards: cards[: isomorphism.n_cards])


def as_sets(isomorphism, cards, suits=range(4)):
    """The deal with suits renamed and the order within rounds forgotten."""
    ends = np.cumsum(isomorphism.rounds)
    renamed = [card // 4 * 4 + suits[card % 4] for card in map(int, cards)]
    return tuple(
        frozenset(renamed[end - n : end]) for n, end in zip(isomorphism.rounds, ends, strict=True)
    )


def renamings(isomorphism, cards):
    return {as_sets(isomorphism, cards, p) for p in permutations(range(isomorphism.deck.suits))}


@compiled
@given(st.data())
def test_suits_and_order_do_not_matter(data):
    isomorphism = data.draw(isomorphisms())
    cards = data.draw(deals(isomorphism))
    suits = data.draw(st.permutations(range(isomorphism.deck.suits)))
    other = [
        card // 4 * 4 + suits[card % 4]
        for part in as_sets(isomorphism, cards)
        for card in data.draw(st.permutations(sorted(part)))
    ]
    assert isomorphism.index(other) == isomorphism.index(cards)


@compiled
@given(st.data())
def test_the_standard_deal_is_a_renaming_and_the_weight_counts_them(data):
    isomorphism = data.draw(isomorphisms())
    cards = data.draw(deals(isomorphism))
    index = isomorphism.index(cards)
    assert 0 <= index < isomorphism.size
    all_renamings = renamings(isomorphism, cards)
    assert as_sets(isomorphism, isomorphism.unindex(index)) in all_renamings
    assert isomorphism.weight(index) == len(all_renamings)


@compiled
@given(st.data())
def test_index_is_the_inverse_of_unindex(data):
    isomorphism = data.draw(isomorphisms())
    index = data.draw(st.integers(0, isomorphism.size - 1))
    cards = isomorphism.unindex(index)
    assert isomorphism.index(cards) == index
    start = 0
    for n in isomorphism.rounds:
        assert (np.diff(cards[start : start + n].astype(int)) > 0).all()
        start += n


@compiled
@given(st.data())
def test_two_deals_share_a_class_exactly_if_one_is_a_renaming_of_the_other(data):
    # Two ranks or three and few cards, so that both cases occur.
    deck = Deck(data.draw(st.integers(2, 3)), data.draw(st.integers(2, 4)))
    rounds = data.draw(st.sampled_from([(1,), (2,), (1, 1), (2, 1), (1, 2)]))
    isomorphism = Isomorphism(rounds, deck)
    a, b = data.draw(deals(isomorphism)), data.draw(deals(isomorphism))
    same = as_sets(isomorphism, b) in renamings(isomorphism, a)
    assert (isomorphism.index(a) == isomorphism.index(b)) == same
