"""Matches between bots: many hands in kernels, duplicate deals, intervals."""

from counterfold.bots.baselines import BASELINES
from counterfold.matches.match import MatchResult, Side, play_match
from counterfold.matches.players import Player, baseline_player, strategy_player

__all__ = [
    "BASELINES",
    "MatchResult",
    "Player",
    "Side",
    "baseline_player",
    "play_match",
    "strategy_player",
]
