"""What a player may tell apart: the algebra of features, the buckets of hands, the bets."""

from counterfold.abstraction.bet_names import MENUS, parse_menu
from counterfold.abstraction.bets import BetMenu, Spot
from counterfold.abstraction.bucketing import Bucketing
from counterfold.abstraction.card_abstraction import STREETS, CardAbstraction, CardBuckets
from counterfold.abstraction.card_names import (
    BUCKETINGS,
    parse_bucketing,
    parse_card_abstraction,
    parse_cards_spec,
)
from counterfold.abstraction.card_product import CardProduct, ProductBuckets
from counterfold.abstraction.estimate import BuildEstimate, estimate, estimate_measure
from counterfold.abstraction.features import (
    ACTIONS,
    EVERYTHING,
    NOTHING,
    PLAYER,
    Abstraction,
    fact,
    parse_abstraction,
    reveal,
)
from counterfold.abstraction.history import HISTORY_PRESETS, FittedHistory, History
from counterfold.abstraction.joint import Joint, build_joint, find_joint
from counterfold.abstraction.joint_estimate import estimate_joint
from counterfold.abstraction.quality import StreetQuality, measure_street
from counterfold.abstraction.recalled import ClassBuckets, find_recalled
from counterfold.abstraction.sequence_quality import measure, measure_history, measure_product
from counterfold.abstraction.source import Source
from counterfold.abstraction.translation import Translation

__all__ = [
    "ACTIONS",
    "BUCKETINGS",
    "EVERYTHING",
    "HISTORY_PRESETS",
    "MENUS",
    "NOTHING",
    "PLAYER",
    "STREETS",
    "Abstraction",
    "BetMenu",
    "Bucketing",
    "BuildEstimate",
    "CardAbstraction",
    "CardBuckets",
    "CardProduct",
    "ClassBuckets",
    "FittedHistory",
    "History",
    "Joint",
    "ProductBuckets",
    "Source",
    "Spot",
    "StreetQuality",
    "Translation",
    "build_joint",
    "estimate",
    "estimate_joint",
    "estimate_measure",
    "fact",
    "find_joint",
    "find_recalled",
    "measure",
    "measure_history",
    "measure_product",
    "measure_street",
    "parse_abstraction",
    "parse_bucketing",
    "parse_card_abstraction",
    "parse_cards_spec",
    "parse_menu",
    "reveal",
]
