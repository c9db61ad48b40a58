"""Fewer bets: never more than two, all of them offered by the menu."""

from counterfold.bets.menu_text import parse_menu
from counterfold.games import parse_game
from counterfold.games.holdem import betting_kernels as betting
from counterfold.ranges.betting_tree import build_betting_tree, spot_root
from counterfold.search.blueprint_menu import BlueprintMenu
from counterfold.search.smaller_menu import SmallerMenu


def test_the_bet_nearest_to_the_pot_and_all_in_are_left():
    menu = BlueprintMenu(parse_menu("33%, 75%, 150%, allin; cap 3"))
    variant, root, _ = spot_root(parse_game("nolimit(stack=200)"), 5, 20, 190)
    smaller = SmallerMenu(menu)
    assert menu.totals(variant, root) == (17, 25, 40, 200)
    assert smaller.totals(variant, root) == (25, 200)
    raised = tuple(betting.after_raise(root, 25))
    assert smaller.totals(variant, raised) == (200,)
    sizes = [build_betting_tree(variant, root, each).n_nodes for each in (menu, smaller)]
    assert sizes[1] < sizes[0] / 3


def test_where_nothing_is_offered_nothing_is_left():
    menu = BlueprintMenu(parse_menu("50%, 100%; cap 1"))
    variant, root, _ = spot_root(parse_game("nolimit(stack=200)"), 5, 20, 190)
    smaller = SmallerMenu(menu)
    assert smaller.totals(variant, root) == (30,)
    assert smaller.totals(variant, tuple(betting.after_raise(root, 30))) == ()
