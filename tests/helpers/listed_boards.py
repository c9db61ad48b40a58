"""All boards of small variants with all their hands, in order, beside the deals they come from."""

from functools import cache

import numpy as np

from counterfold.games import parse_game
from counterfold.public.boards import EnumeratedBoards
from counterfold.public.card_maps import ExactCards
from counterfold.public.deals import Dealer

VARIANTS = [
    "kuhn-variant",
    "leduc-variant",
    "limit(bets=2, deck='JQKA/cd', board=(1, 1))",
    "limit(bets=2, deck='TJQKA/cd', board=(3,))",
    "river-of-blood(stack=6, deck='QKA/cd', board=(1,))",
]
N_LABELS = 3  # so few that hands share types


def coarse(labels):
    """Labels that mix hands; a hand keeps its label within a street and board."""
    return (labels * 7 + 3) % 11 % N_LABELS


@cache
def list_boards(variant):
    """Dealer, deals, labels and boards of a variant."""
    dealer = Dealer(parse_game(variant))
    deals = dealer.enumerate()
    labels = coarse(ExactCards(dealer, deals).label(deals))
    return dealer, deals, labels, EnumeratedBoards(dealer, deals, labels)


def board_of(deals, dealer, k):
    return deals.lengths[k], tuple(deals.cards[k, 2 * dealer.layout.hole_cards :])


def deals_by_board(dealer, deals):
    rows = {}
    for k in range(len(deals)):
        rows.setdefault(board_of(deals, dealer, k), []).append(k)
    return rows


def boards_in_order(dealer, deals):
    """Rows of the deals of each board, in the order of `EnumeratedBoards`."""
    rows = deals_by_board(dealer, deals)
    return [np.array(rows[board]) for board in sorted(rows)]


def hand_of(deals, k, seat):
    return frozenset(deals.holes[k, seat, 0].tolist())


def hands_by_place(dealer, boards, i, cards):
    """The hands of board `i` as sets of cards, from the weakest on."""
    left = [card for card in dealer.layout.deck.tolist() if card not in cards]
    places = zip(boards.firsts[i], boards.seconds[i], strict=True)
    hands = [frozenset(left[p] for p in pair if p < len(left)) for pair in places]
    return hands[: boards.n_hands[i]]
