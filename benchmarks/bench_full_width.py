"""Full-width CFR+: iterations per second."""

from collections.abc import Iterator

from counterfold import compile_game, discounting, parse_game
from counterfold.tree import make_solver
from timing.measure import Figure, Run, rates
from timing.peers import LiteEfg, OpenSpiel


def figures() -> Iterator[Figure]:
    """Three games; OpenSpiel on all of them, LiteEFG on one."""
    ours, spiel, lite = rates(_our_run("leduc"), OpenSpiel("leduc").run, LiteEfg("leduc").run)
    yield Figure("CFR+ on leduc", "it/s", ours, spiel, "OpenSpiel", least_ratio=100)
    yield Figure("CFR+ on leduc", "it/s", ours, lite, "LiteEFG", least_ratio=15)
    for game in ("liars-dice", "goofspiel(5)"):
        ours, spiel = rates(_our_run(game), OpenSpiel(game).run)
        yield Figure(f"CFR+ on {game}", "it/s", ours, spiel, "OpenSpiel", least_ratio=50)


def _our_run(game: str) -> Run:
    return make_solver(compile_game(parse_game(game)), discounting.CFR_PLUS).run
