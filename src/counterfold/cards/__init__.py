"""Cards: text, decks, ranking, ranges, deals up to a renaming of suits, exact strength, equity."""

from counterfold.cards.clusters import EIGHT_RANGES, OpponentClusters
from counterfold.cards.deck import FULL, Deck, parse_deck
from counterfold.cards.draw_histograms import DrawHistograms, FinalStrength
from counterfold.cards.draws import DrawStrength, DrawTables
from counterfold.cards.equity import Equity, equity
from counterfold.cards.isomorphism import Isomorphism
from counterfold.cards.long_boards import (
    StrengthEstimate,
    expected_strength,
    final_sizes,
    hand_strength,
    hand_strengths,
)
from counterfold.cards.pairs import (
    format_hand_class,
    hand_class_of,
    index_pair,
    parse_hand_class,
    unindex_pair,
)
from counterfold.cards.ranges import Range, format_range, parse_range
from counterfold.cards.ranking import hand_category, rank, rank_hands, showdown_strength
from counterfold.cards.strength import Strength, StrengthTables
from counterfold.cards.text import format_card, format_cards, parse_card, parse_cards

__all__ = [
    "EIGHT_RANGES",
    "FULL",
    "Deck",
    "DrawHistograms",
    "DrawStrength",
    "DrawTables",
    "Equity",
    "FinalStrength",
    "Isomorphism",
    "OpponentClusters",
    "Range",
    "Strength",
    "StrengthEstimate",
    "StrengthTables",
    "equity",
    "expected_strength",
    "final_sizes",
    "format_card",
    "format_cards",
    "format_hand_class",
    "format_range",
    "hand_category",
    "hand_class_of",
    "hand_strength",
    "hand_strengths",
    "index_pair",
    "parse_card",
    "parse_cards",
    "parse_deck",
    "parse_hand_class",
    "parse_range",
    "rank",
    "rank_hands",
    "showdown_strength",
    "unindex_pair",
]
