"""Exact figures of a strategy on decks whose deals can all be listed.

Inside its abstraction the best responder sees what the strategy sees, and remembers its own buckets
and all of the betting. Where the strategy itself forgets, that is an upper bound. Lifted, the best
responder sees its cards. Both are computed on the tree of betting histories, which has the same
classes as a graph on which equal situations were merged.

Node by node, over all deals at once: an array holds for each deal and each hand path of either
hand what a node is worth, or how often the players come there. It is the same arithmetic as on the
tree of histories, with the cards as vectors, for decks small enough to list.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.blueprints.blueprint import Blueprint
from counterfold.errors import UnsupportedGameError
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.payoff import NOBODY, Bounty, settle
from counterfold.games.holdem.situation import total_spent
from counterfold.memory import check_memory
from counterfold.public import deals_kernels
from counterfold.public.card_maps import Buckets, CardMap
from counterfold.public.deals import Dealer, Deals, stage_hand_cells
from counterfold.public.enumerated_cards import remember
from counterfold.public.graph import PublicGraph, build_graph
from counterfold.public.infosets import PublicGame, classify, known_histories
from counterfold.public.situation_features import HISTORY, PublicAbstraction
from counterfold.public.walk_kernels import CHOICES_0, CHOICES_1
from counterfold.public.walk_order import find_path_steps
from counterfold.tree.exact_evaluation import Evaluation

Values = NDArray[np.float64]
NO_PARENT = -1
_EVERY_HISTORY = PublicAbstraction((HISTORY,))


@dataclass(frozen=True, eq=False)
class Knowledge:
    """What players can tell apart: classes of nodes and buckets of the listed deals."""

    game: PublicGame
    buckets: Buckets  # [n, 2, hand cells]


@dataclass(frozen=True, eq=False)
class EnumeratedGame:
    """A public graph with all deals of its variant."""

    dealer: Dealer
    deals: Deals

    def expected_value(self, knowledge: Knowledge, strategy: Values) -> float:
        """Chips that seat 0 wins per hand when both play `strategy`, given by slots."""
        values = self._values(knowledge, [strategy, strategy])
        return float(self.deals.weights @ values[:, 0, 0])

    def best_response_value(
        self, seat: int, opponent: Knowledge, strategy: Values, own: Knowledge | None = None
    ) -> float:
        """Chips that `seat` wins with the best response to `strategy`. The opponent knows what
        `strategy` is defined over; the best responder may know more, `own`. It must remember the
        betting: each class of `own` is a single node, or one bid that answers sealed ones, and each
        node a single history.
        """
        return self.best_response_values(seat, opponent, strategy, [own or opponent])[0]

    def best_response_values(
        self, seat: int, opponent: Knowledge, strategy: Values, owns: Sequence[Knowledge]
    ) -> list[float]:
        """As `best_response_value`, for responders who know more or less. How often the opponent
        gets where is computed once for all of them.
        """
        graph = opponent.game.graph
        is_tree = graph.count_tree() == graph.n_nodes
        n_histories = np.unique(known_histories(graph)[graph.decisions]).size
        for own in owns:
            if own.game.graph is not graph:
                raise UnsupportedGameError(
                    "the strategy and its best response are on different graphs; classify the same "
                    "graph for both"
                )
            if own.game.n_classes != n_histories or not is_tree:
                raise UnsupportedGameError(
                    f"a best response to {opponent.game.abstraction.name!r} must distinguish every "
                    "betting history; give it knowledge with the feature history"
                )
        n = sum(math.prod(self.shape(opponent, node)) for node in range(graph.n_nodes))
        check_memory("the values of all nodes and deals", 16 * n)
        reach = self._reach(seat, opponent, strategy)
        return [_Response(self, seat, own, reach).value() for own in owns]

    def nash_conv(
        self, knowledge: Knowledge, strategy: Values, own: Knowledge | None = None
    ) -> float:
        """What both players gain by best responses, summed, in chips per hand."""
        return sum(self.best_response_value(seat, knowledge, strategy, own) for seat in (0, 1))

    def shape(self, knowledge: Knowledge, node: int) -> tuple[int, int, int]:
        """Deals, and hand paths of either hand at a node."""
        first, second = self._paths(knowledge.game.graph)[1][node].tolist()
        return len(self.deals), first, second

    def utilities(self, knowledge: Knowledge, node: int) -> Values:
        """Chips to seat 0 at a terminal, not to be changed."""
        graph = knowledge.game.graph
        spent = total_spent(tuple(graph.situations[node].tolist()))
        won = np.array([float(settle(spent, loser)) for loser in (NOBODY, 1, 0)])
        sign: NDArray[np.intp] = self._shown
        if graph.phase[node] == betting.FOLDED:
            winner = -1 if graph.field(betting.ACTOR)[node] == 0 else 1
            sign = np.broadcast_to(np.intp(winner), self.shape(knowledge, node))
            values: Values = np.broadcast_to(won[winner], sign.shape)
        else:
            values = won.take(sign)  # a sign of -1 takes the last
        bounty = graph.variant.bounty
        if bounty is None:
            return values
        return self._add_bounties(bounty, knowledge, node, sign, values)

    @cached_property
    def _shown(self) -> NDArray[np.intp]:
        """[deals, hand paths, hand paths] 1 where seat 0 wins the showdown, -1 where it loses."""
        strengths = self.deals.strengths
        sign: NDArray[np.intp] = np.sign(strengths[:, 0, :, None] - strengths[:, 1, None, :])
        return sign.astype(np.intp, copy=False)

    def _add_bounties(
        self, bounty: Bounty, knowledge: Knowledge, node: int, sign: NDArray[Any], values: Values
    ) -> Values:
        """The `values` of an end with bounties, not rounded; seat 0 has won by its `sign`."""
        graph = knowledge.game.graph
        folded = graph.phase[node] == betting.FOLDED
        at = knowledge.game.stage[node] if folded else len(self.dealer.stages) - 1
        hits = [self._at_stage(self.deals.hits, knowledge, node, seat, at) > 0 for seat in (0, 1)]
        first, second = hits[0][:, :, None], hits[1][:, None, :]
        spent = total_spent(tuple(graph.situations[node].tolist()))
        hit = np.where(sign > 0, first, np.where(sign < 0, second, first != second))
        split = (bounty.factor - 1) / 2 * np.where(first, spent[1], spent[0]) + bounty.extra
        more = bounty.factor * values + sign * bounty.extra
        return np.where(hit, np.where(sign, more, np.where(first, split, -split)), values)

    def chosen(self, knowledge: Knowledge, node: int, strategy: Values) -> Values:
        """Probability of each action, with an axis for it in front."""
        game = knowledge.game
        seat = int(game.graph.field(betting.ACTOR)[node])
        n_actions = int(game.n_actions[game.classes[node]])
        slots = game.node_offsets[node] + n_actions * self.bucket(knowledge, node).astype(np.int64)
        probabilities = strategy[slots[None] + np.arange(n_actions)[:, None, None]]
        return np.expand_dims(probabilities, 3 if seat == 0 else 2)

    def bucket(self, knowledge: Knowledge, node: int) -> NDArray[np.int32]:
        """[deals, hand paths] the bucket of the actor."""
        game = knowledge.game
        seat = int(game.graph.field(betting.ACTOR)[node])
        return self._at_stage(knowledge.buckets, knowledge, node, seat, int(game.stage[node]))

    def _at_stage(
        self, cells: NDArray[Any], knowledge: Knowledge, node: int, seat: int, at: int
    ) -> NDArray[Any]:
        """[deals, hand paths of the node] what `cells` [deals, 2, hand cells] have at a stage."""
        first = int(self.dealer.layout.stages[at, deals_kernels.STAGE_CELL])
        return cells[:, seat, first : first + self.shape(knowledge, node)[1 + seat]]

    def after(self, knowledge: Knowledge, node: int, edge: int, values: Values) -> Values:
        """What `values` of a child are at its parent, in the parent's hand paths."""
        graph = knowledge.game.graph
        if graph.phase[node] >= betting.BET:
            return values
        choices_0, choice_0, choices_1, choice_1 = self._paths(graph)[0][edge].tolist()
        return values[:, choice_0::choices_0, choice_1::choices_1]

    def _paths(self, graph: PublicGraph) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
        """How edges extend hand paths, and how many each seat has at every node."""
        if graph not in self._found_paths:
            steps = find_path_steps(graph)
            n_paths = np.ones((graph.n_nodes, 2), np.int64)
            parents = np.repeat(np.arange(graph.n_nodes), np.diff(graph.starts))
            # A parent precedes its children, and all ways to a node have as many paths.
            for edge, (parent, child) in enumerate(zip(parents, graph.children, strict=True)):
                n_paths[child] = n_paths[parent] * steps[edge, [CHOICES_0, CHOICES_1]]
            self._found_paths[graph] = steps, n_paths
        return self._found_paths[graph]

    @cached_property
    def _found_paths(self) -> dict[PublicGraph, tuple[NDArray[np.int8], NDArray[np.int64]]]:
        return {}

    def follows(self, knowledge: Knowledge, node: int, edge: int) -> NDArray[np.bool_] | None:
        """Which deals take an edge of a deal node; None for all."""
        graph = knowledge.game.graph
        start, stop = graph.starts[node], graph.starts[node + 1]
        if graph.phase[node] != betting.DEAL or stop - start == 1:
            return None
        ends: NDArray[np.bool_] = self.deals.lengths == graph.field(betting.STREET)[node] + 1
        return ends if edge == start + 1 else ~ends

    def _values(self, knowledge: Knowledge, strategies: list[Values]) -> Values:
        """Values at the root."""
        graph = knowledge.game.graph
        values: dict[int, Values] = {}
        parents = np.repeat(np.arange(graph.n_nodes), np.diff(graph.starts))
        first_parents = np.full(graph.n_nodes, NO_PARENT)
        first_parents[graph.children[::-1]] = parents[::-1]
        for node in range(graph.n_nodes - 1, -1, -1):
            children = range(graph.starts[node], graph.starts[node + 1])
            if not children:
                values[node] = self.utilities(knowledge, node)
                continue
            deciding = graph.phase[node] <= betting.BET
            actor = int(graph.field(betting.ACTOR)[node])
            chosen = self.chosen(knowledge, node, strategies[actor]) if deciding else None
            total = np.zeros(self.shape(knowledge, node))
            for k, edge in enumerate(children):
                value = self.after(knowledge, node, edge, values[int(graph.children[edge])])
                takes = self.follows(knowledge, node, edge)
                if chosen is not None:
                    total += chosen[k] * value
                elif takes is None:
                    total += value
                else:
                    total[takes] += value[takes]
            values[node] = total
            for child in graph.children[children.start : children.stop].tolist():
                if first_parents[child] == node:
                    del values[child]  # a new node takes its memory
                    first_parents[child] = NO_PARENT
        return values[0]

    def _reach(self, seat: int, opponent: Knowledge, strategy: Values) -> dict[int, Values]:
        """How often nature and the opponent of `seat` come to each end, by deal and hand paths."""
        graph = opponent.game.graph
        weights = self.deals.weights[:, None, None]
        reach = {0: np.broadcast_to(weights, self.shape(opponent, 0))}
        for node in range(graph.n_nodes):
            edges = range(graph.starts[node], graph.starts[node + 1])
            if not edges:
                continue
            here = reach.pop(node)  # its memory is that of the nodes to come
            deciding = graph.phase[node] <= betting.BET
            others = deciding and graph.field(betting.ACTOR)[node] != seat
            chosen = self.chosen(opponent, node, strategy) if others else None
            for k, edge in enumerate(edges):
                child = int(graph.children[edge])
                part = here if chosen is None else here * chosen[k]
                if (takes := self.follows(opponent, node, edge)) is not None:
                    part = np.where(takes[:, None, None], part, 0.0)
                if graph.phase[node] >= betting.BET:
                    reach[child] = part
                    continue
                # Several choices lead to one node, each to hand paths of its own.
                if child not in reach:
                    reach[child] = np.zeros(self.shape(opponent, child))
                self.after(opponent, node, edge, reach[child])[:] += part
        return reach


