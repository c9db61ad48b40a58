"""How often the actions of a solution are played, without rare ones, and which one is drawn."""

import numpy as np

from counterfold.search.hand_ranges import Values


def play_shares(shares: Values, threshold: float, purify: bool) -> Values:
    """How often each action is played: [actions], or [actions, hands], each hand by itself.

    An action below the threshold is never played, unless all are; with `purify` the likeliest is.
    """
    numbers = np.arange(len(shares)).reshape(-1, *[1] * (shares.ndim - 1))
    likeliest = np.where(numbers == shares.argmax(axis=0), 1.0, 0.0)
    if purify:
        return likeliest
    kept = np.where(shares > threshold * shares.sum(axis=0), shares, 0.0)
    totals = kept.sum(axis=0)
    return np.where(totals > 0, kept / np.where(totals > 0, totals, 1.0), likeliest)


def draw_action(shares: Values, number: float, threshold: float, purify: bool) -> int:
    """Which of [actions] `number`, from 0 to 1, stands for."""
    played = play_shares(shares, threshold, purify)
    found, last = np.searchsorted(np.cumsum(played), number, "right"), np.flatnonzero(played)[-1]
    return min(int(found), int(last))
