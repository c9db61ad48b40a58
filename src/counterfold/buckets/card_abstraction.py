"""A card abstraction: one bucketing per street, and what players remember.

Built, it is an array over isomorphism classes for every street, so a bucket is one index and one
read. Street by street the arrays lie in the cache folder, by the name of their bucketing and the
tables it was fitted to: two abstractions that share a street share its array.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from counterfold.buckets.bucketing import ORDER_VERSION, Bucketing
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards.isomorphism import Isomorphism
from counterfold.cards.streets import BOARD_SIZES
from counterfold.cards.table_files import Arrays, Column, TableSpec, build_table, find_table
from counterfold.errors import AbstractionError, CardError, UnknownNameError

STREETS = tuple(BOARD_SIZES)
RECALLS = ("current", "sequence")


@dataclass(frozen=True)
class CardAbstraction:
    """Bucketings of preflop, flop, turn and river.

    With recall `current` a player knows the bucket of this street only, with `sequence` those of
    the earlier streets too.
    """

    streets: tuple[Bucketing, Bucketing, Bucketing, Bucketing]
    recall: str = "current"

    def __post_init__(self) -> None:
        if self.recall not in RECALLS:
            raise UnknownNameError("recall", self.recall, RECALLS)

    def __mul__(self, other: "CardAbstraction") -> "CardAbstraction":
        """What either tells apart, street by street; both must remember alike."""
        if not isinstance(other, CardAbstraction):
            return NotImplemented
        if self.recall != other.recall:
            raise AbstractionError(
                f"factors of a product remember alike, not one {self.recall!r} and one "
                f"{other.recall!r}"
            )
        a, b, c, d = (x * y for x, y in zip(self.streets, other.streets, strict=True))
        return CardAbstraction((a, b, c, d), self.recall)

    @property
    def name(self) -> str:
        """Text that `parse_card_abstraction` reads back."""
        parts = [f"{s}: {b.name}" for s, b in zip(STREETS, self.streets, strict=True)]
        if self.recall != "current":
            parts.append(f"recall: {self.recall}")
        return "; ".join(parts)

    def check(self, source: StrengthLookup) -> None:
        """Raise `AbstractionError` now for what would fail on a later street."""
        for street, bucketing in zip(STREETS, self.streets, strict=True):
            bucketing.check(source, street)

    def build(self, source: StrengthLookup) -> "CardBuckets":
        """Fit what is not in the cache yet; long for clusterings of a full deck."""
        self.check(source)
        streets = dict(zip(STREETS, self.streets, strict=True))
        labels = {s: build_labels(bucketing, source, s) for s, bucketing in streets.items()}
        return CardBuckets(self, source, labels)


def label_spec(bucketing: Bucketing, source: StrengthLookup, street: str) -> TableSpec:
    """Name, dependencies and array of a street's buckets on disk."""
    n_classes = source.n_classes(street)
    most = bucketing.most_buckets(n_classes)
    dtype = "u1" if most <= 1 << 8 else "<u2" if most <= 1 << 16 else "<u4"
    depends = {
        "bucketing": bucketing.name,
        "deck": source.strength.deck.name,
        "street": street,
        "uses": bucketing.uses(source, street),
        "versions": {"order": ORDER_VERSION, **bucketing.versions},
    }
    return TableSpec(f"buckets-{street}", depends, {"labels": Column(dtype, (n_classes,))})


def build_labels(bucketing: Bucketing, source: StrengthLookup, street: str) -> NDArray[np.integer]:
    """The bucket of every class of `street`, from the cache or fitted now."""
    spec = label_spec(bucketing, source, street)

    def work(first: int, last: int, arrays: Arrays) -> None:
        arrays["labels"][...] = bucketing.label(source, street)

    found = find_table(spec, source.strength.folder)
    arrays = found or build_table(spec, source.strength.folder, 1, work, threads=1)
    return arrays["labels"]


@dataclass(frozen=True, eq=False)
class CardBuckets:
    """A card abstraction with its arrays."""

    abstraction: CardAbstraction
    source: StrengthLookup
    labels: dict[str, NDArray[np.integer]]  # by street, over its classes

    def __post_init__(self) -> None:
        for street, labels in self.labels.items():
            if labels.shape != (self.source.n_classes(street),):
                raise AbstractionError(f"the buckets of the {street} do not fit its classes")

    def isomorphism(self, street: str) -> Isomorphism:
        """The classes of a street."""
        return self.source.strength.isomorphism(street)

    def n_buckets(self, street: str) -> int:
        """Number of buckets of a street."""
        return int(self.labels[street].max()) + 1

    def bucket(self, hole: Sequence[int], board: Sequence[int] = ()) -> int:
        """The bucket of one hand on one board."""
        street = _street_of(len(board))
        return int(self.labels[street][self.isomorphism(street).index([*hole, *board])])

    def buckets(self, deals: ArrayLike) -> NDArray[np.integer]:
        """The buckets of deals ``[n, 2 + board]``, hole cards first."""
        cards = np.asarray(deals)
        if cards.ndim != 2:
            raise CardError(f"deals have shape (n, cards), not {cards.shape}; of one ask bucket()")
        street = _street_of(cards.shape[1] - 2)
        return self.labels[street][self.isomorphism(street).index_many(cards)]

    def sequence(self, hole: Sequence[int], board: Sequence[int] = ()) -> tuple[int, ...]:
        """The buckets of all streets so far, which is what recall `sequence` remembers."""
        last = STREETS.index(_street_of(len(board)))
        return tuple(self.bucket(hole, board[: BOARD_SIZES[s]]) for s in STREETS[: last + 1])


def _street_of(n_board: int) -> str:
    for street, size in BOARD_SIZES.items():
        if size == n_board:
            return street
    raise CardError(f"a board of {n_board} cards belongs to no street with tables")
