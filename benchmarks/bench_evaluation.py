"""Exact exploitability of a Leduc profile: value and both best responses."""

from collections.abc import Iterator
from functools import partial
from math import isclose

import pyspiel

from counterfold import compile_game, discounting, evaluate, parse_game
from counterfold.tree import make_solver
from timing.measure import Figure, rates, repeat
from timing.peers import LiteEfg, OpenSpiel

ITERATIONS = 50  # of CFR+; so early, rounding has not yet led the solvers apart


def figures() -> Iterator[Figure]:
    """Milliseconds for one profile, the same one in OpenSpiel."""
    solver = make_solver(compile_game(parse_game("leduc")), discounting.CFR_PLUS)
    spiel, lite = OpenSpiel("leduc"), LiteEfg("leduc")
    for each in (solver, spiel, lite):
        each.run(ITERATIONS)
    profile = solver.average_strategy()
    assert isclose(evaluate(profile).nash_conv, spiel.nash_conv(), rel_tol=1e-6)
    in_spiel = partial(pyspiel.nash_conv, spiel.game, spiel.average_policy())
    actions = (partial(evaluate, profile), in_spiel, lite.nash_conv)
    ours, theirs, lites = (1e3 / rate for rate in rates(*(repeat(action) for action in actions)))
    yield Figure("exploitability on leduc", "ms", ours, theirs, "OpenSpiel", most=1.0)
    yield Figure("exploitability on leduc", "ms", ours, lites, "LiteEFG")
