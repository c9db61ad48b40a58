"""Who plays: the interface of bots, what a seat sees, baselines, strategies as bots."""

from counterfold.bots.baselines import BASELINES
from counterfold.bots.hand import Hand
from counterfold.bots.interface import Bot, HandResult, MatchInfo, decide
from counterfold.bots.shuffled_deck import ShuffledDeck, shuffle, swap_seats
from counterfold.bots.view import View, first_view, view_of
from counterfold.games.holdem.situation import split_history

__all__ = [
    "BASELINES",
    "Bot",
    "Hand",
    "HandResult",
    "MatchInfo",
    "ShuffledDeck",
    "View",
    "decide",
    "first_view",
    "shuffle",
    "split_history",
    "swap_seats",
    "view_of",
]
