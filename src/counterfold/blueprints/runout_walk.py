"""What hands win below a decision on one run-out, if both seats play a blueprint.

A *run-out* is all that is dealt after the decision, to the last street. The hands of both seats go
down the betting together as vectors, through the passes that solve spots: their tables hold the
blueprint instead of what a solver has learned.
"""

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
from counterfold.ranges.range_pass import Learned, RangePass, TableMemory, met_weights

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
    """Walks one run-out at a time; its memory is kept for the next."""

    def __init__(
        self,
        blueprint: Blueprint,
        cards: CardMap,
        node: int,
        board: Cards,
        reach: tuple[Values, Values],
    ) -> None:
        self.blueprint, self.cards, self.board, self.reach = blueprint, cards, board, reach
        self.tree = grow_below(blueprint.game.graph, node)
        self.lines = find_lines(self.tree)
        self.actor = int(self.tree.situations[0, betting.ACTOR])
        self._rows = _find_rows(blueprint, self.tree, self.lines)
        self._memory = TableMemory()
        self._pass: RangePass | None = None

    def value(self, dealt: tuple[Cards, ...]) -> tuple[SeatWorth, SeatWorth]:
        """What the hands of both seats are worth if `dealt` follows, street by street.

        Nobody acts on cards before they are dealt, but hands that have one of them are left out.
        """
        everything = np.ones(N_PAIRS)
        variant = self.blueprint.game.graph.variant
        cards = BoardCards(
            variant, self.board, (everything, everything), merge_suits=False, only=dealt
        )
        passes = self._deal(cards)
        later = [card for street in dealt for card in street]
        hands = cards.hands[0][cards.boards.hand[: cards.hands[0].size]]  # as they lie at the root
        free = ~np.isin(PAIR_CARDS[hands], later).any(axis=1)
        for seat, reach in enumerate(self.reach):
            passes.weigh_root(seat, reach[hands] * free)
        learned = passes.make_tables(memory=self._memory)
        self._fill(passes, learned, label_boards(cards, self.cards))
        first, second = (self._value(passes, learned, seat, hands, free) for seat in (0, 1))
        return first, second

    def _deal(self, cards: BoardCards) -> RangePass:
        if self._pass is None:
            self._pass = RangePass(self.lines, cards, np.float64, threads=1)
        else:
            self._pass.deal(cards)
        # The cards are known to be dealt.
        certain = np.ones_like(self._pass.boards.chance)
        self._pass.boards = self._pass.boards._replace(chance=certain)
        return self._pass

    def _fill(self, passes: RangePass, learned: Learned, buckets: NDArray[np.int32]) -> None:
        """Let the tables be the blueprint; what it never came to is even, as in play."""
        boards = passes.boards
        for b, street in enumerate(boards.street.tolist()):
            for seat in (0, 1):
                rows, n = self._rows[street][seat], int(boards.n_hands[b, seat])
                labels = buckets[boards.hands[b, seat] :][:n]
                slots = rows.first[:, None] + rows.stride[:, None] * labels
                at = passes.slots[b, seat]
                table = learned.tables.averages[seat]
                table[at : at + slots.size] = self.blueprint.quantized[slots].ravel()

    def _value(
        self,
        passes: RangePass,
        learned: Learned,
        seat: int,
        hands: NDArray[np.intp],
        free: NDArray[np.bool_],
    ) -> SeatWorth:
        values = passes.look_at_root(seat, learned) * free
        other = passes.root[1 - seat][: free.size]
        met = met_weights(passes.boards, 0, seat, other) * free
        by_hand = np.zeros((len(values) + 1, N_PAIRS))
        by_hand[:, hands] = [*values, met]
        first = n = 0
        if seat == self.actor:
            decision = self.lines.decisions[0]
            first = self.lines.seats[seat].first[decision]
            n = self.lines.seats[seat].n_actions[decision]
        return SeatWorth(by_hand[0], by_hand[first : first + n], by_hand[-1])


def _find_rows(
    blueprint: Blueprint, tree: BettingBelow, lines: LineTree
) -> list[tuple[_Rows, _Rows]]:
    """By street and seat."""
    counts = lines.n_rows
    found = [
        tuple(_Rows(np.zeros(n, np.int64), np.zeros(n, np.int64)) for n in street)
        for street in counts.tolist()
    ]
    game, first_street = blueprint.game, tree.situations[0, betting.STREET]
    for at in np.flatnonzero(lines.decisions != NONE).tolist():
        situation, node = tree.situations[at], tree.nodes[at]
        street, seat = situation[betting.STREET] - first_street, situation[betting.ACTOR]
        of_seat, decision = lines.seats[seat], lines.decisions[at]
        width, row = int(of_seat.n_actions[decision]), int(of_seat.row[decision])
        rows = found[street][seat]
        rows.first[row : row + width] = game.node_offsets[node] + np.arange(width)
        rows.stride[row : row + width] = width
    return [(first, second) for first, second in found]
