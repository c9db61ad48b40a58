"""The responder of a local best response that is played step by step."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from counterfold.bets.menu import BetMenu
from counterfold.bots.policy_kernels import Policy
from counterfold.games.holdem import Variant
from counterfold.public.bounties import count_bounty_classes, find_hits
from counterfold.public.card_maps import CardMap
from counterfold.public.deals import Dealer, Deals
from counterfold.public.deals_kernels import draw_bounties
from counterfold.responses.responder import read_menu, run_out_room
from counterfold.responses.stepwise.column_range import FollowedBot
from counterfold.responses.stepwise.game import StepGame
from counterfold.responses.stepwise.step_walk import N_STREAMS, StepWalk

DEFAULT_BIDS = "; bids: 10%, 25%, 50%, 100%, 200%, 400%, allin"  # of the responder


class StepResponder:
    """Plays batches of deals against a policy, which sees its hands by the buckets of `cards`."""

    def __init__(
        self, dealer: Dealer, policy: Policy, cards: CardMap, menu: BetMenu | str | None = None
    ) -> None:
        bids = DEFAULT_BIDS if dealer.variant.has_auctions else ""
        self.game = StepGame(dealer, policy, cards, read_menu(dealer.variant, menu, bids))

    @property
    def variant(self) -> Variant:
        """The rules."""
        return self.game.variant

    @property
    def menu(self) -> BetMenu:
        """The bets and bids that the responder considers."""
        return self.game.menu

    def deal(self, seed: int, first: int, n: int) -> Deals:
        """Deals `first` to `first + n - 1` of a seed, each with bounties of its own."""
        dealer = self.game.dealer
        deals = dealer.sample(seed, first, n)
        if self.variant.bounty is None:
            return deals
        bounties = np.empty_like(deals.bounties)
        draw_bounties(np.array(self.variant.deck.ranks, np.uint8), 1, seed, first, bounties)
        hits = find_hits(deals.holes, dealer.all_boards(deals.cards, deals.laid), bounties)
        return replace(deals, bounties=bounties, hits=hits)

    def walks(self, seed: int, first: int, n: int) -> Iterator[StepWalk]:
        """The hands of `n` deals, each in both seats; every one is to be played before the next."""
        deals, bot = self.deal(seed, first, n), self.make_bot()
        buckets = self.game.cards.label(deals)
        for row in range(n):
            stream = (first + row) * N_STREAMS
            for seat in (0, 1):
                yield StepWalk(self.game, bot, deals, buckets, row, seat, stream, seed + 1)

    def play(self, seed: int, first: int, n: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Play deals in both seats: [2, n] chips won, and the streets on which betting ended."""
        values, streets = np.empty((2, n)), np.empty((2, n), np.int64)
        for walk in self.walks(seed, first, n):
            at = walk.seat, walk.row
            values[at], streets[at] = walk.play()
        return values, streets

    def make_bot(self) -> FollowedBot:
        """The bot with memory for ranges, for one thread."""
        game = self.game
        cards = game.cards.without_bounty
        n_known = 1
        if self.variant.bounty is not None:
            n_known = count_bounty_classes(self.variant, game.cards.knows_bounty)
        run_outs = run_out_room(game.pairs, game.showdowns)
        return FollowedBot(self.variant.rules, game.policy, cards, n_known, run_outs)
