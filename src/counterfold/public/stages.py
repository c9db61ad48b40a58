"""When players of a variant look at their cards, and how choices change what they play with."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.card_sets_kernels import FIRST_SETS
from counterfold.games.holdem.street import (
    Auction,
    Choice,
    Deal,
    Discard,
    Street,
    Swap,
    count_rounds,
)

EACH_SEAT = -1
_DRAW = Discard()
DEALT, LAID, SHOWN = "dealt", "laid", "shown"  # how a card comes that both see

Counts = tuple[int, int]  # of cards, by seat


@dataclass(frozen=True)
class PathStep:
    """One digit of hand paths: how a choice changes the cards that seats play with.

    At a `draw` each seat's path has its own digit: 0 if it kept its cards, 1 + place if it
    discarded. To `win` a card at an auction, or a `look`, is a digit of each seat's path, 1 if it
    did. Where seats `give` cards away in any other way, a digit is the number of the set of cards,
    in the order of their sizes and with 0 for none, if that may be. Cards that the opponent sees
    are a digit of both paths, and each seat has a step of its own.
    """

    kind: Literal["draw", "give", "win", "look"]
    n_choices: int
    seat: int = EACH_SEAT  # that gives cards away
    discard: Discard = _DRAW  # the rules by which it does
    n_held: int = 0  # most cards of which it does
    round: int = 0  # how many came before, as `betting_kernels.ROUND`

    @property
    def shared(self) -> bool:
        """Whether it is a digit of both paths."""
        return self.seat != EACH_SEAT

    @property
    def first_set(self) -> int:
        """The number of the first set that may be given away, of `card_sets_kernels`."""
        return int(FIRST_SETS[self.n_held, self.discard.count]) if self.discard.forced else 0

    @property
    def way(self) -> str | None:
        """How cards come that both see: laid or shown; None if the opponent does not."""
        if not self.discard.public:
            return None
        return LAID if self.discard.to_board else SHOWN

    @property
    def may_keep(self) -> bool:
        """Whether a seat may keep all its cards."""
        return not self.discard.forced

    @property
    def is_auction(self) -> bool:
        """Whether seats have bid."""
        return self.kind in ("win", "look")

    def gives(self, seat: int) -> bool:
        """Whether a seat gives cards away."""
        return self.kind == "give" and self.seat in (seat, EACH_SEAT)

    def digit(self, number: int | None) -> int:
        """The digit for a set of cards, None for keeping all."""
        if number is None:
            return 0
        return number - self.first_set + self.may_keep


@dataclass(frozen=True)
class CardStage:
    """When a player may look at its cards: at turns of a choice, or at the betting of a street.

    Hands change in one way at most since the stage before: by its choice, or by chance. Where they
    change in two, a stage lies between at which nobody acts.
    """

    street: int
    turns: tuple[int, ...]  # as `N_ACTIONS` counts them before the betting; none at the betting
    steps: tuple[PathStep, ...]  # all that came before, on all streets
    choice: PathStep | None = None  # what is chosen now
    asks: bool = True  # whether a player may act now
    n_dealt: int = 0  # cards on the board that chance has dealt
    grown: Counts = (0, 0)  # cards that chance has added to each hand
    chance: Swap | Deal | None = None  # what chance has just done to the hands

    @property
    def bids(self) -> Literal["", "card", "look"]:
        """What players bid for now."""
        kind = "" if self.choice is None else self.choice.kind
        return "card" if kind == "win" else "look" if kind == "look" else ""

    @property
    def before_draw(self) -> bool:
        """Whether the player to act chooses what becomes of its cards."""
        return self.choice is not None and not self.bids

    @property
    def gives(self) -> bool:
        """Whether a set of cards is given away now."""
        return self.choice is not None and self.choice.kind == "give"

    @property
    def givers(self) -> tuple[int, ...]:
        """The seats that give cards away now; their hands are kept in the order of such cards."""
        return tuple(seat for seat in (0, 1) if self.choice is not None and self.choice.gives(seat))

    @property
    def n_paths(self) -> int:
        """How many hand paths lead here."""
        return prod(step.n_choices for step in self.steps)

    @property
    def resized(self) -> bool:
        """Whether hands or boards may have other sizes than at first, or differ by hand path."""
        return any(
            step.kind == "give" and (step.discard.to_board or not step.discard.redraw)
            for step in self.steps
        )

    def n_held(self, seat: int, hole_cards: int) -> int:
        """How many cards a seat may have at most that was dealt `hole_cards` at first."""
        won = sum(step.kind == "win" for step in self.steps)
        gone = [step.discard for step in self.steps if step.gives(seat)]
        lost = sum(each.count for each in gone if each.forced and not each.redraw)
        return hole_cards + self.grown[seat] + won - lost

    @property
    def n_laid(self) -> int:
        """How many cards players may have laid onto the board."""
        gone = [step.discard for step in self.steps if step.kind == "give"]
        return sum(each.count for each in gone if each.to_board)

    @property
    def n_shown(self) -> int:
        """How many cards players may have shown that are dead."""
        gone = [step.discard for step in self.steps if step.kind == "give"]
        return sum(each.count for each in gone if each.shown and not each.to_board)

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
        if isinstance(choice, Auction):
            kind: Literal["win", "look"] = "win" if choice.prize == "card" else "look"
            self._ask(at, (first, first + 1), PathStep(kind, 2, round=self.round))
        elif not self.variant.gives_cards:
            step = PathStep("draw", max(held) + 1, discard=choice, round=self.round)
            self._ask(at, (first, first + 1), step)
        elif not shares_paths(self.variant, choice):
            turns = first, first + choice.count
            self._ask(at, turns, _give(choice, EACH_SEAT, max(held), self.round))
        else:
            for turn, seat in ((0, choice.first), (choice.count, 1 - choice.first)):
                self._ask(at, (first + turn,), _give(choice, seat, held[seat], self.round))
        self.round += count_rounds(choice)

    def _ask(self, at: int, turns: tuple[int, ...], step: PathStep) -> None:
        """A stage at which seats choose, and what it changes."""
        self._add(at, turns, step)
        self.steps += (step,)
        self.changed = True

    def _n_held(self, seat: int) -> int:
        stage = CardStage(0, (), self.steps, grown=self.grown)
        return stage.n_held(seat, self.variant.hole_cards)

    def _add(
        self,
        at: int,
        turns: tuple[int, ...] = (),
        choice: PathStep | None = None,
        *,
        asks: bool = True,
    ) -> None:
        self.stages.append(
            CardStage(
                at,
                turns,
                self.steps,
                choice,
                asks,
                self.n_dealt,
                self.grown,
                self.chance,
            )
        )
        self.chance, self.changed = None, False


def _give(discard: Discard, seat: int, n_held: int, round_: int) -> PathStep:
    stop = int(FIRST_SETS[n_held, discard.count + 1])
    start = int(FIRST_SETS[n_held, discard.count]) if discard.forced else 0
    n_choices = stop - start + (not discard.forced)
    return PathStep("give", n_choices, seat, discard, n_held, round_)


def shares_paths(variant: Variant, discard: Discard) -> bool:
    """Whether what is given away is a digit of both hand paths.

    It is if the opponent sees the cards. Where others may come to the board later, it is, too: they
    depend on what a hand has become.
    """
    return discard.public or any(
        isinstance(step, Discard) and step.public for step in variant.steps
    )


def stage_table(stages: Sequence[CardStage]) -> NDArray[np.int64]:
    """[streets, 1 + turns] the stage of each street's betting, then of the turns before it."""
    turns = [turn for stage in stages for turn in stage.turns]
    table = np.zeros((stages[-1].street + 1, 2 + max(turns, default=0)), np.int64)
    for index, stage in enumerate(stages):
        table[stage.street, [1 + turn for turn in stage.turns] or 0] = index
    return table


def seen_cards(variant: Variant, stage: CardStage) -> list[str]:
    """How each card that both see comes at a stage, in their order: dealt, laid or shown.

    Of a set of cards that may have fewer there are as many as there may be.
    """
    left = {DEALT: stage.n_dealt, LAID: stage.n_laid, SHOWN: stage.n_shown}
    found: list[str] = []
    for street in variant.streets:
        ways = [DEALT] * street.cards
        for step in street.steps:
            if isinstance(step, Deal):
                ways += [DEALT] * step.board
            elif isinstance(step, Discard) and step.public:
                ways += [LAID if step.to_board else SHOWN] * 2 * step.count
        for way in ways:
            if left[way] > 0:
                left[way] -= 1
                found.append(way)
    return [*found, *[DEALT] * left[DEALT]]  # a run


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
