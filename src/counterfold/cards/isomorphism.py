"""Deals up to a renaming of suits, numbered without gaps.

`Isomorphism((2, 3))` numbers what a player sees on the flop: two cards, then three, the order
within a round forgotten and the order of rounds kept. Everything that does not depend on the names
of suits can be tabulated by class. The order of the numbers follows from the rounds and the deck
alone and never changes: tables on disk depend on it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from counterfold.cards.deck import FULL, Deck
from counterfold.cards.isomorphism_kernels import (
    NO_FAULT,
    IndexTables,
    UnindexTables,
    find_fault,
    index_deals,
    unindex_deals,
    weigh_classes,
)
from counterfold.cards.isomorphism_tables import build_tables, count_deals
from counterfold.errors import CardError
from counterfold.threads import ThreadPool, stretches

_CHUNK = 1 << 16  # classes weighted at a time


@dataclass(frozen=True)
class Isomorphism:
    """Classes of deals of `rounds` cards from `deck`, numbered from 0 to `size - 1`.

    The first instance of a split computes its tables, in milliseconds for those of hold'em.
    """

    rounds: tuple[int, ...]
    deck: Deck = FULL

    def __post_init__(self) -> None:
        object.__setattr__(self, "rounds", tuple(self.rounds))
        if not self.rounds or any(n < 1 for n in self.rounds):
            raise CardError(f"every round must deal at least one card, unlike {self.rounds!r}")
        if self.n_cards > self.deck.n_cards:
            raise CardError(
                f"rounds {self.rounds!r} need {self.n_cards} cards, but the deck {self.deck.name} "
                f"has only {self.deck.n_cards}"
            )

    @property
    def name(self) -> str:
        """Stable text, such as `2+3` or `2+3 of 9TJQKA/cd`."""
        rounds = "+".join(str(n) for n in self.rounds)
        return rounds if self.deck == FULL else f"{rounds} of {self.deck.name}"

    @property
    def n_cards(self) -> int:
        """Cards of a deal."""
        return sum(self.rounds)

    @property
    def n_deals(self) -> int:
        """Deals, distinguished by suit: the sum of all weights."""
        return count_deals(self.rounds, self.deck.n_cards)

    @property
    def size(self) -> int:
        """Number of classes."""
        return int(self.unindex_tables.offsets[-1])

    @property
    def tables(self) -> IndexTables:
        """For kernels that call `counterfold.cards.isomorphism_kernels.index_cards`."""
        return build_tables(self.rounds, self.deck)[0]

    @property
    def unindex_tables(self) -> UnindexTables:
        """For kernels that call `counterfold.cards.isomorphism_kernels.unindex_cards`."""
        return build_tables(self.rounds, self.deck)[1]

    def index(self, cards: Sequence[int] | NDArray[np.integer]) -> int:
        """The class of one deal, its cards round after round."""
        return int(self.index_many(self.deck.check(cards)[np.newaxis])[0])

    def index_many(self, cards: ArrayLike) -> NDArray[np.int64]:
        """The classes of deals ``[n, n_cards]``; fastest if they are uint8 already."""
        deals = np.asarray(cards)
        if deals.ndim != 2 or deals.shape[1] != self.n_cards:
            raise CardError(
                f"deals of {self.name} must have shape (n, {self.n_cards}), not {deals.shape}"
            )
        if deals.dtype != np.uint8:
            if not np.issubdtype(deals.dtype, np.integer):
                raise CardError(f"cards must be integers, not {deals.dtype}")
            if deals.size and (deals.min() < 0 or deals.max() > np.iinfo(np.uint8).max):
                self._refuse(deals, int(((deals < 0) | (deals > 255)).any(axis=1).argmax()))
        deals = np.require(deals, np.uint8, ["C", "W"])  # see `_check_classes`
        fault = find_fault(deals, self.tables)
        if fault != NO_FAULT:
            self._refuse(deals, fault)
        classes = np.empty(len(deals), np.int64)
        index_deals(deals, self.tables, classes)
        return classes

    def _refuse(self, deals: NDArray[np.integer], row: int) -> None:
        try:
            self.deck.check(deals[row])
        except CardError as error:
            raise CardError(f"deal {row}: {error}") from error

    def unindex(self, index: int) -> NDArray[np.uint8]:
        """The standard deal of a class; the cards of each round ascend."""
        deal: NDArray[np.uint8] = self.unindex_many([index])[0]
        return deal

    def unindex_many(self, classes: ArrayLike) -> NDArray[np.uint8]:
        """The standard deals ``[n, n_cards]`` of `classes`."""
        numbers = self._check_classes(classes)
        deals = np.empty((len(numbers), self.n_cards), np.uint8)
        unindex_deals(numbers, self.unindex_tables, deals)
        return deals

    def weight(self, index: int) -> int:
        """How many deals a class stands for."""
        return int(self.weights([index])[0])

    def weights(self, classes: ArrayLike | None = None, *, threads: int = 1) -> NDArray[np.uint8]:
        """How many deals each of `classes` stands for; of all classes if none are given."""
        if classes is not None:
            numbers = self._check_classes(classes)
            weights = np.empty(len(numbers), np.uint8)
            weigh_classes(numbers, self.unindex_tables, weights)
            return weights
        weights, tables = np.empty(self.size, np.uint8), self.unindex_tables

        def work(first: int, last: int, thread: int) -> None:
            weigh_classes(np.arange(first, last), tables, weights[first:last])

        with ThreadPool(threads) as pool:
            pool.split(work, stretches(0, self.size, _CHUNK))
        return weights

    def _check_classes(self, classes: ArrayLike) -> NDArray[np.int64]:
        numbers = np.asarray(classes)
        if numbers.ndim != 1 or not (numbers.size == 0 or np.issubdtype(numbers.dtype, np.integer)):
            raise CardError(f"classes must be a list of integers, not {classes!r}")
        wrong = (numbers < 0) | (numbers >= self.size)
        if wrong.any():
            raise CardError(
                f"class {numbers[wrong][0]} is not one of 0 to {self.size - 1}, "
                f"the classes of {self.name}"
            )
        # Writeable, since for read-only arrays the kernels would be compiled again.
        return np.require(numbers, np.int64, ["C", "W"])
