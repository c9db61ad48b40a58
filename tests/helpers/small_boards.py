"""Variants on decks so small that all deals and boards are listed, for walks over boards."""

import numpy as np

from counterfold.bets import parse_menu
from counterfold.blueprints.enumerated import EnumeratedGame, Knowledge
from counterfold.games.holdem import betting_kernels as betting
from counterfold.public.boards import EnumeratedBoards
from counterfold.public.card_maps import ExactCards
from counterfold.public.deals import Dealer
from counterfold.public.graph import build_graph
from counterfold.public.infosets import classify
from counterfold.public.situation_features import parse_public_abstraction
from counterfold.training.boards.best_response import BestResponseSolver
from counterfold.training.boards.device_chance import DeviceChanceSolver
from counterfold.training.boards.device_response import DeviceResponseSolver
from counterfold.training.boards.public_chance import PublicChanceSolver
from helpers.public_games import variant_of

RUNS = "river-of-blood(stack=6, deck='QKA/cd', board=(1,))"
LIMIT = "limit(bets=2, deck='JQKA/cd', board=(1,))"


class SmallBoards:
    """A variant with all deals and boards; `merge` hands into so many buckets, 0 for none."""

    def __init__(self, name, menu="min", merge=0):
        variant = variant_of(name)
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

    def responding_batch_solver(self, xp, **options):
        """The same for players who meet responders."""
        return DeviceResponseSolver(self.game, self.dealer, self.boards_by_hand(), xp, **options)

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


def full_width(small, rows, weights, regrets, traverser):
    """What plain CFR adds to the traverser's regrets and to the other's averages on some deals."""
    game, graph, deals = small.game, small.game.graph, small.deals
    strategy = normalize(game, regrets)
    phase, actor = graph.phase, graph.field(betting.ACTOR)
    spent = graph.situations[:, [betting.SPENT_0, betting.SPENT_1]]
    reach = np.zeros((graph.n_nodes, rows.size))
    reach[0] = weights
    new_regrets, new_averages = np.zeros((2, game.n_slots))

    def slots(node):
        bucket = small.buckets[rows, actor[node], game.stage[node]].astype(np.int64)
        n_actions = game.n_actions[game.classes[node]]
        return game.node_offsets[node] + n_actions * bucket[None] + np.arange(n_actions)[:, None]

    def takes(node, k):
        if graph.starts[node + 1] - graph.starts[node] == 1:
            return 1.0
        ends = deals.lengths[rows] == graph.field(betting.STREET)[node] + 1
        return ends if k == 1 else ~ends

    for node in range(graph.n_nodes):
        for k, edge in enumerate(range(graph.starts[node], graph.starts[node + 1])):
            share = 1.0
            if phase[node] == betting.DEAL:
                share = takes(node, k)
            elif actor[node] != traverser:
                share = strategy[slots(node)[k]]
                np.add.at(new_averages, slots(node)[k], reach[node] * share)
            reach[graph.children[edge]] += reach[node] * share
    values = np.zeros((graph.n_nodes, rows.size))
    for node in range(graph.n_nodes - 1, -1, -1):
        children = graph.children[graph.starts[node] : graph.starts[node + 1]]
        if phase[node] == betting.FOLDED:
            values[node] = spent[node, actor[node]] * (-1 if actor[node] == traverser else 1)
        elif phase[node] == betting.SHOWDOWN:
            signs = np.sign(deals.strengths[rows, 0, 0] - deals.strengths[rows, 1, 0])
            values[node] = spent[node, 0] * signs * (1 if traverser == 0 else -1)
        elif phase[node] == betting.DEAL:
            values[node] = sum(takes(node, k) * values[c] for k, c in enumerate(children))
        else:
            values[node] = (strategy[slots(node)] * values[children]).sum(axis=0)
            if actor[node] == traverser:
                gains = reach[node] * (values[children] - values[node])
                np.add.at(new_regrets, slots(node), gains)
    return new_regrets, new_averages
