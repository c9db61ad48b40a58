"""One hand as an engine deals it: the exact state, the cards in the order dealt, all events.

An exact state keeps cards as sets; a wire and a log show them in the order of the deck. So the
engine keeps both, and writes down each event once: what players are told and what is logged are
renderings of the same list.
"""

from dataclasses import dataclass, field, replace

from counterfold.bots.hand_events import (
    ActionTaken,
    AuctionEnded,
    BoardDealt,
    CardAdded,
    CardDrawn,
    CardSeen,
    End,
    Event,
    Fault,
    HandsSwapped,
)
from counterfold.bots.shuffled_deck import STAYS, Cards, ShuffledDeck
from counterfold.bots.view import View, fold_all_in, view_of
from counterfold.cards import format_card, format_cards, parse_card
from counterfold.cards.text import RANKS
from counterfold.errors import CardError, IllegalActionError
from counterfold.games.holdem import HoldemState, Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import BID, CHECK, DISCARD, FOLD, KEEP
from counterfold.games.holdem.chance import (
    BOUNTY,
    DRAWN,
    LOOKED,
    OWED_BOARD,
    OWED_DRAW,
    OWED_HOLE,
    OWED_LOOK,
    OWED_SWAP,
    SWAPPED,
    UNSWAPPED,
    chance_after_choice,
)
from counterfold.games.holdem.situation import Situation, choice_of, choice_place, turn_of
from counterfold.games.holdem.street import Auction, Discard

_ALL = 1_000  # more cards than any hand has


