"""Monte Carlo CFR on Leduc: iterations per second, a walk per player each."""

from collections.abc import Iterator

from counterfold import compile_game, parse_game, sampling
from counterfold.tree import make_solver
from timing import peers
from timing.measure import Figure, rates


def figures() -> Iterator[Figure]:
    """External and outcome sampling."""
    leduc = compile_game(parse_game("leduc"))
    for name, method, peer in (
        ("external", sampling.EXTERNAL_SAMPLING, peers.external_sampling),
        ("outcome", sampling.OUTCOME_SAMPLING, peers.outcome_sampling),
    ):
        ours, spiel = rates(make_solver(leduc, method).run, peer("leduc"))
        name = f"{name} sampling on leduc"
        yield Figure(name, "it/s", ours, spiel, "OpenSpiel", least_ratio=20)
