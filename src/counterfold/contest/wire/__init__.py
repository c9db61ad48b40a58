"""Wire protocols of contests: text and turns, without sockets."""

from counterfold.contest.wire.acpc import ACPC
from counterfold.contest.wire.base import ClientSession, EngineSession, LogFormat, WireProtocol
from counterfold.contest.wire.mit_2017 import MIT_2017
from counterfold.contest.wire.mit_lines import MIT_2020, MIT_2023

PROTOCOLS: dict[str, WireProtocol] = {
    protocol.name: protocol for protocol in (ACPC, MIT_2017, MIT_2020, MIT_2023)
}

__all__ = ["PROTOCOLS", "ClientSession", "EngineSession", "LogFormat", "WireProtocol"]
