"""Imagined hands: further hole cards for both seats of a deal, as likely as those that were dealt.

They come from the cards that the deal leaves over, and share none with it nor with each other.
All of them are equally likely to be the ones that were dealt, whatever the board is to be; so the
board, as far as it is not dealt, is a sample of the cards that nobody holds or imagines.
"""

from counterfold.jit.compiler import kernel
from counterfold.jit.random import stream_key, uniform
from counterfold.public.deals_kernels import NO_CARD


@kernel
def imagine_hands(layout, cards, lengths, n_hands, seed, first, deck, rows):
    """Overwrite `rows` [n * n_hands, columns]: a deal, then the same board with imagined hands.

    What a draw or a swap would bring belongs to a hand. `cards` are deals `first` and on; `deck` is
    work space for the cards of the deck.
    """
    h = layout.hole_cards
    extras = 2 * h + layout.board_cards + layout.max_runs  # the first column after the board
    for i in range(lengths.size):
        key = stream_key(seed, first + i)
        step = 0
        length = layout.board_cards + lengths[i] - layout.last_street
        n_left = 0
        for card in layout.deck:
            used = False
            for column in range(layout.n_columns):
                if (column < 2 * h + length or column >= extras) and cards[i, column] == card:
                    used = True
            if not used:
                deck[n_left] = card
                n_left += 1
        for m in range(n_hands):
            row = rows[i * n_hands + m]
            for column in range(layout.n_columns):
                row[column] = cards[i, column]
                if m == 0 or 2 * h <= column < extras:
                    continue
                if column >= extras:
                    row[column] = NO_CARD
                    chance = layout.swaps[column - extras]
                    step += 1
                    if chance < 1.0 and uniform(key, step) >= chance:
                        continue
                k = int(uniform(key, step + 1) * n_left)
                step += 1
                row[column] = deck[k]
                n_left -= 1
                deck[k] = deck[n_left]
