"""What was found for a street: both strategies by node and hand, and how good they are."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.situation import Situation
from counterfold.ranges.betting_tree import BettingTree
from counterfold.ranges.range_solver import RangeSolver
from counterfold.search.hand_ranges import Act, Values


class Found(NamedTuple):
    """How far actions lead in a tree: to a node, and those that it does not offer from there on."""

    node: int
    left: tuple[Act, ...]


@dataclass(frozen=True, eq=False)
class StreetSolution:
    """Strategies of both seats below a root, over all hands of 52 cards."""

    tree: BettingTree
    board: tuple[int, ...]
    weights: tuple[Values, Values]  # ranges at the root, by seat
    strategies: dict[int, Values] = field(repr=False)  # [actions, hands] by node
    iterations: int
    seconds: float
    exploitability: float | None  # in chips; None where the opponent had alternatives
    margin: float | None  # in chips, of the opponent's hand that gains most; None without

    @property
    def root(self) -> Situation:
        """Where it begins."""
        return tuple(self.tree.situations[0].tolist())

    @property
    def pot(self) -> int:
        """Chips in the middle at the root."""
        return int(self.root[betting.SPENT_0] + self.root[betting.SPENT_1])

    def find(self, acts: Sequence[Act]) -> Found:
        """Where `acts` lead."""
        node = 0
        for at, act in enumerate(acts):
            edge = self.edge_of(node, act)
            if edge is None:
                return Found(node, tuple(acts[at:]))
            node = int(self.tree.children[edge])
        return Found(node, ())

    def edge_of(self, node: int, act: Act) -> int | None:
        """The edge of a node that is this action."""
        tree = self.tree
        for edge in range(tree.starts[node], tree.starts[node + 1]):
            alike = tree.kinds[edge] == act.kind
            if alike and (not act.is_raise or tree.amounts[edge] == act.total):
                return edge
        return None

    def acts(self, node: int) -> list[Act]:
        """The actions of a node."""
        tree = self.tree
        edges = range(tree.starts[node], tree.starts[node + 1])
        return [Act(int(tree.kinds[edge]), int(tree.amounts[edge])) for edge in edges]

    def reach(self, acts: Iterable[Act]) -> tuple[Values, Values]:
        """The ranges after `acts`, all of which the tree offers."""
        reach = [weights.copy() for weights in self.weights]
        node = 0
        for act in acts:
            edge = self.edge_of(node, act)
            assert edge is not None
            actor = int(self.tree.situations[node, betting.ACTOR])
            reach[actor] *= self.strategies[node][edge - self.tree.starts[node]]
            node = int(self.tree.children[edge])
        return reach[0], reach[1]

    def below(self, tree: BettingTree, acts: Sequence[Act]) -> dict[int, Values]:
        """The strategies by the nodes of `tree`, which begins after `acts` and offers the same."""
        found: dict[int, Values] = {}
        waiting = [(0, self.find(acts).node)]
        while waiting:
            node, own = waiting.pop()
            if own not in self.strategies:
                continue
            found[node] = self.strategies[own]
            for act_edge in range(tree.starts[node], tree.starts[node + 1]):
                act = Act(int(tree.kinds[act_edge]), int(tree.amounts[act_edge]))
                edge = self.edge_of(own, act)
                assert edge is not None
                waiting.append((int(tree.children[act_edge]), int(self.tree.children[edge])))
        return found


def read_strategies(tree: BettingTree, solver: RangeSolver) -> dict[int, Values]:
    """[actions, hands of 52 cards] average strategies at all decisions on the root board."""
    lines = solver.passes.lines
    hands = [solver.root_hands(seat) for seat in (0, 1)]
    n = solver.passes.cards.holes.shape[0]
    found = {}
    for node in tree.decisions.tolist():
        if tree.situations[node, betting.STREET] != tree.situations[0, betting.STREET]:
            continue
        actor = int(tree.situations[node, betting.ACTOR])
        shares = solver.average(actor, 0, int(lines.decisions[node]))
        by_hand = np.zeros((len(shares), n))
        by_hand[:, hands[actor]] = shares
        found[node] = by_hand
    return found
