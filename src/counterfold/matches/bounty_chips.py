"""What hands of kernels pay where players have bounties: the pot, factor and extra, rounded."""

import numpy as np
from numpy.typing import NDArray

from counterfold.games.holdem import betting_kernels as betting
from counterfold.matches.policy_match_kernels import (
    HAND_PATH_0,
    N_STEPS,
    STAKE_0,
    STAKE_1,
    STEP_AMOUNT,
    STEP_KIND,
    STEP_SEAT,
    STEP_STREET,
    Played,
)
from counterfold.public import deals_kernels
from counterfold.public.deals import Dealer, Deals

_BETTING = (betting.FOLD, betting.CALL, betting.RAISE)  # kinds of actions that an engine counts


def pay_bounties(
    dealer: Dealer,
    stages: NDArray[np.int64],
    deals: Deals,
    swaps: NDArray[np.uint8],
    played: Played,
) -> None:
    """Overwrite the winnings of player 0, those of the pot, by what is won with bounties.

    The steps of all hands must have been kept; `swaps` has 1 where player 0 sits in seat 1;
    `stages` are those of `stages.stage_table`. The same as `games.holdem.payoff.settle_bounty`.
    """
    bounty = dealer.variant.bounty
    if bounty is None:
        return
    rows = np.arange(len(deals))
    last = played.steps[rows, np.maximum(played.ends[:, N_STEPS] - 1, 0)]
    folded = (played.ends[:, N_STEPS] > 0) & (last[:, STEP_KIND] == betting.FOLD)
    street = np.where(folded, last[:, STEP_STREET], len(stages) - 1)
    cells = dealer.layout.stages[stages[street, 0], deals_kernels.STAGE_CELL]
    first, second = (
        deals.hits[rows, seat, cells + played.ends[:, HAND_PATH_0 + seat]] != 0 for seat in (0, 1)
    )
    own, other = (deals.strengths[rows, seat, _path(folded, played, seat)] for seat in (0, 1))
    result = np.where(folded, 2 * last[:, STEP_SEAT] - 1, np.sign(own - other))  # of seat 0
    sign = np.where(swaps == 1, -1.0, 1.0)
    pot = sign * played.winnings
    hit = np.where(result > 0, first, np.where(result < 0, second, first != second))
    stake = np.where(first, played.ends[:, STAKE_1], played.ends[:, STAKE_0])
    split = (bounty.factor - 1) / 2 * stake + bounty.extra
    tied = np.where(first, split, -split)
    more = np.where(result == 0, tied, bounty.factor * pot + result * bounty.extra)
    chips = np.where(hit, more, pot)
    up = _rounds_up(played, street)
    played.winnings[:] = sign * np.where(up, np.ceil(chips), np.floor(chips))


def _path(folded: NDArray[np.bool_], played: Played, seat: int) -> NDArray[np.int64]:
    """Hand paths at a showdown; of hands that were folded, any."""
    return np.where(folded, 0, played.ends[:, HAND_PATH_0 + seat])


def _rounds_up(played: Played, street: NDArray[np.int64]) -> NDArray[np.bool_]:
    """See `games.holdem.situation.rounds_up`; hands have ended on `street`."""
    steps = played.steps
    counted = np.arange(steps.shape[1]) < played.ends[:, N_STEPS, None]
    counted &= (steps[:, :, STEP_STREET] == street[:, None]) & np.isin(
        steps[:, :, STEP_KIND], _BETTING
    )
    number = counted.sum(axis=1)
    at = steps.shape[1] - 1 - np.argmax(counted[:, ::-1], axis=1)  # the last of them
    last = steps[np.arange(len(steps)), at]
    calls = (last[:, STEP_KIND] == betting.CALL) & (last[:, STEP_AMOUNT] > 0)
    found: NDArray[np.bool_] = (number > 0) & ((number - (street == 0) + calls) % 2 == 1)
    return found
