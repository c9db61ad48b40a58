"""Products of card abstractions, history bucketings among them: `history(5) * ochs(10)`.

A product distinguishes two deals whenever one of its factors does. Of a history a player knows the
bucket sequence, of the other bucketings what their `recall` says. All of it is one *number*: the
first history's sequence is its most significant digit.

On the turn and the river a history looks at each street, and so does the product. Before that a
class fixes the number, which is one index and one read of a table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from counterfold.buckets.bucket_quality import StreetQuality
from counterfold.buckets.bucketing import Bucketing
from counterfold.buckets.card_abstraction import (
    BuiltFactors,
    CardAbstraction,
    CardBuckets,
    Factors,
    JointKey,
)
from counterfold.buckets.histories.history import FittedHistory, History, join_deal
from counterfold.buckets.perfect_recall import PerfectRecall
from counterfold.buckets.sequence_quality import measure_product, product_measure_seconds
from counterfold.buckets.street_abstraction import StreetAbstraction, StreetBuckets
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards.streets import BOARD_SIZES, STREETS
from counterfold.cards.table_files import Arrays, Column, TableSpec, build_table
from counterfold.checksums import hash_parts
from counterfold.errors import AbstractionError

_TABULATED = STREETS[:2]  # where a class fixes what came before
_CHUNK = 1 << 18  # classes whose deals are held at once
_MOST_NUMBERS = 1 << 62


@dataclass(frozen=True)
class CardProduct(CardAbstraction):
    """What any of several history bucketings, or the buckets of each street, distinguish."""

    histories: tuple[History, ...]  # at least one, each once
    cards: StreetAbstraction | None = None

    def __post_init__(self) -> None:
        if self.cards is not None and self.cards.run is not None:
            raise AbstractionError(f"a product cannot have buckets of runs: {self.cards.name!r}")

    def __mul__(self, other: Any) -> "CardProduct":
        return multiply(self, other)

    __rmul__ = __mul__

    @property
    def name(self) -> str:
        """Text that `parse_card_abstraction` reads back: histories first, joined by stars."""
        names = [history.name for history in self.histories]
        if self.cards is not None:
            one = self.cards.streets[0]
            plain = self.cards == StreetAbstraction((one,) * 4)
            names.append(one.name if plain else f"({self.cards.name})")
        return " * ".join(names)

    @property
    def factors(self) -> Factors:
        """All of them."""
        return Factors(self.histories, self.cards)

    def check(self, source: StrengthLookup) -> None:
        """Raise `AbstractionError` now for what would fail on a later street."""
        for history in self.histories:
            history.check(source)
        if self.cards is not None:
            self.cards.check(source)

    def build(self, source: StrengthLookup) -> "ProductBuckets":
        """Fit what is not in the cache yet, factor by factor."""
        self.check(source)
        built = ProductBuckets(
            self,
            source,
            tuple(history.build(source) for history in self.histories),
            None if self.cards is None else self.cards.build(source),
        )
        if built.n_numbers(STREETS[-1]) > _MOST_NUMBERS:
            raise AbstractionError(f"{self.name} distinguishes more than 62 bits can number")
        return built

    def measure_seconds(self, source: StrengthLookup) -> float:
        """Of the classes up to the flop, and of a sample of deals."""
        return product_measure_seconds(source)

    def joint_key(self, source: StrengthLookup) -> JointKey:
        """Raises `AbstractionError`: a product has no joint tables."""
        raise self.lack_joint_tables()

    def lack_joint_tables(self) -> AbstractionError:
        """The error that says so."""
        return AbstractionError(
            "joint tables need one history bucketing, or buckets by street with 'recall: "
            f"sequence', not the product {self.name!r}"
        )


def multiply(first: Any, second: Any) -> CardProduct:
    """The product of two factors, one of them with a history."""
    histories: list[History] = []
    cards: StreetAbstraction | None = None
    for factor in (first, second):
        if isinstance(factor, Bucketing):
            factor = StreetAbstraction((factor,) * 4)
        if not isinstance(factor, CardAbstraction):
            raise AbstractionError(f"{factor!r} is not a card abstraction that can be a factor")
        histories += [h for h in factor.factors.histories if h not in histories]
        by_street = factor.factors.by_street
        if by_street is not None:
            cards = by_street if cards is None else cards * by_street
    return CardProduct(tuple(histories), cards)


@dataclass(frozen=True, eq=False)
class ProductBuckets(CardBuckets):
    """A product with the buckets of its factors."""

    hands_may_change: ClassVar[bool] = False

    product: CardProduct
    source: StrengthLookup
    histories: tuple[FittedHistory, ...]
    cards: StreetBuckets | None

    @property
    def description(self) -> CardProduct:
        """The product that was built."""
        return self.product

    @property
    def factors(self) -> BuiltFactors:
        """The buckets of its factors."""
        return BuiltFactors(self.histories, self.cards)

    @property
    def preflop(self) -> NDArray[np.integer]:
        """The number of each class before the flop."""
        return self.tables["preflop"]

    @cached_property
    def fingerprint(self) -> str:
        """Hash of everything that the numbers depend on."""
        parts = [self.product.name, self.deck.name]
        parts += [history.fingerprint for history in self.histories]
        if self.cards is not None:
            specs = self.cards.abstraction.label_specs(self.source)
            parts += [spec.fingerprint for spec in specs]
        return hash_parts("\n".join(parts))

    def sizes(self, street: str) -> tuple[int, ...]:
        """How many values each part of `known` can have."""
        sizes = [fitted.history.n_sequences(street) for fitted in self.histories]
        if self.cards is not None:
            sizes += [self.cards.n_buckets(s) for s in self._remembered(street)]
        return tuple(sizes)

    def n_numbers(self, street: str) -> int:
        """Numbers are below this; not all of them need occur."""
        return prod(self.sizes(street))

    def known(self, deals: ArrayLike) -> NDArray[np.int64]:
        """What a player knows of deals ``[n, 2, 5, 6 or 7]``, one part in each column.

        The sequence of each history as a number, then the bucket of this street or, if players
        remember, of every street so far. A deal is hole cards, flop, turn and river.
        """
        cards = np.asarray(deals)
        parts: list[NDArray[Any]] = [f.sequence_numbers(cards) for f in self.histories]
        if self.cards is not None:
            street = _street_of(cards.shape[1])
            sizes = (2 + BOARD_SIZES[earlier] for earlier in self._remembered(street))
            parts += [self.cards.buckets(cards[:, :size]) for size in sizes]
        return np.stack(parts, axis=1).astype(np.int64)

    def numbers(self, deals: ArrayLike) -> NDArray[np.int64]:
        """What a player knows of deals, as one number each; see `known`."""
        cards = np.asarray(deals)
        if cards.ndim == 2 and cards.shape[1] in (2 + BOARD_SIZES[s] for s in _TABULATED):
            street = _street_of(cards.shape[1])
            classes = self.source.strength.isomorphism(street).index_many(cards)
            return np.asarray(self.tables[street][classes], np.int64)
        return self._compute(cards)

    def number(
        self,
        hole: Sequence[int],
        flop: Sequence[int] = (),
        turn: int | None = None,
        river: int | None = None,
    ) -> int:
        """The number of one deal."""
        return int(self.numbers([join_deal(hole, flop, turn, river)])[0])

    def count(self, street: str, n_before: int = 1) -> int:
        """Numbers are below this; not all of them need occur."""
        return self.n_numbers(street)

    def label(
        self, hands: NDArray[np.uint8], before: NDArray[np.integer] | None = None
    ) -> NDArray[np.integer]:
        """What a player knows, as one number for each hand."""
        return self.numbers(hands)

    def measure(self) -> list[StreetQuality]:
        """The quality of everything that a player knows."""
        return measure_product(self)

    def with_perfect_recall(self) -> PerfectRecall:
        """Raises `AbstractionError`: a product has no joint tables."""
        raise self.product.lack_joint_tables()

    @cached_property
    def tables(self) -> dict[str, NDArray[np.integer]]:
        """The number of every class before and on the flop, from the cache or computed now."""
        return {street: self._tabulate(street) for street in _TABULATED}

    def _tabulate(self, street: str) -> NDArray[np.integer]:
        isomorphism = self.source.strength.isomorphism(street)
        spec = self.table_spec(street)

        def work(first: int, last: int, arrays: Arrays) -> None:
            for start in range(0, isomorphism.size, _CHUNK):
                classes = np.arange(start, min(start + _CHUNK, isomorphism.size))
                arrays["numbers"][classes] = self._compute(isomorphism.unindex_many(classes))

        return build_table(spec, self.source.strength.folder, 1, work, threads=1)["numbers"]

    def table_spec(self, street: str) -> TableSpec:
        """Name, dependencies and array of the numbers of a street on disk."""
        dtype = "<u4" if self.n_numbers(street) <= 1 << 32 else "<u8"
        columns = {"numbers": Column(dtype, (self.source.n_classes(street),))}
        depends = {"deck": self.deck.name, "product": self.fingerprint}
        return TableSpec(f"product-{street}", depends, columns)

    def _compute(self, deals: NDArray[Any]) -> NDArray[np.int64]:
        known = self.known(deals)
        numbers = np.zeros(len(known), np.int64)
        for part, size in zip(known.T, self.sizes(_street_of(deals.shape[1])), strict=True):
            numbers = numbers * size + part
        return numbers

    def _remembered(self, street: str) -> tuple[str, ...]:
        """The streets whose buckets a player knows on `street`, of those by street."""
        if self.product.factors.recall == "current":
            return (street,)
        return STREETS[: STREETS.index(street) + 1]


def _street_of(n_cards: int) -> str:
    """The street of deals that `FittedHistory` has checked to be on one street."""
    return next(street for street, size in BOARD_SIZES.items() if 2 + size == n_cards)
