"""Who wins: entrants, matches in kernels or by an engine, intervals, hand histories."""

from counterfold.bots.baselines import BASELINES
from counterfold.matches.entrants import Entrant, EntrantLike, enter, let_search
from counterfold.matches.hand_histories import (
    HandHistory,
    format_history,
    parse_history,
    read_histories,
    writing_histories,
)
from counterfold.matches.match_play import play_match
from counterfold.matches.match_result import AivatRates, EntrantResult, MatchResult
from counterfold.matches.replay import ReplayResult, replay_hand, replay_histories
from counterfold.matches.round_robin import TournamentResult, play_tournament

__all__ = [
    "BASELINES",
    "AivatRates",
    "Entrant",
    "EntrantLike",
    "EntrantResult",
    "HandHistory",
    "MatchResult",
    "ReplayResult",
    "TournamentResult",
    "enter",
    "format_history",
    "let_search",
    "parse_history",
    "play_match",
    "play_tournament",
    "read_histories",
    "replay_hand",
    "replay_histories",
    "writing_histories",
]
