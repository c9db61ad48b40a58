"""What is known of the cards: every bucketing, their products, k-means, joint tables."""

from counterfold.buckets.abstraction_text import (
    BUCKETINGS,
    parse_bucketing,
    parse_card_abstraction,
    parse_street_abstraction,
)
from counterfold.buckets.bucket_cost import BuildEstimate, estimate, estimate_measure
from counterfold.buckets.bucket_quality import StreetQuality, measure_street
from counterfold.buckets.bucketing import Bucketing
from counterfold.buckets.card_abstraction import CardAbstraction, CardBuckets
from counterfold.buckets.card_product import CardProduct, ProductBuckets
from counterfold.buckets.clustering.opponent_clustering import cluster_by_histogram
from counterfold.buckets.histories.history import HISTORY_PRESETS, FittedHistory, History
from counterfold.buckets.joint_cost import estimate_joint
from counterfold.buckets.joint_tables import JointTables, build_joint, find_joint
from counterfold.buckets.perfect_recall import ClassBuckets, PerfectRecall
from counterfold.buckets.street_abstraction import StreetAbstraction, StreetBuckets
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards.streets import STREETS

__all__ = [
    "BUCKETINGS",
    "HISTORY_PRESETS",
    "STREETS",
    "Bucketing",
    "BuildEstimate",
    "CardAbstraction",
    "CardBuckets",
    "CardProduct",
    "ClassBuckets",
    "FittedHistory",
    "History",
    "JointTables",
    "PerfectRecall",
    "ProductBuckets",
    "StreetAbstraction",
    "StreetBuckets",
    "StreetQuality",
    "StrengthLookup",
    "build_joint",
    "cluster_by_histogram",
    "estimate",
    "estimate_joint",
    "estimate_measure",
    "find_joint",
    "measure_street",
    "parse_bucketing",
    "parse_card_abstraction",
    "parse_street_abstraction",
]
