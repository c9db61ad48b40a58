"""One point of one hand of a variant: what was dealt and done, and what may follow.

A state is the list of its events, written as people write them. Chance: `AhKs` for hole cards or a
board, `#6` for a bounty, `+Qd` for a card that a seat draws, `~Qd` or `=` for a hole card that was
swapped or was not, `?Qd` for a card of the opponent's that a seat sees. Players: `f` fold, `k`
check, `c` call, `r12` bet or raise to 12 chips on this street, `s` keep the hand, `dAh` discard,
`a12` bid 12 chips. Joined by spaces they are the notation of the state.
"""

from dataclasses import dataclass, field, replace
from math import comb
from typing import TYPE_CHECKING, Any

from counterfold.cards import format_card, format_cards, parse_cards
from counterfold.cards.text import RANKS
from counterfold.errors import CardError, IllegalActionError
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import BID, CALL, CHECK, DISCARD, FOLD, KEEP, RAISE
from counterfold.games.holdem.chance import (
    MOST_LISTED,
    OWED_BOARD,
    OWED_DRAW,
    OWED_HOLE,
    OWED_LOOK,
    OWED_SWAP,
    Debt,
    ListedDeal,
    SetDeal,
    chance_after_choice,
    chance_steps,
    format_set,
)
from counterfold.games.holdem.payoff import NOBODY, settle, settle_bounty
from counterfold.games.holdem.situation import (
    DEALT,
    LAST_DEALT,
    Situation,
    after_bet,
    after_bid_word,
    choice_of,
    last_discard,
    most_bid,
    name_discards,
    name_raises,
    passes_turn,
    raise_bounds,
    rounds_up,
    seen_history,
    total_spent,
    turn_of,
    wins_auction,
)
from counterfold.games.holdem.street import Auction, Discard
from counterfold.games.protocol import Infoset, Outcomes, illegal

if TYPE_CHECKING:
    from counterfold.games.holdem.street import Street
    from counterfold.games.holdem.variant import Variant

DRAWN, SWAPPED, UNSWAPPED, LOOKED, BOUNTY = "+", "~", "=", "?", "#"


