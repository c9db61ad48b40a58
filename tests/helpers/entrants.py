"""Entrants that only kernels can play."""

from counterfold.matches import Entrant
from counterfold.matches.match_policies import strategy_policy


def policy_entrant(name, policy, cards, dealer):
    """A policy with a card map, that no engine is meant to ask."""

    def start(seed, number):
        raise AssertionError(f"{name} is played in kernels")

    return Entrant(name, start, strategy_policy(policy, cards, dealer))
