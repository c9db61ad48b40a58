"""The buckets of another card map, joined with what a player has seen of the opponent's hand."""

from collections.abc import Sequence

import numpy as np

from counterfold.buckets.card_abstraction import Sight
from counterfold.errors import AbstractionError, UnsupportedGameError
from counterfold.public.card_maps.bounty_cards import with_bounties
from counterfold.public.card_maps.card_map import Buckets, CardMap, Cards
from counterfold.public.deals import Deals, stage_hand_cells
from counterfold.public.looks import LookKnowledge, count_look_classes, label_looks


class LookCards(CardMap):
    """The buckets of `cards`, each as many times as there is something to know of looks.

    Whoever looks up one hand with `bucket` adds what it knows; see `public.looks`.
    """

    def __init__(self, cards: CardMap, knows: LookKnowledge) -> None:
        self.cards, self.dealer, self.knows_look = cards, cards.dealer, knows
        self.sees_shown = cards.sees_shown
        if cards.recalls:
            raise AbstractionError(
                f"{cards.name} remembers earlier buckets, which cannot be joined with looks; "
                "use recall: current"
            )
        variant = self.dealer.variant
        counts = [
            count_look_classes(variant, knows, len(each.looks)) for each in cards.dealer.stages
        ]
        self.n_buckets = tuple(n * count for n, count in zip(cards.n_buckets, counts, strict=True))

    @property
    def name(self) -> str:
        """That of the cards."""
        return self.cards.name

    def label(self, deals: Deals) -> Buckets:
        """The buckets of the cards with what has been seen."""
        dealer, knows = self.dealer, self.knows_look
        labels = self.cards.label(deals).copy()  # which may be kept there
        for at, stage in enumerate(dealer.stages):
            if n_looks := len(stage.looks):
                cells = stage_hand_cells(dealer.layout.stages[at])
                boards = dealer.boards(at, deals.cards, deals.laid)[:, None]
                known = label_looks(
                    dealer.variant, knows, deals.seen[:, :, cells, :n_looks], boards
                )
                n_classes = count_look_classes(dealer.variant, knows, n_looks)
                labels[:, :, cells] = labels[:, :, cells] * np.int32(n_classes) + known
        return labels

    def label_stage(self, at: int, holes: Cards, boards: Cards, before: Buckets | None) -> Buckets:
        """Not without what was seen."""
        raise UnsupportedGameError(
            f"what a hand of {self.dealer.variant.name} does depends on what its player has seen, "
            "which is not given here"
        )

    def bucket(self, path: Sequence[Sight]) -> int:
        """The bucket of the cards alone."""
        return self.cards.bucket(path)

    @property
    def without_bounty(self) -> CardMap:
        """The cards alone."""
        return self.cards

    def digests(self) -> dict[str, str]:
        """Those of the cards."""
        return self.cards.digests()


def with_secrets(cards: CardMap, *, exactly: bool = False) -> CardMap:
    """`cards`, and what players know besides: of their bounties, and of what they have seen."""
    if cards.dealer.look_places:
        cards = LookCards(cards, "card" if exactly else "level")
    return with_bounties(cards, "rank" if exactly else "hit")
