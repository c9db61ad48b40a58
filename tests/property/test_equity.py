"""What holds of the equity of any two ranges."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from counterfold.cards import Deck, Range, index_pair
from counterfold.cards.equity import equity
from counterfold.cards.long_boards import final_sizes, hand_strengths
from counterfold.cards.pairs import PAIR_CARDS
from counterfold.cards.suits import rename_cards, rename_pairs
from counterfold.errors import CardError
from helpers.naive.naive_equity import enumerate_showdowns

compiled = settings(deadline=None, max_examples=25)  # the first example compiles
SMALL = Deck(5, 3)

cards = st.integers(0, 51)
small_cards = st.sampled_from(SMALL.cards.tolist())


def hands(card):
    return st.lists(card, min_size=2, max_size=2, unique=True).map(lambda pair: index_pair(*pair))


def ranges(card=cards, max_size=6):
    """A few hands with weights, some of them equal."""
    weights = st.sampled_from([1.0, 1.0, 0.5, 0.3, 1e-6])
    return st.dictionaries(hands(card), weights, min_size=1, max_size=max_size).map(weigh)


def weigh(weights):
    array = np.zeros(1326)
    array[list(weights)] = list(weights.values())
    return Range(array)


def boards(card=cards, min_size=4, max_size=8):
    return st.lists(card, min_size=min_size, max_size=max_size, unique=True)


def ask(*arguments, **options):
    try:
        return equity(*arguments, **options)
    except CardError:
        assume(False)


def shares(found):
    return found.win, found.tie, found.lose


@compiled
@given(ranges(), ranges(), boards(min_size=3))
def test_shares_add_up_and_sides_swap(first, second, board):
    found = ask(first, second, board)
    assert min(shares(found)) >= 0
    assert sum(shares(found)) == pytest.approx(1, abs=1e-12)
    other = equity(second, first, board)
    assert found.equity + other.equity == pytest.approx(1, abs=1e-12)
    assert shares(found) == pytest.approx(shares(other)[::-1], abs=1e-12)
    assert (found.n_run_outs, found.n_matchups) == (other.n_run_outs, other.n_matchups)


@compiled
@given(ranges(max_size=3), ranges(max_size=3), boards(), st.lists(cards, max_size=3, unique=True))
def test_agrees_with_plain_enumeration(first, second, board, dead):
    found = ask(first, second, board, dead)
    expected = enumerate_showdowns(first, second, board, dead)
    assert shares(found) == pytest.approx(expected[:3], abs=1e-12)
    assert (found.n_run_outs, found.n_matchups) == expected[3:5]
    assert found.total_weight == pytest.approx(expected[5])


@compiled
@given(ranges(small_cards, 4), ranges(small_cards, 4), boards(small_cards, 0, 4))
def test_agrees_with_plain_enumeration_on_a_small_deck(first, second, board):
    found = ask(first, second, board, deck=SMALL)
    expected = enumerate_showdowns(first, second, board, deck=SMALL)
    assert shares(found) == pytest.approx(expected[:3], abs=1e-12)
    assert (found.n_run_outs, found.n_matchups) == expected[3:5]


@compiled
@given(ranges(), ranges(), boards(min_size=3, max_size=5), st.permutations(range(4)))
def test_names_of_suits_do_not_matter(first, second, board, names):
    found = ask(first, second, board)
    pairs = rename_pairs(tuple(names))
    renamed = []
    for hands in (first, second):
        weights = np.zeros(1326)
        weights[pairs] = hands.weights
        renamed.append(Range(weights))
    other = equity(*renamed, rename_cards(tuple(names))[board].tolist())
    assert shares(found) == pytest.approx(shares(other), abs=1e-12)


@compiled
@given(ranges(), ranges(), boards(), st.floats(1e-9, 1e9))
def test_scaling_weights_changes_nothing(first, second, board, factor):
    found = ask(first, second, board)
    scaled = equity(Range(first.weights * factor), second, board)
    assert shares(found) == pytest.approx(shares(scaled), abs=1e-12)
    assert scaled.total_weight == pytest.approx(found.total_weight * factor)


@compiled
@given(ranges(), ranges(), ranges(), boards())
def test_a_range_is_the_mean_of_its_hands(first, more, second, board):
    assume(not set(first.pairs) & set(more.pairs))
    parts = [ask(first, second, board), ask(more, second, board)]
    whole = equity(Range(first.weights + more.weights), second, board)
    weights = [part.total_weight for part in parts]
    mean = np.average([part.equity for part in parts], weights=weights)
    assert whole.equity == pytest.approx(mean, abs=1e-12)
    assert whole.total_weight == pytest.approx(sum(weights))
    assert whole.n_matchups == sum(part.n_matchups for part in parts)


@compiled
@given(boards(min_size=5, max_size=31), st.data())
def test_strength_is_equity_against_a_random_hand(board, data):
    strengths = hand_strengths(board)
    pair = data.draw(st.sampled_from(np.flatnonzero(~np.isnan(strengths)).tolist()))
    found = equity(weigh({pair: 1.0}), Range(np.ones(1326)), board)
    assert strengths[pair] == pytest.approx(found.equity, abs=1e-14)
    assert np.isnan(strengths).sum() == np.isin(PAIR_CARDS, board).any(axis=1).sum()


@given(st.lists(cards, min_size=2, max_size=6, unique=True))
def test_final_sizes_are_a_distribution(deal):
    sizes = final_sizes(deal[:2], deal[2:])
    assert sizes.sum() == pytest.approx(1)
    assert (sizes[:5] == 0).all()
    # Each further card needs a red one before it, and these get fewer.
    assert (np.diff(sizes[5:]) <= 0).all()
