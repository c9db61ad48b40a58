"""What one seat knows about a hand, and how that grows as the hand proceeds.

A view is all that a bot is shown. It has no room for the opponent's cards, so that nothing can
leak: the dealer derives it from an exact state, a client grows its own from what an engine tells
it, and both get the same. Betting is followed by the rules in `games.holdem.betting_kernels`;
actions are written as in `games.holdem`.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from counterfold.cards import format_card, format_cards, parse_card, showdown_strength
from counterfold.errors import CardError, IllegalActionError
from counterfold.games import Infoset
from counterfold.games.holdem import HoldemState, Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import CALL, CHECK, DISCARD, FOLD, KEEP, RAISE
from counterfold.games.holdem.state import (
    DEALT,
    DRAWN,
    LAST_DEALT,
    SWAPPED,
    Situation,
    after_bet,
    raise_bounds,
)

# What a view may await instead of the place of a card: nothing, or the hand after a street's swaps.
NO_PLACE, SWAPS = -1, -2

_CARD = "[2-9TJQKA][cdhs]"
_EVENT = re.compile(rf"r[0-9]+|d(?:{_CARD})?|[fkcs/!]")


@dataclass(frozen=True, slots=True)
class View:
    """One seat's knowledge at one point of a hand."""

    variant: Variant = field(repr=False)
    seat: int
    hole: tuple[int, ...]  # the highest first; a drawn card takes the place of the old one
    situation: Situation
    board: tuple[tuple[int, ...], ...] = ()  # by street, each the highest card first
    draws: str = ""  # this seat's own, `-6c+Kd`, and `/~Ah~Qd` for a street that swaps
    history: str = ""  # what both saw
    awaited: int = NO_PLACE  # place of a hole card that was discarded and not replaced, or `SWAPS`
    clock_seconds: float | None = field(default=None, compare=False)  # left; None for no clock

    @property
    def phase(self) -> int:
        """What the hand waits for: a phase of `games.holdem.betting_kernels`."""
        return self.situation[betting.PHASE]

    @property
    def street(self) -> int:
        """Number of the street; runs count on."""
        return self.situation[betting.STREET]

    @property
    def my_turn(self) -> bool:
        """Whether this seat must act."""
        acting = self.phase in (betting.BET, betting.DRAW) and self.awaited == NO_PLACE
        return acting and self.situation[betting.ACTOR] == self.seat

    @property
    def over(self) -> bool:
        """Whether the hand has come to a fold or a showdown."""
        return self.phase in (betting.FOLDED, betting.SHOWDOWN) and self.awaited == NO_PLACE

    @property
    def all_in(self) -> bool:
        """Whether the players are all-in, so that nobody bets anymore."""
        return min(self.spent) == self.variant.stack

    @property
    def spent(self) -> tuple[int, int]:
        """Chips that each seat has put in."""
        return self.situation[betting.SPENT_0], self.situation[betting.SPENT_1]

    @property
    def pot(self) -> int:
        """Chips that both seats have put in."""
        return sum(self.spent)

    @property
    def to_call(self) -> int:
        """Chips that the seat to act must add to stay in."""
        return abs(self.spent[0] - self.spent[1])

    @property
    def board_cards(self) -> tuple[int, ...]:
        """The board of all streets."""
        return tuple(card for street in self.board for card in street)

    @property
    def seen_cards(self) -> frozenset[int]:
        """All cards that this seat has seen: its hand, the board, and discards."""
        gone = [*re.findall(_CARD, self.draws), *re.findall(f"d({_CARD})", self.history)]
        return frozenset((*self.hole, *self.board_cards, *map(parse_card, gone)))

    @property
    def infoset(self) -> Infoset:
        """The information set of this seat, where it acts; lists every legal raise."""
        facts = (
            ("cards", format_cards(sorted(self.hole, reverse=True))),
            ("draws", self.draws),
            ("board", DEALT.join(format_cards(cards) for cards in self.board)),
            ("history", self.history),
        )
        return Infoset(self.seat, self.actions(), facts)

    def raise_bounds(self) -> tuple[int, int] | None:
        """Smallest and largest street total to bet or raise to, or None where one may not."""
        return raise_bounds(self.variant, self.situation) if self.phase == betting.BET else None

    def plain_actions(self) -> tuple[str, ...]:
        """The legal actions of this seat except bets and raises."""
        if not self.my_turn:
            return ()
        if self.phase == betting.DRAW:
            hole = sorted(self.hole, reverse=True)
            return (KEEP, *(DISCARD + format_card(card) for card in hole))
        if self.to_call:
            return (FOLD, CALL)
        return (FOLD, CHECK) if self.variant.fold_when_free else (CHECK,)

    def actions(self) -> tuple[str, ...]:
        """All legal actions of this seat; bets and raises one by one."""
        bounds = self.raise_bounds() if self.my_turn else None
        totals = range(bounds[0], bounds[1] + 1) if bounds else ()
        return (*self.plain_actions(), *(f"{RAISE}{total}" for total in totals))

    def is_legal(self, action: object) -> bool:
        """Whether this seat may do `action` now."""
        return isinstance(action, str) and self.my_turn and self._after(action) is not None

    @property
    def passive_action(self) -> str:
        """What a seat that does not answer does: keep, check, or else fold."""
        if self.phase == betting.DRAW:
            return KEEP
        return FOLD if self.to_call else CHECK

    def after(self, action: str) -> "View":
        """The view once the seat to act has done `action`.

        A discard of the opponent is `d` alone, unless the variant shows the card.
        """
        after = self._after(action)
        if after is None:
            raise IllegalActionError(
                f"action {action!r} is not legal for seat {self.situation[betting.ACTOR]} in {self}"
            )
        return after

    def after_board(self, cards: Iterable[int]) -> "View":
        """The view once `cards` of the next street are dealt."""
        variant, street = self.variant, self.street + 1
        last = len(variant.streets) - 1
        if self.phase != betting.DEAL or self.awaited != NO_PLACE:
            raise CardError(f"no street is dealt in {self}")
        rules = variant.streets[min(street, last)]
        dealt = self._check_cards(cards, rules.cards)
        runs = bool(variant.run_suits) and street >= last
        goes_on = runs and format_card(dealt[-1])[1] in variant.run_suits
        situation = betting.after_deal(variant.rules, self.situation, goes_on)
        sign = LAST_DEALT if runs and situation[betting.FINAL] else DEALT
        board = (*self.board, tuple(sorted(dealt, reverse=True)))
        return replace(
            self,
            situation=situation,
            board=board,
            draws=self.draws + (DEALT if rules.swap else ""),
            history=self.history + sign,
            awaited=SWAPS if rules.swap else NO_PLACE,
        )

    def after_swaps(self, hole: Iterable[int]) -> "View":
        """The view once the swaps of a street have left this seat with `hole`, place by place."""
        now = tuple(hole)
        if self.awaited != SWAPS or len(now) != len(self.hole):
            raise CardError(f"no swap leads to {format_cards(now)} in {self}")
        changes = [(old, new) for old, new in zip(self.hole, now, strict=True) if old != new]
        self._check_cards([new for _, new in changes], len(changes))
        draws = "".join(SWAPPED + format_card(card) for change in changes for card in change)
        return replace(self, hole=now, draws=self.draws + draws, awaited=NO_PLACE)

    def after_drawn(self, card: int) -> "View":
        """The view once this seat has got `card` for the one it discarded."""
        if self.awaited < 0:
            raise CardError(f"no card is drawn in {self}")
        (card,) = self._check_cards([card], 1)
        hole = (*self.hole[: self.awaited], card, *self.hole[self.awaited + 1 :])
        draws = self.draws + DRAWN + format_card(card)
        return replace(self, hole=hole, draws=draws, awaited=NO_PLACE)

    def with_clock(self, seconds: float | None) -> "View":
        """The same with `seconds` left on the clock."""
        return replace(self, clock_seconds=seconds)

    def winnings(self, opponent_hole: Iterable[int] = ()) -> int:
        """Chips that this seat has won, once the hand is over; a showdown needs both hands."""
        if self.phase == betting.FOLDED:
            loser = self.situation[betting.ACTOR]
        else:
            theirs = self._check_cards(opponent_hole, self.variant.hole_cards)
            first_flush_suit_only = self.variant.first_flush_suit_only
            strengths = [
                showdown_strength(
                    [*hole, *self.board_cards], first_flush_suit_only=first_flush_suit_only
                )
                for hole in (self.hole, theirs)
            ]
            if strengths[0] == strengths[1]:
                return 0
            loser = self.seat if strengths[0] < strengths[1] else 1 - self.seat
        chips = self.spent[loser]
        return -chips if loser == self.seat else chips

    def __str__(self) -> str:
        board = " ".join(format_cards(cards) for cards in self.board)
        return (
            f"{self.variant.name}: seat {self.seat} with {format_cards(self.hole)} "
            f"on {board or 'no board'} after {self.history or 'nothing'}"
        )

    def _after(self, action: str) -> "View | None":
        if self.phase == betting.BET and self.awaited == NO_PLACE:
            situation = after_bet(self.variant, self.situation, action)
            if situation is None:
                return None
            return replace(self, situation=situation, history=self.history + action)
        if self.phase == betting.DRAW and self.awaited == NO_PLACE:
            return self._draw(action)
        return None

    def _draw(self, action: str) -> "View | None":
        rules = self.variant.rules
        draw = self.variant.streets[self.street].draw
        shown = draw is not None and draw.shown
        if action == KEEP:
            situation = betting.after_draw(rules, self.situation, False)
            return replace(self, situation=situation, history=self.history + KEEP)
        mine = self.situation[betting.ACTOR] == self.seat
        place, draws = NO_PLACE, self.draws
        if mine:
            names = [DISCARD + format_card(card) for card in self.hole]
            if action not in names:
                return None
            place = names.index(action)
            draws += "-" + action[1:]
        elif not re.fullmatch(DISCARD + (_CARD if shown else ""), action):
            return None
        situation = betting.after_draw(rules, self.situation, True)
        sign = action if shown else DISCARD
        return replace(
            self, situation=situation, awaited=place, draws=draws, history=self.history + sign
        )

    def _check_cards(self, cards: Iterable[int], n: int) -> tuple[int, ...]:
        """The cards, if they are `n` that this seat has not seen elsewhere."""
        dealt = tuple(self.variant.deck.check([*cards]).tolist())
        if len(dealt) != n:
            raise CardError(f"{len(dealt)} cards were dealt, not {n}, in {self}")
        seen = self.seen_cards
        for card in dealt:
            if card in seen:
                raise CardError(f"card {format_card(card)} was dealt twice in {self}")
        return dealt


def first_view(variant: Variant, seat: int, hole: Iterable[int]) -> View:
    """What `seat` knows once it has got its hole cards."""
    cards = variant.deck.check([*hole]).tolist()
    if len(cards) != variant.hole_cards:
        raise CardError(f"seat {seat} was dealt {len(cards)} hole cards, not {variant.hole_cards}")
    situation = betting.first_situation(variant.rules)
    return View(variant, seat, tuple(sorted(cards, reverse=True)), situation)


def view_of(state: HoldemState, seat: int, clock_seconds: float | None = None) -> View:
    """What `seat` knows in `state`, in which hole cards are dealt and nature owes nothing."""
    return View(
        state.variant,
        seat,
        state.holes[seat],
        state.situation,
        state.board,
        state.draws[seat],
        state.history,
        clock_seconds=clock_seconds,
    )


def split_history(history: str) -> tuple[str, ...]:
    """The public events of a history one by one: actions, and `/` or `!` for a street dealt."""
    return tuple(_EVENT.findall(history))
