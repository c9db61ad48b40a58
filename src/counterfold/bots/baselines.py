"""Bots that need no training, to measure others by."""

import numpy as np

from counterfold.bots.protocol import Bot
from counterfold.bots.rules_of_thumb import CountsOuts, HandRank, PotOdds
from counterfold.bots.view import View
from counterfold.games.holdem.state import CALL, CHECK, KEEP, RAISE


class AlwaysCall(Bot):
    """Checks, or calls any bet; keeps its cards."""

    def act(self, view: View) -> str:
        """Check, call or keep."""
        legal = view.plain_actions()
        return next(action for action in (KEEP, CHECK, CALL) if action in legal)


class CheckFold(Bot):
    """Checks, or folds to any bet; keeps its cards."""

    def act(self, view: View) -> str:
        """Check, fold or keep."""
        return view.passive_action


class AllIn(AlwaysCall):
    """Bets as much as it may whenever it may, else calls; keeps its cards."""

    def act(self, view: View) -> str:
        """The largest raise, else check, call or keep."""
        bounds = view.raise_bounds()
        return f"{RAISE}{bounds[1]}" if bounds else super().act(view)


class Random(Bot):
    """Takes a kind of action at random, all equally often, and for a raise a random size.

    The same seed gives the same choices in the same situations of the same match.
    """

    def __init__(self, seed: int = 0) -> None:
        self._rng = np.random.default_rng(seed)

    def act(self, view: View) -> str:
        """Any legal action."""
        actions = view.plain_actions()
        bounds = view.raise_bounds()
        chosen = int(self._rng.integers(len(actions) + (bounds is not None)))
        if bounds is None or chosen < len(actions):
            return actions[chosen]
        return f"{RAISE}{int(self._rng.integers(bounds[0], bounds[1] + 1))}"


BASELINES: dict[str, type[Bot]] = {
    "all-in": AllIn,
    "always-call": AlwaysCall,
    "check-fold": CheckFold,
    "counts-outs": CountsOuts,
    "hand-rank": HandRank,
    "pot-odds": PotOdds,
    "random": Random,
}
