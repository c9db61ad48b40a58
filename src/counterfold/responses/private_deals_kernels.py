"""Draws private deals: cards that a seat might have got, given the board and the other's cards."""

import numpy as np

from counterfold.jit.compiler import kernel
from counterfold.jit.random import draw_from, stream_key, uniform
from counterfold.public.deals_kernels import NO_CARD


@kernel
def draw_private(layout, columns, chances, cards, seat, seed, first, deck, out):
    """Overwrite `out` [n, m, columns] with rows in which both seats have private deals of a seat.

    That of seat 0 in the first of the `m` rows is the real one. The others are drawn from the cards
    that are not on the board and that the other seat did not get.

    Parameters
    ----------
    columns, chances
        [2, k] the columns of each seat, and [k] the probabilities that their cards come into play.
    cards, seat
        [n, columns] the deals, whose boards are complete, and the seat of the private deals.
    seed, first
        Of the random numbers; `first` is the number of the first deal.
    deck
        Work space for the cards of the deck.
    """
    h = layout.hole_cards
    for i in range(cards.shape[0]):
        seen = np.int64(0)
        for column in range(2 * h, 2 * h + layout.board_cards):
            seen |= np.int64(1) << np.int64(cards[i, column])
        for column in columns[1 - seat]:
            if cards[i, column] != NO_CARD:
                seen |= np.int64(1) << np.int64(cards[i, column])
        n_left = 0
        for card in layout.deck:
            if not (seen >> np.int64(card)) & 1:
                deck[n_left] = card
                n_left += 1
        key = stream_key(seed, 2 * (first + i) + seat)
        step = 0
        for row in range(out.shape[1]):
            out[i, row] = cards[i]
            for holder in range(2):
                n_drawn = 0
                for k in range(chances.size):
                    column = columns[holder, k]
                    if row == 0 and holder == 0:
                        out[i, row, column] = cards[i, columns[seat, k]]
                        continue
                    out[i, row, column] = NO_CARD
                    step += 2
                    if uniform(key, step) < chances[k]:
                        number = uniform(key, step + 1)
                        out[i, row, column] = draw_from(deck, n_left, n_drawn, number)
                        n_drawn += 1