@dataclass(frozen=True, slots=True)
class HoldemState:
    """A state; two states are equal if the same events led to them."""

    variant: "Variant" = field(repr=False)
    events: tuple[str, ...]
    situation: Situation = field(repr=False, compare=False)
    holes: tuple[tuple[int, ...], ...] = field(default=(), repr=False, compare=False)
    board: tuple[tuple[int, ...], ...] = field(default=(), repr=False, compare=False)  # by street
    # How each seat came by its cards: `-Ah+Qd` for a draw, `~Ah~Qd` for a swap, after a slash for
    # each street that swaps, `+Qd` for a card more, and `?Qd` for one that it saw.
    draws: tuple[str, str] = field(default=("", ""), repr=False, compare=False)
    dead: tuple[int, ...] = field(default=(), repr=False, compare=False)
    owed: tuple[Debt, ...] = field(default=(), repr=False, compare=False)
    history: str = field(default="", repr=False, compare=False)  # public, but for a sealed bid
    bounties: tuple[int, ...] = field(default=(), repr=False, compare=False)  # ranks by seat

    def __repr__(self) -> str:
        return f"{self.variant.name}: {self.notation or 'nothing dealt'}"

    @property
    def notation(self) -> str:
        """The events, which `parse_state` reads back."""
        return " ".join(self.events)

    @property
    def chance(self) -> SetDeal | Outcomes | None:
        """What nature deals next."""
        if len(self.holes) < 2:
            return self._deal_of(self.variant.hole_cards)
        if self._lacks_bounty:
            return Outcomes.uniform(self._bounty_words())
        if self.owed:
            return self._owed_chance()
        if self.situation[betting.PHASE] == betting.DEAL:
            return self._deal_of(self._next_street().cards)
        return None

    @property
    def _lacks_bounty(self) -> bool:
        return self.variant.bounty is not None and len(self.bounties) < 2

    def _bounty_words(self) -> list[str]:
        return [BOUNTY + RANKS[rank] for rank in self.variant.deck.ranks]

    def _owed_chance(self) -> SetDeal | Outcomes:
        kind, seat, place = self.owed[0]
        deck = self._deck()
        if kind == OWED_BOARD:
            return self._deal_of(place)
        if kind == OWED_LOOK:
            return Outcomes.uniform([LOOKED + format_card(card) for card in self.holes[1 - seat]])
        if kind != OWED_SWAP:
            return Outcomes.uniform([DRAWN + format_card(card) for card in deck])
        swap = self.variant.streets[self.situation[betting.STREET]].swap
        swaps = tuple(SWAPPED + format_card(card) for card in deck)
        return Outcomes((UNSWAPPED, *swaps), (1.0 - swap, *[swap / len(deck)] * len(deck)))

    @property
    def utilities(self) -> tuple[float, float] | None:
        """Chips won by each seat."""
        phase = self.situation[betting.PHASE]
        if phase == betting.FOLDED:
            loser = self.situation[betting.ACTOR]
        elif phase == betting.SHOWDOWN and not self.owed and not self._lacks_bounty:
            first, second = self.strength(0), self.strength(1)
            loser = NOBODY if first == second else int(first > second)
        else:
            return None
        won = self._settle(loser)
        return float(won), float(-won)

    def _settle(self, loser: int) -> int:
        bounty = self.variant.bounty
        if bounty is None:
            return settle(self.spent, loser)
        hit = self.hits_bounty(0), self.hits_bounty(1)
        return settle_bounty(bounty, self.spent, loser, hit, rounds_up=rounds_up(self.history))

    def hits_bounty(self, seat: int) -> bool:
        """Whether a card of the rank of the seat's bounty is in its hand or on the board."""
        cards = [*self.holes[seat], *(card for street in self.board for card in street)]
        return any(card // 4 == self.bounties[seat] for card in cards)

    @property
    def infoset(self) -> Infoset:
        """What the player to act knows: its cards, how it came by them, the board, the betting."""
        seat = self.actor
        facts: tuple[tuple[str, str], ...] = (
            ("cards", format_set(self.holes[seat])),
            ("draws", self.draws[seat]),
            ("board", DEALT.join(format_cards(cards) for cards in self.board)),
            ("history", self.seen_history),
        )
        if self.variant.bounty is not None:
            facts += (("bounty", RANKS[self.bounties[seat]]),)
        return Infoset(seat, self.actions(), facts)

    @property
    def seen_history(self) -> str:
        """The history as the player to act knows it."""
        return seen_history(self.variant, self.situation, self.history)

    def bids_unseen_by(self, seat: int) -> bool:
        """Whether a bid was made that `seat` has not seen and now answers."""
        acts = self.situation[betting.PHASE] == betting.AUCTION and self.actor == seat
        return acts and self.seen_history != self.history

    @property
    def actor(self) -> int:
        """The seat that acts; only where a player acts."""
        return self.situation[betting.ACTOR]

    @property
    def spent(self) -> tuple[int, int]:
        """Chips that each seat has put in."""
        return total_spent(self.situation)

    @property
    def to_call(self) -> int:
        """Chips that the player to act must add to stay in."""
        return abs(self.situation[betting.SPENT_0] - self.situation[betting.SPENT_1])

    def raise_bounds(self) -> tuple[int, int] | None:
        """Smallest and largest street total to bet or raise to, or None where one may not."""
        return raise_bounds(self.variant, self.situation)

    def strength(self, seat: int) -> int:
        """What decides a showdown on this board; higher is stronger."""
        board = (card for street in self.board for card in street)
        return self.variant.strength([*self.holes[seat], *board])

    def actions(self) -> tuple[str, ...]:
        """All legal actions of the player to act; bids, bets and raises one by one."""
        phase = self.situation[betting.PHASE]
        if phase == betting.DRAW:
            return name_discards(self.variant, self.situation, self.holes[self.actor], self._gone())
        if phase == betting.AUCTION:
            most = most_bid(self.variant, self.situation)
            return tuple(f"{BID}{bid}" for bid in range(most + 1))
        passive = self._passive()
        bounds = self.raise_bounds()
        if bounds is None:
            return passive
        low, high = bounds
        if low == high:
            return (*passive, f"{RAISE}{low}")
        return passive + name_raises(self.variant.stack)[low : high + 1]

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
        elif self.situation[betting.PHASE] == betting.AUCTION:
            legal = [f"{BID}0 to {BID}{most_bid(self.variant, self.situation)}"]
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
            held = self.variant.hole_cards, self.variant.hole_cards
            owed = chance_steps(self.variant, 0, 0, held) if self.holes else ()
            return self._next(format_set(cards), holes=(*self.holes, cards), owed=owed)
        if self._lacks_bounty:
            if action not in self._bounty_words():
                return None
            return self._next(action, bounties=(*self.bounties, RANKS.index(action[1:])))
        if self.owed:
            return self._pay(action)
        moves = {
            betting.DEAL: self._deal,
            betting.DRAW: self._discard,
            betting.AUCTION: self._bid,
            betting.BET: self._bet,
        }
        move = moves.get(self.situation[betting.PHASE])
        return None if move is None else move(action)

    def _bet(self, action: str) -> "HoldemState | None":
        situation = after_bet(self.variant, self.situation, action)
        if situation is None:
            return None
        return self._next(action, situation=situation, history=self.history + action)

    def _bid(self, action: str) -> "HoldemState | None":
        situation = after_bid_word(self.variant, self.situation, action)
        if situation is None:
            return None
        auction = choice_of(self.variant, self.situation)
        kind = OWED_HOLE if isinstance(auction, Auction) and auction.prize == "card" else OWED_LOOK
        won = [seat for seat in (0, 1) if wins_auction(self.situation, situation, seat)]
        prizes = tuple((kind, seat, 1) for seat in won)
        return self._next(
            action,
            situation=situation,
            owed=(*prizes, *self._chance_after(situation)),
            history=self.history + action,
        )

    def _discard(self, action: str) -> "HoldemState | None":
        seat, rules = self.actor, self.variant.rules
        hole = self.holes[seat]
        if action not in name_discards(self.variant, self.situation, hole, self._gone()):
            return None
        situation = betting.after_draw(rules, self.situation, action != KEEP)
        step = choice_of(self.variant, self.situation)
        assert isinstance(step, Discard)
        owed = (*self._drawn(step, situation, action), *self._chance_after(situation))
        if action == KEEP:
            return self._next(action, situation=situation, owed=owed, history=self.history + KEEP)
        (card,) = parse_cards(action[1:])
        changes: dict[str, Any] = {}
        if step.to_board:
            changes["board"] = self._board_with((card,))
        elif not step.takes_place:
            changes["dead"] = (*self.dead, card)
        if not step.takes_place:
            kept = tuple(each for each in hole if each != card)
            changes["holes"] = _replace(self.holes, seat, kept)
        return self._next(
            action,
            situation=situation,
            draws=_append(self.draws, seat, "-" + format_card(card)),
            owed=owed,
            history=self.history + (action if step.public else DISCARD),
            **changes,
        )

    def _drawn(self, step: Discard, after: Situation, action: str) -> tuple[Debt, ...]:
        """The cards that the seat to act gets for what it discarded, once it has chosen."""
        seat = self.actor
        if step.takes_place:
            if action == KEEP:
                return ()
            return ((OWED_DRAW, seat, self.holes[seat].index(parse_cards(action[1:])[0])),)
        if not step.redraw or not passes_turn(self.situation, after):
            return ()
        n = turn_of(self.situation) % step.count + (action != KEEP)
        return ((OWED_HOLE, seat, 1),) * n

    def _gone(self) -> str:
        """The card that the seat to act discarded before in this choice, if any."""
        return last_discard(self.variant, self.situation, self.draws[self.actor])

    def _board_with(self, cards: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
        """The board with more cards on the current street, in the order in which they come."""
        earlier = self.board[-1] if self.board else ()
        return (*self.board[:-1], (*earlier, *cards))

    def _pay(self, action: str) -> "HoldemState | None":
        """Nature deals what it owes."""
        (kind, seat, place), *rest = self.owed
        owed = tuple(rest)
        if kind == OWED_SWAP and action == UNSWAPPED:
            return self._next(action, owed=owed)
        if kind == OWED_BOARD:
            cards = self._dealt(action, place)
            if cards is None:
                return None
            history = self.history + DEALT
            return self._next(
                format_set(cards), board=self._board_with(cards), owed=owed, history=history
            )
        if kind == OWED_LOOK:
            if action not in [LOOKED + format_card(card) for card in self.holes[1 - seat]]:
                return None
            return self._next(action, draws=_append(self.draws, seat, action), owed=owed)
        return self._pay_card(action, kind, seat, place, owed)

    def _pay_card(
        self, action: str, kind: str, seat: int, place: int, owed: tuple[Debt, ...]
    ) -> "HoldemState | None":
        """Nature deals a hole card: one more, or in the place of another."""
        sign = SWAPPED if kind == OWED_SWAP else DRAWN
        cards = self._dealt(action[1:], 1)
        if action[:1] != sign or cards is None:
            return None
        hole = self.holes[seat]
        event = sign + format_card(cards[0])
        if kind == OWED_HOLE:
            return self._next(
                event,
                holes=_replace(self.holes, seat, (*hole, *cards)),
                draws=_append(self.draws, seat, event),
                owed=owed,
            )
        seen = event if kind == OWED_DRAW else f"{SWAPPED}{format_card(hole[place])}{event}"
        return self._next(
            event,
            holes=_replace(self.holes, seat, _replace(hole, place, cards[0])),
            draws=_append(self.draws, seat, seen),
            dead=(*self.dead, hole[place]),
            owed=owed,
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
        draws = self.draws
        if self._next_street().swap:
            draws = draws[0] + DEALT, draws[1] + DEALT
        return self._next(
            format_set(cards),
            situation=situation,
            board=(*self.board, cards),
            draws=draws,
            owed=chance_steps(variant, situation[betting.STREET], 0, self._hand_sizes()),
            history=self.history + (LAST_DEALT if runs and situation[betting.FINAL] else DEALT),
        )

    def _hand_sizes(self) -> tuple[int, int]:
        return len(self.holes[0]), len(self.holes[1])

    def _chance_after(self, after: Situation) -> tuple[Debt, ...]:
        return chance_after_choice(self.variant, self.situation, after, self._hand_sizes())

    def _next(self, event: str, **changes: Any) -> "HoldemState":
        """This state with `event` and what it changes."""
        return replace(self, events=(*self.events, event), **changes)

    def _deal_of(self, n: int) -> SetDeal:
        deck = self._deck()
        kind = ListedDeal if comb(len(deck), n) <= MOST_LISTED else SetDeal
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


def _replace(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*values[:place], value, *values[place + 1 :])


def _append(texts: tuple[str, str], seat: int, text: str) -> tuple[str, str]:
    return (texts[0] + text, texts[1]) if seat == 0 else (texts[0], texts[1] + text)
