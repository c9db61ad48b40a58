"""What a responder knows of a game and a bot before the first hand that is played step by step."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from counterfold.bets.menu import BetMenu
from counterfold.bots.policy_kernels import Policy
from counterfold.cards.ranking_kernels import rank_tables
from counterfold.cards.text import N_CARDS
from counterfold.errors import UnsupportedGameError
from counterfold.games.holdem import Auction, Discard, Swap, Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.card_sets_kernels import set_number
from counterfold.games.holdem.situation import Situation
from counterfold.games.holdem.street import Step
from counterfold.public.card_maps import CardMap
from counterfold.public.deals import Dealer
from counterfold.public.hand_list_kernels import Hands
from counterfold.public.stages import stage_table
from counterfold.responses.responder import find_first_margins
from counterfold.responses.run_out_kernels import Showdowns
from counterfold.responses.stepwise.columns import MOST_COLUMNS, Columns, all_hands, count_hands
from counterfold.responses.stepwise.secret_ranks import SecretRanks
from counterfold.responses.stepwise.showdown_kernels import ShowdownRanking
from counterfold.responses.stepwise.step_choice_kernels import Known

Cards = NDArray[np.uint8]

_PAIR = 2  # cards


@dataclass(eq=False)
class StepGame:
    """A variant with the policy of a bot, which looks itself up in `cards`."""

    dealer: Dealer
    policy: Policy
    cards: CardMap
    menu: BetMenu  # of the responder

    def __post_init__(self) -> None:
        check_steps(self.variant)

    @property
    def variant(self) -> Variant:
        """The rules."""
        return self.dealer.variant

    @cached_property
    def known(self) -> Known:
        """The same for kernels."""
        return Known(self.variant.rules, self.policy, self.menu.compile(self.variant))

    @cached_property
    def first(self) -> Situation:
        """The situation after the blinds."""
        return tuple(betting.first_situation(self.variant.rules))

    @cached_property
    def stage_table(self) -> NDArray[np.int64]:
        """[streets, 1 + turns] the stages, as `stages.stage_table` has them."""
        return stage_table(self.dealer.stages)

    @cached_property
    def ranking(self) -> ShowdownRanking:
        """What decides a showdown."""
        return ShowdownRanking(
            rank_tables(self.variant.ranking), self.variant.first_flush_suit_only
        )

    @cached_property
    def pairs(self) -> Hands:
        """All pairs of cards, for kernels that compare them all at once."""
        deck, pairs = np.sort(self.variant.deck.cards).astype(np.uint8), self.all_pairs
        places = np.zeros(N_CARDS, np.int64)
        places[deck] = np.arange(deck.size)
        return Hands(deck, places, pairs.cards, pairs.bits, pairs.masks)

    @property
    def all_pairs(self) -> Columns:
        """The same as columns."""
        return all_hands(self.variant.deck, _PAIR)

    @cached_property
    def showdowns(self) -> Showdowns:
        """What decides between pairs; the board has as many cards as it may ever have."""
        most = self.dealer.layout.board_cards + self.dealer.stages[-1].n_laid
        return Showdowns(*self.ranking, _PAIR, most, most, 0)

    @cached_property
    def first_margins(self) -> NDArray[np.float32]:
        """[H, H] of pairs before the board is dealt; empty for other hands."""
        pairs = self.variant.hole_cards == 2 and not self.variant.gives_cards
        return find_first_margins(self.variant) if pairs else np.zeros((0, 0), np.float32)

    @cached_property
    def secrets(self) -> SecretRanks | None:
        """Bounties that the bot may have."""
        if self.variant.bounty is None:
            return None
        hands = all_hands(self.variant.deck, self.variant.hole_cards)
        return SecretRanks(self.variant.deck, hands, self.cards.knows_bounty)

    @cached_property
    def last_choice(self) -> int:
        """The last street on which players choose something before the betting."""
        return max(
            (at for at, street in enumerate(self.variant.streets) if street.steps), default=0
        )

    def sets_of(self, hands: Cards, board: tuple[int, ...], gone: Cards) -> NDArray[np.int64]:
        """[n] the number of the set of cards `gone` in each of `hands` on a board."""
        held = hands.shape[1]
        on_board = np.tile(np.array(board, np.uint8), (len(hands), 1))
        joined = np.concatenate([hands, on_board], axis=1)
        order = self.dealer.lay_order.sort_many(joined, held)
        goes = np.isin(np.take_along_axis(hands, order, axis=1), gone)
        numbers = np.zeros(1 << held, np.int64)
        for bits in range(1, 1 << held):
            numbers[bits] = set_number(held, bits)
        return numbers[goes @ (1 << np.arange(held))]


def check_steps(variant: Variant) -> None:
    """Raise `UnsupportedGameError` unless a local best response can follow what may be hidden."""
    if obstacle := _obstacle(variant):
        raise UnsupportedGameError(
            f"a local best response cannot follow the hands of {variant.name}, which has "
            f"{obstacle}; pass --learned"
        )


def _obstacle(variant: Variant) -> str:
    """What is in the way, in words."""
    if variant.run_suits:
        return "a board that may run on, and more to hide than two cards"
    steps = [step for street in variant.streets for step in street.steps]
    if found := next(filter(None, map(_unknown, steps)), ""):
        return found
    if variant.bounty is not None and steps:
        return "bounties beside steps"
    if sum(isinstance(step, Auction) for step in steps) > 1:
        return "more than one auction"
    if (n := count_hands(variant.deck, variant.hole_cards)) > MOST_COLUMNS:
        return f"{n:,} hands at first, more than {MOST_COLUMNS:,}"
    return ""


def _unknown(step: Step) -> str:
    """What of a step a range cannot be followed through, in words; nothing if it can."""
    if isinstance(step, Auction):
        return "" if step.prize == "card" else "an auction for a look"
    if isinstance(step, Discard):
        known = step.forced and step.public and not step.redraw
        return "" if known else "discards other than of cards that must go and that both see"
    return "swaps beside other hidden cards" if isinstance(step, Swap) else "deals along the way"
