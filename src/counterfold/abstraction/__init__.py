"""What a player may tell apart: the algebra of features, and the buckets of hands."""

from counterfold.abstraction.bucketing import Bucketing
from counterfold.abstraction.card_abstraction import STREETS, CardAbstraction, CardBuckets
from counterfold.abstraction.card_names import (
    BUCKETINGS,
    parse_bucketing,
    parse_card_abstraction,
)
from counterfold.abstraction.estimate import BuildEstimate, estimate_build
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
from counterfold.abstraction.quality import StreetQuality, measure_street
from counterfold.abstraction.source import Source

__all__ = [
    "ACTIONS",
    "BUCKETINGS",
    "EVERYTHING",
    "NOTHING",
    "PLAYER",
    "STREETS",
    "Abstraction",
    "Bucketing",
    "BuildEstimate",
    "CardAbstraction",
    "CardBuckets",
    "Source",
    "StreetQuality",
    "estimate_build",
    "fact",
    "measure_street",
    "parse_abstraction",
    "parse_bucketing",
    "parse_card_abstraction",
    "reveal",
]
