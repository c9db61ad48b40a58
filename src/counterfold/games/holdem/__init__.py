"""Hold'em-like games for two: a variant is data, a state follows its exact rules."""

from counterfold.games.holdem.narration import narrate
from counterfold.games.holdem.notation import parse_state
from counterfold.games.holdem.payoff import Bounty
from counterfold.games.holdem.presets import VARIANTS
from counterfold.games.holdem.state import HoldemState
from counterfold.games.holdem.street import Auction, Deal, Discard, Street, Swap
from counterfold.games.holdem.variant import Variant

__all__ = [
    "VARIANTS",
    "Auction",
    "Bounty",
    "Deal",
    "Discard",
    "HoldemState",
    "Street",
    "Swap",
    "Variant",
    "narrate",
    "parse_state",
]
