"""The responder of a local best response: what it knows of a bot, and the batches that it plays."""

from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from counterfold.bets.menu import BetMenu
from counterfold.bets.menu_text import parse_menu
from counterfold.bots.policy_kernels import Policy
from counterfold.bots.tracking.deck_hands import list_hands
from counterfold.bots.tracking.range_room import empty_range, range_room
from counterfold.bots.tracking.range_tracking import LabeledHands
from counterfold.cards.ranking_kernels import rank_tables
from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.jit.random import stream_key
from counterfold.public.card_maps import CardMap
from counterfold.public.deals import Dealer
from counterfold.public.deals_kernels import STAGE_PATHS
from counterfold.public.hand_list_kernels import Hands
from counterfold.public.public_variants import check_pairs, check_pot
from counterfold.public.stages import stage_table
from counterfold.responses import local_response_kernels, run_out_kernels
from counterfold.responses.local_choice_kernels import Opponent, ResponseScratch
from counterfold.responses.local_response_kernels import NO_STOP, Dealt
from counterfold.responses.private_deals import N_PRIVATE, draw_private_deals
from counterfold.responses.run_out_kernels import RunOutScratch, Showdowns

DEFAULT_MENU = "min, 33%, 50%, 75%, 100%, 150%, 200%, allin"  # of the responder
LIMIT_MENU = "min"
NO_ACT = -1

_FIRST_BOARDS, _FIRST_SEED = 2000, 1  # of the margins before the board is dealt


