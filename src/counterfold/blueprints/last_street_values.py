"""What each action on the last street is worth to every hand, if both seats play a blueprint.

Nothing is dealt any more, so that the values are exact: all hands of both seats go down the betting
together, one as what they win, the other as how likely they still are.
"""

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
    won = np.stack([ends.value(child, table.seat, reach) for child in children], axis=1)
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
        return ((cards[:, np.newaxis] & cards) == 0).astype(np.float64)

    @cached_property
    def wins(self) -> Values:
        """[hands, hands] 1 where the first wins a showdown, -1 where it loses."""
        variant = self.graph.variant
        of = np.array([variant.strength([*hand, *self.board]) for hand in self.hands.tolist()])
        return np.sign(of[:, np.newaxis] - of) * self.fits

    def value(self, node: int, seat: int, reach: Values) -> Values:
        """[hands] chips that hands of `seat` win below `node`, times the `reach` of the other's."""
        graph = self.graph
        actor = int(graph.field(betting.ACTOR)[node])
        if graph.phase[node] in (betting.FOLDED, betting.SHOWDOWN):
            stake = float(graph.situations[node, betting.SPENT_0 + actor])  # of the loser
            if graph.phase[node] == betting.SHOWDOWN:
                return stake * (self.wins @ reach)
            return (-stake if actor == seat else stake) * (self.fits @ reach)
        shares = self._shares(node)
        children = graph.children[graph.starts[node] : graph.starts[node + 1]].tolist()
        total = np.zeros(len(reach))
        for child, share in zip(children, shares.T, strict=True):
            mine = actor == seat
            below = self.value(child, seat, reach if mine else reach * share)
            total += share * below if mine else below
        return total

    def _shares(self, node: int) -> Values:
        """[hands, actions] what the blueprint does; all the same where training never came."""
        stage = int(self.blueprint.game.stage[node])
        found = self.blueprint.at_many(node, self.buckets[stage])
        return np.where(np.isnan(found), 1.0 / found.shape[1], found)
