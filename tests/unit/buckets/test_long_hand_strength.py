"""Strength of four hole cards and more, against a plain reading of what hands meet."""

from itertools import combinations, permutations

import numpy as np
import pytest

from counterfold.buckets import StrengthLookup
from counterfold.buckets.abstraction_text import parse_bucketing
from counterfold.buckets.long_hand_strength import (
    LongHandStrength,
    find_cut,
    is_squared,
    run_out_places,
)
from counterfold.cards import Deck, StrengthTables, rank

SMALL = Deck(7, 2)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Four cards of fourteen, boards of four at showdown."""
    tables = StrengthTables(SMALL, clusters=None, folder=tmp_path_factory.mktemp("tables"))
    return LongHandStrength(4, 4, StrengthLookup(tables, threads=1))


def random_hands(deck, n_cards, n, seed=5):
    rng = np.random.default_rng(seed)
    return np.array([rng.permutation(deck.cards)[:n_cards] for _ in range(n)], np.uint8)


def plain_strength(hand, board, deck, final):
    """The share of hands of as many cards that a hand beats, cards of its own among them."""
    left = [card for card in deck.cards.tolist() if card not in board]
    to_come = [card for card in left if card not in hand]
    shares = []
    for added in combinations(to_come, final - len(board)):
        end = [*board, *added]
        mine = rank([*hand, *end])
        others = combinations([card for card in left if card not in added], len(hand))
        ranks = [rank([*other, *end]) for other in others]
        won = sum((mine > each) + (mine >= each) for each in ranks)
        shares.append(won / (2 * len(ranks)))
    return np.mean(shares), np.mean(np.square(shares))


@pytest.mark.parametrize("board", [3, 4])
def test_strengths_are_those_of_hands_met_one_by_one(small, board):
    hands = random_hands(SMALL, 4 + board, 12)
    rows = [(row[:4].tolist(), row[4:].tolist()) for row in hands]
    expected = np.array([plain_strength(*row, SMALL, small.final) for row in rows])
    # A thousand opponents: five standard errors of a half, and half a cut.
    tolerance = 5 * 0.5 / np.sqrt(1000) + 0.5 / 16
    assert np.abs(small.measure(hands) - expected[:, 0]).max() < tolerance
    assert np.abs(small.measure(hands, squared=True) - expected[:, 1]).max() < 2 * tolerance


@pytest.mark.parametrize("board", [3, 4])
def test_the_order_of_cards_and_the_names_of_suits_do_not_matter(small, board):
    for hand in random_hands(SMALL, 4 + board, 10):
        orders = [[*order, *hand[4:]] for order in permutations(hand[:4])]
        others = np.array([*orders, [*hand[:4], *hand[:3:-1]], hand ^ 1], np.uint8)
        assert np.ptp(small.measure(others)) == 0.0


@pytest.mark.parametrize("board", [3, 4])
def test_percentiles_are_of_equal_use_and_rise_with_strength(small, board):
    bucketing = parse_bucketing("percentile(5)")
    hands = random_hands(SMALL, 4 + board, 4000, seed=8)
    labels, strengths = small.label(hands, bucketing), small.measure(hands)
    shares = np.bincount(labels, minlength=5) / len(hands)
    assert shares == pytest.approx(np.full(5, 0.2), abs=0.05)  # some strengths are frequent
    order = np.argsort(strengths, kind="stable")
    assert (np.diff(labels[order]) >= 0).all()


def test_equal_widths_are_equal(small):
    hands = random_hands(SMALL, 8, 300)
    found = small.label(hands, parse_bucketing("uniform(5)"))
    assert found.tolist() == (small.measure(hands) * 5).astype(int).clip(max=4).tolist()


def test_squares_are_cut_where_the_metric_asks_for_them(small):
    hands = random_hands(SMALL, 7, 2000)
    bucketing = parse_bucketing("percentile(3, metric=ehs2)")
    labels, squares = small.label(hands, bucketing), small.measure(hands, squared=True)
    assert is_squared(bucketing)
    assert all(squares[labels == at].max() < squares[labels == at + 1].min() for at in (0, 1))


def test_another_number_of_cards_has_a_table_of_its_own(small):
    five = LongHandStrength(5, 4, small.source)
    assert five.spec.fingerprint != small.spec.fingerprint
    assert LongHandStrength(4, 3, small.source).spec.fingerprint != small.spec.fingerprint


def test_what_a_table_will_cost_is_known_until_it_is_built(tmp_path):
    tables = StrengthTables(Deck(6, 2), clusters=None, folder=tmp_path)
    strength = LongHandStrength(4, 3, StrengthLookup(tables, threads=1))
    before = strength.estimate()
    assert before.seconds > 0.0
    assert before.disk_bytes == strength.ranks.nbytes
    assert strength.estimate().disk_bytes == 0


@pytest.mark.parametrize(
    ("text", "cuts_strength"),
    [
        ("percentile(5)", True),
        ("percentile(5, metric=ehs2)", True),
        ("uniform(5)", True),
        ("percentile(5, metric=draw)", False),
        ("nested(3, 2)", False),
        ("percentile(5) * uniform(2)", False),
        ("histogram(5)", False),
    ],
)
def test_which_bucketings_cut_strength(text, cuts_strength):
    bucketing = parse_bucketing(text)
    assert find_cut(bucketing) is (bucketing if cuts_strength else None)


@pytest.mark.parametrize("n_left", [4, 14, 15, 48, 49])
def test_pairs_of_cards_to_come_leave_some_for_any_hand(n_left):
    places = run_out_places(n_left, 2)
    assert (places[:, 0] != places[:, 1]).all()
    assert places.max() == n_left - 1
    if n_left <= 14:
        assert len({frozenset(pair) for pair in places.tolist()}) == n_left * (n_left - 1) // 2
        return
    counts = np.bincount(places.ravel(), minlength=n_left)
    assert counts.max() == 4
    assert counts.sum() == 4 * (n_left - n_left % 2)
    assert len(places) // 4 > 6  # pairs without a common card, more than hole cards


def test_one_card_to_come_is_each_card_once():
    assert run_out_places(48, 1)[:, 0].tolist() == list(range(48))
    assert run_out_places(47, 0).shape == (1, 0)
