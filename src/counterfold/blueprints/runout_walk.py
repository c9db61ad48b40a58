"""What hands win below a decision on one run-out, if both seats play a blueprint.

A *run-out* is all that is dealt after the decision, to the last street. The hands of both seats go
down the betting together as vectors, through the passes that solve spots: their tables hold the
blueprint instead of what a solver has learned.
"""

from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.blueprints.betting_below import BettingBelow, grow_below
from counterfold.blueprints.blueprint import Blueprint
from counterfold.cards.pairs import N_PAIRS, PAIR_CARDS
from counterfold.games.holdem import betting_kernels as betting
from counterfold.public.card_maps import CardMap
from counterfold.ranges.board_cards import BoardCards
from counterfold.ranges.board_labels import label_boards
from counterfold.ranges.line_tree import NONE, LineTree, find_lines
from counterfold.ranges.range_pass import LearnedTables, RangePass, met_weights

Cards = tuple[int, ...]
Values = NDArray[np.float64]


class SeatWorth(NamedTuple):
    """What the hands of a seat win, times how likely the hands are that they meet."""

    mixed: Values  # [1326] by the strategy
    by_action: Values  # [actions, 1326] by each action; none of the seat that does not act
    met: Values  # [1326] the weight of the other's hands that can be met


class _Rows(NamedTuple):
    """Where the blueprint keeps the actions of a seat on a street."""

    first: NDArray[np.int64]  # [rows] slot of the first bucket
    stride: NDArray[np.int64]  # [rows] slots from one bucket to the next


class RunoutWalk:
    """Walks one run-out at a time, for one seat; its memory is kept for the next."""

    def __init__(
        self,
        blueprint: Blueprint,
        cards: CardMap,
        node: int,
        board: Cards,
        reach: tuple[Values, Values],
        seat: int,
    ) -> None:
        self.blueprint, self.cards, self.board, self.reach = blueprint, cards, board, reach
        self.seat = seat
        self.tree = grow_below(blueprint.game.graph, node)
        self.lines, self._rows = _share_rows(blueprint, self.tree, find_lines(self.tree))
        self._pass: RangePass | None = None
        self._learned: LearnedTables | None = None

    def value(self, dealt: tuple[Cards, ...]) -> SeatWorth:
        """What the hands of the seat are worth if `dealt` follows, street by street.

        Nobody acts on cards before they are dealt, but hands that have one of them are left out.
        """
        ones, variant = np.ones(N_PAIRS), self.blueprint.game.graph.variant
        cards = BoardCards(variant, self.board, (ones, ones), merge_suits=False, only=dealt)
        passes = self._deal(cards)
        later = [card for street in dealt for card in street]
        hands = cards.hands[0][cards.boards.hand[: cards.hands[0].size]]  # as they lie at the root
        free = ~np.isin(PAIR_CARDS[hands], later).any(axis=1)
        other = self.reach[1 - self.seat][hands] * free
        passes.weigh_root(1 - self.seat, other)
        learned = self._fill(passes, label_boards(cards, self.cards))
        values = passes.look_at_root(self.seat, learned)
        met = met_weights(passes.boards, 0, self.seat, other)
        by_hand = np.zeros((len(values) + 1, N_PAIRS))
        by_hand[:, hands] = np.stack([*values, met]) * free
        return SeatWorth(by_hand[0], by_hand[self._actions], by_hand[-1])

    @property
    def _actions(self) -> slice:
        """The lines of the actions of the first decision; none of the seat that does not act."""
        if self.tree.situations[0, betting.ACTOR] != self.seat:
            return slice(0)
        lines, decision = self.lines.seats[self.seat], self.lines.decisions[0]
        first = int(lines.first[decision])
        return slice(first, first + int(lines.n_actions[decision]))

    def _deal(self, cards: BoardCards) -> RangePass:
        if self._pass is None:
            self._pass = RangePass(self.lines, cards, np.float64, threads=1)
        else:
            self._pass.deal(cards)
        # The cards are known to be dealt.
        certain = np.ones_like(self._pass.boards.chance)
        self._pass.boards = self._pass.boards._replace(chance=certain)
        return self._pass

    def _fill(self, passes: RangePass, buckets: NDArray[np.int32]) -> LearnedTables:
        """Tables that are the blueprint; where training never came all is even, as in play."""
        if self._learned is None:
            self._learned = passes.make_tables()  # every run-out leaves as many hands
        boards, quantized = passes.boards, self.blueprint.quantized
        for b, street in enumerate(boards.street.tolist()):
            n = int(boards.n_hands[b, 0])
            found, places = np.unique(buckets[boards.hands[b, 0] :][:n], return_inverse=True)
            for seat in (0, 1):
                rows, at = self._rows[street][seat], passes.slots[b, seat]
                steps = quantized[rows.first[:, None] + rows.stride[:, None] * found]
                table = self._learned.tables.averages[seat][at : at + rows.first.size * n]
                table.reshape(-1, n)[:] = steps[:, places]
        return self._learned


def _share_rows(
    blueprint: Blueprint, tree: BettingBelow, lines: LineTree
) -> tuple[LineTree, list[list[_Rows]]]:
    """The lines, with rows of tables shared by decisions at which the blueprint does the same.

    Of a large tree this leaves a few thousand rows. They are described by street and seat.
    """
    game, seats = blueprint.game, list(lines.seats)
    found: list[list[_Rows]] = [[] for _ in range(lines.n_streets)]
    deciding = np.flatnonzero(lines.decisions != NONE)
    actors = tree.situations[deciding, betting.ACTOR]
    for p, seat in enumerate(lines.seats):
        nodes = np.empty(seat.parent.size, np.intp)
        nodes[lines.decisions[deciding[actors == p]]] = tree.nodes[deciding[actors == p]]
        rows = np.empty_like(seat.row)
        for k, (first, last) in enumerate(pairwise(seat.points[lines.streets].tolist())):
            here = nodes[first:last]
            classes, places = np.unique(game.classes[here], return_inverse=True)
            widths = game.n_actions[classes]
            starts = np.cumsum(widths) - widths
            rows[first:last] = starts[places]
            slots = np.repeat(game.offsets[classes] - starts, widths) + np.arange(widths.sum())
            found[k].append(_Rows(slots, np.repeat(widths, widths)))
        seats[p] = seat._replace(row=rows)
    return replace(lines, seats=(seats[0], seats[1])), found
