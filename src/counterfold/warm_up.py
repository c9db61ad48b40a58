"""Kernels compiled beforehand, by small examples of what commands do.

A kernel is compiled for the types that it is called with, which examples on a few cards share with
the real games. What they compile stays in Numba's cache.
"""

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from counterfold.api import spot
from counterfold.matches import play_match
from counterfold.training.cost import estimate_plan
from counterfold.training.evaluate_run import measure
from counterfold.training.plan import Plan
from counterfold.training.recipe import parse_recipe
from counterfold.training.train_folder import load_trained
from counterfold.training.train_run import train
from counterfold.tree.solve_run import solve

_TABLED = "preflop: lossless; flop: percentile(3); turn: percentile(3); river: percentile(3)"
_EXAMPLES: dict[str, dict[str, Any]] = {
    "no-limit hold'em": {
        "variant": "nolimit(stack=10, deck='89TJQKA/cd')",
        "cards": _TABLED,
        "bets": "100%, allin; cap 2",
        "features": "pot * to_call * raises * cards",
        "solver": {"algorithm": "external", "prune_below": -5.0},
    },
    "limit hold'em": {
        "variant": "limit(deck='89TJQKA/cd')",
        "cards": _TABLED,
        "bets": "limit-3",
        "features": "pot * to_call * raises * cards",
        "solver": {"algorithm": "public-chance"},
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


def warm_up(announce: Callable[[str], None] = lambda what: None) -> float:
    """Compile what solving, training, evaluation and matches need; returns the seconds it took."""
    started = time.perf_counter()
    announce("solving")
    for algorithm in ("dcfr", "external", "outcome"):
        solve("kuhn", algorithm, _ITERATIONS)
    announce("spots")
    spot("Td9d6hQc", ("AsAc,KsKc", "QsQd,JsJc"), pot=10, stack=10, iterations=_ITERATIONS)
    with _tables_elsewhere() as home:
        for name, content in _EXAMPLES.items():
            announce(name)
            _train_and_play(name, content, home)
    return time.perf_counter() - started


def _train_and_play(name: str, content: dict[str, Any], home: Path) -> None:
    plan, folder = Plan(parse_recipe(content, name), name), home / "runs" / name
    estimate_plan(plan)
    train(plan, folder, iterations=_ITERATIONS)
    measure(load_trained(folder), _HANDS)
    opponent = "random" if content["cards"] == "exact" else "pot-odds"  # which needs five cards
    play_match(str(folder), opponent, hands=_HANDS)


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
