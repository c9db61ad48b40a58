"""Kernels compiled beforehand, by small examples of what commands do.

A kernel is compiled for the types that it is called with, which examples on a few cards share with
the real games. What they compile stays in Numba's cache. Numba compiles one kernel at a time in a
process, so examples are shared out among processes.
"""

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from counterfold.api import respond, spot
from counterfold.bots.trained_bot import load_bot
from counterfold.buckets.abstraction_text import parse_card_abstraction
from counterfold.buckets.clustering.clustered import Histogram
from counterfold.buckets.run_histograms.run_clusters import SIZES, RunClusters
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards import (
    EIGHT_RANGES,
    StrengthTables,
    equity,
    parse_cards,
    parse_deck,
    parse_range,
)
from counterfold.matches import play_match
from counterfold.matches.learned_response import learned_response
from counterfold.responses.local_response import local_response
from counterfold.runs import Budget
from counterfold.search.search_options import CFR_D, UNSAFE
from counterfold.search.searching_bot import with_search
from counterfold.spots.spot_run import solve_spot
from counterfold.training.cost import estimate_plan
from counterfold.training.evaluate_run import measure
from counterfold.training.plan import Plan
from counterfold.training.recipe import parse_recipe
from counterfold.training.train_folder import load_trained
from counterfold.training.train_run import train
from counterfold.tree.solve_run import solve

_PROCESSES = 2

_TABLED = "preflop: lossless; flop: percentile(3); turn: percentile(3); river: percentile(3)"
_RECIPES: dict[str, dict[str, Any]] = {
    "no-limit hold'em": {
        "variant": "nolimit(stack=10, deck='89TJQKA/cd')",
        "cards": _TABLED,
        "bets": "100%, allin; cap 2",
        "features": "pot * to_call * raises * cards",
        "solver": {"algorithm": "external", "prune_below_blinds": -2.5},
    },
    "limit hold'em": {
        "variant": "limit(deck='89TJQKA/cd')",
        "cards": _TABLED,
        "bets": "limit-3",
        "features": "pot * to_call * raises * cards",
        "solver": {"algorithm": "public-chance"},
    },
    "limit hold'em against responders": {
        "variant": "limit(deck='89TJQKA/cd')",
        "cards": _TABLED,
        "bets": "limit-3",
        "features": "history * cards",
        "solver": {"algorithm": "cfr-br"},
    },
    "bucket sequences": {
        "variant": "limit(deck='89TJQKA/cd')",
        "cards": "history(2)",
        "bets": "limit-3",
        "solver": {"algorithm": "joint-tables"},
    },
    "Discard Hold'em": {
        "variant": "discard(stack=10, deck='89TJQKA/cd')",
        "cards": "preflop: lossless; flop: percentile(3, metric=draw) * discards; "
        "turn: percentile(3, metric=draw) * discards; river: percentile(3)",
        "discards": "by-strength",
        "bets": "100%, allin; cap 2",
        "features": "pot * to_call * raises * opponent_discarded * cards",
        "solver": {"algorithm": "external"},
    },
    "River of Blood": {
        "variant": "river-of-blood(stack=10, deck='QKA/cd', board=(1,))",
        "cards": "exact",
        "bets": "100%, allin; cap 2",
        "features": "run * pot * to_call * raises * cards",
        "solver": {"algorithm": "external"},
    },
}
_ITERATIONS, _HANDS = 4, 40


def warm_up(
    announce: Callable[[str], None] = lambda what: None, processes: int = _PROCESSES
) -> float:
    """Compile what solving, training, measuring and matches need; returns the seconds it took.

    Announces each example when it is done.
    """
    started = time.perf_counter()
    if processes == 1:
        for example in _EXAMPLES:
            announce(_compile(example))
    else:
        # A process that is forked inherits locks of threads that it does not have.
        with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
            for name in pool.map(_compile, _EXAMPLES):
                announce(name)
    return time.perf_counter() - started


def _compile(example: str) -> str:
    with _tables_elsewhere() as home:
        if example in _RECIPES:
            _train_and_play(example, _RECIPES[example], home)
        else:
            _OTHERS[example](home)
    return example