class Responder:
    """Plays batches of deals against a policy, which sees its hands by the buckets of `cards`."""

    def __init__(
        self, dealer: Dealer, policy: Policy, cards: CardMap, menu: BetMenu | str | None = None
    ) -> None:
        variant = dealer.variant
        for check in (check_pot, check_pairs):
            check(variant, "a local best response", "pass --learned")
        self.dealer, self.cards = dealer, cards
        self.menu = read_menu(variant, menu)
        self.labeled = LabeledHands(dealer, cards)
        self.first = betting.first_situation(variant.rules)
        draws = [street.draw for street in variant.streets]
        self.opponent = Opponent(
            rules=variant.rules,
            layout=dealer.layout,
            policy=policy,
            menu=self.menu.compile(variant),
            hands=self.labeled.hands,
            showdowns=showdowns_of(variant),
            stages=stage_table(dealer.stages),
            swaps=np.array([street.swap for street in variant.streets]),
            shown=np.array([draw is not None and draw.shown for draw in draws]),
            first_margins=find_first_margins(variant),
            hands_change=variant.hands_change,
            last_change=variant.last_change,
        )

    @property
    def variant(self) -> Variant:
        """The rules."""
        return self.dealer.variant

    def deal(self, seed: int, first: int, n: int) -> Dealt:
        """Deals `first` to `first + n - 1` of a seed, with the buckets of all hands."""
        deals = self.dealer.sample(seed, first, n)
        boards = deals.cards[:, 2 * self.dealer.layout.hole_cards :]
        return Dealt(
            deals.cards,
            deals.lengths,
            deals.holes,
            deals.discard_first,
            deals.strengths,
            self.cards.label(deals),
            self.labeled.label(boards, deals.lengths),
            self.labeled.order(boards),
            draw_private_deals(self.dealer, self.cards, deals, seed + 2, first),
        )

    def play(self, seed: int, first: int, n: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Play deals in both seats: [2, n] chips won, and the streets on which betting ended."""
        values, streets, _ = self.play_until(NO_STOP, seed, first, n)
        return values, streets

    def play_until(
        self, stop: int, seed: int, first: int, n: int, most: int = 0
    ) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
        """The same, but hands that come to the street `stop` are left there, worth NaN.

        Also [2, n, most, 2] what was done, kinds and amounts; `NO_ACT` after the last one.
        """
        dealt = self.deal(seed, first, n)
        room = self._room()
        values = np.empty((2, n))
        streets = np.empty((2, n), np.int64)
        acts = np.full((2, n, most, 2), NO_ACT, np.int64)
        for seat in (0, 1):
            local_response_kernels.respond_to_deals(
                self.opponent,
                self.first,
                dealt,
                seat,
                seed + 1,
                first,
                stop,
                room,
                values[seat],
                streets[seat],
                acts[seat],
            )
        return values, streets, acts

    def _room(self) -> ResponseScratch:
        """Work space for one batch."""
        n_hands = len(self.labeled.hands.cards)
        policy = self.opponent.policy
        n_buckets = max(self.cards.n_buckets)
        widest = self.opponent.menu.sizes.shape[2]
        n_private = 0
        if self.variant.hands_change:
            n_private = N_PRIVATE * int(self.dealer.layout.stages[-1, STAGE_PATHS])
        return ResponseScratch(
            empty_range(n_hands),
            range_room(n_hands, policy, n_buckets),
            empty_range(n_private),
            range_room(n_private, policy, n_buckets if n_private else 0),
            run_out_room(self.labeled.hands, self.opponent.showdowns),
            np.zeros(n_hands),
            np.zeros(n_hands),
            np.zeros(n_private),
            np.zeros(n_private),
            np.zeros((2, widest), np.int64),
            np.zeros(2, np.int64),
        )


def read_menu(variant: Variant, menu: BetMenu | str | None, bids: str = "") -> BetMenu:
    """The bets that a responder considers, by default many, with the `bids`."""
    if menu is None:
        menu = (LIMIT_MENU if variant.betting == "limit" else DEFAULT_MENU) + bids
    return parse_menu(menu) if isinstance(menu, str) else menu


def showdowns_of(variant: Variant) -> Showdowns:
    """How boards of a variant are completed, and what decides on them."""
    layout = Dealer(variant).layout
    return Showdowns(
        rank_tables(variant.ranking),
        variant.first_flush_suit_only,
        layout.hole_cards,
        layout.board_cards,
        layout.board_cards + layout.max_runs,
        layout.run_suits,
    )


@lru_cache(maxsize=4)
def find_first_margins(variant: Variant) -> NDArray[np.float32]:
    """[H, H] margins of hands before the board is dealt, over boards that are drawn once.

    Empty where all boards are few enough to be looked at in each hand.
    """
    dealer = Dealer(variant)
    layout = dealer.layout
    n_boards = comb(layout.deck.size - layout.hole_cards, layout.board_cards)
    few = not layout.max_runs and n_boards <= run_out_kernels.N_DRAWN_BOARDS
    if few or layout.board_cards + layout.hole_cards < 5:
        return np.zeros((0, 0), np.float32)
    hands, showdowns = list_hands(variant), showdowns_of(variant)
    n = len(hands.cards)
    results, counts = np.zeros((n, n), np.int32), np.zeros((n, n), np.int32)
    key = np.uint64(stream_key(_FIRST_SEED, 0))
    run_out_kernels.find_all_margins(
        hands, showdowns, key, _FIRST_BOARDS, run_out_room(hands, showdowns), results, counts
    )
    return (results / np.maximum(counts, 1)).astype(np.float32)


def run_out_room(hands: Hands, showdowns: Showdowns) -> RunOutScratch:
    """Work space for run-outs."""
    n_hands, n_deck, n_board = len(hands.cards), hands.deck.size, showdowns.most_cards
    return RunOutScratch(
        np.zeros(n_board, np.uint8),
        np.zeros(n_deck, np.uint8),
        np.zeros(n_deck, np.uint8),
        np.zeros(n_board, np.int64),
        np.zeros(n_deck, np.uint8),
        np.zeros(n_deck, np.int64),
        np.zeros(n_hands, np.int16),
        np.zeros(n_hands, np.int16),
        np.zeros(n_hands, np.int16),
        np.zeros(n_hands, np.int16),
    )
