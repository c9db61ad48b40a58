"""A trained run as people use it: next cards, and equity against the other seat's range."""

import numpy as np
import pytest

from counterfold.bots.trained_bot import TrainedBot
from counterfold.cards import Range, equity, format_cards, parse_cards
from counterfold.errors import IllegalActionError
from helpers.trained_runs import train_small


@pytest.fixture(scope="module")
def holdem(tmp_path_factory):
    """A bot of hold'em with a whole board, hardly trained."""
    changes = {"variant": "nolimit(stack=20, deck='89TJQKA/cdh')", "cards": "percentile(3)"}
    folder = tmp_path_factory.mktemp("bots") / "nolimit"
    return TrainedBot(train_small("nolimit", folder, 200, **changes))


def test_run_outs_are_the_strategies_after_each_card(small_runs):
    bot = TrainedBot(small_runs["nolimit"])
    found = dict(bot.runouts("c k"))
    assert list(found) == [format_cards([card]) for card in bot.variant.deck.cards[::-1].tolist()]
    for card, table in found.items():
        again = bot.strategy(history=f"c k | {card}")
        assert [row.hand for row in table.rows] == [row.hand for row in again.rows]
        assert table.to_dict()["hands"] == again.to_dict()["hands"]
    for line in ("", "c", "f"):
        with pytest.raises(IllegalActionError, match="no single card is dealt"):
            next(bot.runouts(line))


def test_equities_are_against_the_range_of_the_other_seat(holdem):
    line, board = "c k | Td9d8h | k", "Td9d8h"
    table = holdem.strategy(history=line)
    hands = [row.hand for row in table.rows[:3]]
    theirs = holdem.range(board, line, 1 - table.seat)
    expected = [
        equity(format_cards(hand), Range(theirs), parse_cards(board), deck=holdem.variant.deck)
        for hand in hands
    ]
    found = holdem.equities(table, hands)
    np.testing.assert_allclose(found, [each.equity for each in expected], atol=1e-12)


def test_equities_are_not_known_before_the_flop_or_where_hands_change(holdem, small_runs):
    table = holdem.strategy(history="c")
    assert holdem.equities(table, [table.rows[0].hand]) is None
    bot = TrainedBot(small_runs["swap"])
    table = bot.strategy(history="c k | Td9d8c |")
    assert bot.equities(table, [table.rows[0].hand]) is None
