"""What each action on the last street is worth to every hand, if both seats play a blueprint.

Nothing is dealt any more, so that the values are exact: all hands of both seats go down the betting
together, one as what they win, the other as how likely they still are.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from counterfold.blueprints.blueprint import Blueprint
from counterfold.blueprints.hand_buckets import Holdings
from counterfold.blueprints.strategy_table import StrategyTable, find_range
from counterfold.cards.pairs import index_pairs
from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting

Values = NDArray[np.float64]


def find_values(table: StrategyTable, holdings: Holdings) -> Values | None:
    """[rows, actions] chips of the pot that each row wins from here on; a fold has 0.

    NaN where no hand of the other seat comes here; None before the last street, and where hands
    change, the board may run on, or more than the pot is won.
    """
    variant = table.blueprint.game.graph.variant
    if not _is_simple(variant) or len(table.board) < variant.board_cards():
        return None
    ends = _LastStreet(table.blueprint, holdings, table.board)
    weights = find_range(table.blueprint, holdings, table.history, table.board, 1 - table.seat)
    reach = weights[index_pairs(ends.hands)]
    graph, node = table.blueprint.game.graph, table.line.node
    children = graph.children[graph.starts[node] : graph.starts[node + 1]].tolist()
    won = ends.values(children, table.seat, reach)
    met = ends.fits @ reach
    spent = graph.situations[node, betting.SPENT_0 + table.seat]
    with np.errstate(invalid="ignore", divide="ignore"):
        values = np.where(met[:, np.newaxis] > 0, won / met[:, np.newaxis] + spent, np.nan)
    places = {tuple(hand): at for at, hand in enumerate(ends.hands.tolist())}
    return values[[places[row.hand] for row in table.rows]]


def _is_simple(variant: Variant) -> bool:
    stays = variant.hole_cards == 2 and not variant.hands_change and not variant.max_runs
    return stays and variant.usual_showdown


class _LastStreet:
    """Hands on a board, and what they win below a node."""

    def __init__(self, blueprint: Blueprint, holdings: Holdings, board: tuple[int, ...]) -> None:
        self.blueprint, self.graph, self.board = blueprint, blueprint.game.graph, board
        self.hands = np.array(holdings.hands(board), np.uint8)
        boards = np.array([board], np.uint8)
        self.buckets = holdings.cards.label_hands(self.hands[np.newaxis], boards)[0]

    @cached_property
    def fits(self) -> Values:
        """[hands, hands] 1 where two hands have no card in common."""
        cards = np.bitwise_or.reduce(np.int64(1) << self.hands.astype(np.int64), axis=1)
        return np.asarray((cards[:, np.newaxis] & cards) == 0, np.float64)

    @cached_property
    def wins(self) -> Values:
        """[hands, hands] 1 where the first wins a showdown, -1 where it loses."""
        variant = self.graph.variant
        of = np.array([variant.strength([*hand, *self.board]) for hand in self.hands.tolist()])
        return np.asarray(np.sign(of[:, np.newaxis] - of) * self.fits)

    def values(self, nodes: Sequence[int], seat: int, reach: Values) -> Values:
        """[hands, nodes] chips that hands of `seat` win below nodes, times the `reach` of the
        other's.

        All ends at once: a product of matrices reads the large one once, not once for each end.
        """
        ends = [(end, there) for node in nodes for end, there in self._find_ends(node, seat, reach)]
        reached = np.stack([there for _, there in ends], axis=1)
        folds = np.array([self.graph.phase[end] == betting.FOLDED for end, _ in ends])
        won = np.empty_like(reached)
        won[:, folds] = self.fits @ reached[:, folds]
        won[:, ~folds] = self.wins @ reached[:, ~folds]
        won *= [self._stake(end, seat) for end, _ in ends]
        in_order = iter(won.T)
        return np.stack([self._add_up(node, seat, in_order) for node in nodes], axis=1)

    def _find_ends(self, node: int, seat: int, reach: Values) -> Iterator[tuple[int, Values]]:
        """The ends below a node, with the reach of the other seat's hands there."""
        if self.graph.phase[node] in (betting.FOLDED, betting.SHOWDOWN):
            yield node, reach
            return
        mine = self.graph.field(betting.ACTOR)[node] == seat
        for child, share in self._branches(node):
            yield from self._find_ends(child, seat, reach if mine else reach * share)

    def _add_up(self, node: int, seat: int, ends: Iterator[Values]) -> Values:
        """[hands] what is won below a node; `ends` are in the order of `_find_ends`."""
        if self.graph.phase[node] in (betting.FOLDED, betting.SHOWDOWN):
            return next(ends)
        mine = self.graph.field(betting.ACTOR)[node] == seat
        total = np.zeros(len(self.hands))
        for child, share in self._branches(node):
            below = self._add_up(child, seat, ends)
            total += share * below if mine else below
        return total

    def _stake(self, end: int, seat: int) -> int:
        """Chips of the loser; negative if `seat` has folded."""
        actor = int(self.graph.field(betting.ACTOR)[end])
        stake = int(self.graph.situations[end, betting.SPENT_0 + actor])
        return -stake if self.graph.phase[end] == betting.FOLDED and actor == seat else stake

    def _branches(self, node: int) -> Iterator[tuple[int, Values]]:
        """The children of a node, with how often hands go there."""
        graph = self.graph
        children = graph.children[graph.starts[node] : graph.starts[node + 1]].tolist()
        return zip(children, self._shares(node).T, strict=True)

    def _shares(self, node: int) -> Values:
        """[hands, actions] what the blueprint does; all the same where training never came."""
        stage = int(self.blueprint.game.stage[node])
        found = self.blueprint.at_many(node, self.buckets[stage])
        return np.where(np.isnan(found), 1.0 / found.shape[1], found)