class _Response:
    """A best response of one seat, node by node from the ends of the hand."""

    def __init__(
        self, listed: EnumeratedGame, seat: int, own: Knowledge, reach: dict[int, Values]
    ) -> None:
        self.listed, self.seat, self.own, self.reach = listed, seat, own, reach

    def value(self) -> float:
        """Chips that the seat wins."""
        listed, own = self.listed, self.own
        graph = own.game.graph
        values: dict[int, Values] = {}
        waiting: dict[int, list[Values]] = {}  # options at nodes of a class that has more of them
        for node in range(graph.n_nodes - 1, -1, -1):
            children = range(graph.starts[node], graph.starts[node + 1])
            if not children:
                value = self.reach[node] * listed.utilities(own, node)
                values[node] = value if self.seat == 0 else np.negative(value, out=value)
                continue
            # Values are weighted with how often the opponent and nature come here.
            options = []
            for edge in children:
                value = listed.after(own, node, edge, values[int(graph.children[edge])])
                takes = listed.follows(own, node, edge)
                options.append(value if takes is None else np.where(takes[:, None, None], value, 0))
            for child in graph.children[children.start : children.stop].tolist():
                values.pop(child, None)  # a new node takes their memory
            deciding = graph.phase[node] <= betting.BET
            if deciding and graph.field(betting.ACTOR)[node] == self.seat:
                waiting[node] = options
                if node == self._first[own.game.classes[node]]:
                    values |= self._best(waiting)
                    waiting.clear()
            else:
                values[node] = _add(options)
        return float(values[0].sum())

    @cached_property
    def _first(self) -> NDArray[np.intp]:
        """[C] the first node of each class."""
        classes = self.own.game.classes
        return np.array([np.argmax(classes == c) for c in range(self.own.game.n_classes)])

    def _best(self, nodes: dict[int, list[Values]]) -> dict[int, Values]:
        """The values of the action that is best on average over what the seat cannot tell apart.

        `nodes` are those of a class with their options: more than one where a bid is sealed.
        """
        buckets = self.listed.bucket(self.own, next(iter(nodes)))
        axis = 2 if self.seat == 0 else 1
        sums = sum(
            np.array(
                [np.bincount(buckets.ravel(), each.sum(axis=axis).ravel()) for each in options]
            )
            for options in nodes.values()
        )
        best = np.expand_dims(np.argmax(sums, axis=0)[buckets], axis)
        return {node: _choose(best, options) for node, options in nodes.items()}