@dataclass
class Hand:
    """A hand in play. `number` counts from 0; names and banks are by seat."""

    variant: Variant
    deal: ShuffledDeck
    number: int = 0
    names: tuple[str, str] = ("A", "B")
    banks: tuple[int, int] = (0, 0)  # chips won before this hand
    # Whether the engine asks for checks that decide nothing: of both players when they are all-in,
    # and of one after the other has laid a card onto the board.
    checks_when_all_in: bool = False
    events: list[Event] = field(default_factory=list)
    board: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.holes = [[*hole] for hole in self.deal.holes]
        self.state: HoldemState = self.variant.root()
        for hole in self.holes:
            self.state = self.state.child(format_cards(hole))
        for rank in self.deal.bounties or ():
            self.state = self.state.child(BOUNTY + RANKS[rank])
        self._checks: list[int] = []  # seats that are still asked for a forced check
        self._held_back: list[Event] = []  # until they have checked
        self._n_taken = self._n_swaps = self._n_added = 0  # of the deal, that were used
        self._n_auctions = {"card": 0, "look": 0}  # that were settled, by their prize
        self._n_draws = 0  # choices of draws before the last choice
        self._draws: tuple[list[int], list[int]] = ([], [])  # by seat, for what it discarded
        self._along_the_way = _ALL  # how many cards that chance owes hands are dealt along the way
        self._advance()

    @property
    def waits_for(self) -> int | None:
        """The seat that acts next, or None when the hand is over."""
        if self._checks:
            return self._checks[0]
        return None if self._ended else self.state.actor

    @property
    def forced(self) -> bool:
        """Whether a check is asked for that decides nothing."""
        return bool(self._checks)

    def takes_forced(self, action: str) -> bool:
        """Whether `action` may be answered where a check is forced: a check, or a fold, which is
        always allowed.
        """
        folds = action == FOLD and self.variant.fold_when_free and not self._held_back
        return self.forced and (action == CHECK or folds)

    @property
    def chips(self) -> tuple[int, int]:
        """Chips won by each seat, once the hand is over."""
        ends = [event.chips for event in self.events if isinstance(event, End)]
        assert ends
        return ends[-1]

    @property
    def showdown(self) -> bool:
        """Whether the hand ended with both hands shown."""
        return any(isinstance(event, End) and event.showdown for event in self.events)

    def view(self, seat: int, clock_seconds: float | None = None) -> View:
        """What `seat` knows."""
        return view_of(self.state, seat, clock_seconds)

    @property
    def passive_action(self) -> str:
        """What a seat that does not answer does."""
        return CHECK if self._checks else self.view(self.state.actor).passive_action

    def act(self, action: str) -> None:
        """Let the seat that the hand waits for do `action`, and deal what follows."""
        before = self.state
        if self._checks:
            if not self.takes_forced(action):
                raise IllegalActionError(f"action {action!r} is not a check in {before!r}")
            seat, *self._checks = self._checks
            self.events.append(ActionTaken(seat, action, before.situation, True))
            if action == FOLD:
                self._give_up(seat, "" if self._checks else CHECK)
            if not self._checks:
                chose = bool(self._held_back)
                self.events += self._held_back
                self._held_back = []
                self._advance(chose)
            return
        seat = before.actor
        self.state = before.child(action)
        self._along_the_way = self._count_along_the_way(before)
        self._n_draws = self._count_draws(before.situation)
        self.events.append(ActionTaken(seat, action, before.situation))
        if action[0] == DISCARD:
            self._give_away(seat, before, parse_card(action[1:]))
        if action[0] == BID:
            self._end_auction(before, int(action[1:]))
        if not self._checks:
            self._advance(action[0] in (BID, DISCARD, KEEP))

    def _count_along_the_way(self, before: HoldemState) -> int:
        """How many hole cards come along the way after the choice that `before` waits for."""
        if before.situation[betting.PHASE] >= betting.BET:
            return _ALL
        after = self.state.situation
        later = chance_after_choice(self.variant, before.situation, after, (0, 0))
        return sum(kind == OWED_HOLE for kind, _, _ in later)

    def _give_up(self, seat: int, checks: str) -> None:
        """End a hand in which a seat folds although nobody can bet, as some engines let it."""
        self._checks = []
        self.state = replace(
            self.state,
            situation=fold_all_in(self.state.situation, seat),
            history=self.state.history + checks + FOLD,
        )

    def _give_away(self, seat: int, before: HoldemState, card: int) -> None:
        """Take a discarded card from the hand, unless a new one will take its place."""
        step = choice_of(self.variant, before.situation)
        if not isinstance(step, Discard):
            return
        if step.redraw and self.deal.draws:
            n_before = turn_of(before.situation) % step.count
            self._draws[seat].append(self.deal.draws[self._n_draws][seat][n_before])
        if step.takes_place:
            return
        self.holes[seat].remove(card)
        if step.to_board:
            self.board.append(card)
            laid = BoardDealt(tuple(self.board), 1, self.state.spent)
            if self.checks_when_all_in:
                self._checks, self._held_back = [1 - seat], [laid]
            else:
                self.events.append(laid)

    def _end_auction(self, before: HoldemState, bid: int) -> None:
        """Deal what an auction brought, if this was the second bid."""
        other = before.situation[betting.FIRST_BID] - 1
        if other < 0:
            return
        self._pay()
        auction = choice_of(self.variant, before.situation)
        if isinstance(auction, Auction):
            self._n_auctions[auction.prize] += 1
        bids = (bid, other) if before.actor == 0 else (other, bid)
        hands = tuple(self.holes[0]), tuple(self.holes[1])
        self.events.append(AuctionEnded(bids, self.state.spent, tuple(self.board), hands))

    def fault(self, seat: int, text: str) -> None:
        """Note what a player did wrong."""
        self.events.append(Fault(seat, text))

    @property
    def _ended(self) -> bool:
        return self.state.situation[betting.PHASE] in (
            betting.FOLDED,
            betting.SHOWDOWN,
        )

    def _advance(self, chose: bool = False) -> None:
        """Deal until a player acts or the hand is over; `chose` if betting would come next."""
        streets = self.variant.streets
        self._pay()
        if chose and self._skips_betting():
            return
        while self.state.situation[betting.PHASE] == betting.DEAL:
            street = streets[min(self.state.situation[betting.STREET] + 1, len(streets) - 1)]
            self._along_the_way = _ALL
            self._deal_board(street.cards)
            self._pay()
            if self._skips_betting():
                return
        if self._ended:
            first, second = self.state.utilities or (0.0, 0.0)
            showdown = self.state.situation[betting.PHASE] == betting.SHOWDOWN
            self.events.append(End((int(first), int(second)), showdown))

    def _skips_betting(self) -> bool:
        """Whether nobody can bet on this street and the engine asks for checks instead."""
        streets, situation = self.variant.streets, self.state.situation
        street = streets[min(situation[betting.STREET], len(streets) - 1)]
        over = situation[betting.PHASE] in (betting.DEAL, betting.SHOWDOWN)
        if over and street.betting and self.checks_when_all_in:
            self._checks = [street.first, 1 - street.first]
        return bool(self._checks)

    def _deal_board(self, n: int) -> None:
        cards = self._take(n)
        self.board += cards
        self.state = self.state.child(format_cards(cards))
        self.events.append(BoardDealt(tuple(self.board), len(cards), self.state.spent))

    def _pay(self) -> None:
        """Deal what chance owes before play continues."""
        while self.state.owed:
            kind, seat, place = self.state.owed[0]
            if kind == OWED_SWAP:
                self._swap()
            elif kind == OWED_BOARD:
                self._deal_board(place)
            elif kind == OWED_LOOK:
                card = self._look(seat)
                self.state = self.state.child(LOOKED + format_card(card))
                self.events.append(CardSeen(seat, card))
            else:
                self._pay_card(seat, place if kind == OWED_DRAW else None)

    def _pay_card(self, seat: int, place: int | None) -> None:
        """Deal a hole card: in the place of another in the state's order, or one more."""
        if self._draws[seat]:
            new = self._draws[seat].pop(0)
        else:
            new = self._take_prize(seat) if place is None else self._take(1)[0]
        old = None if place is None else self.state.holes[seat][place]
        self.state = self.state.child(DRAWN + format_card(new))
        if old is None:
            self.holes[seat].append(new)
            self.events.append(CardAdded(seat, new))
        else:
            self.holes[seat][self.holes[seat].index(old)] = new
            self.events.append(CardDrawn(seat, old, new))

    def _swap(self) -> None:
        """Swap hole cards as the deal says; a state has the places of a hand in another order."""
        if self._n_swaps == len(self.deal.swaps):
            raise CardError(f"the deal has too few swaps for {self.state!r}")
        swaps = self.deal.swaps[self._n_swaps]
        self._n_swaps += 1
        before = tuple(self.holes[0]), tuple(self.holes[1])
        for seat, hole in enumerate(self.state.holes):
            for card in hole:
                place = before[seat].index(card)
                new = swaps[seat][place]
                if new == STAYS:
                    self.state = self.state.child(UNSWAPPED)
                else:
                    self.state = self.state.child(SWAPPED + format_card(new))
                    self.holes[seat][place] = new
        after = tuple(self.holes[0]), tuple(self.holes[1])
        self.events.append(HandsSwapped(before, after))

    def _take_prize(self, seat: int) -> int:
        """A card dealt along the way, or that of the auction just won, where the deal has those."""
        n_owed = sum(kind == OWED_HOLE for kind, _, _ in self.state.owed)
        if n_owed <= self._along_the_way and self.deal.added:
            self._n_added += 1
            return self.deal.added[self._n_added - 1]
        if n_owed <= self._along_the_way or not self.deal.prizes:
            return self._take(1)[0]
        return self.deal.prizes[self._n_auctions["card"]][seat]

    def _look(self, seat: int) -> int:
        """The card that a seat sees: as the deal says, or the first of a shuffled hand."""
        theirs = self.holes[1 - seat]
        if not self.deal.looks:
            return theirs[0]
        place = self.deal.looks[self._n_auctions["look"]][seat]
        return sorted(theirs, key=self.variant.counts_as.__getitem__)[place]

    def _count_draws(self, situation: Situation) -> int:
        """How many choices of draws came before the one that `situation` waits for."""
        street = situation[betting.STREET]
        steps = [step for each in self.variant.streets[:street] for step in each.choices]
        if street < len(self.variant.streets):
            steps += self.variant.streets[street].choices[: choice_place(situation)]
        return sum(isinstance(step, Discard) and step.redraw for step in steps)

    def _take(self, n: int) -> Cards:
        cards = self.deal.rest[self._n_taken : self._n_taken + n]
        if len(cards) < n:
            raise CardError(f"the deal has too few cards for {self.state!r}")
        self._n_taken += n
        return cards
