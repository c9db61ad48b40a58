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
_KEY_BITS = 63


class ExactCards(CardMap):
    """A bucket for every private history, for variants whose deals can be listed.

    What a player knows at a stage is packed into a number: its hand, the bucket of the stage before
    and the new cards of the board. A bucket is the place of that number among all of its stage.
    """

    name = "exact"
    chained = True
    sees_shown = True

    def __init__(self, dealer: Dealer, deals: Deals) -> None:
        self.dealer = dealer
        self.knowledge: list[NDArray[np.int64]] = []  # by stage, ascending; filled by `label`
        self.label(deals)
        self.n_buckets = tuple(known.size for known in self.knowledge)

    def label_stage(self, at: int, holes: Cards, boards: Cards, before: Buckets | None) -> Buckets:
        """The place of what is known."""
        keys = self._pack(at, np.sort(_number(holes), axis=2), _number(boards), before)
        if at == len(self.knowledge):
            self._check_bits(at)
            self.knowledge.append(np.unique(keys))
        return np.searchsorted(self.knowledge[at], keys).astype(np.int32)

    def bucket(self, path: Sequence[Sight]) -> int:
        """The bucket of one player."""
        bucket: Buckets | None = None
        for at, (hole, board) in enumerate(path):
            hands, boards = np.array([[hole]], np.uint8), np.array([board], np.uint8)
            bucket = self.label_stage(at, hands, boards, bucket)
        return 0 if bucket is None else int(bucket.item())

    def _pack(
        self,
        at: int,
        hands: NDArray[np.int64],
        boards: NDArray[np.int64],
        before: Buckets | None,
    ) -> NDArray[np.int64]:
        """[n, H] what is known; `hands` ascend. Cards are numbers, see `_number`."""
        keys = np.zeros(hands.shape[:2], np.int64)
        for place in range(hands.shape[2]):
            keys = keys << _CARD_BITS | hands[..., place]
        if before is not None:
            # Which card was discarded matters only together with the drawn one, which the hand
            # shows.
            keys = keys << self.knowledge[at - 1].size.bit_length() | before
        for start, stop in self.groups(at):
            for card in np.sort(boards[:, start:stop], axis=1).T:
                keys = keys << _CARD_BITS | card[:, np.newaxis]
        return keys

    def groups(self, at: int) -> list[tuple[int, int]]:
        """Where new cards of a stage begin and end that came in the same way; see `new_groups`."""
        ways = self.dealer.ways
        return new_groups(ways[at], len(ways[at - 1]) if at else 0)

    def _check_bits(self, at: int) -> None:
        """Raise `UnsupportedGameError` if what is known at a stage is too much for a number."""
        n_cards = self.dealer.layout.most_held + len(self.dealer.ways[at])
        n_before = 0
        if at > 0:
            n_cards -= len(self.dealer.ways[at - 1])
            n_before = self.knowledge[at - 1].size.bit_length()
        if _CARD_BITS * n_cards + n_before > _KEY_BITS:
            raise UnsupportedGameError(
                f"{n_cards} cards that come together in {self.dealer.variant.name} are too many "
                "for exact cards; deal them on several streets"
            )


def new_groups(seen: Sequence[str], n_before: int) -> list[tuple[int, int]]:
    """Where cards that are new and came in the same way begin and end, group by group."""
    groups: list[tuple[int, int]] = []
    for at in range(n_before, len(seen)):
        start = groups.pop()[0] if groups and seen[at] == seen[at - 1] else at
        groups.append((start, at + 1))
    return groups


def _number(cards: Cards) -> NDArray[np.int64]:
    """Cards as numbers, 0 for none: in front of others a missing card changes nothing."""
    return np.where(cards == deals_kernels.NO_CARD, 0, cards.astype(np.int64) + 1)


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