def _add(options: list[Values]) -> Values:
    """The sum; that of a single option is the option itself."""
    if len(options) == 1:
        return options[0]
    total = options[0] + options[1]
    for option in options[2:]:
        total += option
    return total


def _choose(best: NDArray[np.intp], options: list[Values]) -> Values:
    """As `np.choose`, which takes several times as long for few options of many values."""
    chosen = options[0].copy()
    for k, option in enumerate(options[1:], 1):
        np.copyto(chosen, option, where=best == k)
    return chosen


def evaluate_enumerated(
    blueprint: Blueprint, cards: CardMap, deals: Deals, exact: CardMap
) -> tuple[Evaluation, Evaluation]:
    """The figures inside the abstraction and in the exact game, in chips per hand.

    `cards` are what the strategy was trained with, `deals` and `exact` all deals of the variant.
    """
    dealer = exact.dealer
    game = unmerged(blueprint.game, cards.n_buckets, len(deals))
    labels = cards.label(deals)
    strategy = blueprint.probabilities()
    opponent = Knowledge(game, labels)
    recalled, counts = remember(dealer, deals, labels)
    # Of what may have been seen of the other's hand, some never goes with a hand.
    used = cards.n_buckets if cards.knows_look == "nothing" else _count_used(dealer, deals, labels)
    forgets = not (game.abstraction.needs_histories and counts == used)
    inside = Knowledge(classify(game.graph, _EVERY_HISTORY, counts), recalled)
    outside = Knowledge(classify(game.graph, _EVERY_HISTORY, exact.n_buckets), exact.label(deals))
    listed = EnumeratedGame(dealer, deals)
    value = listed.expected_value(opponent, strategy)
    responses = [
        listed.best_response_values(seat, opponent, strategy, [inside, outside]) for seat in (0, 1)
    ]
    within, lifted = (_figures(value, found) for found in zip(*responses, strict=True))
    return replace(within, bound=forgets), lifted


