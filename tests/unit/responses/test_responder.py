"""What a responder knows before the first hand."""

import numpy as np
import pytest

from counterfold.bots.tracking.deck_hands import list_hands
from counterfold.cards import equity, format_cards
from counterfold.games.holdem import VARIANTS
from counterfold.responses.responder import find_first_margins

VARIANT = VARIANTS["nolimit"]()


def test_margins_before_the_flop_are_near_to_equities(rng):
    hands, margins = list_hands(VARIANT), find_first_margins(VARIANT)
    errors = []
    while len(errors) < 12:
        mine, theirs = rng.choice(len(hands.cards), 2)
        if not hands.bits[mine] & hands.bits[theirs]:
            exact = equity(format_cards(hands.cards[mine]), format_cards(hands.cards[theirs]))
            errors.append(margins[mine, theirs] - (exact.win - exact.lose))
    assert np.abs(errors).max() < 0.1  # four standard errors of 1,200 boards
    assert np.mean(errors) == pytest.approx(0, abs=0.03)


def test_few_boards_need_no_table():
    assert find_first_margins(VARIANTS["limit"](deck="JQKA/cd", board=(1, 1))).size == 0
