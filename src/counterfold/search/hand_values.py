"""What each action of a solved street is worth to one hand."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.pairs import PAIR_CARDS, index_pair
from counterfold.search.hand_ranges import Act, Values
from counterfold.search.hand_walk import HandWalk
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
    tree, node = solution.tree, solution.find(acts).node
    results, own = _compare(solution, hole, possible), index_pair(*hole)
    walk = HandWalk(tree, solution.strategies, seat, results, own)
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
