"""When players of a variant may look at their cards: street by street, around each draw."""

from dataclasses import dataclass

from counterfold.games.holdem import Variant


@dataclass(frozen=True)
class CardStage:
    """When a player may look at its cards: a street, before or after its draw."""

    street: int
    before_draw: bool  # the cards may still change on this street
    draws: int  # of a player, completed before


def card_stages(variant: Variant) -> tuple[CardStage, ...]:
    """The stages of a variant in the order of play, those of runs included."""
    stages = []
    draws = 0
    for at in range(len(variant.streets) + variant.max_runs):
        street = variant.streets[min(at, len(variant.streets) - 1)]
        if street.draw is not None:
            stages.append(CardStage(at, True, draws))
            draws += 1
        stages.append(CardStage(at, False, draws))
    return tuple(stages)
