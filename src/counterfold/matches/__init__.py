"""Matches between bots: many hands in kernels, duplicate deals, intervals, hand histories."""

from counterfold.bots.baselines import BASELINES
from counterfold.matches.hand_histories import (
    HandHistory,
    format_history,
    parse_history,
    read_histories,
    writing_histories,
)
from counterfold.matches.hosted_match import Contestant, find_protocol, play_hosted
from counterfold.matches.kernel_players import Player, baseline_player, strategy_player
from counterfold.matches.policy_match import MatchResult, Side, play_match
from counterfold.matches.replay import ReplayResult, replay_hand, replay_histories

__all__ = [
    "BASELINES",
    "Contestant",
    "HandHistory",
    "MatchResult",
    "Player",
    "ReplayResult",
    "Side",
    "baseline_player",
    "find_protocol",
    "format_history",
    "parse_history",
    "play_hosted",
    "play_match",
    "read_histories",
    "replay_hand",
    "replay_histories",
    "strategy_player",
    "writing_histories",
]
