"""Real engines: wire protocols, clients, programs, and bots exported for a contest."""

from counterfold.contest.client import ClientResult, join_match
from counterfold.contest.engine import EngineResult, host_match, play_hand, play_seats, write_logs
from counterfold.contest.engine_seats import BotSeat, EngineSeat, Limits, ProgramSeat
from counterfold.contest.programs import Program, load_program
from counterfold.contest.wire import PROTOCOLS, WireProtocol

__all__ = [
    "PROTOCOLS",
    "BotSeat",
    "ClientResult",
    "EngineResult",
    "EngineSeat",
    "Limits",
    "Program",
    "ProgramSeat",
    "WireProtocol",
    "host_match",
    "join_match",
    "load_program",
    "play_hand",
    "play_seats",
    "write_logs",
]
