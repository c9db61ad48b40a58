"""Features of public situations: what an abstraction may reveal about the betting.

A feature is a function of `Situations`, written once and used in two ways: on whole columns when a
public graph is compiled, and on a single situation when an exact state is examined. The product of
features decides which nodes of a graph share their strategy. The player, the street's cards and the
actions offered always distinguish nodes, whatever the product: a strategy makes no sense without
them.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from counterfold.call_text import make, read_call
from counterfold.errors import AbstractionError, UnknownNameError
from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting

Label = Any  # an integer, or an array of them
CARDS = "cards"  # represents the buckets of the cards in a product
HISTORY = "history"  # the whole betting; needs a graph whose nodes are histories
MAX_STEPS = 10_000


@dataclass(frozen=True, eq=False)
class Situations:
    """One public situation or columns of many; numbers or arrays, the formulas are the same."""

    variant: Variant
    fields: Sequence[Any]  # as `games.holdem.betting_kernels` numbers them
    offers: Label = 0  # a number for each set of actions that the menu offers
    histories: Label = 0  # a number for each betting history

    @property
    def player(self) -> Label:
        """The seat that acts."""
        return self.fields[betting.ACTOR]

    @property
    def street(self) -> Label:
        """0 before the flop; the streets of a run count as the last one."""
        return np.minimum(self.fields[betting.STREET], len(self.variant.streets) - 1)

    @property
    def run(self) -> Label:
        """How many cards of a run are on the board."""
        return np.maximum(self.fields[betting.STREET] - (len(self.variant.streets) - 1), 0)

    @property
    def final(self) -> Label:
        """1 if a showdown follows this street's betting, 0 if another card does.

        On the last street and in a run the suit of the last card tells, so everybody knows it.
        """
        return self.fields[betting.FINAL]

    @property
    def pot(self) -> Label:
        """Chips that both have put in."""
        bets = self.fields[betting.SPENT_0] + self.fields[betting.SPENT_1]
        return bets + self.fields[betting.PAID_0] + self.fields[betting.PAID_1]

    @property
    def to_call(self) -> Label:
        """Chips to add to stay in."""
        return np.abs(self.fields[betting.SPENT_0] - self.fields[betting.SPENT_1])

    @property
    def raises(self) -> Label:
        """Bets and raises on this street, a big blind included."""
        return self.fields[betting.N_BETS]

    def discards(self, *, opponent: bool) -> Label:
        """In which drawing rounds a seat discarded, as a set of bits."""
        seat = 1 - self.player if opponent else self.player
        return (self.fields[betting.DREW] >> seat) & 0x5555_5555


PublicFeature = Callable[[Situations], Label]


def linear_pot(steps: int) -> PublicFeature:
    """The pot in equal steps from zero to the largest possible."""

    _check_steps("linear_pot", steps)

    def label(situations: Situations) -> Label:
        most = 2 * _most_chips(situations.variant)
        return np.minimum(steps * np.int64(situations.pot) // most, steps - 1)

    return label


@lru_cache
def _most_chips(variant: Variant) -> int:
    """The most that a seat can put in: its stack, or all the bets of a fixed limit."""
    if variant.betting != "limit":
        return variant.stack
    bets = sum(street.max_bets * street.bet for street in variant.streets)
    if variant.blinds[0] != variant.blinds[1]:  # the larger one is the first bet
        bets -= variant.streets[0].bet
    return min(variant.stack, variant.ante + max(variant.blinds) + bets)


def pot_odds(steps: int) -> PublicFeature:
    """The price of a call as a share of the pot after it, in equal steps from 0 to one half."""

    _check_steps("pot_odds", steps)

    def label(situations: Situations) -> Label:
        total = np.int64(situations.pot) + situations.to_call
        return np.minimum(2 * steps * np.int64(situations.to_call) // total, steps - 1)

    return label


FEATURES: Mapping[str, PublicFeature] = {
    "player": lambda s: s.player,
    "street": lambda s: s.street,
    "run": lambda s: s.run,
    "final": lambda s: s.final,
    "pot": lambda s: s.pot,
    "to_call": lambda s: s.to_call,
    "raises": lambda s: s.raises,
    "opponent_discarded": lambda s: s.discards(opponent=True),
    "self_discarded": lambda s: s.discards(opponent=False),
    "actions": lambda s: s.offers,
    HISTORY: lambda s: s.histories,
}
STEPPED: Mapping[str, Callable[[int], PublicFeature]] = {
    "linear_pot": linear_pot,
    "pot_odds": pot_odds,
}


@lru_cache
def parse_public_feature(text: str) -> PublicFeature | None:
    """The feature that `text` names, such as `street` or `linear_pot(20)`; or None."""
    if text in FEATURES:
        return FEATURES[text]
    word, parenthesis, _ = text.partition("(")
    if not parenthesis or word.strip() not in STEPPED:
        return None
    call = read_call(text, AbstractionError, "public feature", f"{word.strip()}(20)")
    return make(STEPPED[call.word], call, AbstractionError, kinds={})


def _check_steps(word: str, steps: int) -> None:
    if not 1 <= steps <= MAX_STEPS:
        raise AbstractionError(f"'{word}({steps})' has {steps} steps; write 1 to {MAX_STEPS}")


@dataclass(frozen=True)
class PublicAbstraction:
    """A product of public features by their names, and whether the cards are among them."""

    names: tuple[str, ...]  # sorted, each once, `cards` left out
    cards: bool = True

    @property
    def name(self) -> str:
        """Text that `parse_public_abstraction` reads back."""
        names = (*self.names, CARDS) if self.cards else self.names
        return " * ".join(sorted(names)) or "nothing"

    @property
    def needs_histories(self) -> bool:
        """Whether nodes of the graph must not merge."""
        return HISTORY in self.names

    def labels(self, situations: Situations) -> list[Label]:
        """The value of each feature."""
        return [_feature(name)(situations) for name in self.names]


def parse_public_abstraction(text: str) -> PublicAbstraction:
    """Read a product such as ``run * street * player * linear_pot(20) * cards * actions``."""
    names = {re.sub(r"\s+", "", word) for word in text.split("*")}
    if "" in names:
        raise AbstractionError(f"a feature is missing in {text!r}; separate features with *")
    for name in names - {CARDS, "nothing"}:
        _feature(name)
    return PublicAbstraction(tuple(sorted(names - {CARDS, "nothing"})), CARDS in names)


def _feature(name: str) -> PublicFeature:
    feature = parse_public_feature(name)
    if feature is None:
        known = [*FEATURES, CARDS, "nothing", *(f"{word}(20)" for word in STEPPED)]
        raise UnknownNameError("public feature", name, known)
    return feature
