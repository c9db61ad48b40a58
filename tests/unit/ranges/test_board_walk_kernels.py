"""What passes learn, and what they are worth under locks, against plain recursion."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from counterfold.games.holdem import betting_kernels as betting
from counterfold.ranges.line_kernels import BEST, VALUE
from counterfold.ranges.locks import Lock
from counterfold.ranges.range_pass import BLOCK_BYTES, RangePass
from counterfold.ranges.spot import Spot
from helpers.naive.naive_spots import NaiveSpot, Vector

ROUNDING = 1e-4  # chips; tables and vectors are of 32 bits
FACTORS = np.array([0.9, 0.4, 0.7])  # of positive regrets, negative ones and averages
# [actions, hands at the root] by node and cards of the board
Tables = dict[tuple[int, tuple[int, ...]], NDArray[np.float64]]


class NaiveLearner(NaiveSpot):
    """Regret matching at every node of every board, one hand at a time."""

    def __init__(self, spot: Spot, regrets: Tables, averages: Tables) -> None:
        super().__init__(spot.tree, spot.cards)
        self.locked = {(one.seat, one.decision): one for one in spot.locked}
        self.decisions = spot.lines.decisions
        self.regrets, self.averages = regrets, averages

    def iterate(self, factors: NDArray[np.float64]) -> list[Vector]:
        """Learn for one seat, then for the other; what their hands won."""
        weights = self.cards.root_weights
        return [
            self._learn(0, self.cards.board, seat, weights[seat], weights[1 - seat], factors)
            for seat in (0, 1)
        ]

    def average(self, node: int, board: tuple[int, ...]) -> NDArray[np.float64]:
        """What is played by the averages."""
        return self._match(self.averages, node, board)

    def _match(self, tables: Tables, node: int, board: tuple[int, ...]) -> NDArray[np.float64]:
        table = tables[node, board]
        positive = np.maximum(table, 0.0)
        total = positive.sum(axis=0)
        shares = np.where(total > 0.0, positive / np.where(total > 0.0, total, 1.0), 1 / len(table))
        hands, locked = self._lock(node, board)
        shares[:, hands] = np.array(locked)[:, None]
        return shares

    def _best(self, node: int, board: tuple[int, ...], values: NDArray[np.float64]) -> Vector:
        hands, locked = self._lock(node, board)
        return np.where(hands, np.array(locked) @ values, values.max(axis=0))

    def _lock(
        self, node: int, board: tuple[int, ...]
    ) -> tuple[NDArray[np.bool_], tuple[float, ...]]:
        """The hands at the root that are locked at a node, and what they play."""
        seat = int(self.tree.situations[node, betting.ACTOR])
        lock = self.locked.get((seat, int(self.decisions[node])))
        numbers = self.cards.hands[seat]
        if lock is None or any(board[-len(cards) :] != cards for cards in lock.dealt if cards):
            n_actions = int(self.tree.starts[node + 1] - self.tree.starts[node])
            return np.zeros(numbers.size, np.bool_), (0.0,) * n_actions
        return lock.hands[numbers], lock.shares

    def _learn(
        self, node: int, board: tuple[int, ...], seat: int, own: Vector, other: Vector,
        factors: NDArray[np.float64],
    ) -> Vector:  # fmt: skip
        phase = self.tree.situations[node, betting.PHASE]
        children = self.tree.children[self.tree.starts[node] : self.tree.starts[node + 1]].tolist()
        if phase == betting.DEAL:
            n = self.cards.variant.streets[self.tree.situations[children[0], betting.STREET]].cards
            left = [card for card in self.deck if card not in board]
            total = np.zeros(own.size)
            for cards in combinations(left, n):
                free, theirs = self._free(seat, cards), self._free(1 - seat, cards)
                total += free * self._learn(
                    children[0], board + cards, seat, own * free, other * theirs, factors
                )
            return total / comb(len(left) - 2 * self.cards.variant.hole_cards, n)
        if phase != betting.BET:
            return self._end(node, board, seat, other)
        actor = int(self.tree.situations[node, betting.ACTOR])
        shares = self._match(self.regrets, node, board)
        reached = [
            (own * share, other) if actor == seat else (own, other * share) for share in shares
        ]
        values = np.array(
            [
                self._learn(child, board, seat, *reach, factors)
                for child, reach in zip(children, reached, strict=True)
            ]
        )
        if actor != seat:
            return np.asarray(values.sum(axis=0))
        mean = np.asarray((shares * values).sum(axis=0))
        regrets, averages = self.regrets[node, board], self.averages[node, board]
        regrets *= np.where(regrets > 0.0, factors[0], factors[1])
        regrets += values - mean
        averages *= factors[2]
        averages += own * shares
        return mean


SPOTS = {
    "a turn": Spot(
        board="9c", oop="TT,QJ:0.5,KdQd,K9", ip="JJ:0.2,QQ,KT,KcJc", pot=4, stack=9,
        bets="50%, allin", game="nolimit(deck='9TJQK/cd', board=(1, 1))", removed=("b50%",),
        locks=(Lock("k", "k=0.25, b50%=0.75", "QQ"), Lock("k k | Kd | b50%", "f=1", "JJ,KT")),
    ),
    "a river": Spot(
        board="8c9cTcJdQd", oop="AK,KK,A8:0.4,98", ip="KQ,AA:0.5,JT,A9s", pot=10, stack=17,
        bets="33%, 75%, allin", game="nolimit(deck='89TJQKA/cd')",
        locks=(
            Lock("", "k=0.5, b33%=0.5", "AK"),
            Lock("k b33%", "f=0.9, c=0.1", "KK,98"),
            Lock("b75%", "c=1", "AA"),
        ),
    ),
}  # fmt: skip


def tables_of(spot: Spot, passes: RangePass, kept: tuple[Vector, Vector]) -> Tables:
    """Tables of a pass by node and board; zeros for hands that cannot be there."""
    boards, found, n_read = passes.boards, {}, 0
    for b, below in enumerate(spot.cards.walk()):
        for node in np.flatnonzero(spot.tree.phase == betting.BET).tolist():
            situation = spot.tree.situations[node]
            street, seat = situation[betting.STREET], int(situation[betting.ACTOR])
            if street - spot.tree.situations[0, betting.STREET] != boards.street[b]:
                continue
            lines, j = passes.lines.seats[seat], int(passes.lines.decisions[node])
            n, n_actions = int(boards.n_hands[b, seat]), int(lines.n_actions[j])
            slot = passes.slots[b, seat] + lines.row[j] * n
            table = np.zeros((n_actions, spot.cards.hands[seat].size))
            hands = boards.hand[boards.hands[b, seat] :][:n]
            table[:, hands] = kept[seat][slot : slot + n_actions * n].reshape(-1, n)
            found[node, below.board] = table
            n_read += n_actions * n
    assert n_read == sum(table.size for table in kept)
    return found


@pytest.mark.parametrize(
    ("name", "block_bytes"), [("a turn", BLOCK_BYTES), ("a turn", 1), ("a river", BLOCK_BYTES)]
)
def test_regrets_and_averages_are_those_of_plain_recursion(
    name: str, block_bytes: int, rng: np.random.Generator
) -> None:
    spot = SPOTS[name]
    passes = RangePass(spot.lines, spot.cards, np.float32, 1, block_bytes)
    assert (len(passes.streets.blocks) > 4) == (block_bytes == 1)
    learned = passes.make_tables(spot.locked)
    for regrets, averages in zip(learned.tables.regrets, learned.tables.averages, strict=True):
        regrets[:] = rng.normal(size=regrets.size)  # no action is as good as another
        averages[:] = rng.random(averages.size)
    kept = learned.tables.regrets, learned.tables.averages
    naive = NaiveLearner(spot, *(tables_of(spot, passes, tables) for tables in kept))
    won = passes.iterate(FACTORS[None], learned)
    for seat, expected in enumerate(naive.iterate(FACTORS)):
        hands = passes.boards.hand[passes.boards.hands[0, seat] :][: expected.size]
        np.testing.assert_allclose(won[seat], expected[hands], atol=ROUNDING)
    for tables, expected in zip(kept, (naive.regrets, naive.averages), strict=True):
        for place, found in tables_of(spot, passes, tables).items():
            np.testing.assert_allclose(found, expected[place], atol=ROUNDING)
    for mode in (VALUE, BEST):
        totals = passes.totals([(0, mode), (1, mode)], learned)
        assert [passes.mean(seat, total) for seat, total in enumerate(totals)] == pytest.approx(
            [naive.value(seat, naive.average, best=mode == BEST) for seat in (0, 1)],
            abs=ROUNDING,
        )
