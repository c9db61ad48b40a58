"""Bots: their interface, baselines, wire protocols with both sides, a client and an engine."""

from counterfold.bots.baselines import BASELINES
from counterfold.bots.client import Visit, join_match
from counterfold.bots.engine import MatchResult, host_match, play_hand, play_match, write_logs
from counterfold.bots.hand import Deal, Hand, shuffle, swap_seats
from counterfold.bots.players import Limits, LocalPlayer, Player, WirePlayer
from counterfold.bots.programs import Guest, Program, load_program
from counterfold.bots.protocol import Bot, HandResult, MatchInfo, decide
from counterfold.bots.view import View, first_view, split_history, view_of
from counterfold.bots.wire import PROTOCOLS, WireProtocol

__all__ = [
    "BASELINES",
    "PROTOCOLS",
    "Bot",
    "Deal",
    "Guest",
    "Hand",
    "HandResult",
    "Limits",
    "LocalPlayer",
    "MatchInfo",
    "MatchResult",
    "Player",
    "Program",
    "View",
    "Visit",
    "WirePlayer",
    "WireProtocol",
    "decide",
    "first_view",
    "host_match",
    "join_match",
    "load_program",
    "play_hand",
    "play_match",
    "shuffle",
    "split_history",
    "swap_seats",
    "view_of",
    "write_logs",
]
