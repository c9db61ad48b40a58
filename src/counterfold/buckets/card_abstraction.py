"""The interface of every card abstraction and of the buckets that it builds.

An abstraction is a description with a name: cheap to make, without reading from disk. `build` fits
it to the strength tables of a deck and gives `CardBuckets`. Every abstraction is a product of
history bucketings and of at most one bucketing by street, its *factors*.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.perfect_recall import PerfectRecall
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards.deck import Deck
from counterfold.cards.table_files import table_digest

if TYPE_CHECKING:
    from counterfold.buckets.bucket_quality import StreetQuality
    from counterfold.buckets.histories.history import FittedHistory, History
    from counterfold.buckets.street_abstraction import StreetAbstraction, StreetBuckets

RECALLS = ("current", "sequence")
Sight = tuple[Sequence[int], Sequence[int]]  # hole cards, and the board in the order of streets


class Factors(NamedTuple):
    """What an abstraction is a product of."""

    histories: "tuple[History, ...]"
    by_street: "StreetAbstraction | None"

    @property
    def recall(self) -> str:
        """What players remember, besides the sequences of the histories."""
        return "sequence" if self.by_street is None else self.by_street.recall


class JointKey(NamedTuple):
    """What the joint tables of an abstraction depend on."""

    fingerprint: str | None  # None if the buckets must be built first
    n_buckets: tuple[int, ...]  # of each street; upper bounds if they are not built


class CardAbstraction(ABC):
    """A description of what is known about the cards on each street."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Text that `parse_card_abstraction` reads back."""

    @property
    @abstractmethod
    def factors(self) -> Factors:
        """What it is a product of."""

    @property
    def recalls(self) -> bool:
        """Whether a bucket includes those of earlier streets."""
        return bool(self.factors.histories) or self.factors.recall == "sequence"

    @abstractmethod
    def __mul__(self, other: Any) -> "CardAbstraction": ...

    @abstractmethod
    def check(self, source: StrengthLookup) -> None:
        """Raise `AbstractionError` now for anything that would fail on a later street."""

    @abstractmethod
    def build(self, source: StrengthLookup) -> "CardBuckets":
        """The buckets, fitted now where they are not in the cache."""

    @abstractmethod
    def measure_seconds(self, source: StrengthLookup) -> float:
        """How long `CardBuckets.measure` takes once all is built."""

    @abstractmethod
    def joint_key(self, source: StrengthLookup) -> JointKey:
        """What its joint tables depend on; raises `AbstractionError` if it has none."""

    def max_buckets(self, source: StrengthLookup, streets: Sequence[str]) -> tuple[int, ...]:
        """Upper bounds on the buckets at stages of play on these streets, without building any."""
        histories, by_street = self.factors
        counts = [prod(history.n_sequences(street) for history in histories) for street in streets]
        if by_street is not None:
            others = by_street.most_buckets(source, streets)
            counts = [n * other for n, other in zip(counts, others, strict=True)]
        return tuple(counts)

    def strength_tables(self) -> set[str]:
        """Names of the strength tables from which the buckets by street are labeled."""
        by_street = self.factors.by_street
        return set() if by_street is None else by_street.tables()


class BuiltFactors(NamedTuple):
    """What buckets are a product of."""

    histories: "tuple[FittedHistory, ...]"
    by_street: "StreetBuckets | None"


class CardBuckets(ABC):
    """A card abstraction with its arrays: the bucket of any hand on any board of a deck."""

    source: StrengthLookup
    hands_may_change: ClassVar[
        bool
    ]  # whether a bucket can follow from hole cards that have changed

    @property
    @abstractmethod
    def description(self) -> CardAbstraction:
        """The abstraction that was built."""

    @property
    @abstractmethod
    def factors(self) -> BuiltFactors:
        """What they are a product of."""

    @property
    def name(self) -> str:
        """The name of the abstraction."""
        return self.description.name

    @property
    def recalls(self) -> bool:
        """Whether a bucket includes those of earlier streets."""
        return self.description.recalls

    @property
    def deck(self) -> Deck:
        """The deck that they were fitted to."""
        return self.source.strength.deck

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """Hash of everything that the buckets depend on."""

    def digests(self) -> dict[str, str]:
        """Hashes of the tables on disk that hands are looked up in, by the name of their folder."""
        histories, by_street = self.factors
        specs = [fitted.history.spec(self.deck) for fitted in histories]
        if by_street is not None:
            specs += by_street.abstraction.label_specs(self.source)
        folder = self.source.strength.folder
        built = [spec for spec in specs if (folder / spec.folder_name).is_dir()]
        return {spec.folder_name: table_digest(spec, folder) for spec in built}

    @property
    @abstractmethod
    def preflop(self) -> NDArray[np.integer]:
        """The bucket of each class before the flop."""

    @abstractmethod
    def count(self, street: str, n_before: int = 1) -> int:
        """Buckets at a stage on `street` after one with `n_before` of them."""

    @abstractmethod
    def label(
        self, hands: NDArray[np.uint8], before: NDArray[np.integer] | None = None
    ) -> NDArray[np.integer[Any]]:
        """The buckets of hands ``[n, 2 + board]``, hole cards first.

        `before` are those of the stage before, which may have had other hole cards; only buckets by
        street with recall need it.
        """

    def bucket_path(self, path: Sequence[Sight]) -> int:
        """The bucket of one player; `path` is what it saw at every stage up to this one.

        Unless buckets may follow from hole cards that have changed, the last stage says it all.
        """
        hole, board = path[-1]
        return int(self.label(np.array([[*hole, *board]], np.uint8))[0])

    @abstractmethod
    def measure(self) -> "list[StreetQuality]":
        """How good the buckets of each street are."""

    @abstractmethod
    def with_perfect_recall(self) -> PerfectRecall:
        """The form that joint tables count; raises `AbstractionError` if they have none."""
