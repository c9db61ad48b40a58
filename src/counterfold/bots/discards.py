"""Rules of thumb for a discard, from the cards as they lie.

Both compare hand ranks of the hole cards with the board, for every card that may be drawn. Neither
looks at the cards still to come or at the betting; that is what strategies do better.
"""

import numpy as np
from numpy.typing import NDArray

from counterfold.bots.view import View
from counterfold.cards import format_card, rank, rank_hands
from counterfold.cards.ranking import N_HAND_RANKS
from counterfold.games.holdem.state import DISCARD, KEEP


def rank_share(cards: list[int]) -> float:
    """The share of hand ranks below the best five of `cards`, 0 to 1."""
    return rank(cards) / N_HAND_RANKS


def discard_by_rank(view: View) -> str:
    """Keep or discard, whichever gives the best mean rank after the draw."""
    best, action = float(_rank_kept(view)), KEEP
    for card in view.hole:
        mean = float(_ranks_drawn(view, card).mean())
        if mean > best:
            best, action = mean, DISCARD + format_card(card)
    return action


def discard_by_outs(view: View) -> str:
    """Discard the card with more outs if more draws improve the hand than spoil it.

    An out is here a card that makes a better hand at once than keeping.
    """
    kept = _rank_kept(view)
    most, action = 0, KEEP
    for card in view.hole:
        drawn = _ranks_drawn(view, card)
        outs, spoilt = int((drawn > kept).sum()), int((drawn < kept).sum())
        if outs > max(most, spoilt):
            most, action = outs, DISCARD + format_card(card)
    return action


def unseen(view: View) -> NDArray[np.uint8]:
    """The cards that are neither in this seat's hand nor on the board nor discarded by it."""
    return np.setdiff1d(view.variant.deck.cards, [*view.seen_cards])


def _rank_kept(view: View) -> int:
    return rank([*view.hole, *view.board_cards])


def _ranks_drawn(view: View, card: int) -> NDArray[np.int16]:
    """Rank of the hand for each card drawn instead of `card`."""
    known = [*(other for other in view.hole if other != card), *view.board_cards]
    draws = unseen(view)
    hands = np.empty((draws.size, len(known) + 1), np.uint8)
    hands[:, :-1] = known
    hands[:, -1] = draws
    return rank_hands(hands)
