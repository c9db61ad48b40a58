"""Which bets exist: menus of sizes, their grammar, and translation of real bets into them."""

from counterfold.bets.menu import BetMenu, PublicPlace
from counterfold.bets.menu_text import MENUS, parse_menu
from counterfold.bets.spot_menu import SpotMenu
from counterfold.bets.spot_menu_text import parse_spot_menu
from counterfold.bets.translation import Translation

__all__ = [
    "MENUS",
    "BetMenu",
    "PublicPlace",
    "SpotMenu",
    "Translation",
    "parse_menu",
    "parse_spot_menu",
]
