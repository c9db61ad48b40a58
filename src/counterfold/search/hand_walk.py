"""What one hand wins from a node on, against all hands of an opponent whose strategy is known."""

import numpy as np

from counterfold.games.holdem import betting_kernels as betting
from counterfold.ranges.betting_tree import BettingTree
from counterfold.search.hand_ranges import Values


class HandWalk:
    """A hand of `seat` on the last street, where both play `strategies`, or it what is best.

    Parameters
    ----------
    strategies
        [actions, hands of 52 cards] by node.
    results
        [hands of 52 cards] 1 where it wins a showdown, -1 where it loses, else 0.
    own
        Its number among all hands; None if it plays what is best.
    """

    def __init__(
        self,
        tree: BettingTree,
        strategies: dict[int, Values],
        seat: int,
        results: Values,
        own: int | None = None,
    ) -> None:
        self.tree, self.strategies, self.seat = tree, strategies, seat
        self.results, self.own = results, own

    def value(self, node: int, reach: Values) -> float:
        """Chips over the whole hand, times the `reach` of the opponent's hands at `node`."""
        situation = self.tree.situations[node]
        spent = situation[[betting.SPENT_0, betting.SPENT_1]]
        if situation[betting.PHASE] == betting.FOLDED:
            loser = int(situation[betting.ACTOR])
            return float(reach.sum()) * float(spent[loser]) * (1 if loser != self.seat else -1)
        if situation[betting.PHASE] == betting.SHOWDOWN:
            return float(reach @ self.results) * float(spent.min())
        children = self.tree.children[self.tree.starts[node] : self.tree.starts[node + 1]].tolist()
        if situation[betting.ACTOR] != self.seat:
            shares = self.strategies[node]
            parts = zip(children, shares, strict=True)
            return sum(self.value(child, reach * share) for child, share in parts)
        values = np.array([self.value(child, reach) for child in children])
        if self.own is None:
            return float(values.max())
        return float(values @ self.strategies[node][:, self.own])
