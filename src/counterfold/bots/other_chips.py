"""A strategy in the same game with other chips: another stack, other blinds, other bets.

Ranks in another order are other names of the same cards, which change nothing.

Real bets are read and played by their share of the pot, so only pots themselves must be converted:
those by which a policy finds its node when a street begins.
"""

from dataclasses import replace

from counterfold.bots.follow_kernels import POT_BITS
from counterfold.bots.policy_kernels import Policy
from counterfold.games.holdem import Variant


def without_chips(variant: Variant) -> Variant:
    """The variant with chips that no variant has and the usual order of ranks.

    Equal for games that differ in nothing else.
    """
    streets = tuple(replace(street, bet=street.bet and 1) for street in variant.streets)
    plain = replace(variant, title="", rank_order="", streets=streets)
    return replace(plain, stack=2, blinds=(1, 1), ante=0, min_bet=0)


def with_chips(trained: Variant, policy: Policy, variant: Variant) -> Policy:
    """The policy, trained for `trained`, with the pots of `variant`."""
    if trained.big_blind == variant.big_blind:
        return policy
    mask = (1 << POT_BITS) - 1
    pots = (policy.entry_keys & mask) * variant.big_blind // trained.big_blind
    return policy._replace(entry_keys=(policy.entry_keys & ~mask) | pots)
