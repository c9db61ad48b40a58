from collections import Counter

from counterfold.cards.text import RANKS
from counterfold.contest.rank_orders import draw_rank_order


def test_orders_have_every_rank_once_and_follow_from_the_seed():
    orders = [draw_rank_order(seed) for seed in range(200)]
    assert all(sorted(order) == sorted(RANKS) for order in orders)
    assert orders[7] == draw_rank_order(7)
    assert len(set(orders)) > 190


def test_disorder_is_mild():
    """The lowest rank comes first if a geometric number is 1, or 14, or 27, and so on."""
    firsts = Counter(draw_rank_order(seed)[0] for seed in range(2000))
    chance = 0.25 / (1 - 0.75**13)
    # Four deviations: once in 16,000 such samples.
    assert abs(firsts["2"] / 2000 - chance) < 4 * (chance * (1 - chance) / 2000) ** 0.5
    assert firsts["2"] > firsts["3"] > firsts["5"] > firsts["9"]
