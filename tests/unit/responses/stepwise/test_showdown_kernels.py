"""Results of hands of any sizes, against enumeration by the rules."""

from itertools import combinations

import numpy as np
import pytest

from counterfold.cards import parse_cards, parse_deck, showdown_strength
from counterfold.cards.ranking_kernels import rank_tables
from counterfold.jit.random import stream_key
from counterfold.responses.stepwise.columns import all_hands, bits_of, mask_of
from counterfold.responses.stepwise.showdown_kernels import (
    Contenders,
    ShowdownRanking,
    compare_hands,
)

DECK = parse_deck("9TJQKA/cd")
RANKING = ShowdownRanking(rank_tables(), False)


def compare(own, board, size, n_more, extra=(0, 0), n_boards=64):
    hands = all_hands(DECK, size)
    contenders = Contenders(hands.masks, hands.bits, size)
    seen = bits_of([*own, *board])
    left = np.array([card for card in DECK.cards if not seen >> int(card) & 1], np.uint8)
    margins, met = np.zeros(len(hands)), np.zeros(len(hands), np.int64)
    key = np.uint64(stream_key(1, 2))
    compare_hands(
        RANKING, contenders, (mask_of(board), len(board)), mask_of(own), len(own), n_more, extra,
        left, key, n_boards, met, margins,
    )  # fmt: skip
    possible = hands.bits & seen == 0
    return hands.cards[possible].tolist(), margins[possible]


def expected(own, board, hand, n_more, extra):
    """The mean over all cards to come."""
    left = [c for c in DECK.cards.tolist() if c not in {*own, *board, *hand}]
    results = []
    for cards in combinations(left, n_more):
        rest = [card for card in left if card not in cards]
        for mine in combinations(rest, extra[0]):
            for theirs in combinations([c for c in rest if c not in mine], extra[1]):
                won = showdown_strength([*own, *mine, *board, *cards])
                lost = showdown_strength([*hand, *theirs, *board, *cards])
                results.append((won > lost) - (won < lost))
    return np.mean(results)


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("n_more", [0, 1])
def test_few_boards_are_all_looked_at(size, n_more):
    own, board = parse_cards("AcKd"), parse_cards("QcJcTdTc"[: 8 - 2 * n_more])
    hands, margins = compare(own, board, size, n_more)
    for hand, margin in zip(hands, margins, strict=True):
        assert margin == pytest.approx(expected(own, board, hand, n_more, (0, 0)))


@pytest.mark.parametrize(("n_more", "extra"), [(2, (0, 0)), (1, (1, 0)), (0, (0, 1)), (1, (1, 1))])
def test_drawn_cards_come_as_often_as_any(n_more, extra):
    """Of 4,000 draws the mean is within 0.08, five standard errors, for each of the hands."""
    own, board = parse_cards("AcKd"), parse_cards("QcJcTd")
    hands, margins = compare(own, board, 2, n_more, extra, n_boards=8000)
    for hand, margin in [*zip(hands, margins, strict=True)][::5]:
        assert margin == pytest.approx(expected(own, board, hand, n_more, extra), abs=0.08)
