"""The orders of ranks of MIT Pokerbots 2020, of which one was drawn for every match in secret."""

import numpy as np

from counterfold.cards.text import RANKS

_CHANCE = 0.25  # that the lowest of the ranks which are left comes next
TURNED = 1.0 - _CHANCE  # how much less likely an order is with every pair of ranks turned around


def draw_rank_order(seed: int) -> str:
    """The ranks from the weakest up, drawn as the contest did: mild disorder."""
    skipped = np.random.default_rng(seed).geometric(_CHANCE, len(RANKS)) - 1
    left = [*RANKS]
    return "".join(left.pop(n % len(left)) for n in skipped.tolist())
