"""Which variants the public graph and its deals can represent; others are played state by state."""

from counterfold.errors import UnsupportedGameError
from counterfold.games.holdem import Auction, Deal, Discard, Variant


def is_public(variant: Variant) -> bool:
    """Whether kernels can deal, walk and play a variant."""
    return not _obstacle(variant)


def check_public(variant: Variant) -> None:
    """Raise `UnsupportedGameError` unless `is_public`."""
    if obstacle := _obstacle(variant):
        raise UnsupportedGameError(
            f"{variant.name} {obstacle}, which a public graph cannot represent; compile a small "
            "version of it to a tree"
        )


def _obstacle(variant: Variant) -> str:
    """What of a variant no public graph can represent, in words; nothing if it can."""
    if variant.bounty is not None:
        return "has bounties"
    if variant.ranking != "standard" or variant.rank_order:
        return "has another order of hands"
    if variant.hole_cards > 2:
        return f"has {variant.hole_cards} hole cards"
    for step in (step for street in variant.streets for step in street.steps):
        if isinstance(step, Auction):
            return "has auctions"
        if isinstance(step, Deal):
            return "deals cards between choices"
        if isinstance(step, Discard) and step != Discard(step.first):
            return "shows discarded cards" if step.public else "has discards other than of one card"
    if not all(street.betting for street in variant.streets):
        return "has streets without betting"
    return ""
