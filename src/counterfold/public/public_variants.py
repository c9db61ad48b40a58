"""Which variants the public graph and its deals can represent; others are played state by state."""

from counterfold.errors import UnsupportedGameError
from counterfold.games.holdem import Auction, Deal, Discard, Swap, Variant
from counterfold.games.holdem.street import Step


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


def has_pairs(variant: Variant) -> bool:
    """Whether hands are of up to two cards on one board for all."""
    return not variant.lays_cards and variant.most_hole_cards <= 2


def check_pairs(variant: Variant, method: str, instead: str = "") -> None:
    """Raise `UnsupportedGameError` unless `has_pairs`.

    `method` is what needs that, at the beginning of a sentence; `instead` is the next step.
    """
    if not has_pairs(variant):
        raise UnsupportedGameError(
            f"{method} needs hands of at most two cards and a board that only chance deals, "
            f"unlike {variant.name}" + (f"; {instead}" if instead else "")
        )


def check_pot(variant: Variant, method: str, instead: str = "") -> None:
    """Raise `UnsupportedGameError` unless a win is worth what the loser has put in.

    `method` is what needs that, at the beginning of a sentence; `instead` is the next step.
    """
    if variant.bounty is not None:
        raise UnsupportedGameError(
            f"{method} needs a pot without bounties, unlike that of {variant.name}"
            + (f"; {instead}" if instead else "")
        )


def _obstacle(variant: Variant) -> str:
    """What of a variant no public graph can represent, in words; nothing if it can."""
    if variant.bounty is not None and (variant.hands_change or variant.run_suits):
        return "has bounties, and hands that change or a board that may run on"
    if variant.bounty is not None and variant.rank_order:
        return "has bounties and another order of ranks"
    steps = [step for street in variant.streets for step in street.steps]
    if variant.hole_cards > 2 and not variant.lays_cards:
        return f"has {variant.hole_cards} hole cards"
    if variant.has_auctions and variant.run_suits:
        return "has auctions and a board that may run on"
    for step in steps:
        if isinstance(step, Auction) and step.prize != "card":
            return "has auctions for a look"
        if variant.has_auctions and not isinstance(step, Auction):
            return "has both auctions and other steps"
        if isinstance(step, Deal):
            return "deals cards between choices"
        if isinstance(step, Discard) and step not in (_lay(step), Discard(step.first)):
            return "shows discarded cards" if step.public else "has discards other than of one card"
        if variant.lays_cards and (isinstance(step, Swap) or step != _lay(step)):
            return "both lays cards onto the board and exchanges them"
    if variant.lays_cards and not variant.usual_showdown:
        return "lays cards onto the board and has another order of hands"
    if variant.lays_cards and variant.run_suits:
        return "lays cards onto a board that may run on"
    if not all(street.betting for street in variant.streets):
        return "has streets without betting"
    return ""


def _lay(step: Step) -> Discard | None:
    """The step at which each player must lay one card onto the board, first the same player."""
    if not isinstance(step, Discard):
        return None
    return Discard(step.first, forced=True, redraw=False, to_board=True)
