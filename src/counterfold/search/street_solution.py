"""What was found for a street: both strategies by node and hand, and how good they are.

A solution of a street before the last one was solved to the end of the hand. It keeps its solver,
so that what it says about the next street can be read once the cards are dealt.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import CALL
from counterfold.games.holdem.situation import Situation
from counterfold.ranges.betting_growth import TreeMenu
from counterfold.ranges.betting_tree import BettingTree
from counterfold.search.hand_ranges import Act, BoardShares, Values
from counterfold.search.spot_solver import Dealt, LaterBoards, ListedBoard, SpotSolver


class Found(NamedTuple):
    """How far actions lead in a tree: to a node, and those that it does not offer from there on."""

    node: int
    left: tuple[Act, ...]


@dataclass(frozen=True, eq=False)
class StreetSolution:
    """Strategies of both seats below a root, over all hands of 52 cards."""

    tree: BettingTree
    menu: TreeMenu | None  # what the tree offers; None for fixed limits
    board: tuple[int, ...]
    weights: tuple[Values, Values]  # ranges at the root, by seat
    strategies: dict[int, Values] = field(repr=False)  # [actions, hands] by node of the street
    iterations: int
    seconds: float
    exploitability: float | None  # in chips; None where the opponent had alternatives
    margin: float | None  # in chips, of the opponent's hand that gains most; None without
    boards: LaterBoards | None = field(default=None, repr=False)  # of later streets
    first: int = 0  # the node where the street begins
    dealt: Dealt = ()  # since the spot began

    @property
    def root(self) -> Situation:
        """Where it begins."""
        return tuple(self.tree.situations[self.first].tolist())

    @property
    def street(self) -> int:
        """The street that it is about."""
        return int(self.root[betting.STREET])

    @property
    def pot(self) -> int:
        """Chips in the middle at the root."""
        return int(self.root[betting.SPENT_0] + self.root[betting.SPENT_1])

    def find(self, acts: Sequence[Act]) -> Found:
        """Where `acts` lead."""
        node = self.first
        for at, act in enumerate(acts):
            edge = self.edge_of(node, act)
            if edge is None:
                return Found(node, tuple(acts[at:]))
            node = int(self.tree.children[edge])
        return Found(node, ())

    def edge_of(self, node: int, act: Act) -> int | None:
        """The edge of a node that is this action."""
        return find_edge(self.tree, node, act)

    def acts(self, node: int) -> list[Act]:
        """The actions of a node."""
        return list_acts(self.tree, node)

    def reach(self, acts: Iterable[Act]) -> tuple[Values, Values]:
        """The ranges after `acts`, all of which the tree offers."""
        reach = [weights.copy() for weights in self.weights]
        node = self.first
        for act in acts:
            edge = self.edge_of(node, act)
            assert edge is not None
            actor = int(self.tree.situations[node, betting.ACTOR])
            reach[actor] *= self.strategies[node][edge - self.tree.starts[node]]
            node = int(self.tree.children[edge])
        return reach[0], reach[1]

    def deal(self, acts: Sequence[Act], cards: tuple[int, ...]) -> "StreetSolution | None":
        """What it says about the next street, once `cards` are dealt after `acts`.

        None if it does not know what was done, or ends before: with the hand, or where nobody
        bets anymore.
        """
        node, left = self.find(acts)
        if left or self.boards is None or self.tree.phase[node] != betting.DEAL:
            return None
        first, dealt = self._next(node), (*self.dealt, cards)
        if self.tree.phase[first] != betting.BET:
            return None
        reach = self.reach(acts)
        possible = self.boards.possible_hands(dealt)
        return replace(
            self,
            board=self.board + cards,
            weights=(reach[0] * possible, reach[1] * possible),
            strategies=self.boards.read_street(first, dealt),
            first=first,
            dealt=dealt,
        )

    def below(
        self, tree: BettingTree, boards: Sequence[ListedBoard], acts: Sequence[Act]
    ) -> Iterator[BoardShares]:
        """The strategies by the nodes of `tree`, which begins after `acts`, on its boards.

        `tree` should offer what this solution does: it has no answer to other bets, and what it
        would bet itself and `tree` does not offer is taken for a check or call.
        """
        n_known = len(self.board)
        waiting = [(0, self.find(acts).node)]
        while waiting:
            node, own = waiting.pop()
            phase = tree.phase[node]
            if phase == betting.DEAL:
                waiting.append((int(tree.children[tree.starts[node]]), self._next(own)))
            if phase != betting.BET:
                continue
            k = int(tree.situations[node, betting.STREET]) - self.street
            here = [(b, each.board[n_known:]) for b, each in enumerate(boards) if each.street == k]
            children = tree.children[tree.starts[node] : tree.starts[node + 1]].tolist()
            edges = [self.edge_of(own, act) for act in list_acts(tree, node)]
            for number, cards in here:
                shares = self.shares(own, _split(tree, cards, self.street))
                yield BoardShares(number, node, _choose(tree, node, shares, edges, self, own))
            waiting += [
                (child, int(self.tree.children[edge]))
                for child, edge in zip(children, edges, strict=True)
                if edge is not None
            ]

    def _next(self, node: int) -> int:
        """The node after a deal."""
        return int(self.tree.children[self.tree.starts[node]])

    def shares(self, node: int, dealt: Dealt = ()) -> Values:
        """What hands do at a node, on the board that `dealt` makes of this one."""
        if not dealt:
            return self.strategies[node]
        assert self.boards is not None
        return self.boards.read(node, (*self.dealt, *dealt))


def read_strategies(tree: BettingTree, solver: SpotSolver) -> dict[int, Values]:
    """[actions, hands of 52 cards] average strategies at all decisions on the root board."""
    hands = [solver.hands_on(0, seat) for seat in (0, 1)]
    found = {}
    for node in tree.decisions.tolist():
        if tree.situations[node, betting.STREET] != tree.situations[0, betting.STREET]:
            continue
        actor = int(tree.situations[node, betting.ACTOR])
        shares = solver.average(actor, 0, int(solver.decisions[node]))
        by_hand = np.zeros((len(shares), solver.n_all_hands))
        by_hand[:, hands[actor]] = shares
        found[node] = by_hand
    return found


def find_edge(tree: BettingTree, node: int, act: Act) -> int | None:
    """The edge of a node that is `act`; None if it is not offered."""
    for edge in range(tree.starts[node], tree.starts[node + 1]):
        alike = tree.kinds[edge] == act.kind
        if alike and (not act.is_raise or tree.amounts[edge] == act.total):
            return edge
    return None


def list_acts(tree: BettingTree, node: int) -> list[Act]:
    """The actions of a node."""
    edges = range(tree.starts[node], tree.starts[node + 1])
    return [Act(int(tree.kinds[edge]), int(tree.amounts[edge])) for edge in edges]


def _split(tree: BettingTree, cards: tuple[int, ...], street: int) -> Dealt:
    """The cards dealt after `street`, street by street."""
    dealt = []
    while cards:
        street += 1
        n = tree.variant.streets[street].cards
        dealt.append(cards[:n])
        cards = cards[n:]
    return tuple(dealt)


def _choose(
    tree: BettingTree,
    node: int,
    shares: Values,
    edges: Sequence[int | None],
    solution: StreetSolution,
    own: int,
) -> Values:
    """`shares` of the actions of `own` as those of the edges that match them."""
    start = solution.tree.starts[own]
    found = np.stack([np.zeros(shares.shape[1]) if e is None else shares[e - start] for e in edges])
    passive = next(k for k, act in enumerate(list_acts(tree, node)) if act.kind == CALL)
    found[passive] += shares.sum(axis=0) - found.sum(axis=0)
    return found
