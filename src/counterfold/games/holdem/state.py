"""One point of one hand of a variant: what was dealt and done, and what may follow.

A state is the list of its events, written as people write them. Chance: `AhKs` for hole cards or a
board, `#6` for a bounty, `+Qd` for a card that a seat draws, `~Qd` or `=` for a hole card that was
swapped or was not, `?Qd` for a card of the opponent's that a seat sees. Players: `f` fold, `k`
check, `c` call, `r12` bet or raise to 12 chips on this street, `s` keep the hand, `dAh` discard,
`a12` bid 12 chips. Joined by spaces they are the notation of the state.
"""

from dataclasses import dataclass, field
from math import comb
from typing import TYPE_CHECKING, Any

from counterfold.cards import format_card, format_cards
from counterfold.cards.text import RANKS
from counterfold.errors import IllegalActionError
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import BID, CALL, CHECK, FOLD, RAISE
from counterfold.games.holdem.chance import (
    BOUNTY,
    DRAWN,
    FIRST_SWAP,
    LOOKED,
    MOST_LISTED,
    OWED_BOARD,
    OWED_LOOK,
    OWED_SWAP,
    SWAPPED,
    UNSWAPPED,
    Debt,
    ListedDeal,
    SetDeal,
    format_set,
)
from counterfold.games.holdem.payoff import NOBODY, settle, settle_bounty
from counterfold.games.holdem.situation import (
    DEALT,
    Situation,
    last_discard,
    most_bid,
    name_discards,
    name_raises,
    raise_bounds,
    rounds_up,
    seen_history,
    total_spent,
)
from counterfold.games.holdem.transition import state_after
from counterfold.games.protocol import Infoset, Outcomes, illegal

if TYPE_CHECKING:
    from counterfold.games.holdem.street import Street
    from counterfold.games.holdem.variant import Variant


@dataclass(frozen=True, slots=True)
class HoldemState:
    """A state; two states are equal if the same events led to them."""

    variant: "Variant" = field(repr=False)
    events: tuple[str, ...]
    situation: Situation = field(repr=False, compare=False)
    holes: tuple[tuple[int, ...], ...] = field(default=(), repr=False, compare=False)
    board: tuple[tuple[int, ...], ...] = field(default=(), repr=False, compare=False)  # by street
    # How each seat came by its cards: `-Ah+Qd` for a draw, `/` for each time that cards are swapped
    # and `~Ah~Qd` for one that was, `+Qd` for a card more, and `?Qd` for one that it saw.
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
        if self.lacks_bounty:
            return Outcomes.uniform(self.bounty_words())
        if self.owed:
            return self._owed_chance()
        if self.situation[betting.PHASE] == betting.DEAL:
            return self._deal_of(self.next_street().cards)
        return None

    @property
    def lacks_bounty(self) -> bool:
        """Whether a bounty is to be dealt."""
        return self.variant.bounty is not None and len(self.bounties) < 2

    def bounty_words(self) -> list[str]:
        """The bounties that may be dealt."""
        return [BOUNTY + RANKS[rank] for rank in self.variant.deck.ranks]

    def _owed_chance(self) -> SetDeal | Outcomes:
        kind, seat, place = self.owed[0]
        deck = self.undealt()
        if kind == OWED_BOARD:
            return self._deal_of(place)
        if kind == OWED_LOOK:
            return Outcomes.uniform([LOOKED + format_card(card) for card in self.holes[1 - seat]])
        if kind != OWED_SWAP:
            return Outcomes.uniform([DRAWN + format_card(card) for card in deck])
        n_begun = self.draws[0].count(DEALT) + (self.owed[0] == FIRST_SWAP)
        swap = self.variant.swaps[n_begun - 1].probability
        swaps = tuple(SWAPPED + format_card(card) for card in deck)
        return Outcomes((UNSWAPPED, *swaps), (1.0 - swap, *[swap / len(deck)] * len(deck)))

    @property
    def utilities(self) -> tuple[float, float] | None:
        """Chips won by each seat."""
        phase = self.situation[betting.PHASE]
        if phase == betting.FOLDED:
            loser = self.situation[betting.ACTOR]
        elif phase == betting.SHOWDOWN and not self.owed and not self.lacks_bounty:
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
            gone = last_discard(self.variant, self.situation, self.draws[self.actor])
            return name_discards(self.variant, self.situation, self.holes[self.actor], gone)
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
        after = state_after(self, action) if isinstance(action, str) else None
        if after is None:
            raise self._refuse(action)
        return after

    def _refuse(self, action: Any) -> IllegalActionError:
        """The error for `action`, which does not list all the cards or raises that may follow."""
        if self.utilities is not None:
            return illegal(action, self)
        if self.chance is not None:
            if isinstance(action, str) and action.startswith(BOUNTY) and self.variant.bounty:
                ranks = "".join(RANKS[rank] for rank in self.variant.deck.ranks)
                return IllegalActionError(
                    f"bounty {action!r} must be one of the ranks {ranks} of the deck, in {self!r}"
                )
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

    def _deal_of(self, n: int) -> SetDeal:
        deck = self.undealt()
        kind = ListedDeal if comb(len(deck), n) <= MOST_LISTED else SetDeal
        return kind(deck, n)

    def next_street(self) -> "Street":
        """The rules of the street that is dealt next; runs repeat the last."""
        streets = self.variant.streets
        return streets[min(self.situation[betting.STREET] + 1, len(streets) - 1)]

    def undealt(self) -> tuple[int, ...]:
        """The cards that may still come."""
        gone = {*self.dead, *(card for cards in (*self.holes, *self.board) for card in cards)}
        return tuple(card for card in self.variant.deck.cards.tolist() if card not in gone)
