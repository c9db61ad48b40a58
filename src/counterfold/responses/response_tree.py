"""The betting that a responder and a bot can bring about, and where the bot believes it is.

The responder takes what the rules or its own menu offer; the bot does what it would do in the real
game, by its own translation. A bot that chooses at random how to read a bet keeps that choice to
itself: a node of the tree has all nodes of its graph on which the bot may be.

An all-in before the first deal leads to the next street like a call, and the hand ends there: the
boards of that street are dealt one by one, so no table of the first street is needed.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.bets.spot_menu import SpotMenu
from counterfold.errors import TooLargeError, UnsupportedGameError
from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.situation import Situation
from counterfold.public.graph_kernels import DEALT
from counterfold.ranges.betting_growth import Edge, Growth, GrowthPlace, root_place
from counterfold.responses.bot_answers import BotAnswers

MAX_NODES = 2_000_000

Beliefs = tuple[int, ...]  # nodes of the bot's graph


class _Grown(NamedTuple):
    place: GrowthPlace
    beliefs: Beliefs


@dataclass(frozen=True, eq=False)
class ResponseTree:
    """Nodes in order of streets, parents first; see `ranges.line_tree.BettingNodes`."""

    seat: int  # of the responder
    situations: NDArray[np.int32]  # [N, N_FIELDS]
    starts: NDArray[np.int32]  # [N + 1] node n owns edges starts[n]:starts[n + 1]
    children: NDArray[np.int32]  # [E]
    kinds: NDArray[np.int8]  # [E]
    amounts: NDArray[np.int32]  # [E] total of a raise

    @property
    def n_nodes(self) -> int:
        """How many nodes there are."""
        return self.starts.size - 1

    def situation(self, node: int) -> Situation:
        """The situation of a node as a tuple."""
        return tuple(self.situations[node].tolist())

    def edges(self, node: int) -> list[tuple[int, int, int]]:
        """Kind, total and child of each edge of a node."""
        part = slice(self.starts[node], self.starts[node + 1])
        columns = (self.kinds[part], self.amounts[part], self.children[part])
        return list(zip(*(column.tolist() for column in columns), strict=True))


def grow_response_tree(
    variant: Variant,
    answers: BotAnswers,
    seat: int,
    menu: SpotMenu | None = None,
    max_nodes: int = MAX_NODES,
) -> ResponseTree:
    """All betting in which `seat` responds to the bot, choosing from `menu` where bets are free."""
    if menu is None and variant.betting != "limit":
        raise UnsupportedGameError(
            f"a responder in {variant.name} needs a menu of bets, such as '50%, 100%, allin'"
        )
    return _Tree(variant, answers, seat, menu, max_nodes).grow()


class _Tree:
    """Grows level by level."""

    def __init__(
        self,
        variant: Variant,
        answers: BotAnswers,
        seat: int,
        menu: SpotMenu | None,
        max_nodes: int,
    ) -> None:
        self.variant, self.answers, self.seat = variant, answers, seat
        self.growth = Growth(variant, menu, 0)
        self.max_nodes = max_nodes

    def grow(self) -> ResponseTree:
        first = tuple(int(x) for x in betting.first_situation(self.variant.rules))
        nodes = [_Grown(root_place(first, ()), (0,))]
        edges: list[tuple[int, int, int]] = []
        starts = [0]
        for node in nodes:  # grows while it is read
            for edge, beliefs in self._expand(node):
                edges.append((len(nodes), edge.kind, edge.amount))
                nodes.append(_Grown(edge.child, beliefs))
            starts.append(len(edges))
            if len(nodes) > self.max_nodes:
                raise TooLargeError(
                    f"the betting of the response has more than {self.max_nodes:,} nodes; "
                    "offer the responder fewer bets"
                )
        situations = np.array([node.place.situation for node in nodes], np.int32)
        early = (situations[:, betting.STREET] == 0) & (
            situations[:, betting.PHASE] == betting.SHOWDOWN
        )
        if len(self.variant.streets) > 1:
            situations[early, betting.PHASE] = betting.DEAL
        return _by_street(self.seat, situations, np.array(starts), np.array(edges, np.int32))

    def _expand(self, node: _Grown) -> list[tuple[Edge, Beliefs]]:
        situation = node.place.situation
        phase = situation[betting.PHASE]
        if phase == betting.SHOWDOWN and self._is_early(situation):
            after = (situation[betting.STREET] + 1, *situation[1:])
            place = node.place._replace(situation=after)
            return [(Edge(DEALT, 0, "deal", place), node.beliefs)]
        if phase == betting.DEAL:
            (edge,) = self.growth.edges(node.place)
            after = edge.child.situation
            return [(edge, _unique(self.answers.after_deal(b, after) for b in node.beliefs))]
        if phase != betting.BET:
            return []
        if situation[betting.ACTOR] == self.seat:
            return [(edge, self._follow(node, edge)) for edge in self.growth.edges(node.place)]
        return self._answer(node)

    def _is_early(self, situation: Situation) -> bool:
        """Whether a hand ends with all chips in before the first deal."""
        return situation[betting.STREET] == 0 and len(self.variant.streets) > 1

    def _follow(self, node: _Grown, edge: Edge) -> Beliefs:
        situation = node.place.situation
        return _unique(
            after
            for belief in node.beliefs
            for after, _ in self.answers.after_action(belief, edge.kind, edge.amount, situation)
        )

    def _answer(self, node: _Grown) -> list[tuple[Edge, Beliefs]]:
        """Everything that the bot may do, in the order fold, call, raises ascending."""
        situation = node.place.situation
        found: dict[tuple[int, int], list[int]] = {}
        for belief in node.beliefs:
            for answer in self.answers.of(belief, situation):
                found.setdefault((answer.kind, answer.total), []).append(answer.node)
        return [
            (self.growth.edge_of(node.place, kind, total), _unique(found[kind, total]))
            for kind, total in sorted(found)
        ]


def _unique(beliefs: Iterable[int]) -> Beliefs:
    return tuple(sorted(set(beliefs)))


def _by_street(
    seat: int,
    situations: NDArray[np.int32],
    starts: NDArray[np.integer],
    edges: NDArray[np.int32],
) -> ResponseTree:
    """The tree with its nodes by street, in their order otherwise."""
    street = situations[:, betting.STREET]
    order = np.argsort(street, kind="stable")
    place = np.empty(order.size, np.int32)
    place[order] = np.arange(order.size, dtype=np.int32)
    degrees = np.diff(starts)[order]
    new_starts = np.concatenate(([0], np.cumsum(degrees))).astype(np.int32)
    moved = np.repeat(starts[:-1][order] - new_starts[:-1], degrees) + np.arange(len(edges))
    return ResponseTree(
        seat,
        np.ascontiguousarray(situations[order]),
        new_starts,
        place[edges[moved, 0]],
        edges[moved, 1].astype(np.int8),
        np.ascontiguousarray(edges[moved, 2]),
    )
