"""What the steps of a variant ask of its players: cards to give away, chips to bid."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from counterfold.cards.ranking import MIN_CARDS
from counterfold.errors import CounterfoldError, GameError
from counterfold.games.holdem.street import MAX_ROUNDS, Deal, Discard, count_rounds

if TYPE_CHECKING:
    from counterfold.games.holdem.variant import Variant


def check_hands(variant: "Variant") -> None:
    """Raise `GameError` unless each player has the cards and chips that steps ask for, and a card
    left for the showdown.
    """
    if (rounds := sum(count_rounds(step) for step in variant.steps)) > MAX_ROUNDS:
        raise GameError(
            f"steps have {rounds} cards to discard or bid for, more than {MAX_ROUNDS}; use fewer "
            "steps, or a smaller count"
        )
    least = variant.hole_cards
    for at, street in enumerate(variant.streets):
        for step in street.steps:
            if isinstance(step, Discard):
                with in_place(f"street {at}"):
                    _check_count(step, least)
                least -= 0 if step.redraw else step.count
            elif isinstance(step, Deal):
                least += min(step.holes)  # the shorter hand counts
    if (
        any(step.unequal for step in variant.steps)
        and least + variant.board_cards_dealt < MIN_CARDS
    ):
        raise GameError(
            f"hands of different sizes are compared only from {MIN_CARDS} cards on, "
            f"but a player may have {least + variant.board_cards_dealt}"
        )
    if variant.has_auctions and not variant.has_stacks:
        raise GameError("stack must be given if there is an auction, such as 100")
    forced = variant.ante + max(variant.blinds)
    if variant.stack == forced and variant.has_auctions:
        raise GameError(
            f"stack {variant.stack} leaves nothing to bid at an auction after blind and ante; it "
            f"must be {forced + 1} or more"
        )


def _check_count(step: Discard, least: int) -> None:
    """Raise `GameError` unless a player of `least` hole cards can give `step.count` away."""
    most = least - 1 + step.redraw
    held = f"a player may have {least} hole card{'s' * (least != 1)} here"
    if most < 1:
        raise GameError(
            f"a discard of {step.count} without redraw would leave no hole card, for {held}; set "
            "hole_cards higher, or redraw to true"
        )
    if step.count > most:
        raise GameError(f"count of discard must be at most {most}, for {held}, not {step.count}")


@contextmanager
def in_place(place: str) -> Iterator[None]:
    """Prefix errors with `place`, if there is one."""
    try:
        yield
    except CounterfoldError as error:
        raise GameError(f"{place}: {error}" if place else str(error)) from error
