"""The choices of a variant as the rules of betting have them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.street import Auction, Deal, Discard, Step


def choice_rules(steps: Sequence[Step], held: int) -> NDArray[np.int64]:
    """The rows of `Rules.choices` for all `steps` of a hand that begins with `held` hole cards."""
    rows: list[NDArray[np.int64]] = []
    for step in steps:
        if isinstance(step, Deal):
            held += max(step.holes)
        if not isinstance(step, Discard | Auction):
            continue
        row = np.zeros(betting.N_CHOICE_COLUMNS, np.int64)
        row[betting.CHOOSER] = step.first
        row[betting.ROUND] = len(rows)
        if isinstance(step, Discard):
            row[betting.CHOICE_PHASE], row[betting.N_TURNS] = betting.DRAW, step.count
            row[betting.MUST_DISCARD], row[betting.N_HELD] = step.forced, held
            held -= step.count * (step.forced and not step.redraw)
        else:
            row[betting.CHOICE_PHASE], row[betting.N_TURNS] = betting.AUCTION, 1
            row[betting.PAYS_SECOND] = step.price == "second"
        rows.append(row)
    return np.array(rows, np.int64).reshape(-1, betting.N_CHOICE_COLUMNS)
