"""When players of a variant may look at their cards, and in which order they think of discards."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from counterfold.games.holdem import Variant


@dataclass(frozen=True)
class CardStage:
    """When a player may look at its cards: a street, before or after its draw."""

    street: int
    before_draw: bool  # the cards may still change on this street
    draws: int  # of a player, completed before


def card_stages(variant: Variant) -> tuple[CardStage, ...]:
    """The stages of a variant in the order of play, including those of runs."""
    stages = []
    draws = 0
    for at in range(len(variant.streets) + variant.max_runs):
        street = variant.streets[min(at, len(variant.streets) - 1)]
        if street.draw is not None:
            stages.append(CardStage(at, True, draws))
            draws += 1
        stages.append(CardStage(at, False, draws))
    return tuple(stages)


class DiscardOrder(Protocol):
    """Which of its cards a player thinks of discarding first; it names its discards by that."""

    def first(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """The place of that card in `hole`."""
        ...
