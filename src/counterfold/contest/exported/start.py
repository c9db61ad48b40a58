"""The start of an exported bot: load, connect, play, report how long it took."""

import argparse
import json
import os
import sys
import time
from pathlib import Path

import numpy as np

from counterfold.bots.interface import Bot, HandResult, MatchInfo
from counterfold.bots.view import View
from counterfold.contest.client import join_match
from counterfold.contest.exported.exported_data import load_bot, load_manifest
from counterfold.contest.rank_learning_bot import RankLearningBot
from counterfold.contest.wire import PROTOCOLS
from counterfold.errors import CounterfoldError


class Timed(Bot):
    """A bot whose decisions are timed."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.seconds: list[float] = []

    def begin_match(self, match: MatchInfo) -> None:
        """As the bot does."""
        self.bot.begin_match(match)

    def begin_hand(self, view: View) -> None:
        """As the bot does."""
        self.bot.begin_hand(view)

    def act(self, view: View) -> str:
        """What the bot does."""
        started = time.perf_counter()
        action = self.bot.act(view)
        self.seconds.append(time.perf_counter() - started)
        return action

    def end_hand(self, result: HandResult) -> None:
        """As the bot does."""
        self.bot.end_hand(result)


def main(folder: Path) -> None:
    """Play the match that the command line names with the bot in `folder`."""
    host, port, seed = _read_arguments()
    np.seterr(over="ignore")  # random numbers are products of 64 bits
    manifest = load_manifest(folder)
    seed = int.from_bytes(os.urandom(7), "big") if seed is None else seed
    bot, protocol = load_bot(folder, seed), PROTOCOLS[manifest["protocol"]]
    timed = Timed(bot if protocol.tells_ranks else RankLearningBot(bot, seed))
    try:
        result = join_match(timed, protocol, port, host=host, variant=bot.variant)
    except CounterfoldError as error:
        sys.exit(f"{manifest['name']}: {error}")
    figures = {
        "hands": result.n_hands,
        "chips": int(result.chips),
        "faults": result.n_faults + result.n_bot_faults,
        "refused": result.n_refused,
        "last_fault": result.last_fault,
        "decisions": len(timed.seconds),
        "mean_ms": 1000.0 * sum(timed.seconds) / max(1, len(timed.seconds)),
        "max_ms": 1000.0 * max(timed.seconds, default=0.0),
        "peak_bytes": _peak_bytes(),
        **_count_searches(bot),
    }
    print(json.dumps(figures), flush=True)


def _count_searches(bot: Bot) -> dict[str, int]:
    """How many decisions were searched, and how many not for lack of time or other reasons."""
    by_reason = getattr(bot, "searched", {})
    searched = by_reason.get("", 0)
    return {"searched": searched, "unsearched": sum(by_reason.values()) - searched}


def _read_arguments() -> tuple[str, int, int | None]:
    """`[--host HOST] PORT` as in the contests of MIT, or `HOST PORT` as in the ACPC."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("-h", "--host", default="localhost")
    parser.add_argument("--seed", type=int)
    parser.add_argument("place", nargs="+", metavar="[HOST] PORT")
    given = parser.parse_args()
    *host, port = given.place
    if len(host) > 1 or not port.isdecimal():
        parser.error(f"the last argument must be a port, not {' '.join(given.place)!r}")
    return (host[0] if host else given.host), int(port), given.seed


def _peak_bytes() -> int:
    """The peak memory of this process, including mapped tables; 0 if unknown."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
        line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
        return 1024 * int(line.split()[1])
    except (OSError, StopIteration):
        return 0
