"""A solved spot, looked at: what hands do at a line, what they are worth, how often they come.

Figures are of the average strategy. The EV of a hand is what it wins of the pot from there on: a
hand that folds has 0, and the EVs of both ranges add up to the pot where there is no rake.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.suits import rename_cards, rename_pairs
from counterfold.cards.text import format_card
from counterfold.errors import IllegalActionError
from counterfold.games.holdem import betting_kernels as betting
from counterfold.ranges.board_cards import NONE, FoundBoard
from counterfold.ranges.range_equity import hand_equities
from counterfold.ranges.range_pass import WHOLE_STREETS, BoardValues, RangePass, met_weights
from counterfold.ranges.range_solver import RangeSolver
from counterfold.ranges.spot import POSITIONS, Spot
from counterfold.ranges.spot_node import Cards, HandTable, SpotNode
from counterfold.ranges.tree_lines import TreeLine, follow_line, format_line


class SpotView:
    """Looks at a spot that a solver has worked on."""

    def __init__(self, spot: Spot, solver: RangeSolver) -> None:
        self.spot, self.solver = spot, solver
        self.passes = RangePass(
            spot.lines,
            spot.cards,
            solver.passes.dtype,
            solver.passes.pool.n_threads,
            WHOLE_STREETS,
            solver.passes.packed,
        )
        self._last: tuple[tuple[int, int, int], BoardValues] | None = None

    def at(self, line: str = "", *, exploit: str = "") -> SpotNode:
        """The decision that `line` leads to, with cards inline, such as ``k k | 7h | b50%``.

        With `exploit`, that position plays its best response to the other from there on.
        """
        _check_position(exploit)
        node, dealt = self._find_decision(line)
        return self._look(node, dealt, exploit)

    def street(self, line: str = "", *, exploit: str = "") -> Iterator[SpotNode]:
        """The decision that `line` leads to and all that may follow it on its street."""
        _check_position(exploit)
        first, dealt = self._find_decision(line)
        tree, waiting = self.spot.tree, [first]
        while waiting:
            node = waiting.pop()
            yield self._look(node, dealt, exploit)
            children = tree.children[tree.starts[node] : tree.starts[node + 1]].tolist()
            waiting += [child for child in reversed(children) if tree.phase[child] == betting.BET]

    def _find_decision(self, line: str) -> TreeLine:
        """Where `line` leads; raises `IllegalActionError` unless someone decides there."""
        node, dealt = follow_line(self.spot.tree, line)
        if self.spot.tree.phase[node] == betting.DEAL:
            raise IllegalActionError(
                f"the line {line!r} ends with a deal; name the card, as in {line.strip()} | 2c"
            )
        if self.spot.tree.phase[node] != betting.BET:
            raise IllegalActionError(f"no one decides after the line {line!r}: the hand is over")
        if not all(dealt):
            raise IllegalActionError(
                f"the line {line!r} does not name the cards that are dealt; "
                "write them between the streets, as in k k | 7h | b50%"
            )
        return TreeLine(node, dealt)

    def runouts(self, line: str = "") -> Iterator[tuple[str, SpotNode]]:
        """The decisions after each next card, with the card, for a line that ends a street."""
        node, dealt = follow_line(self.spot.tree, line)
        if self.spot.tree.phase[node] != betting.DEAL:
            raise IllegalActionError(
                f"no card is dealt after the line {line!r}; end it with the call or check that "
                "ends the betting of a street"
            )
        child = int(self.spot.tree.children[self.spot.tree.starts[node]])
        board = self.spot.cards_on_board + tuple(c for cards in dealt for c in cards)
        street = self.spot.tree.situations[child, betting.STREET]
        if self.spot.variant.streets[street].cards != 1:
            raise IllegalActionError("run-outs are for streets of one card")
        for card in self.spot.variant.deck.cards.tolist()[::-1]:
            if card not in board:
                yield format_card(card), self._look(child, (*dealt, (card,)))

    def _look(self, node: int, dealt: Sequence[Cards], exploit: str = "") -> SpotNode:
        tree, spot = self.spot.tree, self.spot
        place = spot.cards.find_board(dealt)
        best = spot.positions[POSITIONS.index(exploit)] if exploit else NONE
        values = self._values(place.number, best)
        actor = int(tree.situations[node, betting.ACTOR])
        spent = tree.situations[node, betting.SPENT_0 :][:2].astype(np.float64) + tree.dead / 2
        board = spot.cards_on_board + tuple(c for cards in dealt for c in cards)
        decision = int(spot.lines.decisions[node])
        strategy = self._strategy(actor, decision, place.number, values, best)
        tables = [
            self._table(
                node, seat, strategy if seat == actor else None, place, board, values, spent
            )
            for seat in (0, 1)
        ]
        edges = range(tree.starts[node], tree.starts[node + 1])
        hands = {
            name: tables[seat][0] for name, seat in zip(POSITIONS, spot.positions, strict=True)
        }
        return SpotNode(
            format_line(tree, node, dealt),
            board,
            float(spent.sum()),
            POSITIONS[spot.positions.index(actor)],
            tuple(tree.labels[e] for e in edges),
            hands,
            strategy[:, tables[actor][1]],
            self._action_ev(actor, decision, place, values, tables[actor], spent[actor]),
        )

    def _values(self, board: int, best: int) -> BoardValues:
        key = (board, best, self.solver.iterations)
        if self._last is None or self._last[0] != key:
            self._last = key, self.passes.look(board, self.solver.learned, best)
        return self._last[1]

    def _strategy(
        self, actor: int, decision: int, board: int, values: BoardValues, best: int
    ) -> NDArray[np.float64]:
        """[actions, hands of the board] what the seat that acts does."""
        if actor != best:
            return self.solver.average(actor, board, decision)
        below = self._below(actor, decision, board, values)
        return np.asarray(np.arange(below.shape[0])[:, None] == below.argmax(axis=0), np.float64)

    def _below(
        self, seat: int, decision: int, board: int, values: BoardValues
    ) -> NDArray[np.float64]:
        """[actions, hands of the board] what the actions of a decision are worth."""
        lines = self.spot.lines.seats[seat]
        street = self.passes.boards.street[board]
        at = lines.first[decision] - self.spot.lines.first_lines[street, seat]
        return values.values[seat][at : at + lines.n_actions[decision]]

    def _numbers(self, seat: int, place: FoundBoard) -> NDArray[np.intp]:
        """Numbers of the hands of a board among all hands, under their new names."""
        boards, cards = self.passes.boards, self.spot.cards
        at, n = boards.hands[place.number, seat], boards.n_hands[place.number, seat]
        numbers = cards.hands[seat][boards.hand[at : at + n]]
        single = self.spot.variant.hole_cards == 1
        renamed = rename_cards(place.renaming) if single else rename_pairs(place.renaming)
        return np.asarray(renamed[numbers], np.intp)

    def _table(
        self,
        node: int,
        seat: int,
        strategy: NDArray[np.float64] | None,
        place: FoundBoard,
        board: Cards,
        values: BoardValues,
        spent: NDArray[np.float64],
    ) -> tuple[HandTable, NDArray[np.intp]]:
        """The hands of a seat at a node, and the order that sorts them; `strategy` if it acts."""
        tree, lines = self.spot.tree, self.spot.lines
        street = tree.situations[node, betting.STREET] - tree.situations[0, betting.STREET]
        first = lines.first_lines[street]
        reach = [values.reach[p][lines.lines[node, p] - first[p]] for p in (0, 1)]
        met = met_weights(self.passes.boards, place.number, seat, reach[1 - seat])
        worth = values.values[seat][lines.lines[node, seat] - first[seat]]
        if strategy is not None:
            below = self._below(seat, int(lines.decisions[node]), place.number, values)
            worth = (below * strategy).sum(axis=0)
        numbers = self._numbers(seat, place)
        order = np.argsort(numbers)
        weights = [np.zeros(self.spot.cards.holes.shape[0]) for _ in (0, 1)]
        for p in (0, 1):
            weights[p][self._numbers(p, place)] = reach[p]
        equity = hand_equities(
            self.spot.variant, board, (weights[0], weights[1]), held=self.spot.weights
        )[seat]
        table = HandTable(
            numbers[order],
            self.spot.cards.holes[numbers[order]],
            reach[seat][order],
            met[order],
            equity[numbers[order]],
            _per_matchup(worth, met, spent[seat])[order],
        )
        return table, order

    def _action_ev(
        self,
        actor: int,
        decision: int,
        place: FoundBoard,
        values: BoardValues,
        table: tuple[HandTable, NDArray[np.intp]],
        spent: float,
    ) -> NDArray[np.float64]:
        below = self._below(actor, decision, place.number, values)[:, table[1]]
        return np.stack([_per_matchup(worth, table[0].met, spent) for worth in below])


def _check_position(name: str) -> None:
    if name and name not in POSITIONS:
        raise IllegalActionError(f"unknown position {name!r}; positions are oop and ip")


def _per_matchup(
    worth: NDArray[np.float64], met: NDArray[np.float64], spent: float
) -> NDArray[np.float64]:
    """Chips of the pot for each hand, from what it wins against all that it meets."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(met > 0, worth / met + spent, np.nan)