def _count_used(dealer: Dealer, deals: Deals, labels: Buckets) -> tuple[int, ...]:
    """How many buckets of each stage occur."""
    found = []
    for stage in dealer.layout.stages:
        dealt = deals.lengths >= stage[deals_kernels.STAGE_STREET]
        found.append(np.unique(labels[dealt][:, :, stage_hand_cells(stage)]).size)
    return tuple(found)


def unmerged(game: PublicGame, n_buckets: tuple[int, ...], n_deals: int = 1) -> PublicGame:
    """The same classes on the tree of betting histories.

    Raises `TooLargeError` if the tree with values for all these deals would not fit.
    """
    graph = game.graph
    if not graph.merged:
        return game
    n_nodes = graph.count_tree()
    check_memory("the values of all betting histories and deals", int(16 * n_nodes * n_deals))
    tree = build_graph(graph.variant, graph.menu, merge=False)
    found = classify(tree, game.abstraction, n_buckets)
    if not np.array_equal(found.offsets, game.offsets):
        raise UnsupportedGameError(
            f"the classes of {graph.variant.name} by {game.abstraction.name!r} differ on its tree"
        )
    return found


def _figures(value: float, responses: tuple[float, ...]) -> Evaluation:
    nash_conv = sum(responses)
    return Evaluation((value, -value), responses, nash_conv, nash_conv / 2.0, False)
