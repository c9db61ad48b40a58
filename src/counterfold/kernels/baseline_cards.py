"""What simple players make of their cards: a score from 0 to 1, and which card to discard."""

import numpy as np

from counterfold.kernels import deals as layouts
from counterfold.kernels.compiler import kernel
from counterfold.kernels.ranking import N_HAND_RANKS, card_bit, rank_masks

BY_SCORE, BY_OUTS = 0, 1


@kernel
def rank_cells(layout, cards, lengths, holes, by_mask, scores):
    """Overwrite `scores` [n, 2, cells] with ranks of hand and board, 1 for the best of all hands.

    Cells with fewer than five cards keep what they hold.
    """
    h = layout.hole_cards
    for i in range(cards.shape[0]):
        for stage in range(layout.stages.shape[0]):
            size = layout.stages[stage, layouts.BOARD]
            if size + h < 5 or layout.stages[stage, layouts.STREET] > lengths[i]:
                continue
            board = np.int64(0)
            for k in range(size):
                board |= card_bit(cards[i, 2 * h + k])
            first = layout.stages[stage, layouts.CELL]
            for seat in range(2):
                for cell in range(first, first + layout.stages[stage, layouts.VERSIONS]):
                    masks = board
                    for place in range(h):
                        masks |= card_bit(holes[i, seat, cell, place])
                    rank = rank_masks(masks, False, by_mask)
                    scores[i, seat, cell] = rank / (N_HAND_RANKS - 1.0)


@kernel
def choose_discards(layout, cards, holes, firsts, rule, by_mask, discards):
    """Overwrite `discards` [n, 2, cells] with what is best at each draw: 0, or 1 + place.

    Places are in the order of discards that `firsts` gives.

    `BY_SCORE` compares the expected rank of the hand after the draw; `BY_OUTS` counts the cards
    that make the hand better against those that make it worse. Both look at this street alone.
    """
    h = layout.hole_cards
    for i in range(cards.shape[0]):
        for stage in range(layout.stages.shape[0] - 1):
            if layout.stages[stage + 1, layouts.DRAW] == layouts.NO_COLUMN:
                continue
            size = layout.stages[stage, layouts.BOARD]
            on_board = cards[i, 2 * h : 2 * h + size]
            board = np.int64(0)
            seen_board = np.int64(0)
            for k in range(size):
                board |= card_bit(on_board[k])
                seen_board |= np.int64(1) << np.int64(on_board[k])
            first = layout.stages[stage, layouts.CELL]
            for seat in range(2):
                for cell in range(first, first + layout.stages[stage, layouts.VERSIONS]):
                    hole = holes[i, seat, cell]
                    masks = board
                    seen = seen_board
                    for place in range(h):
                        masks |= card_bit(hole[place])
                        seen |= np.int64(1) << np.int64(hole[place])
                    own = rank_masks(masks, False, by_mask)
                    best, choice = 0.0, 0
                    for place in range(h):
                        kept = masks ^ card_bit(hole[place])
                        total = 0.0
                        for k in range(layout.deck.size):
                            card = layout.deck[k]
                            if not (seen >> np.int64(card)) & 1:
                                rank = rank_masks(kept | card_bit(card), False, by_mask)
                                if rule == BY_SCORE:
                                    total += rank - own
                                else:
                                    total += np.sign(rank - own)
                        if total > best:
                            best, choice = total, 1 + place
                    if choice > 0 and firsts[i, seat, cell] == 1:
                        choice = 3 - choice
                    discards[i, seat, cell] = choice
