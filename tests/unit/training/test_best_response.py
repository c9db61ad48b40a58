"""CFR-BR against plain recursion on single boards, and what it is for: the real game."""

import numpy as np
import pytest

from counterfold.bets import parse_menu
from counterfold.discounting import LINEAR
from counterfold.errors import UnsupportedGameError
from counterfold.games import parse_game
from counterfold.games.holdem import betting_kernels as betting
from counterfold.public.graph import build_graph
from counterfold.public.infosets import classify
from counterfold.public.situation_features import parse_public_abstraction
from counterfold.training import public_chance, public_chance_kernels
from counterfold.training.best_response import BestResponseSolver
from helpers.small_boards import LIMIT, RUNS, SmallBoards, normalize


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
        self.respond(0, self.weights)
        self.trunk = normalize(self.game, self.responding + self.added[1])
        self.learn(0, self.weights)
        return self.added

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


def mixed_regrets(game, rng):
    """Regrets that are positive, or two actions would be equally good, but for first bets.

    So there are situations to which a player never comes.
    """
    regrets = rng.exponential(size=game.n_slots).astype(np.float32)
    bets = game.node_offsets[0] + np.arange(game.n_buckets[0]) * game.n_actions[game.classes[0]]
    regrets[bets + game.n_actions[game.classes[0]] - 1] = -1.0
    return regrets


GAMES = [
    ("leduc-variant", "min", 0),
    ("leduc-variant", "min", 2),
    (LIMIT, "min", 4),
    (RUNS, "100%, allin", 3),
]


@pytest.mark.parametrize("most_dense", [0, 256])
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_board_adds_what_recursion_over_its_deals_does(game, most_dense, rng, monkeypatch):
    monkeypatch.setattr(public_chance, "MOST_DENSE", most_dense)
    small = SmallBoards(*game)
    solver = small.responding_solver(threads=1)
    n = small.game.n_slots
    by_board = small.deals_of_boards()
    for board in rng.choice(len(by_board), min(4, len(by_board)), replace=False):
        regrets, responding = (mixed_regrets(small.game, rng) for _ in range(2))
        averages = np.zeros(n)
        expected = np.zeros((3, n))
        before = [regrets.copy(), responding.copy()]
        for player in (0, 1):
            at = [table + more for table, more in zip(before, expected[:2], strict=True)]
            expected += Recursion(small, by_board[board], player, *at).run()
        public_chance_kernels.walk_boards(
            solver._graph, solver.source.take(np.array([board])), False, 0, 0, 1.0, regrets,
            averages, responding, solver._answers[0], solver._stacks[0],
        )  # fmt: skip
        assert regrets - before[0] == pytest.approx(expected[0], abs=1e-4)
        assert responding - before[1] == pytest.approx(expected[1], abs=1e-4)
        assert averages == pytest.approx(expected[2], abs=1e-4)


@pytest.mark.parametrize(
    ("name", "menu", "boards"),
    [
        ("leduc-variant", "min", 40_000),
        pytest.param(LIMIT, "min", 40_000, marks=pytest.mark.slow),
        (RUNS, "100%, allin", 20_000),
    ],
)
def test_with_exact_cards_exploitability_falls_below_one_percent(name, menu, boards):
    small = SmallBoards(name, menu)
    solver = small.responding_solver(seed=1, threads=1, discounting=LINEAR)
    solver.run(boards)
    assert 0 <= small.exploitability(solver.averages) < 0.02


def test_with_few_buckets_it_loses_less_in_the_real_game():
    small = SmallBoards(LIMIT, merge=4)
    plain, responding = (
        make(seed=1, threads=1, discounting=LINEAR)
        for make in (small.solver, small.responding_solver)
    )
    for solver in (plain, responding):
        solver.run(20_000)
    # 1.77 and 1.04 chips.
    before, after = (small.exploitability(each.averages) for each in (plain, responding))
    assert after < 0.7 * before


def test_a_seed_and_the_boards_done_decide_what_follows():
    small = SmallBoards("leduc-variant", merge=2)
    whole, parts = (small.responding_solver(seed=1, epoch=8, threads=1) for _ in range(2))
    whole.run(64)
    for _ in range(4):
        parts.run(16)
    assert set(whole.tables) == {"regrets", "averages", "responding"}
    for name, table in whole.tables.items():
        assert (table == parts.tables[name]).all()
        assert table.any()


def test_merged_situations_are_refused():
    small = SmallBoards("leduc-variant")
    graph = build_graph(parse_game(LIMIT), parse_menu("min"), merge=True)
    game = classify(graph, parse_public_abstraction("pot * to_call * cards"), [4, 4])
    with pytest.raises(UnsupportedGameError, match="feature history"):
        BestResponseSolver(game, small.dealer, small.boards)
