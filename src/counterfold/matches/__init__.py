"""Matches between bots: many hands in kernels, duplicate deals, intervals."""

from counterfold.bots.baselines import BASELINES
from counterfold.matches.hosted import Contestant, find_protocol, play_hosted
from counterfold.matches.match import MatchResult, Side, play_match
from counterfold.matches.players import Player, baseline_player, strategy_player

__all__ = [
    "BASELINES",
    "Contestant",
    "MatchResult",
    "Player",
    "Side",
    "baseline_player",
    "find_protocol",
    "play_hosted",
    "play_match",
    "strategy_player",
]
