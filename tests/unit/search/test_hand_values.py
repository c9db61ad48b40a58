"""What actions of a solved street are worth to one hand."""

import numpy as np
import pytest

from counterfold.cards import parse_cards, rank, unindex_pair
from counterfold.cards.ranges import parse_range
from counterfold.games import parse_game
from counterfold.games.holdem import betting_kernels as betting
from counterfold.ranges.betting_tree import spot_root
from counterfold.search.hand_ranges import Act
from counterfold.search.hand_values import find_action_values
from counterfold.search.search_options import UNSAFE, SearchOptions
from counterfold.search.street_solver import StreetSpot
from helpers.searched_games import no_strategy, solve_spot

BOARD, OOP, IP = "Td9d6hQc2s", "KJ,QQ,A2s", "QJs,TT,98s,A6s"


@pytest.fixture(scope="module")
def solution():
    variant, root, _ = spot_root(parse_game("limit"), 5, 20, 90)
    weights = tuple(parse_range(text).weights.copy() for text in (IP, OOP))
    spot = StreetSpot(variant, root, tuple(parse_cards(BOARD)), weights, 1, (), no_strategy)
    return solve_spot(SearchOptions(UNSAFE, 300), spot)


def naive_values(solution, acts, seat, hole):
    """The same by every pair of hands alone."""
    tree, other = solution.tree, 1 - seat
    reach = solution.reach(acts)[other]
    board = list(solution.board)
    own = max(hole) * (max(hole) - 1) // 2 + min(hole)

    def value(node, held):
        situation = tree.situations[node]
        spent = situation[betting.SPENT_0], situation[betting.SPENT_1]
        phase = situation[betting.PHASE]
        if phase == betting.FOLDED:
            loser = situation[betting.ACTOR]
            return float(spent[loser] if loser == other else -spent[loser])
        if phase == betting.SHOWDOWN:
            mine, theirs = rank([*hole, *board]), rank([*unindex_pair(held), *board])
            return float(spent[0] * ((mine > theirs) - (mine < theirs)))
        hand = own if situation[betting.ACTOR] == seat else held
        edges = range(tree.starts[node], tree.starts[node + 1])
        shares = solution.strategies[node][:, hand]
        return sum(
            share * value(tree.children[edge], held)
            for share, edge in zip(shares, edges, strict=True)
        )

    node = solution.find(acts).node
    possible = [
        pair for pair in np.flatnonzero(reach) if not {*unindex_pair(int(pair))} & {*hole, *board}
    ]
    total = sum(reach[pair] for pair in possible)
    return [
        sum(reach[pair] * value(tree.children[edge], int(pair)) for pair in possible) / total
        for edge in range(tree.starts[node], tree.starts[node + 1])
    ]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("hole", ["KcJd", "AhAc", "QhQs"])
def test_values_are_those_of_all_pairs_of_hands(solution, seat, hole):
    cards = tuple(sorted(parse_cards(hole), reverse=True))
    first = int(solution.root[betting.ACTOR])
    acts = () if seat == first else (Act(betting.CALL, 0),)
    found = find_action_values(solution, acts, seat, cards)
    np.testing.assert_allclose(found, naive_values(solution, acts, seat, cards), atol=1e-9)


def test_nothing_is_known_of_actions_that_the_solution_does_not_offer(solution):
    acts = (Act(betting.RAISE, 9999),)
    assert find_action_values(solution, acts, 0, parse_cards("KcJd")) is None
