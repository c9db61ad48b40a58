"""Real engines: wire protocols, clients, programs, and bots exported for a contest."""

from counterfold.contest.client import Visit, join_match
from counterfold.contest.engine import MatchResult, host_match, play_hand, play_match, write_logs
from counterfold.contest.engine_seats import Limits, LocalPlayer, Player, WirePlayer
from counterfold.contest.programs import Guest, Program, load_program
from counterfold.contest.wire import PROTOCOLS, WireProtocol

__all__ = [
    "PROTOCOLS",
    "Guest",
    "Limits",
    "LocalPlayer",
    "MatchResult",
    "Player",
    "Program",
    "Visit",
    "WirePlayer",
    "WireProtocol",
    "host_match",
    "join_match",
    "load_program",
    "play_hand",
    "play_match",
    "write_logs",
]
