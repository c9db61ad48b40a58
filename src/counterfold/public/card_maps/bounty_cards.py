"""The buckets of another card map, joined with what a player knows of its own bounty."""

from collections.abc import Sequence

import numpy as np

from counterfold.buckets.card_abstraction import Sight
from counterfold.errors import AbstractionError, UnsupportedGameError
from counterfold.public.bounties import BountyKnowledge, count_bounty_classes, label_bounties
from counterfold.public.card_maps.card_map import Buckets, CardMap, Cards
from counterfold.public.deals import Deals


class BountyCards(CardMap):
    """The buckets of `cards`, each as many times as there is something to know of one's bounty.

    Whoever looks up one hand with `bucket` adds what it knows of its own; see `public.bounties`.
    """

    def __init__(self, cards: CardMap, knows: BountyKnowledge) -> None:
        self.cards, self.dealer, self.knows_bounty = cards, cards.dealer, knows
        self.knows_look, self.sees_shown = cards.knows_look, cards.sees_shown
        if cards.recalls:
            raise AbstractionError(
                f"{cards.name} remembers earlier buckets, which cannot be joined with bounties; "
                "use recall: current"
            )
        self.n_classes = count_bounty_classes(self.dealer.variant, knows)
        self.n_buckets = tuple(n * self.n_classes for n in cards.n_buckets)

    @property
    def name(self) -> str:
        """That of the cards."""
        return self.cards.name

    @property
    def without_bounty(self) -> CardMap:
        """That of the cards alone."""
        return self.cards.without_bounty

    def label(self, deals: Deals) -> Buckets:
        """The buckets of the cards with what is known of the bounties."""
        variant, knows = self.dealer.variant, self.knows_bounty
        known = label_bounties(variant, knows, deals.bounties, deals.hits)
        return self.cards.label(deals) * np.int32(self.n_classes) + known

    def label_stage(self, at: int, holes: Cards, boards: Cards, before: Buckets | None) -> Buckets:
        """Not without a bounty."""
        raise UnsupportedGameError(
            f"what a hand of {self.dealer.variant.name} does depends on its bounty, which is not "
            "given here"
        )

    def bucket(self, path: Sequence[Sight]) -> int:
        """The bucket of the cards alone."""
        return self.cards.bucket(path)

    def digests(self) -> dict[str, str]:
        """Those of the cards."""
        return self.cards.digests()


def with_bounties(cards: CardMap, knows: BountyKnowledge) -> CardMap:
    """`cards`, and what is known of bounties where the variant has them."""
    return cards if cards.dealer.variant.bounty is None else BountyCards(cards, knows)
