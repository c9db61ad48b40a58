"""One point of one hand of a variant: what was dealt and done, and what may follow.

A state is the list of its events, written as people write them. Chance: `AhKs` for hole cards or a
board, `+Qd` for a card drawn after a discard, `~Qd` or `=` for a hole card that was swapped or was
not. Players: `f` fold, `k` check, `c` call, `r12` bet or raise to 12 chips on this street, `s` keep
the hand, `dAh` discard. Joined by spaces they are the notation of the state.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from counterfold.cards import format_card, format_cards, parse_cards, showdown_strength
from counterfold.errors import CardError, IllegalActionError
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import CALL, CHECK, DISCARD, FOLD, KEEP, RAISE
from counterfold.games.protocol import Infoset, Outcomes, illegal

if TYPE_CHECKING:
    from counterfold.games.holdem.variant import Street, Variant

DRAWN, SWAPPED, UNSWAPPED = "+", "~", "="
DEALT, LAST_DEALT = "/", "!"  # in a history; `!` where a run could have continued and does not

_RAISE_WORD = re.compile(r"r[1-9][0-9]{0,6}")  # chips up to the largest stack

MOST_LISTED = 1000  # outcomes of one deal; with more the game is too large for a tree anyway

Situation = tuple[int, ...]  # see `games.holdem.betting_kernels`
# What nature must deal before play continues: a hole card to draw, or perhaps to swap.
_DRAW, _SWAP = "draw", "swap"
Debt = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Deal:
    """`n` cards of `deck`, as a set."""

    deck: tuple[int, ...]
    n: int

    def sample(self, rng: np.random.Generator) -> str:
        """One set of cards."""
        chosen = rng.choice(len(self.deck), self.n, replace=False)
        return _format_set(self.deck[place] for place in chosen)


@dataclass(frozen=True, slots=True)
class ListedDeal(Deal):
    """A deal with few enough outcomes to list them."""

    def outcomes(self) -> Sequence[tuple[str, float]]:
        """All sets of cards, equally often."""
        deals = [_format_set(cards) for cards in combinations(self.deck, self.n)]
        return Outcomes.uniform(deals).outcomes()  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class HoldemState:
    """A state; two states are equal if the same events led to them."""

    variant: "Variant" = field(repr=False)
    events: tuple[str, ...]
    situation: Situation = field(repr=False, compare=False)
    holes: tuple[tuple[int, ...], ...] = field(default=(), repr=False, compare=False)
    board: tuple[tuple[int, ...], ...] = field(default=(), repr=False, compare=False)  # by street
    # How each seat came by its cards: `-Ah+Qd` for a draw, `~Ah~Qd` for a swap, after a slash for
    # each street that swaps.
    draws: tuple[str, str] = field(default=("", ""), repr=False, compare=False)
    dead: tuple[int, ...] = field(default=(), repr=False, compare=False)
    owed: tuple[Debt, ...] = field(default=(), repr=False, compare=False)
    history: str = field(default="", repr=False, compare=False)  # public

    def __repr__(self) -> str:
        return f"{self.variant.name}: {self.notation or 'nothing dealt'}"

    @property
    def notation(self) -> str:
        """The events, which `parse_state` reads back."""
        return " ".join(self.events)

    @property
    def chance(self) -> Deal | Outcomes | None:
        """What nature deals next."""
        if len(self.holes) < 2:
            return self._deal_of(self.variant.hole_cards)
        if self.owed:
            kind, _, _ = self.owed[0]
            deck = self._deck()
            if kind == _DRAW:
                return Outcomes.uniform([DRAWN + format_card(card) for card in deck])
            swap = self.variant.streets[self.situation[betting.STREET]].swap
            swaps = tuple(SWAPPED + format_card(card) for card in deck)
            return Outcomes((UNSWAPPED, *swaps), (1.0 - swap, *[swap / len(deck)] * len(deck)))
        if self.situation[betting.PHASE] == betting.DEAL:
            return self._deal_of(self._next_street().cards)
        return None

    @property
    def utilities(self) -> tuple[float, float] | None:
        """Chips won by each seat."""
        phase = self.situation[betting.PHASE]
        if phase == betting.FOLDED:
            loser = self.situation[betting.ACTOR]
        elif phase == betting.SHOWDOWN and not self.owed:
            first, second = self.strength(0), self.strength(1)
            if first == second:
                return 0.0, 0.0
            loser = 0 if first < second else 1
        else:
            return None
        won = float(self.spent[loser])
        return (-won, won) if loser == 0 else (won, -won)

    @property
    def infoset(self) -> Infoset:
        """What the player to act knows: its cards, how it came by them, the board, the betting."""
        seat = self.actor
        facts = (
            ("cards", _format_set(self.holes[seat])),
            ("draws", self.draws[seat]),
            ("board", DEALT.join(format_cards(cards) for cards in self.board)),
            ("history", self.history),
        )
        return Infoset(seat, self.actions(), facts)

    @property
    def actor(self) -> int:
        """The seat that acts; only where a player acts."""
        return self.situation[betting.ACTOR]

    @property
    def spent(self) -> tuple[int, int]:
        """Chips that each seat has put in."""
        return self.situation[betting.SPENT_0], self.situation[betting.SPENT_1]

    @property
    def to_call(self) -> int:
        """Chips that the player to act must add to stay in."""
        return abs(self.spent[0] - self.spent[1])

    def raise_bounds(self) -> tuple[int, int] | None:
        """Smallest and largest street total to bet or raise to, or None where one may not."""
        return raise_bounds(self.variant, self.situation)

    def strength(self, seat: int) -> int:
        """What decides a showdown on this board; higher is stronger."""
        cards = [*self.holes[seat], *(card for street in self.board for card in street)]
        first_flush_suit_only = self.variant.first_flush_suit_only
        return showdown_strength(cards, first_flush_suit_only=first_flush_suit_only)

    def actions(self) -> tuple[str, ...]:
        """All legal actions of the player to act; bets and raises one by one."""
        if self.situation[betting.PHASE] == betting.DRAW:
            hole = sorted(self.holes[self.actor], reverse=True)
            return (KEEP, *(DISCARD + format_card(card) for card in hole))
        passive = self._passive()
        bounds = self.raise_bounds()
        if bounds is None:
            return passive
        low, high = bounds
        if low == high:
            return (*passive, f"{RAISE}{low}")
        return passive + _name_raises(self.variant.stack)[low : high + 1]

    def _passive(self) -> tuple[str, ...]:
        if self.to_call:
            return FOLD, CALL
        return (FOLD, CHECK) if self.variant.fold_when_free else (CHECK,)

    def child(self, action: Any) -> "HoldemState":
        """The state after an action or an outcome of chance."""
        after = self._after(action) if isinstance(action, str) else None
        if after is None:
            raise self._refuse(action)
        return after

    def _refuse(self, action: Any) -> IllegalActionError:
        """The error for `action`, which does not list all the cards or raises that may follow."""
        if self.utilities is not None:
            return illegal(action, self)
        if self.chance is not None:
            return IllegalActionError(f"action {action!r} is not an outcome of chance in {self!r}")
        if self.situation[betting.PHASE] == betting.DRAW:
            legal = list(self.actions())
        else:
            legal = list(self._passive())
            if bounds := self.raise_bounds():
                low, high = (f"{RAISE}{total}" for total in bounds)
                legal.append(low if low == high else f"{low} to {high}")
        return IllegalActionError(f"action {action!r} is not one of {', '.join(legal)} in {self!r}")

    def _after(self, action: str) -> "HoldemState | None":
        """The state after `action`, or None if that is not legal."""
        if len(self.holes) < 2:
            cards = self._dealt(action, self.variant.hole_cards)
            if cards is None:
                return None
            return self._next(_format_set(cards), holes=(*self.holes, cards))
        if self.owed:
            return self._pay(action)
        phase = self.situation[betting.PHASE]
        if phase == betting.DEAL:
            return self._deal(action)
        if phase == betting.DRAW:
            return self._draw(action)
        if phase == betting.BET:
            return self._bet(action)
        return None

    def _bet(self, action: str) -> "HoldemState | None":
        situation = after_bet(self.variant, self.situation, action)
        if situation is None:
            return None
        return self._next(action, situation=situation, history=self.history + action)

    def _draw(self, action: str) -> "HoldemState | None":
        seat = self.actor
        hole = self.holes[seat]
        if action == KEEP:
            situation = betting.after_draw(self.variant.rules, self.situation, False)
            return self._next(action, situation=situation, history=self.history + KEEP)
        names = [DISCARD + format_card(card) for card in hole]
        if action not in names:
            return None
        place = names.index(action)
        situation = betting.after_draw(self.variant.rules, self.situation, True)
        draw = self.variant.streets[self.situation[betting.STREET]].draw
        return self._next(
            action,
            situation=situation,
            draws=_append(self.draws, seat, "-" + format_card(hole[place])),
            owed=((_DRAW, seat, place),),
            history=self.history + (action if draw and draw.shown else DISCARD),
        )

    def _pay(self, action: str) -> "HoldemState | None":
        """Nature draws or swaps a hole card."""
        (kind, seat, place), *rest = self.owed
        if kind == _SWAP and action == UNSWAPPED:
            return self._next(action, owed=tuple(rest))
        sign = DRAWN if kind == _DRAW else SWAPPED
        cards = self._dealt(action[1:], 1)
        if action[:1] != sign or cards is None:
            return None
        hole = self.holes[seat]
        event = sign + format_card(cards[0])
        seen = event if kind == _DRAW else f"{SWAPPED}{format_card(hole[place])}{event}"
        return self._next(
            event,
            holes=_replace(self.holes, seat, _replace(hole, place, cards[0])),
            draws=_append(self.draws, seat, seen),
            dead=(*self.dead, hole[place]),
            owed=tuple(rest),
        )

    def _deal(self, action: str) -> "HoldemState | None":
        """Nature deals the next street."""
        variant = self.variant
        cards = self._dealt(action, self._next_street().cards)
        if cards is None:
            return None
        street = self.situation[betting.STREET] + 1
        runs = bool(variant.run_suits) and street >= len(variant.streets) - 1
        goes_on = runs and format_card(cards[-1])[1] in variant.run_suits
        situation = betting.after_deal(variant.rules, self.situation, goes_on)
        owed: tuple[Debt, ...] = ()
        draws = self.draws
        if self._next_street().swap:
            places = range(variant.hole_cards)
            owed = tuple((_SWAP, seat, place) for seat in (0, 1) for place in places)
            draws = draws[0] + DEALT, draws[1] + DEALT
        return self._next(
            _format_set(cards),
            situation=situation,
            board=(*self.board, cards),
            draws=draws,
            owed=owed,
            history=self.history + (LAST_DEALT if runs and situation[betting.FINAL] else DEALT),
        )

    def _next(self, event: str, **changes: Any) -> "HoldemState":
        """This state with `event` and what it changes."""
        return replace(self, events=(*self.events, event), **changes)

    def _deal_of(self, n: int) -> Deal:
        deck = self._deck()
        kind = ListedDeal if comb(len(deck), n) <= MOST_LISTED else Deal
        return kind(deck, n)

    def _next_street(self) -> "Street":
        streets = self.variant.streets
        return streets[min(self.situation[betting.STREET] + 1, len(streets) - 1)]

    def _deck(self) -> tuple[int, ...]:
        """The cards that may still come."""
        gone = {*self.dead, *(card for cards in (*self.holes, *self.board) for card in cards)}
        return tuple(card for card in self.variant.deck.cards.tolist() if card not in gone)

    def _dealt(self, text: str, n: int) -> tuple[int, ...] | None:
        """The `n` cards that `text` names, highest first, or None if they cannot come."""
        try:
            cards = parse_cards(text)
        except CardError:
            return None
        if len(cards) != n or not set(cards) <= set(self._deck()):
            return None
        return tuple(sorted(cards, reverse=True))


def raise_bounds(variant: "Variant", situation: Situation) -> tuple[int, int] | None:
    """Smallest and largest street total to bet or raise to, or None where one may not."""
    low, high = betting.raise_bounds(variant.rules, situation)
    base = situation[betting.BASE]
    return (low - base, high - base) if high else None


def after_bet(variant: "Variant", situation: Situation, action: str) -> Situation | None:
    """The situation once the seat that bets has done `action`, or None if that is not legal."""
    to_call = situation[betting.SPENT_0] != situation[betting.SPENT_1]
    if action == FOLD and (to_call or variant.fold_when_free):
        return tuple(betting.after_fold(situation))
    if action == (CALL if to_call else CHECK):
        return tuple(betting.after_call(variant.rules, situation))
    if _RAISE_WORD.fullmatch(action) and (bounds := raise_bounds(variant, situation)):
        total = int(action[1:])
        if bounds[0] <= total <= bounds[1]:
            return tuple(betting.after_raise(situation, total + situation[betting.BASE]))
    return None


@lru_cache(maxsize=16)
def _name_raises(stack: int) -> tuple[str, ...]:
    """The words for bets and raises to 0 up to `stack`, shared by all states."""
    return tuple(f"{RAISE}{total}" for total in range(stack + 1))


def _format_set(cards: Iterable[int]) -> str:
    return format_cards(sorted(cards, reverse=True))


def _replace(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*values[:place], value, *values[place + 1 :])


def _append(texts: tuple[str, str], seat: int, text: str) -> tuple[str, str]:
    return (texts[0] + text, texts[1]) if seat == 0 else (texts[0], texts[1] + text)
