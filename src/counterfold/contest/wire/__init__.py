"""Wire protocols of contests: text and turns, without sockets."""

from counterfold.contest.wire.base import ClientSession, EngineSession, LogFormat, WireProtocol
from counterfold.contest.wire.protocols import PROTOCOLS, find_protocol

__all__ = [
    "PROTOCOLS",
    "ClientSession",
    "EngineSession",
    "LogFormat",
    "WireProtocol",
    "find_protocol",
]
