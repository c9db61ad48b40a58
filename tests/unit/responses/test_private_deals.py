"""Private deals: the real one first, all of them possible."""

import numpy as np
import pytest

from counterfold.games.holdem import VARIANTS
from counterfold.public.card_maps import NoCards
from counterfold.public.deals import Dealer
from counterfold.public.deals_kernels import NO_CARD
from counterfold.responses import private_deals
from counterfold.responses.private_deals import N_PRIVATE, draw_private_deals
from counterfold.responses.private_deals_kernels import draw_private

N = 20


def drawn(name, seat):
    """Deals, and the private deals of `seat`: [n, N_PRIVATE, cards of a seat]."""
    dealer = Dealer(VARIANTS[name]())
    deals = dealer.sample(7, 0, N)
    private = private_deals._draw(dealer, deals, seat, 3, 0)
    columns, _ = private_deals._columns(dealer.layout)
    rows = private.cards.reshape(N, N_PRIVATE // 2, -1)
    seats = np.stack([rows[..., c] for c in columns], axis=2)
    return deals, columns, seats.reshape(N, N_PRIVATE, -1)


@pytest.mark.parametrize("name", ["discard", "swap"])
@pytest.mark.parametrize("seat", [0, 1])
def test_the_first_private_deal_is_the_real_one(name, seat):
    deals, columns, found = drawn(name, seat)
    np.testing.assert_array_equal(found[:, 0], deals.cards[:, columns[seat]])
    assert (found[:, 1:] != found[:, :1]).any(axis=2).mean() > 0.99


@pytest.mark.parametrize("name", ["discard", "swap"])
def test_private_deals_have_no_card_of_the_board_or_of_the_other_seat(name):
    deals, columns, found = drawn(name, 1)
    for i in range(N):
        taken = {*deals.cards[i, 4:9].tolist(), *deals.cards[i, columns[0]].tolist()} - {NO_CARD}
        for hand in found[i].tolist():
            cards = [card for card in hand if card != NO_CARD]
            assert len({*cards}) == len(cards)
            assert not taken & {*cards}


def test_swaps_come_into_play_as_often_as_the_rules_say():
    *_, found = drawn("swap", 0)
    swapped = (found[:, 1:] != NO_CARD).mean(axis=(0, 1))
    assert swapped == pytest.approx([1, 1, 0.1, 0.1, 0.05, 0.05], abs=0.03)


@pytest.mark.parametrize("column", [0, 1, 2])
def test_a_swap_that_comes_into_play_says_nothing_about_cards(column):
    """Else those that lie first in the deck, the lowest, would come most often."""
    dealer = Dealer(VARIANTS["swap"]())
    layout, deals = dealer.layout, dealer.sample(7, 0, 2000)
    columns, chances = private_deals._columns(layout)
    out, deck = np.empty((2000, 1, layout.n_columns), np.uint8), np.empty(52, np.uint8)
    draw_private(layout, columns, chances, deals.cards, 0, 3, 0, deck, out)
    found = out[:, 0, columns[1]]  # the first that are drawn, from a deck in order
    cards = found[found[:, 2] != NO_CARD][:, column]
    assert cards.size > 150
    # Cards are 0 to 51, with a standard deviation of 15; the mean is allowed four.
    assert cards.mean() == pytest.approx(25.5, abs=4 * 15 / np.sqrt(cards.size))


def places_of_first_cards(deals, layout, seat):
    """[n, 2] where the first two cards that are drawn stand among those that are left, in order."""
    columns, chances = private_deals._columns(layout)
    out, deck = np.zeros((len(deals), 1, layout.n_columns), np.uint8), np.empty(52, np.uint8)
    draw_private(layout, columns, chances, deals.cards, seat, 3, 0, deck, out)
    np.testing.assert_array_equal(out[:, 0, 4:9], deals.cards[:, 4:9])  # the board stays
    places = []
    for row, drawn_row in zip(deals.cards, out[:, 0, columns[1, :2]], strict=True):
        taken = [*row[4:9], *row[columns[1 - seat]]]
        places.append(np.searchsorted(np.setdiff1d(layout.deck, taken), drawn_row))
    return np.array(places)


def test_every_card_that_is_left_may_be_drawn_first_or_second():
    dealer = Dealer(VARIANTS["discard"]())
    deals = dealer.sample(7, 0, 2000)
    first, second = (places_of_first_cards(deals, dealer.layout, seat) for seat in (0, 1))
    for places in (*first.T, *second.T):
        # Of 43 cards each comes 47 times in the mean: none is missing or comes twice as often.
        counts = np.bincount(places, minlength=43)
        assert (counts.size, counts.min() > 10, counts.max() < 90) == (43, True, True)
    # The seats have random numbers of their own, in the same deal and in the next.
    for one, other in ((first, second), (first[1:], second[:-1]), (first[:-1], second[1:])):
        assert (one[:, 0] == other[:, 0]).mean() < 0.1


def test_where_hole_cards_stay_there_are_none():
    dealer = Dealer(VARIANTS["nolimit"]())
    found = draw_private_deals(dealer, NoCards(dealer), dealer.sample(0, 0, 3), 0, 0)
    assert found.strengths.size == found.labels.size == 0
