"""Memory of a compiled game per node of its tree."""

import gc
import multiprocessing
import tracemalloc
from collections.abc import Iterator

from counterfold import compile_game, parse_game
from timing.measure import Figure


def figures() -> Iterator[Figure]:
    """The arrays, all that stays allocated, and the peak on the way."""
    for game in ("leduc", "liars-dice", "goofspiel(5)"):
        # A process each, because games keep caches that a second compilation would find filled.
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            nodes, arrays, kept, peak = pool.apply(_compile_traced, (game,))
        size = {"nodes": nodes}
        for name, n_bytes, most in (
            ("arrays", arrays, 100.0),
            ("arrays and labels", kept, 100.0),
            ("peak while compiling", peak, None),
        ):
            yield Figure(f"{game}: {name}", "B/node", n_bytes / nodes, most=most, details=size)


def _compile_traced(game: str) -> tuple[int, int, int, int]:
    """Nodes; bytes of arrays, of all that remains allocated, and at the peak."""
    compile_game(parse_game("kuhn"))  # what is imported or cached only once
    rules = parse_game(game)
    tracemalloc.start()
    compiled = compile_game(rules)
    gc.collect()  # what enumeration left behind is not part of the game
    kept, peak = tracemalloc.get_traced_memory()
    return compiled.tree.n_nodes, compiled.nbytes, kept, peak
