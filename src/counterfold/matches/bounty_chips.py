"""What hands of kernels pay where players have bounties: the pot, factor and extra, rounded."""

import numpy as np
from numpy.typing import NDArray

from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.matches.policy_match_kernels import (
    N_STEPS,
    STAKE_0,
    STEP_AMOUNT,
    STEP_KIND,
    STEP_STREET,
    Played,
)
from counterfold.public.deals import Deals


def pay_bounties(variant: Variant, deals: Deals, swaps: NDArray[np.uint8], played: Played) -> None:
    """Overwrite the winnings of player 0, those of the pot, by what is won with bounties.

    The steps of all hands must have been kept; `swaps` has 1 where player 0 sits in seat 1. The
    same as `games.holdem.payoff.settle_bounty`.
    """
    bounty = variant.bounty
    if bounty is None:
        return
    n_steps = played.ends[:, N_STEPS]
    rows = np.arange(n_steps.size)
    last = played.steps[rows, np.maximum(n_steps - 1, 0)]
    folded = (n_steps > 0) & (last[:, STEP_KIND] == betting.FOLD)
    last_street = len(variant.streets) - 1
    street = np.where(folded, last[:, STEP_STREET], last_street)
    first, second = (deals.hits <= street[:, None]).T
    sign = np.where(swaps == 1, -1.0, 1.0)
    pot = sign * played.winnings  # of seat 0
    hit = np.where(pot > 0, first, np.where(pot < 0, second, first != second))
    split = (bounty.factor - 1) / 2 * played.ends[:, STAKE_0] + bounty.extra
    tied = np.where(first, split, -split)
    more = np.where(pot == 0, tied, bounty.factor * pot + np.sign(pot) * bounty.extra)
    chips = np.where(hit, more, pot)
    up = _rounds_up(played, n_steps, last, folded, last_street)
    played.winnings[:] = sign * np.where(up, np.ceil(chips), np.floor(chips))


def _rounds_up(
    played: Played,
    n_steps: NDArray[np.int64],
    last: NDArray[np.int32],
    folded: NDArray[np.bool_],
    last_street: int,
) -> NDArray[np.bool_]:
    """See `games.holdem.situation.rounds_up`."""
    taken = np.arange(played.steps.shape[1]) < n_steps[:, None]
    on_street = played.steps[:, :, STEP_STREET] == last[:, None, STEP_STREET]
    number = (taken & on_street).sum(axis=1)
    calls = (last[:, STEP_KIND] == betting.CALL) & (last[:, STEP_AMOUNT] > 0)
    odd = (number - (last[:, STEP_STREET] == 0) + calls) % 2 == 1
    acted = folded | (last[:, STEP_STREET] == last_street)
    found: NDArray[np.bool_] = acted & odd & (n_steps > 0)
    return found
