from counterfold.bets.menu_text import parse_menu
from counterfold.games import parse_game
from counterfold.games.holdem import betting_kernels as betting
from counterfold.search.blueprint_menu import BlueprintMenu


def test_it_offers_the_totals_of_the_menu():
    variant = parse_game("nolimit(stack=40)")
    menu = BlueprintMenu(parse_menu("50%, 100%, allin; cap 2"))
    assert menu.totals(variant, betting.first_situation(variant.rules)) == (4, 6, 40)
    assert menu == BlueprintMenu(parse_menu("50%, 100%, allin; cap 2"))
