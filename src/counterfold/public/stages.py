"""When players of a variant look at their cards, and how choices change what they play with."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.street import Auction, Choice, Deal, Discard, Street, Swap

EACH_SEAT = -1

Counts = tuple[int, int]  # of cards, by seat


@dataclass(frozen=True)
class PathStep:
    """One digit of hand paths: how a choice changes the cards that seats play with.

    At a `draw` each seat's path has its own digit: 0 if it kept its cards, 1 + place if it
    discarded. A card that a seat lays onto the board is a digit of both paths: its place. To `win`
    a card at an auction, or a `look`, is a digit of each seat's path, 1 if it did.
    """

    kind: Literal["draw", "lay", "win", "look"]
    n_choices: int
    seat: int = EACH_SEAT  # that lays a card
    round: int = 0  # how many choices of the variant came before, as `betting_kernels.ROUND`


@dataclass(frozen=True)
class CardStage:
    """When a player may look at its cards: at turns of a choice, or at the betting of a street.

    Hands change in one way at most since the stage before: by its choice, or by chance. Where they
    change in two, a stage lies between at which nobody acts.
    """

    street: int
    turns: tuple[int, ...]  # as `N_ACTIONS` counts them before the betting; none at the betting
    steps: tuple[PathStep, ...]  # all that came before, on all streets
    layer: int | None = None  # seat that lays a card onto the board now
    bids: Literal["", "card", "look"] = ""  # what players bid for now
    asks: bool = True  # whether a player may act now
    n_dealt: int = 0  # cards on the board that chance has dealt
    grown: Counts = (0, 0)  # cards that chance has added to each hand
    chance: Swap | Deal | None = None  # what chance has just done to the hands

    @property
    def before_draw(self) -> bool:
        """Whether the player to act chooses what becomes of its cards."""
        return bool(self.turns) and not self.bids

    @property
    def n_paths(self) -> int:
        """How many hand paths lead here."""
        return prod(step.n_choices for step in self.steps)

    def n_held(self, seat: int, hole_cards: int) -> int:
        """How many cards a seat may have at most that was dealt `hole_cards` at first."""
        laid = sum(step.kind == "lay" and step.seat == seat for step in self.steps)
        won = sum(step.kind == "win" for step in self.steps)
        return hole_cards + self.grown[seat] + won - laid

    @property
    def n_laid(self) -> int:
        """How many cards players have laid onto the board."""
        return sum(step.kind == "lay" for step in self.steps)

    @property
    def n_on_board(self) -> int:
        """Cards on the board; those still to come on its street are not there yet."""
        return self.n_dealt + self.n_laid

    @property
    def looks(self) -> tuple[PathStep, ...]:
        """The auctions for a look so far."""
        return tuple(step for step in self.steps if step.kind == "look")


def card_stages(variant: Variant) -> tuple[CardStage, ...]:
    """The stages of a variant in the order of play, including those of runs."""
    walk = _StageWalk(variant)
    for at in range(len(variant.streets) + variant.max_runs):
        walk.pass_street(at, variant.streets[min(at, len(variant.streets) - 1)])
    return tuple(walk.stages)


@dataclass
class _StageWalk:
    """A hand as far as it has come, and the stages on the way."""

    variant: Variant
    stages: list[CardStage] = field(default_factory=list)
    steps: tuple[PathStep, ...] = ()
    n_dealt: int = 0
    grown: Counts = (0, 0)
    chance: Swap | Deal | None = None
    round: int = 0
    changed: bool = True  # whether hands have changed since the last stage; at first they are dealt

    def pass_street(self, at: int, street: Street) -> None:
        """All stages of a street."""
        self.n_dealt += street.cards
        place = 0
        for step in street.steps:
            if isinstance(step, Discard | Auction):
                self._choose(at, place * betting.TURNS, step)
                place += 1
            else:
                self._change(at, step)
        self._add(at, asks=street.betting)

    def _change(self, at: int, step: Swap | Deal) -> None:
        if isinstance(step, Swap) or any(step.holes):
            if self.changed:
                self._add(at, asks=False)
            self.chance, self.changed = step, True
        if isinstance(step, Deal):
            self.n_dealt += step.board
            self.grown = self.grown[0] + step.holes[0], self.grown[1] + step.holes[1]

    def _choose(self, at: int, first: int, choice: Choice) -> None:
        """The turns at which the cards are the same, and what is chosen there."""
        held = [self._n_held(seat) for seat in (0, 1)]
        if isinstance(choice, Discard) and choice.to_board:
            for turn, seat in enumerate((choice.first, 1 - choice.first)):
                self._add(at, (first + turn,), layer=seat)
                self._extend(PathStep("lay", held[seat], seat, self.round))
        else:
            bids = choice.prize if isinstance(choice, Auction) else ""
            self._add(at, (first, first + 1), bids=bids)
            if not bids:
                self._extend(PathStep("draw", max(held) + 1, round=self.round))
            else:
                self._extend(PathStep("win" if bids == "card" else "look", 2, round=self.round))
        self.round += 1

    def _n_held(self, seat: int) -> int:
        stage = CardStage(0, (), self.steps, grown=self.grown)
        return stage.n_held(seat, self.variant.hole_cards)

    def _extend(self, step: PathStep) -> None:
        self.steps += (step,)
        self.changed = True

    def _add(
        self,
        at: int,
        turns: tuple[int, ...] = (),
        *,
        layer: int | None = None,
        bids: Literal["", "card", "look"] = "",
        asks: bool = True,
    ) -> None:
        self.stages.append(
            CardStage(
                at,
                turns,
                self.steps,
                layer,
                bids,
                asks,
                self.n_dealt,
                self.grown,
                self.chance,
            )
        )
        self.chance, self.changed = None, False


def stage_table(stages: Sequence[CardStage]) -> NDArray[np.int64]:
    """[streets, 1 + turns] the stage of each street's betting, then of the turns before it."""
    turns = [turn for stage in stages for turn in stage.turns]
    table = np.zeros((stages[-1].street + 1, 2 + max(turns, default=0)), np.int64)
    for index, stage in enumerate(stages):
        table[stage.street, [1 + turn for turn in stage.turns] or 0] = index
    return table


def is_laid(variant: Variant) -> list[bool]:
    """Whether each card of the board, in the order in which they come, is laid by a player."""
    places: list[bool] = []
    for street in variant.streets:
        places += [False] * street.cards
        for step in street.steps:
            if isinstance(step, Discard) and step.to_board:
                places += [True] * (2 * step.count)
            elif isinstance(step, Deal):
                places += [False] * step.board
    return places


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
