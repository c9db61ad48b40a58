"""Which bets exist: menus of sizes, their grammar, and translation of real bets into them."""

from counterfold.bets.menu import BetMenu, PublicPlace
from counterfold.bets.menu_text import MENUS, parse_menu
from counterfold.bets.translation import Translation

__all__ = ["MENUS", "BetMenu", "PublicPlace", "Translation", "parse_menu"]