def _solve() -> None:
    for algorithm in ("dcfr", "external", "outcome"):
        solve("kuhn", algorithm, _ITERATIONS)


def _solve_spot() -> None:
    solved = spot("Td9d6hQc", ("AsAc,KsKc", "QsQd,JsJc"), pot=10, stack=10, iterations=_ITERATIONS)
    solve_spot(solved.spot, Budget(iterations=_ITERATIONS), packed=True, device="cpu")


def _cluster_hands() -> None:
    for text in ("lossless; flop: histogram(2); river: ochs(2)", "histogram(2, metric=draw)"):
        tables = StrengthTables(parse_deck("89TJQKA/cd"), clusters=EIGHT_RANGES)
        parse_card_abstraction(text).build(StrengthLookup(tables)).measure()
    equity(parse_range("AhKh"), parse_range("QQ+"), parse_cards("2h7hTc"))
    equity(parse_range("AhKh"), parse_range("QcQd"))


def _cluster_runs() -> None:
    bucketing = Histogram(2)
    centers = np.zeros((len(SIZES), 2, 9), np.uint16)
    board, hand = np.arange(5, dtype=np.uint8), np.array([5, 6], np.uint8)
    RunClusters(bucketing, centers).label(hand[None, None], board[None], False)


def _respond(home: Path) -> None:
    folder = _train_bot(home)
    respond(folder, flops=4)
    local_response(load_trained(folder), hands=_HANDS)
    learned_response(load_trained(folder), deals=_ITERATIONS, hands=_HANDS)


def _search(home: Path) -> None:
    bot = load_bot(_train_bot(home))
    for mode in (UNSAFE, CFR_D):
        play_match(with_search(bot, mode, iterations=_ITERATIONS), bot, hands=_HANDS)


def _value_hands(home: Path) -> None:
    bot = load_bot(_train_bot(home))
    bot.values(bot.strategy(), runouts=2)


def _correct_luck(home: Path) -> None:
    folder = str(_train_bot(home))
    play_match(folder, folder, hands=_HANDS, aivat=True)


def _train_bot(home: Path) -> Path:
    name = "limit hold'em"
    train(Plan(parse_recipe(_RECIPES[name], name), name), home / "bot", iterations=_ITERATIONS)
    return home / "bot"


def _train_and_play(name: str, content: dict[str, Any], home: Path) -> None:
    plan, folder = Plan(parse_recipe(content, name), name), home / "runs" / name
    estimate_plan(plan)
    train(plan, folder, iterations=_ITERATIONS)
    measure(load_trained(folder), _HANDS)
    opponent = "random" if content["cards"] == "exact" else "pot-odds"  # which needs five cards
    play_match(str(folder), opponent, hands=_HANDS)


_OTHERS: dict[str, Callable[[Path], None]] = {
    "spots": lambda home: _solve_spot(),
    "responses": _respond,
    "AIVAT": _correct_luck,
    "EV of hands": _value_hands,
    "search in play": _search,
    "solving": lambda home: _solve(),
    "runs of cards": lambda home: _cluster_runs(),
    "clusters of hands": lambda home: _cluster_hands(),
}
# Those first that take longest, but a bot before what else is done with it: two processes that
# train one at the same time compile the same kernels.
_EXAMPLES = (
    "limit hold'em",
    "spots",
    "AIVAT",
    "responses",
    "no-limit hold'em",
    "bucket sequences",
    "Discard Hold'em",
    "River of Blood",
    "clusters of hands",
    "search in play",
    "EV of hands",
    "solving",
    "runs of cards",
)


@contextmanager
def _tables_elsewhere() -> Iterator[Path]:
    """A folder for tables of small decks, which nobody needs afterwards."""
    before = os.environ.get("COUNTERFOLD_HOME")
    with tempfile.TemporaryDirectory() as home:
        os.environ["COUNTERFOLD_HOME"] = home
        try:
            yield Path(home)
        finally:
            if before is None:
                del os.environ["COUNTERFOLD_HOME"]
            else:
                os.environ["COUNTERFOLD_HOME"] = before
