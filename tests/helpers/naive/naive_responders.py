"""CFR-BR by plain recursion over the deals of a board."""

import numpy as np

from counterfold.games.holdem import betting_kernels as betting
from helpers.small_boards import normalize


def hand_numbers(holes):
    """A number for each different hand of the first cards that a seat is dealt."""
    return np.unique(holes.reshape(len(holes), -1), axis=0, return_inverse=True)[1].ravel()


class Recursion:
    """What a board adds to the tables of `player` and of the responder that it meets."""

    def __init__(self, small, rows, player, regrets, responding):
        self.game, self.graph, self.deals = small.game, small.game.graph, small.deals
        self.rows, self.small, self.player = rows, small, player
        self.weights = small.deals.weights[rows] / small.deals.weights[rows].sum()
        self.last = int(small.deals.lengths[rows[0]])
        self.own = normalize(small.game, regrets)
        self.responding, self.trunk = responding, normalize(small.game, responding)
        self.hands = [hand_numbers(small.deals.holes[rows, seat]) for seat in (0, 1)]
        self.answers, self.added = {}, np.zeros((3, small.game.n_slots))

    def run(self):
        """Regrets of the player and of the responder, and averages of the player."""
        return add_boards([self])

    def slots(self, node):
        seat, game = self.graph.field(betting.ACTOR)[node], self.game
        bucket = self.small.buckets[self.rows, seat, game.stage[node]].astype(np.int64)
        n_actions = game.n_actions[game.classes[node]]
        return game.node_offsets[node] + n_actions * bucket + np.arange(n_actions)[:, None]

    def children(self, node):
        children = self.graph.children[self.graph.starts[node] : self.graph.starts[node + 1]]
        if self.graph.phase[node] == betting.DEAL and children.size == 2:
            ends = self.graph.field(betting.STREET)[node] + 1 == self.last
            return children[[1]] if ends else children[[0]]
        return children

    def won(self, node):
        """By seat 0."""
        spent = self.graph.situations[node, [betting.SPENT_0, betting.SPENT_1]]
        if self.graph.phase[node] == betting.FOLDED:
            loser = self.graph.field(betting.ACTOR)[node]
            return np.full(self.rows.size, spent[loser] * (-1.0 if loser == 0 else 1.0))
        strengths = self.deals.strengths[self.rows]
        return spent[0] * np.sign(strengths[:, 0, 0] - strengths[:, 1, 0]).astype(float)

    def plays(self, node, seat):
        """Whether `seat` decides here, and whether it is a responder on the last street."""
        mine = self.graph.field(betting.ACTOR)[node] == seat
        on_last = self.graph.field(betting.STREET)[node] == self.last
        return mine, mine and on_last and seat != self.player

    def respond(self, node, reach):
        """Values of the responder by deal, weighted by how often the player comes here."""
        seat, phase = 1 - self.player, self.graph.phase[node]
        if phase in (betting.FOLDED, betting.SHOWDOWN):
            return reach * self.won(node) * (1 if seat == 0 else -1)
        if phase == betting.DEAL:
            return self.respond(self.children(node)[0], reach)
        mine, answers = self.plays(node, seat)
        if not mine:
            slots = self.slots(node)
            np.add.at(self.added[2], slots, reach * self.own[slots])
            found = [
                self.respond(child, reach * self.own[slots[k]])
                for k, child in enumerate(self.children(node))
            ]
            return np.sum(found, axis=0)
        found = np.stack([self.respond(child, reach) for child in self.children(node)])
        if answers:
            hands = self.hands[seat]
            sums = np.stack([np.bincount(hands, each, int(hands.max()) + 1) for each in found])
            best = sums.argmax(axis=0)[hands]
            self.answers[node] = best if reach.any() else None
            return found[best, np.arange(best.size)]
        slots = self.slots(node)
        value = (self.trunk[slots] * found).sum(axis=0)
        np.add.at(self.added[1], slots, found - value)
        return value

    def learn(self, node, reach):
        """Values of the player by deal, weighted by how often the responder comes here."""
        phase = self.graph.phase[node]
        if phase in (betting.FOLDED, betting.SHOWDOWN):
            return reach * self.won(node) * (1 if self.player == 0 else -1)
        if phase == betting.DEAL:
            return self.learn(self.children(node)[0], reach)
        mine, _ = self.plays(node, self.player)
        slots = self.slots(node)
        if mine:
            found = np.stack([self.learn(child, reach) for child in self.children(node)])
            value = (self.own[slots] * found).sum(axis=0)
            np.add.at(self.added[0], slots, found - value)
            return value
        shares = self.trunk[slots]
        if self.plays(node, 1 - self.player)[1]:
            best = self.answers[node]
            shares = self.own[slots] if best is None else np.arange(len(slots))[:, None] == best
        found = [self.learn(c, reach * shares[k]) for k, c in enumerate(self.children(node))]
        return np.sum(found, axis=0)


def add_boards(boards):
    """What boards add that are walked at once: all for the responder before any for the player."""
    for board in boards:
        board.respond(0, board.weights)
    learned = sum(board.added[1] for board in boards)
    for board in boards:
        board.trunk = normalize(board.game, board.responding + learned)
        board.learn(0, board.weights)
    return sum(board.added for board in boards)


def mixed_regrets(game, rng):
    """Regrets that are positive, or two actions would be equally good, but for first bets.

    So there are situations to which a player never comes.
    """
    regrets = rng.exponential(size=game.n_slots).astype(np.float32)
    bets = game.node_offsets[0] + np.arange(game.n_buckets[0]) * game.n_actions[game.classes[0]]
    regrets[bets + game.n_actions[game.classes[0]] - 1] = -1.0
    return regrets
