"""The algebra of abstractions: what a player may tell apart.

A feature reveals part of an information set; an abstraction is a product of features. ``A * B``
tells two information sets apart whenever A or B does. `NOTHING` is the identity and `EVERYTHING`,
which tells all apart, absorbs: the exact game is one more abstraction. The product is associative,
commutative and idempotent, because it is a set of features.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cache

from counterfold.errors import AbstractionError, UnknownNameError
from counterfold.games import Feature, Game, Infoset


@dataclass(frozen=True, eq=False)
class Abstraction:
    """A product of named features; two are equal when they have the same names."""

    features: tuple[tuple[str, Feature], ...]  # sorted by name, each once

    def __mul__(self, other: "Abstraction") -> "Abstraction":
        if EVERYTHING in (self, other):
            return EVERYTHING
        joined = dict(self.features)
        for name, feature in other.features:
            if joined.setdefault(name, feature) is not feature:
                raise AbstractionError(f"two different features are called {name!r}; rename one")
        return Abstraction(tuple(sorted(joined.items())))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Abstraction) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def name(self) -> str:
        """Text that `parse_abstraction` reads back, the same for equal products."""
        return " * ".join(name for name, _ in self.features) or "nothing"

    def reveal(self, infoset: Infoset) -> tuple[Hashable, ...]:
        """What is left of `infoset`: equal for two that the abstraction merges."""
        return tuple(feature(infoset) for _, feature in self.features)

    def describe(self, infoset: Infoset) -> str:
        """The revealed part in words, as ``name=value``; empty values are left out."""
        if self == EVERYTHING:
            return str(infoset)
        shown = ((name, feature(infoset)) for name, feature in self.features)
        return " ".join(f"{name}={value}" for name, value in shown if value != "")


def reveal(name: str, feature: Feature) -> Abstraction:
    """The abstraction that shows only `feature` of an information set, called `name`."""
    return Abstraction(((name, feature),))


@cache
def fact(name: str) -> Abstraction:
    """The abstraction that shows one fact of an information set, None where it is missing."""
    return reveal(name, lambda infoset: dict(infoset.facts).get(name))


NOTHING = Abstraction(())
EVERYTHING = reveal("everything", lambda infoset: infoset)
PLAYER = reveal("player", lambda infoset: infoset.player)
ACTIONS = reveal("actions", lambda infoset: infoset.actions)

_COMMON = {"nothing": NOTHING, "everything": EVERYTHING, "player": PLAYER, "actions": ACTIONS}


def parse_abstraction(text: str, game: Game, facts: frozenset[str]) -> Abstraction:
    """Read a product such as ``rank * board_rank * history``.

    The words are those common to all games, the features of `game`, and `facts`, the names that
    its information sets use.
    """
    known = {name: fact(name) for name in facts}
    known |= {name: reveal(name, feature) for name, feature in game.features.items()}
    known |= _COMMON
    product = NOTHING
    for word in text.split("*"):
        name = word.strip()
        if name not in known:
            raise UnknownNameError(f"feature of {game.word}", name, known)
        product = product * known[name]
    return product
