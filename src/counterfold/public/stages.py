"""When players of a variant look at their cards, and how choices change what they play with."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.street import Discard, Street

EACH_SEAT = -1


@dataclass(frozen=True)
class PathStep:
    """One digit of hand paths: how a choice changes the cards that seats play with.

    At a `draw` each seat's path has its own digit: 0 if it kept its cards, 1 + place if it
    discarded. A card that a seat lays onto the board is a digit of both paths: its place. To `win`
    an auction is a digit of each seat's path, 1 if it did.
    """

    kind: Literal["draw", "lay", "win"]
    n_choices: int
    seat: int = EACH_SEAT  # that lays a card


@dataclass(frozen=True)
class CardStage:
    """When a player may look at its cards: at turns of a choice, or at the betting of a street."""

    street: int
    turns: tuple[int, ...]  # as `N_ACTIONS` counts them before the betting; none at the betting
    steps: tuple[PathStep, ...]  # all that came before, on all streets
    layer: int | None = None  # seat that lays a card onto the board now
    bids: bool = False  # whether players bid for a card now

    @property
    def before_draw(self) -> bool:
        """Whether the player to act chooses what becomes of its cards."""
        return bool(self.turns) and not self.bids

    @property
    def n_paths(self) -> int:
        """How many hand paths lead here."""
        return prod(step.n_choices for step in self.steps)

    def n_held(self, seat: int, hole_cards: int) -> int:
        """How many of its first `hole_cards` a seat still has."""
        return hole_cards - sum(step.kind == "lay" and step.seat == seat for step in self.steps)

    @property
    def n_laid(self) -> int:
        """How many cards players have laid onto the board."""
        return sum(step.kind == "lay" for step in self.steps)


def card_stages(variant: Variant) -> tuple[CardStage, ...]:
    """The stages of a variant in the order of play, including those of runs."""
    stages: list[CardStage] = []
    steps: tuple[PathStep, ...] = ()
    for at in range(len(variant.streets) + variant.max_runs):
        street = variant.streets[min(at, len(variant.streets) - 1)]
        for turns, step in _choices(variant, street, steps):
            layer = step.seat if step.kind == "lay" else None
            stages.append(CardStage(at, turns, steps, layer, step.kind == "win"))
            steps += (step,)
        stages.append(CardStage(at, (), steps))
    return tuple(stages)


def _choices(
    variant: Variant, street: Street, steps: tuple[PathStep, ...]
) -> Iterator[tuple[tuple[int, ...], PathStep]]:
    """The turns at which the cards are the same, and what is chosen there."""
    held = [variant.hole_cards - sum(s.seat == seat for s in steps) for seat in (0, 1)]
    for place, choice in enumerate(street.choices):
        first = place * betting.TURNS
        if isinstance(choice, Discard) and choice.to_board:
            for turn, seat in enumerate((choice.first, 1 - choice.first)):
                yield (first + turn,), PathStep("lay", held[seat], seat)
                held[seat] -= 1
        elif isinstance(choice, Discard):
            yield (first, first + 1), PathStep("draw", held[0] + 1)
        else:
            yield (first, first + 1), PathStep("win", 2)


def stage_table(stages: Sequence[CardStage]) -> NDArray[np.int64]:
    """[streets, 1 + turns] the stage of each street's betting, then of the turns before it."""
    turns = [turn for stage in stages for turn in stage.turns]
    table = np.zeros((stages[-1].street + 1, 2 + max(turns, default=0)), np.int64)
    for index, stage in enumerate(stages):
        table[stage.street, [1 + turn for turn in stage.turns] or 0] = index
    return table


def n_on_board(variant: Variant, stage: CardStage) -> int:
    """Cards on the board at a stage; those still to be laid on its street are not there yet."""
    most_laid = sum(street.laid for street in variant.streets[: stage.street + 1])
    return variant.board_cards(stage.street) - most_laid + stage.n_laid


def is_laid(variant: Variant) -> list[bool]:
    """Whether each card of the board, in the order in which they come, is laid by a player."""
    places: list[bool] = []
    for street in variant.streets:
        places += [False] * street.cards + [True] * street.laid
    return places


def laid_cards(variant: Variant, board: Sequence[int]) -> list[int]:
    """The cards of a board, in the order in which they came, that players have laid onto it."""
    return [card for card, laid in zip(board, is_laid(variant), strict=False) if laid]


class LayOrder(Protocol):
    """In which order a player thinks of laying its cards; it names the card it lays by that."""

    def sort(self, hole: Sequence[int], board: Sequence[int]) -> Sequence[int]:
        """The places of the cards of `hole` in that order."""
        ...


class LowestFirst:
    """From the lowest card up."""

    def sort(self, hole: Sequence[int], board: Sequence[int]) -> Sequence[int]:
        """The lowest card first."""
        return sorted(range(len(hole)), key=hole.__getitem__)

    def sort_many(self, hands: NDArray[np.uint8], hole_cards: int) -> NDArray[np.intp]:
        """[n, hole cards] the same for hands: hole cards, then the board."""
        return np.argsort(hands[:, :hole_cards], axis=1)


class DiscardOrder(Protocol):
    """Which of its cards a player thinks of discarding first; it names its discards by that."""

    def first(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """The place of that card in `hole`."""
        ...
