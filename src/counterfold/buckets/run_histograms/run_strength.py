"""Histograms of final strength on boards of River of Blood that another card will follow.

Sampled, since such boards are too many to tabulate; see `run_strength_kernels` for how. Boards that
are over have one strength, which `long_boards` gives exactly.
"""

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.run_histograms import run_strength_kernels
from counterfold.cards.deck import FULL, Deck
from counterfold.cards.ranking_kernels import rank_tables

SHARES = run_strength_kernels.SHARES
VERSION = 1  # incremented whenever the same cards would give another histogram


def cumulative_run_strengths(
    holes: NDArray[np.uint8],
    boards: NDArray[np.uint8],
    n_bins: int = 50,
    *,
    deck: Deck = FULL,
    seed: int = 0,
    first_flush_suit_only: bool = False,
) -> NDArray[np.uint16]:
    """[boards, hands, bins] shares of run-outs up to each bin of final HS, of `SHARES`.

    `holes` are [boards, hands, 2]. A hand's mean strength has a standard error of 0.03 or so; a
    board takes about 30 µs and a hand on it 3 µs.
    """
    cumulative = np.empty((*holes.shape[:2], n_bins), np.uint16)
    # For read-only arrays and views the kernel would be compiled again.
    on_boards, held, cards = (
        np.require(given, np.uint8, ["C", "W"]) for given in (boards, holes, deck.cards)
    )
    run_strength_kernels.cumulate_runs(
        on_boards,
        held,
        cards,
        seed,
        first_flush_suit_only,
        rank_tables(),
        run_strength_kernels.make_run_scratch(n_bins),
        cumulative,
    )
    return cumulative
