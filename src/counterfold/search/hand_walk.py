"""What one hand wins from a node on, against all hands of an opponent whose strategy is known.

Where one more street is dealt, a walk goes over all of its boards at once: what hands do there has
an axis for boards before that of hands.
"""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

import numpy as np

from counterfold.games.holdem import betting_kernels as betting
from counterfold.ranges.betting_tree import BettingTree
from counterfold.search.hand_ranges import Values


class Strategies(Protocol):
    """What the hands of a seat do, by node."""

    def __getitem__(self, node: int, /) -> Values:
        """[actions, hands of 52 cards], or [actions, boards, hands] on boards."""
        ...


class NextBoards(NamedTuple):
    """What may be dealt after the street of a walk, and what the hand that walks is worth there."""

    cards: tuple[tuple[int, ...], ...]
    chance: Values  # [boards, hands of 52 cards] of each board if the other has a hand: 0 for some
    results: Values  # [boards, hands] 1 where it wins a showdown, -1 where it loses, else 0


class HandWalk:
    """A hand of `seat` to the end, where both play `strategies`, or it what is best.

    Parameters
    ----------
    results
        [hands of 52 cards] 1 where it wins a showdown, -1 where it loses, else 0; the mean of that
        where it is all-in and more is dealt.
    own
        Its number among all hands; None if it plays what is best.
    boards
        What may be dealt, if the street is not the last.
    """

    def __init__(
        self,
        tree: BettingTree,
        strategies: Strategies | Mapping[int, Values],
        seat: int,
        results: Values,
        own: int | None = None,
        boards: NextBoards | None = None,
    ) -> None:
        self.tree, self.strategies, self.seat = tree, strategies, seat
        self.results, self.own, self.boards = results, own, boards

    def value(self, node: int, reach: Values) -> Values:
        """Chips over the whole hand, times the `reach` of the opponent's hands at `node`.

        A number, or one for each board where `reach` has an axis for boards.
        """
        situation = self.tree.situations[node]
        spent = situation[[betting.SPENT_0, betting.SPENT_1]]
        phase = situation[betting.PHASE]
        if phase == betting.FOLDED:
            loser = int(situation[betting.ACTOR])
            won = float(spent[loser]) * (1 if loser != self.seat else -1)
            return np.asarray(reach.sum(axis=-1) * won)
        if phase == betting.SHOWDOWN:
            return np.asarray((reach * self._results_for(reach)).sum(axis=-1) * float(spent.min()))
        children = self.tree.children[self.tree.starts[node] : self.tree.starts[node + 1]].tolist()
        if phase == betting.DEAL:
            assert self.boards is not None
            return np.asarray(self.value(children[0], reach * self.boards.chance).sum())
        if situation[betting.ACTOR] != self.seat:
            parts = zip(children, self.strategies[node], strict=True)
            return np.asarray(sum(self.value(child, reach * share) for child, share in parts))
        values = np.stack([self.value(child, reach) for child in children])
        if self.own is None:
            return np.asarray(values.max(axis=0))
        return np.asarray(values @ self.strategies[node][:, self.own])

    def _results_for(self, reach: Values) -> Values:
        if reach.ndim == 1:
            return self.results
        assert self.boards is not None
        return self.boards.results
