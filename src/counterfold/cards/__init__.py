"""Cards: their text, decks, hand ranking, ranges, and deals up to a renaming of suits."""

from counterfold.cards.deck import FULL, Deck, parse_deck
from counterfold.cards.isomorphism import Isomorphism
from counterfold.cards.pairs import (
    format_hand_class,
    hand_class_of,
    index_pair,
    parse_hand_class,
    unindex_pair,
)
from counterfold.cards.ranges import Range, format_range, parse_range
from counterfold.cards.ranking import hand_class, rank, rank_hands
from counterfold.cards.text import format_card, format_cards, parse_card, parse_cards

__all__ = [
    "FULL",
    "Deck",
    "Isomorphism",
    "Range",
    "format_card",
    "format_cards",
    "format_hand_class",
    "format_range",
    "hand_class",
    "hand_class_of",
    "index_pair",
    "parse_card",
    "parse_cards",
    "parse_deck",
    "parse_hand_class",
    "parse_range",
    "rank",
    "rank_hands",
    "unindex_pair",
]
