"""What an exported bot costs to run: a match over a socket, as in a contest, and its figures."""

import json
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from counterfold.bots.baselines import Random
from counterfold.bots.shuffled_deck import shuffle
from counterfold.bots.view import View
from counterfold.contest.connection import Connection
from counterfold.contest.engine import play_seats
from counterfold.contest.engine_seats import BotSeat, Limits, ProgramSeat
from counterfold.contest.export.targets import Target
from counterfold.contest.wire import PROTOCOLS
from counterfold.contest.wire.base import WireProtocol
from counterfold.errors import ExportError
from counterfold.games.holdem import Variant
from counterfold.games.holdem.action_words import FOLD

_PATIENCE = 6.0  # times the limit that we wait for a bot, so that the actual time can be reported
_END_SECONDS = 60.0  # that a bot may take to exit
_UNLIMITED = Limits(game_seconds=1e6, action_seconds=60.0)


@dataclass(frozen=True)
class Figures:
    """What one match of an exported bot took on this machine."""

    load_seconds: float  # from its start until it is connected
    hands: int
    chips: int  # won
    faults: int
    refused: int  # answers that the engine did not take as they were; faults, too
    decisions: int
    mean_ms: float
    max_ms: float
    peak_bytes: int  # 0 if unknown
    searched: int = 0  # decisions
    unsearched: int = 0  # decisions that might have been searched

    @property
    def hand_seconds(self) -> float:
        """Thought for a hand, on average."""
        return self.mean_ms * self.decisions / 1000.0 / max(self.hands, 1)


class _Curious(Random):
    """Acts at random but never folds, which leads to more situations than sensible play."""

    def act(self, view: View) -> str:
        """Any legal action but a fold."""
        action = super().act(view)
        while action == FOLD:
            action = super().act(view)
        return action


def measure_bot(
    folder: Path,
    variant: Variant,
    target: Target,
    *,
    hands: int = 200,
    seed: int = 0,
    python: tuple[str, ...] = (sys.executable, "-I", "-B"),
    clock_seconds: float | None = None,
) -> Figures:
    """Start the bot in `folder`, play `hands` hands with it, and ask it for its figures.

    `clock_seconds` is its clock for 1000 hands; without one, its time is unlimited.
    """
    protocol = PROTOCOLS[target.protocol]
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        command = [*python, str(folder / "player.py"), "--seed", str(seed), "localhost", str(port)]
        started = time.perf_counter()
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                connected = _accept(server, process, _PATIENCE * target.connect_seconds)
                load_seconds = time.perf_counter() - started
                _play(connected, variant, protocol, hands, seed, clock_seconds)
                output, errors = process.communicate(timeout=_END_SECONDS)
            except (OSError, subprocess.TimeoutExpired) as error:
                raise ExportError(f"the exported bot did not play: {error}") from error
            finally:
                process.kill()
    return Figures(load_seconds, **_read_figures(output, errors))


def _play(
    connected: socket.socket,
    variant: Variant,
    protocol: WireProtocol,
    hands: int,
    seed: int,
    clock_seconds: float | None,
) -> None:
    connection = Connection(connected, "bot", protocol.line_end)
    limits = _UNLIMITED
    if clock_seconds is not None:
        limits = replace(limits, game_seconds=clock_seconds)
    bot = ProgramSeat("bot", connection, protocol.engine_session(), limits)
    other = BotSeat("other", _Curious(seed), _UNLIMITED)
    deals = (shuffle(variant, seed, number) for number in range(hands))
    play_seats((bot, other), protocol, variant, deals, hands)


def _accept(server: socket.socket, process: subprocess.Popen[str], seconds: float) -> socket.socket:
    server.settimeout(0.05)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            return server.accept()[0]
        except TimeoutError:
            if process.poll() is not None:
                _, errors = process.communicate()
                raise ExportError(f"the exported bot does not start: {errors.strip()}") from None
    raise ExportError(f"the exported bot did not connect within {seconds:.0f} s")


def _read_figures(output: str, errors: str) -> dict[str, Any]:
    lines = output.strip().splitlines()
    try:
        figures: dict[str, Any] = json.loads(lines[-1])
    except (IndexError, ValueError) as error:
        raise ExportError(f"the exported bot ended with an error: {errors.strip()}") from error
    last_fault = figures.pop("last_fault")
    if figures["faults"]:
        raise ExportError(f"the exported bot made {figures['faults']} faults, last: {last_fault}")
    return figures
