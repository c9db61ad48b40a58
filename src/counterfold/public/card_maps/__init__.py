"""What a player knows about the cards, as numbered buckets: exact, nothing, tables, secrets."""

from counterfold.public.card_maps.bounty_cards import BountyCards, with_bounties
from counterfold.public.card_maps.card_map import Buckets, CardLabels, CardMap, Cards
from counterfold.public.card_maps.exact_cards import ExactCards, NoCards
from counterfold.public.card_maps.look_cards import LookCards, with_secrets
from counterfold.public.card_maps.tabled_cards import TabledCards, check_deck

__all__ = [
    "BountyCards",
    "Buckets",
    "CardLabels",
    "CardMap",
    "Cards",
    "ExactCards",
    "LookCards",
    "NoCards",
    "TabledCards",
    "check_deck",
    "with_bounties",
    "with_secrets",
]
