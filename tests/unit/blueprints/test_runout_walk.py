"""Walks below a decision: what both seats win, street by street."""

import numpy as np
import pytest

from counterfold.blueprints.runout_walk import RunoutWalk
from counterfold.bots.trained_bot import TrainedBot
from counterfold.cards import parse_cards


def walk_of(bot, line, seat):
    run, table = bot.run, bot.strategy(history=line)
    reach = bot.range(history=line, seat=0), bot.range(history=line, seat=1)
    return RunoutWalk(run.blueprint, run.cards, table.line.node, table.board, reach, seat)


@pytest.mark.parametrize("name", ["nolimit", "limit"])
@pytest.mark.parametrize(
    ("line", "dealt"),
    [("c k | Ac | k k | Kd |", ()), ("c k | Ac |", ("Kd",)), ("", ("Ac", "Kd"))],
)
def test_one_seat_wins_what_the_other_loses(small_runs, name, line, dealt):
    totals, met = [], []
    for seat in (0, 1):
        walk = walk_of(TrainedBot(small_runs[name]), line, seat)
        worth = walk.value(tuple(map(parse_cards, dealt)))
        totals.append(walk.reach[seat] @ worth.mixed)
        met.append(walk.reach[seat] @ worth.met)
    assert abs(totals[0]) > 1e-6
    assert sum(totals) == pytest.approx(0.0, abs=1e-9)
    assert met[0] == pytest.approx(met[1])


@pytest.mark.parametrize("name", ["nolimit", "limit"])
def test_a_street_that_ends_is_worth_what_the_next_one_is(small_runs, name):
    """The check that ends a street, on one card, and the next street with that card dealt."""
    bot = TrainedBot(small_runs[name])
    seat = bot.strategy(history="c k | Ac | k").seat
    ended = walk_of(bot, "c k | Ac | k", seat).value((parse_cards("Kd"),))
    begun = walk_of(bot, "c k | Ac | k k | Kd |", seat).value(())
    assert not begun.by_action.size
    words = [offer.word for offer in bot.strategy(history="c k | Ac | k").offered]
    np.testing.assert_allclose(ended.by_action[words.index("k")], begun.mixed, atol=1e-9)
    np.testing.assert_allclose(ended.met, begun.met, atol=1e-9)


def test_walks_are_the_same_whatever_was_walked_before(small_runs):
    bot = TrainedBot(small_runs["nolimit"])
    dealt = [((card,),) for card in parse_cards("KdQcJd")]
    fresh = walk_of(bot, "c k | Ac |", 1)
    expected = fresh.value(dealt[0]).mixed.copy()
    for each in (dealt[1], dealt[2], dealt[0]):
        found = fresh.value(each).mixed
    np.testing.assert_array_equal(found, expected)
