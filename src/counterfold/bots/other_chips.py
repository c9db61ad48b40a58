"""A strategy in the same game with other chips: another stack, other blinds, other bets.

Real bets are read by their share of the pot and played back likewise, so that only pots themselves
must be converted: those by which a policy finds its node when a street begins.
"""

from dataclasses import replace

from counterfold.bots.policy_kernels import POT_BITS, Policy
from counterfold.games.holdem import Variant


def without_chips(variant: Variant) -> Variant:
    """The variant with chips that no variant has: equal for games that differ in chips only."""
    streets = tuple(replace(street, bet=street.bet and 1) for street in variant.streets)
    return replace(variant, title="", stack=2, blinds=(1, 1), ante=0, min_bet=0, streets=streets)


def with_chips(trained: Variant, policy: Policy, variant: Variant) -> Policy:
    """The policy, trained for `trained`, with the pots of `variant`."""
    if trained.big_blind == variant.big_blind:
        return policy
    mask = (1 << POT_BITS) - 1
    pots = (policy.entry_keys & mask) * variant.big_blind // trained.big_blind
    return policy._replace(entry_keys=(policy.entry_keys & ~mask) | pots)
