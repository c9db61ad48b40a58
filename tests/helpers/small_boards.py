"""Variants on decks so small that all deals and boards are listed, for walks over boards."""

import numpy as np

from counterfold.bets import parse_menu
from counterfold.blueprints.enumerated import EnumeratedGame, Knowledge
from counterfold.games import parse_game
from counterfold.public.boards import EnumeratedBoards
from counterfold.public.card_maps import ExactCards
from counterfold.public.deals import Dealer
from counterfold.public.graph import build_graph
from counterfold.public.infosets import classify
from counterfold.public.situation_features import parse_public_abstraction
from counterfold.training.best_response import BestResponseSolver
from counterfold.training.device_chance import DeviceChanceSolver
from counterfold.training.public_chance import PublicChanceSolver

RUNS = "river-of-blood(stack=6, deck='QKA/cd', board=(1,))"
LIMIT = "limit(bets=2, deck='JQKA/cd', board=(1,))"


class SmallBoards:
    """A variant with all deals and boards; `merge` hands into so many buckets, 0 for none."""

    def __init__(self, name, menu="min", merge=0):
        variant = parse_game(name)
        self.dealer = Dealer(variant)
        self.deals = self.dealer.enumerate()
        cards = ExactCards(self.dealer, self.deals)
        hands, counts = cards.label(self.deals), cards.n_buckets
        graph = build_graph(variant, parse_menu(menu), merge=False)
        public = parse_public_abstraction("history * cards")
        self.exact = Knowledge(classify(graph, public, counts), hands)
        self.game, self.buckets = self.exact.game, hands
        if merge:
            self.buckets = hands % merge
            self.game = classify(graph, public, [merge] * len(counts))
        self.boards = EnumeratedBoards(self.dealer, self.deals, self.buckets)

    def solver(self, **options):
        return PublicChanceSolver(self.game, self.dealer, self.boards, **options)

    def boards_by_hand(self):
        """All boards, with a type for each hand."""
        return EnumeratedBoards(self.dealer, self.deals, self.buckets, by_hand=True)

    def responding_solver(self, **options):
        """A solver whose players meet responders."""
        return BestResponseSolver(self.game, self.dealer, self.boards_by_hand(), **options)

    def batch_solver(self, xp, **options):
        """A solver that walks many boards at once, by `xp`."""
        return DeviceChanceSolver(self.game, self.dealer, self.boards_by_hand(), xp, **options)

    def exploitability(self, averages):
        """What a best response wins that holds exact cards, in chips."""
        listed = EnumeratedGame(self.dealer, self.deals)
        strategy = normalize(self.game, averages)
        known = Knowledge(self.game, self.buckets)
        return listed.nash_conv(known, strategy, self.exact) / 2

    def deals_of_boards(self):
        """Rows of deals for each board, in the order of `boards`."""
        h = self.dealer.layout.hole_cards
        keys = np.column_stack([self.deals.lengths, self.deals.cards[:, 2 * h :]])
        _, inverse = np.unique(keys, axis=0, return_inverse=True)
        return [np.flatnonzero(inverse.ravel() == i) for i in range(len(self.boards))]


def normalize(game, sums):
    """Shares of the positive part, even where there is none."""
    strategy = np.zeros(sums.size)
    for c in range(game.n_classes):
        slots = slice(game.offsets[c], game.offsets[c + 1])
        part = np.maximum(sums[slots].astype(float), 0).reshape(-1, game.n_actions[c])
        total = part.sum(axis=1, keepdims=True)
        shares = np.where(total > 0, part / np.where(total > 0, total, 1), 1 / game.n_actions[c])
        strategy[slots] = shares.ravel()
    return strategy
