"""Buckets of which players remember the whole sequence, in the form that joint tables count."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.histories.history_kernels import StreetTables
from counterfold.buckets.histories.history_streets import make_street
from counterfold.cards.deck import Deck
from counterfold.cards.streets import STREETS, street_classes
from counterfold.checksums import hash_parts
from counterfold.errors import AbstractionError


class PerfectRecall(Protocol):
    """Buckets of which players remember the whole sequence, such as `FittedHistory`."""

    @property
    def deck(self) -> Deck:
        """The deck of the hands."""

    @property
    def fingerprint(self) -> str:
        """Hash of everything that the buckets depend on."""

    @property
    def streets(self) -> tuple[StreetTables, ...]:
        """How the bucket of each street follows from class and sequence."""


@dataclass(frozen=True, eq=False)
class ClassBuckets:
    """Buckets by class of the suit isomorphism, street by street, with perfect recall.

    What a `StreetAbstraction` builds has such labels; those of the river are copied as 16 bits.
    """

    deck: Deck
    labels: Mapping[str, NDArray[np.integer]]
    known_as: str = ""  # what identifies the labels; without it they are hashed

    def __post_init__(self) -> None:
        for street in STREETS:
            labels = self.labels.get(street)
            n_classes = street_classes(street, self.deck).size
            if labels is None or labels.shape != (n_classes,):
                raise AbstractionError(
                    f"the {street} of the deck {self.deck.name} needs {n_classes} labels, one per "
                    f"class, not {'none' if labels is None else labels.shape}"
                )
            if not 0 <= labels.min() <= labels.max() < 1 << 16:
                raise AbstractionError(
                    f"labels must be from 0 to 65535, unlike those of the {street}"
                )

    @cached_property
    def fingerprint(self) -> str:
        """Hash of deck and labels."""
        streets = () if self.known_as else self.streets
        levels = (street.levels for street in streets)
        return hash_parts(f"{self.deck.name} {self.known_as}", *levels)

    @cached_property
    def streets(self) -> tuple[StreetTables, ...]:
        """For kernels, street by street."""
        return tuple(
            make_street(
                int(self.labels[street].max()) + 1,
                street_classes(street, self.deck).tables,
                np.ascontiguousarray(self.labels[street], np.uint16),
            )
            for street in STREETS
        )


def n_sequences(buckets: PerfectRecall, street: str) -> int:
    """Bucket sequences of a player from the first street to this one."""
    return prod(s.n_buckets for s in buckets.streets[: STREETS.index(street) + 1])
