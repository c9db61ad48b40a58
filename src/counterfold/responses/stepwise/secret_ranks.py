"""What a bot may hold beside its cards where players have bounties.

A bot whose buckets tell the rank of its bounty has a column for each rank. Any other bot acts by
whether its bounty is hit, if by that, so that two columns for each hand suffice: as long as it is
not hit, all ranks that were not seen are equally likely, and new cards on the board move weight
from one to the other.
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.deck import Deck
from counterfold.public.bounties import BountyKnowledge
from counterfold.responses.stepwise.columns import Columns

_SPREAD = np.array([bin(bits).count("1") for bits in range(1 << 13)], np.int64)


class SecretRanks:
    """The bounties of hands of a deck; `columns` have one secret for each thing to tell apart."""

    def __init__(self, deck: Deck, hands: Columns, knows: BountyKnowledge) -> None:
        self.deck, self.by_rank, self.knows = deck, knows == "rank", knows
        n = len(deck.ranks)
        self.columns = Columns(hands.cards, n if self.by_rank else 2)
        self.hand_ranks = np.bitwise_or.reduce(1 << (hands.cards >> 2).astype(np.int64), axis=1)

    def begin(self, weights: NDArray[np.float64]) -> None:
        """Overwrite `weights` [1, J]: every rank is equally likely."""
        n = len(self.deck.ranks)
        weights[:] = 1.0 / n
        if not self.by_rank:
            weights[0, 1::2] = _SPREAD[self.hand_ranks] / n
            weights[0, ::2] = 1.0 - weights[0, 1::2]

    def deal(self, before: int, board: int, weights: NDArray[np.float64]) -> None:
        """Move `weights` [readings, J] as the board grows; boards are ranks as bits."""
        if not self.by_rank:
            moved = weights[:, ::2] * self.chance_of(before, board)
            weights[:, 1::2] += moved
            weights[:, ::2] -= moved

    def chance_of(self, before: int, board: int) -> NDArray[np.float64]:
        """[H] how likely a bounty that is not hit is hit as the board grows."""
        known = self.hand_ranks | before
        n_left = len(self.deck.ranks) - _SPREAD[known]
        return np.asarray(_SPREAD[board & ~known] / np.maximum(n_left, 1))

    def find_hits(self, board: int) -> NDArray[np.bool_]:
        """[J] whether the bounty is hit on a board, ranks as bits."""
        if not self.by_rank:
            return np.asarray(np.arange(len(self.columns)) % 2 == 1)
        hits = self.hand_ranks[:, None] | board
        return np.asarray((hits >> self._ranks & 1).astype(bool).ravel())

    @cached_property
    def _ranks(self) -> NDArray[np.int64]:
        return np.array(self.deck.ranks, np.int64)

    def find_known(self) -> NDArray[np.int32]:
        """[J] what the bot knows of its bounty, as its buckets number it."""
        n = self.columns.n_secrets
        known = np.tile(np.arange(n, dtype=np.int32), len(self.columns.cards))
        return known if self.knows != "nothing" else np.zeros_like(known)


def rank_bits(cards: Sequence[int]) -> int:
    """The ranks of cards as bits."""
    found = 0
    for card in cards:
        found |= 1 << card // 4
    return found
