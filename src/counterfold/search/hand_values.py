"""What each action of a solved street is worth to one hand."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.pairs import PAIR_CARDS, index_pair
from counterfold.games.holdem import betting_kernels as betting
from counterfold.search.hand_ranges import Act, Values
from counterfold.search.street_solution import StreetSolution


def find_action_values(
    solution: StreetSolution, acts: tuple[Act, ...], seat: int, hole: tuple[int, ...]
) -> NDArray[np.float64] | None:
    """Chips that `hole` wins on average by each action after `acts`, if both play the solution.

    The last street only, and hands of two cards; None where no hand of the opponent would be met.
    """
    is_last = solution.street == len(solution.tree.variant.streets) - 1
    if len(hole) != 2 or not is_last or solution.find(acts).left:
        return None
    dead = [*hole, *solution.board]
    possible = np.asarray(~np.isin(PAIR_CARDS, dead).any(axis=1))
    reach = solution.reach(acts)[1 - seat] * possible
    if reach.sum() <= 0:
        return None
    walk = _Walk(solution, seat, index_pair(*hole), _compare(solution, hole, possible))
    tree, node = solution.tree, solution.find(acts).node
    children = tree.children[tree.starts[node] : tree.starts[node + 1]]
    total = float(reach.sum())
    return np.array([walk.value(int(child), reach) / total for child in children])


def _compare(
    solution: StreetSolution, hole: tuple[int, ...], possible: NDArray[np.bool_]
) -> Values:
    """[1326] 1 if `hole` wins a showdown against a hand, -1 if it loses, else 0."""
    variant = solution.tree.variant

    def strength(cards: Iterable[int]) -> int:
        return variant.strength([*cards, *solution.board])

    own, results = strength(hole), np.zeros(possible.size)
    theirs = [strength(cards) for cards in PAIR_CARDS[possible].tolist()]
    results[possible] = np.sign(own - np.array(theirs, np.int64))
    return results


class _Walk:
    """Adds up what a hand wins against all hands of the opponent."""

    def __init__(self, solution: StreetSolution, seat: int, own: int, results: Values) -> None:
        self.solution, self.seat, self.own, self.results = solution, seat, own, results

    def value(self, node: int, reach: Values) -> float:
        """Chips from `node` on, times the `reach` of the opponent."""
        tree = self.solution.tree
        situation = tree.situations[node]
        spent = situation[[betting.SPENT_0, betting.SPENT_1]]
        if situation[betting.PHASE] == betting.FOLDED:
            loser = int(situation[betting.ACTOR])
            return float(reach.sum()) * float(spent[loser]) * (1 if loser != self.seat else -1)
        if situation[betting.PHASE] == betting.SHOWDOWN:
            return float(reach @ self.results) * float(spent.min())
        shares = self.solution.strategies[node]
        children = tree.children[tree.starts[node] : tree.starts[node + 1]].tolist()
        if situation[betting.ACTOR] == self.seat:
            mine = shares[:, self.own]
            return sum(
                float(share) * self.value(child, reach)
                for share, child in zip(mine, children, strict=True)
            )
        return sum(
            self.value(child, reach * share) for share, child in zip(shares, children, strict=True)
        )
