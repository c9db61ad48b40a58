"""What one seat knows about a hand, and how that grows as the hand proceeds.

A view is all that a bot is shown. It has no room for the opponent's cards, so nothing can
leak: the dealer derives it from an exact state, a client grows its own from what an engine tells
it, and both get the same. Betting is followed by the rules in `games.holdem.betting_kernels`;
actions are written as in `games.holdem`.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from counterfold.bots.view_actions import CARD, Awaited, awaited_by, view_after
from counterfold.cards import format_card, format_cards, parse_card
from counterfold.cards.text import RANKS
from counterfold.errors import CardError, IllegalActionError
from counterfold.games import Infoset
from counterfold.games.holdem import HoldemState, Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import BID, CALL, CHECK, FOLD, KEEP, RAISE
from counterfold.games.holdem.chance import (
    DRAWN,
    LOOKED,
    OWED_BOARD,
    OWED_DRAW,
    OWED_HOLE,
    OWED_LOOK,
    OWED_SWAP,
    SWAPPED,
    chance_steps,
)
from counterfold.games.holdem.payoff import NOBODY, settle, settle_bounty
from counterfold.games.holdem.situation import (
    DEALT,
    LAST_DEALT,
    Situation,
    count_hole_cards,
    last_discard,
    most_bid,
    name_discards,
    raise_bounds,
    rounds_up,
    seen_history,
    total_spent,
)

NO_BOUNTY = -1


@dataclass(frozen=True, slots=True)
class View:
    """One seat's knowledge at one point of a hand."""

    variant: Variant = field(repr=False)
    seat: int
    hole: tuple[int, ...]  # the highest first; a drawn card takes the place of the old one
    situation: Situation
    board: tuple[tuple[int, ...], ...] = ()  # by street, each the highest card first
    draws: str = ""  # this seat's own, `-6c+Kd`, and `/~Ah~Qd` for a swap
    history: str = ""  # what both saw
    awaited: tuple[Awaited, ...] = ()  # what chance still owes this seat, in its order
    bounty: int = NO_BOUNTY  # this seat's own rank
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
        acting = self.phase <= betting.BET and not self.awaited
        return acting and self.situation[betting.ACTOR] == self.seat

    @property
    def over(self) -> bool:
        """Whether the hand has come to a fold or a showdown."""
        return self.phase in (betting.FOLDED, betting.SHOWDOWN) and not self.awaited

    @property
    def all_in(self) -> bool:
        """Whether the players are all-in, so nobody bets anymore."""
        bets = self.situation[betting.SPENT_0], self.situation[betting.SPENT_1]
        paid = self.situation[betting.PAID_0], self.situation[betting.PAID_1]
        return min(bets) == self.variant.stack - max(paid)

    @property
    def spent(self) -> tuple[int, int]:
        """Chips that each seat has put in."""
        return total_spent(self.situation)

    @property
    def pot(self) -> int:
        """Chips that both seats have put in."""
        return sum(self.spent)

    @property
    def to_call(self) -> int:
        """Chips that the seat to act must add to stay in."""
        return abs(self.situation[betting.SPENT_0] - self.situation[betting.SPENT_1])

    @property
    def board_cards(self) -> tuple[int, ...]:
        """The board of all streets."""
        return tuple(card for street in self.board for card in street)

    @property
    def counted_hole(self) -> tuple[int, ...]:
        """The hole cards as what they count as; see `Variant.counts_as`."""
        return tuple(self.variant.counts_as[card] for card in self.hole)

    @property
    def counted_board(self) -> tuple[int, ...]:
        """The board as what its cards count as."""
        return tuple(self.variant.counts_as[card] for card in self.board_cards)

    @property
    def seen_cards(self) -> frozenset[int]:
        """All cards that this seat has seen: its hand, the board, discards, looks."""
        gone = [*re.findall(CARD, self.draws), *re.findall(f"d({CARD})", self.history)]
        return frozenset((*self.hole, *self.board_cards, *map(parse_card, gone)))

    @property
    def infoset(self) -> Infoset:
        """The information set of this seat, where it acts; lists every legal raise."""
        facts: tuple[tuple[str, str], ...] = (
            ("cards", format_cards(sorted(self.hole, reverse=True))),
            ("draws", self.draws),
            ("board", DEALT.join(format_cards(cards) for cards in self.board)),
            ("history", seen_history(self.variant, self.situation, self.history)),
        )
        if self.variant.bounty is not None:
            facts += (("bounty", RANKS[self.bounty]),)
        return Infoset(self.seat, self.actions(), facts)

    def raise_bounds(self) -> tuple[int, int] | None:
        """Smallest and largest street total to bet or raise to, or None where one may not."""
        return raise_bounds(self.variant, self.situation) if self.phase == betting.BET else None

    def plain_actions(self) -> tuple[str, ...]:
        """The legal actions of this seat except bets, raises and bids of chips."""
        if not self.my_turn:
            return ()
        if self.phase == betting.DRAW:
            gone = last_discard(self.variant, self.situation, self.draws)
            return name_discards(self.variant, self.situation, self.hole, gone)
        if self.phase == betting.AUCTION:
            return (f"{BID}0",)
        if self.to_call:
            return (FOLD, CALL)
        return (FOLD, CHECK) if self.variant.fold_when_free else (CHECK,)

    def actions(self) -> tuple[str, ...]:
        """All legal actions of this seat; bids, bets and raises one by one."""
        if self.my_turn and self.phase == betting.AUCTION:
            return tuple(f"{BID}{bid}" for bid in range(self.most_bid + 1))
        bounds = self.raise_bounds() if self.my_turn else None
        totals = range(bounds[0], bounds[1] + 1) if bounds else ()
        return (*self.plain_actions(), *(f"{RAISE}{total}" for total in totals))

    @property
    def most_bid(self) -> int:
        """The most that the seat to act may bid."""
        return most_bid(self.variant, self.situation)

    def is_legal(self, action: object) -> bool:
        """Whether this seat may do `action` now."""
        return isinstance(action, str) and self.my_turn and view_after(self, action) is not None

    @property
    def passive_action(self) -> str:
        """What a seat that does not answer does: keep, bid nothing, check, or else fold.

        Where it must discard, its lowest card goes.
        """
        if self.phase == betting.DRAW:
            names = self.plain_actions()
            return KEEP if KEEP in names or not names else names[-1]
        if self.phase == betting.AUCTION:
            return f"{BID}0"
        return FOLD if self.to_call else CHECK

    def after(self, action: str) -> "View":
        """The view once the seat to act has done `action`.

        A discard of the opponent is `d` alone, unless the variant shows the card.
        """
        after = view_after(self, action)
        if after is None:
            raise IllegalActionError(
                f"action {action!r} is not legal for seat {self.situation[betting.ACTOR]} in {self}"
            )
        return after

    def after_board(self, cards: Iterable[int]) -> "View":
        """The view once `cards` of the next street are dealt, or those of a deal along the way."""
        if self._awaits(OWED_BOARD):
            dealt = self._check_cards(cards, self.awaited[0][1])
            board = (*self.board[:-1], (*self.board[-1], *sorted(dealt, reverse=True)))
            return self._settled(board=board, history=self.history + DEALT)
        variant, street = self.variant, self.street + 1
        last = len(variant.streets) - 1
        if self.phase != betting.DEAL or self.awaited:
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
            history=self.history + sign,
            awaited=awaited_by(self.seat, chance_steps(variant, street, 0, (1, 1))),
        )

    def _awaits(self, *kinds: str) -> bool:
        return bool(self.awaited) and self.awaited[0][0] in kinds

    def _settled(self, **changes: Any) -> "View":
        """The view once chance has paid what it owed first."""
        return replace(self, awaited=self.awaited[1:], **changes)

    def after_swaps(self, hole: Iterable[int]) -> "View":
        """The view once swaps have left this seat with `hole`, place by place."""
        now = tuple(hole)
        if not self._awaits(OWED_SWAP) or len(now) != len(self.hole):
            raise CardError(f"no swap leads to {format_cards(now)} in {self}")
        changes = [(old, new) for old, new in zip(self.hole, now, strict=True) if old != new]
        self._check_cards([new for _, new in changes], len(changes))
        draws = "".join(SWAPPED + format_card(card) for change in changes for card in change)
        return self._settled(hole=now, draws=self.draws + DEALT + draws)

    def after_drawn(self, card: int) -> "View":
        """The view once this seat has got `card`, for the one it discarded or as one more."""
        if not self._awaits(OWED_DRAW, OWED_HOLE):
            raise CardError(f"no card is drawn in {self}")
        (card,) = self._check_cards([card], 1)
        kind, place = self.awaited[0]
        if kind == OWED_HOLE:
            place = len(self.hole)
        hole = (*self.hole[:place], card, *self.hole[place + 1 :])
        return self._settled(hole=hole, draws=self.draws + DRAWN + format_card(card))

    def after_look(self, card: int) -> "View":
        """The view once this seat has seen `card` in the other's hand."""
        if not self._awaits(OWED_LOOK):
            raise CardError(f"no card is looked at in {self}")
        (card,) = self._check_cards([card], 1)
        return self._settled(draws=self.draws + LOOKED + format_card(card))

    def after_all_in_fold(self, seat: int, n_checks: int) -> "View":
        """The view once `seat` has given up although nobody can bet anymore, after `n_checks`.

        Exact states end there, but some engines ask for checks and take a fold.
        """
        situation = fold_all_in(self.situation, seat)
        return replace(self, situation=situation, history=self.history + CHECK * n_checks + FOLD)

    def without_sealed_bid(self) -> "View":
        """The view without a bid that this seat must not know before it has bid itself."""
        situation, at = self.situation, betting.FIRST_BID
        history = seen_history(self.variant, situation, self.history)
        if history == self.history or not self.my_turn:
            return self
        return replace(self, situation=(*situation[:at], 1, *situation[at + 1 :]), history=history)

    def with_clock(self, seconds: float | None) -> "View":
        """The same with `seconds` left on the clock."""
        return replace(self, clock_seconds=seconds)

    def winnings(self, opponent_hole: Iterable[int] = (), *, opponent_hits: bool = False) -> int:
        """Chips that this seat has won, once the hand is over; a showdown needs both hands.

        `opponent_hits` says whether the other's bounty is hit, where there are bounties.
        """
        loser = self._loser(opponent_hole)
        bounty = self.variant.bounty
        if bounty is None:
            won = settle(self.spent, loser)
        else:
            hit = (self.hits_bounty, opponent_hits)
            won = settle_bounty(
                bounty,
                self.spent,
                loser,
                hit if self.seat == 0 else hit[::-1],
                rounds_up=rounds_up(self.history),
            )
        return won if self.seat == 0 else -won

    @property
    def hits_bounty(self) -> bool:
        """Whether a card of the rank of this seat's bounty is in its hand or on the board."""
        return any(card // 4 == self.bounty for card in (*self.hole, *self.board_cards))

    def _loser(self, opponent_hole: Iterable[int]) -> int:
        """The seat that loses, or nobody."""
        if self.phase == betting.FOLDED:
            return self.situation[betting.ACTOR]
        shown = tuple(opponent_hole)
        if set(shown) & self._looked_at:
            theirs = shown
        else:
            theirs = self._check_cards(shown, self.opponent_cards)
        strength, board = self.variant.strength, self.board_cards
        mine, other = strength([*self.hole, *board]), strength([*theirs, *board])
        if mine == other:
            return NOBODY
        return self.seat if mine < other else 1 - self.seat

    @property
    def _looked_at(self) -> frozenset[int]:
        found = re.findall(rf"\?({CARD})", self.draws)
        return frozenset(map(parse_card, found))

    @property
    def opponent_cards(self) -> int:
        """How many hole cards the opponent has."""
        return count_hole_cards(self.variant, self.situation, self.history, 1 - self.seat)

    def __str__(self) -> str:
        board = " ".join(format_cards(cards) for cards in self.board)
        return (
            f"{self.variant.name}: seat {self.seat} with {format_cards(self.hole)} "
            f"on {board or 'no board'} after {self.history or 'nothing'}"
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


def fold_all_in(situation: Situation, seat: int) -> Situation:
    """The situation once `seat` has folded where nobody acts anymore."""
    at = betting.ACTOR
    return tuple(betting.after_fold((*situation[:at], seat, *situation[at + 1 :])))


def first_view(variant: Variant, seat: int, hole: Iterable[int], bounty: int = NO_BOUNTY) -> View:
    """What `seat` knows once it has got its hole cards, and its bounty where there is one."""
    cards = variant.deck.check([*hole]).tolist()
    if len(cards) != variant.hole_cards:
        raise CardError(f"seat {seat} was dealt {len(cards)} hole cards, not {variant.hole_cards}")
    situation = betting.first_situation(variant.rules)
    view = View(variant, seat, tuple(sorted(cards, reverse=True)), situation, bounty=bounty)
    return replace(view, awaited=awaited_by(seat, chance_steps(variant, 0, 0, (1, 1))))


def view_of(state: HoldemState, seat: int, clock_seconds: float | None = None) -> View:
    """What `seat` knows in `state`, in which hole cards are dealt and nature owes nothing.

    A sealed bid that it has not seen is one of nothing in its view.
    """
    return View(
        state.variant,
        seat,
        state.holes[seat],
        state.situation,
        state.board,
        state.draws[seat],
        state.history,
        bounty=state.bounties[seat] if state.bounties else NO_BOUNTY,
        clock_seconds=clock_seconds,
    ).without_sealed_bid()
