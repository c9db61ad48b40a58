"""What a recipe says about the cards, before anything is built: `exact`, or a card abstraction.

A card spec estimates its own cost and makes the card map of a variant. Some list all deals of a
small deck, the others read card tables.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from counterfold.buckets.bucket_cost import BuildEstimate, estimate
from counterfold.buckets.bucketing import Uniform
from counterfold.buckets.card_abstraction import CardAbstraction
from counterfold.buckets.joint_cost import estimate_joint
from counterfold.buckets.long_hand_buckets import PAIR_CARDS
from counterfold.buckets.long_hand_deals import count_dealt
from counterfold.buckets.long_hand_strength import LEAST_HELD
from counterfold.buckets.run_histograms.run_clusters import empty_run
from counterfold.buckets.street_abstraction import StreetAbstraction, StreetBuckets
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards.isomorphism import Isomorphism
from counterfold.cards.streets import STREET_OF_BOARD, STREETS
from counterfold.cards.table_files import Progress
from counterfold.errors import AbstractionError
from counterfold.public.card_maps import CardMap, ExactCards, NoCards, TabledCards, with_secrets
from counterfold.public.card_maps.given_card_map import GivenCards, most_given
from counterfold.public.card_maps.laid_card_map import LaidCards, most_laid
from counterfold.public.card_maps.tabled_cards import long_board_buckets
from counterfold.public.deals import Dealer, Deals
from counterfold.public.deals_kernels import STAGE_HELD
from counterfold.public.lay_levels import given_steps
from counterfold.public.lay_orders import ByStrengthLeft, lays_trios

NOTHING_TO_BUILD = BuildEstimate(0.0, 0, 0)
_LONG_BUCKETS = 100  # of boards without tables, where only the time counts


class CardSources(Protocol):
    """What card maps of a variant are made from."""

    @property
    def dealer(self) -> Dealer:
        """Deals of the variant."""

    @property
    def exact(self) -> tuple[Deals, CardMap]:
        """All deals of a small deck, and what is exactly known of them."""

    def strength_lookup(self, progress: Progress | None = None) -> StrengthLookup:
        """The strength tables of its deck."""


class CardSpec(ABC):
    """How much of the cards of a variant is to be known."""

    lists_deals: ClassVar[bool]  # whether all deals are listed, and no card tables needed

    @property
    @abstractmethod
    def name(self) -> str:
        """Text that `parse_card_spec` reads back."""

    @property
    @abstractmethod
    def recalls(self) -> bool:
        """Whether what is known on a street includes what was known on earlier ones."""

    @abstractmethod
    def card_map(self, sources: CardSources, progress: Progress | None = None) -> CardMap:
        """The card map, its tables built now if they are not in the cache."""

    def max_buckets(self, sources: CardSources) -> tuple[int, ...]:
        """Upper bounds on the buckets of every stage, without building tables."""
        return self.card_map(sources).n_buckets

    @abstractmethod
    def empty_map(self, dealer: Dealer, lookup: StrengthLookup) -> CardMap:
        """A map with empty tables, to time lookups before the tables are built."""

    def estimate(self, sources: CardSources) -> BuildEstimate:
        """What the card tables that are not in the cache will cost."""
        return NOTHING_TO_BUILD

    def estimate_joint(self, sources: CardSources) -> BuildEstimate:
        """What joint tables will cost; raises `AbstractionError` if there are none."""
        raise AbstractionError(f"{self.name} cards have no joint tables; use card tables")

    def tables_bytes(self, sources: CardSources) -> int:
        """Bytes of card tables that training reads."""
        return 0

    def strength_tables(self) -> set[str]:
        """Names of the strength tables from which buckets by street are labeled."""
        return set()


@dataclass(frozen=True)
class ExactSpec(CardSpec):
    """Everything that a player has seen, on a deck whose deals can be listed."""

    lists_deals: ClassVar[bool] = True

    @property
    def name(self) -> str:
        """One word."""
        return ExactCards.name

    @property
    def recalls(self) -> bool:
        """Everything is remembered."""
        return True

    def card_map(self, sources: CardSources, progress: Progress | None = None) -> CardMap:
        """All that is exactly known."""
        return sources.exact[1]

    def empty_map(self, dealer: Dealer, lookup: StrengthLookup) -> CardMap:
        """All in one bucket: there are no tables to look up."""
        return NoCards(dealer)


@dataclass(frozen=True)
class TabledSpec(CardSpec):
    """A card abstraction of hold'em, read from card tables."""

    abstraction: CardAbstraction
    lists_deals: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """The name of the abstraction."""
        return self.abstraction.name

    @property
    def recalls(self) -> bool:
        """As the abstraction does."""
        return self.abstraction.recalls

    def card_map(self, sources: CardSources, progress: Progress | None = None) -> CardMap:
        """The buckets of the abstraction."""
        buckets = self.abstraction.build(sources.strength_lookup(progress))
        return with_secrets(_made_for(sources.dealer)(sources.dealer, buckets))

    def max_buckets(self, sources: CardSources) -> tuple[int, ...]:
        """Those of the abstraction; boards without tables have as many as the river."""
        most = self._most_by_cards(sources)
        secrets = with_secrets(NoCards(sources.dealer)).n_buckets
        return tuple(n * known for n, known in zip(most, secrets, strict=True))

    def _most_by_cards(self, sources: CardSources) -> Sequence[int]:
        made = _made_for(sources.dealer)
        first = max(_count_dealt(sources.dealer, self.abstraction), 1)
        if made is not TabledCards:
            by_street = self.abstraction.max_buckets(sources.strength_lookup(), STREETS)
            if made is LaidCards:
                return most_laid(sources.dealer, self.abstraction, by_street)
            return most_given(sources.dealer, by_street, first)
        sizes = [stage.n_on_board for stage in sources.dealer.stages]
        streets = [STREET_OF_BOARD.get(size, STREETS[-1]) for size in sizes]
        counts = self.abstraction.max_buckets(sources.strength_lookup(), streets)
        return [max(n, first * (size == 0)) for n, size in zip(counts, sizes, strict=True)]

    def empty_map(self, dealer: Dealer, lookup: StrengthLookup) -> CardMap:
        """Empty tables by street."""
        return with_secrets(self._empty_map(dealer, lookup))

    def _empty_map(self, dealer: Dealer, lookup: StrengthLookup) -> TabledCards:
        by_street = self.abstraction.factors.by_street or StreetAbstraction((Uniform(2),) * 4)
        empty = {street: np.zeros(lookup.n_classes(street), np.uint8) for street in STREETS}
        long = long_board_buckets(dealer.variant, _LONG_BUCKETS)
        clusters = None if by_street.run is None else empty_run(by_street.run, lookup)
        buckets = StreetBuckets(by_street, lookup, empty, clusters)
        made = _made_for(dealer)
        if made is LaidCards:
            return LaidCards(dealer, buckets, ByStrengthLeft.empty(lookup.strength))
        return made(dealer, buckets, long, empty=True)

    def estimate(self, sources: CardSources) -> BuildEstimate:
        """What fitting the abstraction will cost, and tables for hands of many cards."""
        lookup, dealer = sources.strength_lookup(), sources.dealer
        found = estimate(self.abstraction, lookup)
        if dealer.variant.most_hole_cards >= LEAST_HELD:
            for strength in self._empty_map(dealer, lookup).all_strengths:
                found += strength.estimate()
        return found

    def estimate_joint(self, sources: CardSources) -> BuildEstimate:
        """What counting the joint tables of the abstraction will cost."""
        dealer = sources.dealer
        if not {stage.n_on_board for stage in dealer.stages} <= set(STREET_OF_BOARD):
            raise AbstractionError(
                "joint tables are of boards of 3, 4 and 5 cards, also where nobody bets, unlike "
                f"those of {dealer.variant.name}; use external sampling"
            )
        return estimate_joint(self.abstraction, sources.strength_lookup())

    def tables_bytes(self, sources: CardSources) -> int:
        """A byte for each class, two where histories keep levels."""
        width = 2 if self.abstraction.factors.histories else 1
        lookup = sources.strength_lookup()
        return width * sum(lookup.n_classes(street) for street in STREETS)

    def strength_tables(self) -> set[str]:
        """Those of the buckets by street."""
        return self.abstraction.strength_tables()


def _made_for(dealer: Dealer) -> type[TabledCards]:
    """The kind of map that knows the hands of a variant."""
    if lays_trios(dealer.variant):
        return LaidCards
    return TabledCards if given_steps(dealer.stages) is None else GivenCards


def _count_dealt(dealer: Dealer, abstraction: CardAbstraction) -> int:
    """The most buckets of hands of more than two cards before the flop, if there are such hands."""
    held = [
        row[STAGE_HELD]
        for stage, row in zip(dealer.stages, dealer.layout.stages.tolist(), strict=True)
        if stage.asks and stage.n_on_board == 0 and row[STAGE_HELD] > PAIR_CARDS
    ]
    if not held:
        return 0
    return count_dealt(abstraction) or Isomorphism((max(held),), dealer.variant.deck).size
