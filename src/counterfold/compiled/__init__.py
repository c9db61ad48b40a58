"""Game × abstraction → flat arrays."""

from counterfold.compiled.game import CompiledGame, abstract_tree, compile_game
from counterfold.compiled.sequences import Sequences
from counterfold.compiled.size import SizeEstimate, estimate_size
from counterfold.compiled.tree import CHANCE, TERMINAL, Tree, build_tree

__all__ = [
    "CHANCE",
    "TERMINAL",
    "CompiledGame",
    "Sequences",
    "SizeEstimate",
    "Tree",
    "abstract_tree",
    "build_tree",
    "compile_game",
    "estimate_size",
]
