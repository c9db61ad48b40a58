"""A hold'em-like game for two as data: deck, hole cards, forced bets, stack, betting and streets.

Seat 0 is the dealer. It posts the first blind and bets first before the flop; each street says who
bets first on it. Both seats begin every hand with the same stack, so that no side pots exist.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

from counterfold.cards import FULL, Deck, showdown_strength
from counterfold.cards.ranking import MAX_CARDS, RANKINGS
from counterfold.cards.text import N_CARDS, RANKS, SUITS
from counterfold.errors import GameError
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import Rules
from counterfold.games.holdem.payoff import MAX_STACK, Bounty
from counterfold.games.holdem.state import HoldemState
from counterfold.games.holdem.street import (
    Auction,
    Deal,
    Discard,
    Step,
    Street,
    Swap,
    check_flag,
)
from counterfold.games.holdem.variant_checks import check_hands, in_place
from counterfold.games.holdem.variant_rules import BETTING, compile_rules, round_bits
from counterfold.games.protocol import Feature, Game, check_parameter

MAX_BETS = 1000  # of a street
MAX_HOLE_CARDS = 6
SHORT_DECK = "6789TJQKA/cdhs"

Betting = Literal["limit", "no-limit", "pot-limit"]


@dataclass(frozen=True)
class Variant(Game):
    """The rules of a game. `title` is what it is called, and is what `name` returns.

    With `run_suits` the last street is repeated while the last card of the board is of one of
    them.
    """

    title: str
    streets: tuple[Street, ...]
    betting: Betting = "no-limit"
    stack: int = MAX_STACK  # chips at the start of every hand
    blinds: tuple[int, int] = (1, 2)  # chips by seat
    ante: int = 0  # chips of each player
    min_bet: int = 0  # chips; 0 for the larger blind, or 1 where there is none
    deck: Deck = FULL
    hole_cards: int = 2
    run_suits: str = ""  # such as dh
    fold_when_free: bool = False  # may a player fold with nothing to call?
    first_flush_suit_only: bool = False  # rank as eval7 does; see `rank_hands`
    ranking: Literal["standard", "short-deck"] = "standard"
    rank_order: str = ""  # the ranks of the deck from the lowest up, if they have another order
    bounty: Bounty | None = None
    unit = "chips"
    word = "variant"
    features: ClassVar[Mapping[str, Feature]] = {
        "ranks": lambda infoset: str(infoset["cards"])[::2],
        "board_ranks": lambda infoset: _ranks_of_board(str(infoset["board"])),
        "street": lambda infoset: str(infoset["board"]).count("/") + (infoset["board"] != ""),
    }

    def __post_init__(self) -> None:
        with in_place(self.title):
            for name in ("streets", "blinds"):
                if isinstance(value := getattr(self, name), list):
                    object.__setattr__(self, name, tuple(value))
            self._check()

    def root(self) -> HoldemState:
        """The state before the cards are dealt."""
        return HoldemState(self, (), betting.first_situation(self.rules))

    @property
    def name(self) -> str:
        """The text that names the variant."""
        return self.title

    @cached_property
    def rules(self) -> Rules:
        """The betting rules as arrays."""
        return compile_rules(self)

    def strength(self, cards: Sequence[int]) -> int:
        """What decides a showdown between hands of these and as many cards; higher is stronger."""
        return showdown_strength(
            [self.counts_as[card] for card in cards],
            first_flush_suit_only=self.first_flush_suit_only,
            ranking=self.ranking,
        )

    @cached_property
    def counts_as(self) -> tuple[int, ...]:
        """By card, the card that has its strength in the usual order of ranks."""
        names = [*range(N_CARDS)]
        for rank, name in zip(self.deck.ranks, self.rank_order, strict=False):
            for suit in range(len(SUITS)):
                names[4 * RANKS.index(name) + suit] = 4 * rank + suit
        return tuple(names)

    @property
    def usual_showdown(self) -> bool:
        """Whether hands have the order of hold'em and a win is worth what the loser has put in."""
        return self.ranking == "standard" and not self.rank_order and self.bounty is None

    @property
    def has_stacks(self) -> bool:
        """Whether a player can run out of chips; with fixed limits there may be no end to them."""
        return self.stack < MAX_STACK

    @property
    def big_blind(self) -> int:
        """The chips that rates are reported in thousandths of: the larger blind, else the ante."""
        return max(self.blinds) or self.ante

    @cached_property
    def n_draws(self) -> int:
        """How many drawing rounds there are."""
        return sum(isinstance(step, Discard) for step in self.steps)

    @cached_property
    def swaps(self) -> tuple[Swap, ...]:
        """The swaps of hole cards, in their order."""
        return tuple(step for step in self.steps if isinstance(step, Swap))

    @property
    def has_swaps(self) -> bool:
        """Whether hole cards may be replaced by chance on some street."""
        return bool(self.swaps)

    @cached_property
    def has_auctions(self) -> bool:
        """Whether players bid for something."""
        return any(isinstance(step, Auction) for step in self.steps)

    @cached_property
    def auction_rounds(self) -> int:
        """The bits of `betting_kernels.DREW` that tell who won an auction."""
        return 3 * round_bits(self.steps, lambda step: isinstance(step, Auction))

    @cached_property
    def size_rounds(self) -> int:
        """The bits of `betting_kernels.DREW` that tell how many cards are held or on the board."""
        return 3 * round_bits(self.steps, lambda step: isinstance(step, Discard) and step.resizes)

    @cached_property
    def lays_cards(self) -> bool:
        """Whether players lay hole cards onto the board."""
        return any(isinstance(step, Discard) and step.to_board for step in self.steps)

    @cached_property
    def gives_cards(self) -> bool:
        """Whether players discard in other ways than one of two cards, unseen, for a new one."""
        held = self.hole_cards
        for step in self.steps:
            if isinstance(step, Discard) and (step != Discard(step.first) or held > 2):
                return True
            if isinstance(step, Deal):
                held += max(step.holes)
            elif isinstance(step, Auction):
                held += step.prize == "card"
        return False

    @property
    def steps(self) -> list[Step]:
        """Those of all streets in the order of play."""
        return [step for street in self.streets for step in street.steps]

    @property
    def hands_change(self) -> bool:
        """Whether hole cards may change after the deal."""
        return bool(self.steps)

    @property
    def has_small_hands(self) -> bool:
        """Whether hands have one or two cards, which never change."""
        return self.hole_cards <= 2 and not self.hands_change

    @cached_property
    def last_change(self) -> int:
        """The last street on which hands change or players bid; 0 if there is none."""
        more = (bool(street.choices) or street.changes_hands for street in self.streets)
        return max((at for at, is_one in enumerate(more) if is_one), default=0)

    @cached_property
    def max_runs(self) -> int:
        """How many streets may follow the last one."""
        suits = [SUITS.index(suit) for suit in self.run_suits]
        running = len(self.deck.ranks) * sum(suit < self.deck.suits for suit in suits)
        left = self.deck.n_cards - self.cards_needed
        return max(0, min(running, left, MAX_CARDS - self.hole_cards - self.board_cards()))

    def board_cards(self, street: int | None = None) -> int:
        """How many cards are on the board on `street`, or on the last one before any runs."""
        if street is None:
            street = len(self.streets) - 1
        known = sum(each.cards + each.laid for each in self.streets[: street + 1])
        return known + max(0, street + 1 - len(self.streets)) * self.streets[-1].cards

    @property
    def board_cards_dealt(self) -> int:
        """The fewest cards on the board at a showdown: without those that players lay there."""
        streets = self.streets
        deals = sum(step.board for step in self.steps if isinstance(step, Deal))
        return sum(street.cards for street in streets) + deals

    @property
    def most_hole_cards(self) -> int:
        """The most cards that a seat may hold at once."""
        held = most = self.hole_cards
        for step in self.steps:
            if isinstance(step, Auction):
                held += step.prize == "card"
            elif isinstance(step, Deal):
                held += max(step.holes)
            elif isinstance(step, Discard) and step.forced and not step.redraw:
                held -= step.count
            most = max(most, held)
        return most

    @property
    def cards_needed(self) -> int:
        """The most cards of a hand without a run."""
        needed = 2 * self.hole_cards + sum(street.cards for street in self.streets)
        for step in self.steps:
            if isinstance(step, Swap):
                needed += 2 * self.most_hole_cards
            elif isinstance(step, Deal):
                needed += step.board + sum(step.holes)
            elif isinstance(step, Discard):
                needed += 2 * step.count * step.redraw
            elif step.prize == "card":
                needed += 2
        return needed

    def _check(self) -> None:
        if not isinstance(self.betting, str) or self.betting not in BETTING:
            raise GameError(f"betting must be one of {', '.join(BETTING)}, not {self.betting!r}")
        self._check_chips()
        if not isinstance(self.deck, Deck):
            raise GameError(f"deck must be a Deck, not {self.deck!r}")
        check_parameter("hole_cards", self.hole_cards, 1, MAX_HOLE_CARDS)
        for name in ("fold_when_free", "first_flush_suit_only"):
            check_flag(name, getattr(self, name))
        self._check_ranking()
        if not isinstance(self.streets, tuple) or not self.streets:
            raise GameError(f"streets must be one or more of Street, not {self.streets!r}")
        for at, street in enumerate(self.streets):
            with in_place(f"street {at}"):
                self._check_street(at, street)
        self._check_runs()
        check_hands(self)
        if self.bounty is not None:
            if not isinstance(self.bounty, Bounty):
                raise GameError(f"bounty must be a Bounty or None, not {self.bounty!r}")
            self.bounty.check()
        most = self.most_hole_cards + self.board_cards()
        if most > MAX_CARDS:
            raise GameError(
                f"a hand of {most} cards cannot be ranked, only up to {MAX_CARDS}; use fewer "
                "hole_cards, cards on streets or steps"
            )
        needed = self.cards_needed
        if needed > self.deck.n_cards:
            raise GameError(
                f"a hand may need {needed} cards, more than the {self.deck.n_cards} "
                f"of the deck {self.deck.name}; use a larger deck, or fewer hole_cards or steps"
            )

    def _check_ranking(self) -> None:
        if self.ranking not in RANKINGS:
            raise GameError(f"ranking must be {' or '.join(RANKINGS)}, not {self.ranking!r}")
        lowest = RANKS.index("6")
        if self.ranking == "short-deck" and min(self.deck.ranks) < lowest:
            raise GameError(
                f"ranking short-deck needs a deck from the six up such as {SHORT_DECK}, "
                f"not {self.deck.name}"
            )
        if not self.rank_order:
            return
        ranks = "".join(RANKS[rank] for rank in self.deck.ranks)
        if not isinstance(self.rank_order, str) or sorted(self.rank_order) != sorted(ranks):
            raise GameError(
                f"rank_order must have each rank of the deck once, such as {ranks!r}, "
                f"not {self.rank_order!r}"
            )

    def _check_chips(self) -> None:
        check_parameter("stack", self.stack, 1, MAX_STACK)
        if self.betting != "limit" and not self.has_stacks:
            raise GameError(
                f"stack must be given if betting is {self.betting}, below {MAX_STACK} chips"
            )
        check_parameter("ante", self.ante, 0, MAX_STACK)
        check_parameter("min_bet", self.min_bet, 0, MAX_STACK)
        if self.betting == "limit" and self.min_bet:
            raise GameError(f"min_bet {self.min_bet} has no meaning if betting is limit")
        if not isinstance(self.blinds, tuple) or len(self.blinds) != 2:
            raise GameError(f"blinds must be two numbers of chips, by seat, not {self.blinds!r}")
        for blind in self.blinds:
            check_parameter("each of blinds", blind, 0, MAX_STACK)
        forced = self.ante + max(self.blinds)
        if forced == 0:
            raise GameError(
                "blinds and ante are 0: there is nothing to play for; set one of them to 1 or more"
            )
        if self.stack < forced:
            raise GameError(f"stack {self.stack} is below the {forced} chips of blind and ante")

    def _check_street(self, at: int, street: Street) -> None:
        if not isinstance(street, Street):
            raise GameError(f"a street must be a Street, not {street!r}")
        check_parameter("cards", street.cards, 0, N_CARDS)
        check_parameter("first", street.first, 0, 1)
        check_parameter("bet", street.bet, 0, MAX_STACK)
        check_parameter("max_bets", street.max_bets, 0, MAX_BETS)
        check_flag("betting", street.betting)
        if not isinstance(street.steps, tuple):
            raise GameError(f"steps must be a list of steps, not {street.steps!r}")
        for step in street.steps:
            if not isinstance(step, Swap | Deal | Discard | Auction):
                raise GameError(f"a step must be a Swap, Deal, Discard or Auction, not {step!r}")
            step.check()
        if self.betting == "limit" and street.betting and (street.bet == 0 or street.max_bets == 0):
            raise GameError("bet and max_bets must be given if betting is limit")
        if self.betting != "limit" and street.bet:
            raise GameError(f"bet {street.bet} has no meaning if betting is {self.betting}")
        if at > 0:
            if street.cards == 0:
                raise GameError(
                    "cards must be 1 or more on every street except the first, not 0; put the "
                    "steps of this street on the one before"
                )
            return
        if street.cards or street.swap:
            what = f"cards = {street.cards}" if street.cards else "the swap"
            raise GameError(
                "the first street deals only hole cards: it has no board cards and no swap; put "
                f"{what} on a later street"
            )
        if street.laid:
            raise GameError(
                "the first street has no board that a card could come to; put the step on a later "
                "street"
            )
        if not street.betting and self.blinds[0] != self.blinds[1]:
            raise GameError(
                f"betting must be true on the first street, whose blinds {self.blinds} differ"
            )
        if self.blinds[street.first] > self.blinds[1 - street.first]:
            raise GameError(
                f"first must be {1 - street.first}, the seat with the smaller blind "
                f"of {self.blinds}"
            )

    def _check_runs(self) -> None:
        if not isinstance(self.run_suits, str) or not set(self.run_suits) <= set(SUITS):
            raise GameError(f"run_suits must be letters of {SUITS}, not {self.run_suits!r}")
        last = self.streets[-1]
        if self.run_suits and (last.cards != 1 or last.steps):
            raise GameError(
                "the last street, which run_suits repeat, must deal one card and have no steps; it "
                f"has cards = {last.cards} and {len(last.steps)} steps"
            )


def _ranks_of_board(board: str) -> str:
    return "/".join(cards[::2] for cards in board.split("/"))
