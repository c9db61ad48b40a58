"""Cards without a table: all that a player has seen, on decks small enough to list, or nothing."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.card_abstraction import Sight
from counterfold.errors import UnsupportedGameError
from counterfold.public import deals_kernels
from counterfold.public.card_maps.card_map import Buckets, CardMap, Cards
from counterfold.public.deals import Dealer, Deals

_CARD_BITS = 6
_MISSING = (1 << _CARD_BITS) - 1  # in place of a card
_MOST_BITS = 63


class ExactCards(CardMap):
    """A bucket for every private history, for variants whose deals can be listed.

    What a player knows at a stage is packed into a number: its hand, the bucket of the stage before
    and the new cards of the board. A bucket is the place of that number among all of its stage.
    """

    name = "exact"
    chained = True

    def __init__(self, dealer: Dealer, deals: Deals) -> None:
        self.dealer = dealer
        self.knowledge: list[NDArray[np.int64]] = []  # by stage, ascending; filled by `label`
        self.label(deals)
        self.n_buckets = tuple(known.size for known in self.knowledge)

    def label_stage(self, at: int, holes: Cards, boards: Cards, before: Buckets | None) -> Buckets:
        """The place of what is known."""
        keys = self._pack(at, np.sort(holes, axis=2), boards, before)
        if at == len(self.knowledge):
            self.knowledge.append(np.unique(keys))
        return np.searchsorted(self.knowledge[at], keys).astype(np.int32)

    def bucket(self, path: Sequence[Sight]) -> int:
        """The bucket of one player."""
        bucket: Buckets | None = None
        for at, (hole, board) in enumerate(path):
            hands, boards = np.array([[self._fill(hole)]], np.uint8), np.array([board], np.uint8)
            bucket = self.label_stage(at, hands, boards, bucket)
        return 0 if bucket is None else int(bucket.item())

    @property
    def most_held(self) -> int:
        """To how many cards hands are filled up where they may grow, else 0."""
        return self.dealer.layout.most_held if self.dealer.sizes_differ else 0

    def _fill(self, hole: Sequence[int]) -> list[int]:
        """A hand as deals have it."""
        return [*hole, *[deals_kernels.NO_CARD] * (self.most_held - len(hole))]

    def _pack(
        self, at: int, hands: Cards, boards: Cards, before: Buckets | None
    ) -> NDArray[np.int64]:
        """[n, H] what is known; `hands` ascend."""
        n_before = bits_before = 0
        if before is not None:
            n_before = int(self.dealer.layout.stages[at - 1, deals_kernels.STAGE_BOARD])
            bits_before = self.knowledge[at - 1].size.bit_length()
        n_cards = hands.shape[2] + boards.shape[1] - n_before
        if bits_before + n_cards * _CARD_BITS > _MOST_BITS:
            raise UnsupportedGameError(
                f"{n_cards} cards that come together in {self.dealer.variant.name} are too many "
                "for exact cards; deal them on several streets"
            )
        keys = np.zeros(hands.shape[:2], np.int64)
        for place in range(hands.shape[2]):
            keys = keys << _CARD_BITS | np.minimum(hands[..., place], _MISSING)
        if before is not None:
            # Which card was discarded matters only together with the drawn one, which the hand
            # shows.
            keys = keys << bits_before | before
        for card in np.sort(boards[:, n_before:], axis=1).T:
            keys = keys << _CARD_BITS | card[:, np.newaxis]
        return keys


class NoCards(CardMap):
    """One bucket for all: nothing is known about the cards."""

    name = "nothing"

    def __init__(self, dealer: Dealer) -> None:
        self.dealer = dealer
        self.n_buckets = (1,) * len(dealer.stages)

    def label_stage(self, at: int, holes: Cards, boards: Cards, before: Buckets | None) -> Buckets:
        """Zeros."""
        return np.zeros(holes.shape[:2], np.int32)

    def bucket(self, path: Sequence[Sight]) -> int:
        """Zero."""
        return 0
