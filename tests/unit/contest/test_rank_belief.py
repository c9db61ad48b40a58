"""What is believed of secret ranks: the prior of the contest, and what showdowns leave of it."""

from itertools import combinations, permutations

import numpy as np
import pytest

from counterfold.cards.text import RANKS
from counterfold.contest import rank_orders
from counterfold.contest.rank_belief import RankBelief
from counterfold.contest.rank_orders import TURNED, draw_rank_order
from counterfold.games import parse_game


def turned(order, ranks=RANKS):
    """How many pairs of ranks stand in another order."""
    return sum(order.index(a) > order.index(b) for a, b in combinations(ranks, 2))


def test_an_order_is_as_likely_as_the_pairs_that_it_turns_around(monkeypatch):
    ranks = "QKA"
    monkeypatch.setattr(rank_orders, "RANKS", ranks)
    orders = ["".join(order) for order in permutations(ranks)]
    weights = np.array([TURNED ** turned(order, ranks) for order in orders])
    found = [rank_orders.draw_rank_order(seed) for seed in range(4000)]
    shares = np.array([found.count(order) for order in orders]) / len(found)
    np.testing.assert_allclose(shares, weights / weights.sum(), atol=0.03)


def show_down(variant, rng, belief, n):
    for _ in range(n):
        cards = rng.choice(52, 9, replace=False).tolist()
        hands = [cards[:2] + cards[4:], cards[2:4] + cards[4:]]
        one, two = (variant.strength(hand) for hand in hands)
        belief.observe(*hands, int(one > two) - int(one < two))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_showdowns_reveal_the_order(seed):
    order = draw_rank_order(seed)
    variant = parse_game(f"permuted(order='{order}')")
    belief = RankBelief(seed)
    before = turned(belief.order, order)
    show_down(variant, np.random.default_rng(seed), belief, 150)
    assert sorted(belief.order) == sorted(RANKS)
    assert turned(belief.order, order) < before / 3


def test_the_same_seed_believes_the_same():
    one, two, other = RankBelief(5), RankBelief(5), RankBelief(6)
    np.testing.assert_array_equal(one.places, two.places)
    assert (one.places != other.places).any()


def test_a_showdown_that_every_order_explains_changes_nothing():
    belief = RankBelief(3)
    places = belief.places
    quads, pair = [0, 1, 2, 3, 20, 25, 30], [40, 41, 5, 10, 20, 25, 30]
    belief.observe(quads, pair, 1)
    assert belief.places is places
    assert not belief.showdowns


def test_a_showdown_that_no_order_explains_leaves_a_belief():
    belief = RankBelief(3)
    quads, pair = [0, 1, 2, 3, 20, 25, 30], [40, 41, 5, 10, 20, 25, 30]
    belief.observe(quads, pair, -1)
    assert sorted(belief.order) == sorted(RANKS)
