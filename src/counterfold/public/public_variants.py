"""Which variants the public graph and its deals can represent; others are played state by state."""

from counterfold.errors import UnsupportedGameError
from counterfold.games.holdem import Auction, Deal, Discard, Variant
from counterfold.games.holdem.card_sets_kernels import MOST_HELD
from counterfold.games.holdem.street import count_rounds
from counterfold.public.stages import CardStage, card_stages

MOST_ROUNDS = 15  # bits of a seat in a node
MOST_HAND_CELLS = 10_000  # of a seat in a deal


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
    """Whether hands have at most two cards, exchanged only one at a time and unseen, with at most
    one swap on a street and a single board that only streets deal.
    """
    steps = [step for street in variant.streets for step in street.steps]
    usual = not any(isinstance(step, Deal | Auction) for step in steps)
    once = all(street.n_swaps <= 1 for street in variant.streets)
    return usual and once and not variant.gives_cards and variant.most_hole_cards <= 2


def check_pairs(variant: Variant, method: str, instead: str = "") -> None:
    """Raise `UnsupportedGameError` unless `has_pairs`.

    `method` is what needs that, at the beginning of a sentence; `instead` is the next step.
    """
    if not has_pairs(variant):
        raise UnsupportedGameError(
            f"{method} needs at most two hole cards, exchanged only one at a time and unseen, at "
            "most one swap on a street, and a board that only chance deals, unlike "
            f"{variant.name}" + (f"; {instead}" if instead else "")
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
    if variant.bounty is not None and variant.run_suits:
        return "has bounties and a board that may run on"
    if variant.bounty is not None and variant.rank_order:
        return "has bounties and another order of ranks"
    if variant.has_auctions and variant.run_suits:
        return "has auctions and a board that may run on"
    if variant.gives_cards and (beside := _beside(variant)):
        return f"has discards other than of one card unseen for another, and {beside}"
    if (rounds := sum(map(count_rounds, variant.steps))) > MOST_ROUNDS:
        return f"has {rounds} cards of a seat to discard or bid for, more than {MOST_ROUNDS}"
    if _most_discarding(variant) > MOST_HELD:
        return f"has discards from hands of more than {MOST_HELD} cards"
    stages = card_stages(variant)
    if (n := sum(stage.n_paths for stage in stages)) > MOST_HAND_CELLS:
        return f"has {n:,} hands that choices may lead to, more than {MOST_HAND_CELLS:,}"
    return next(filter(None, map(_obstacle_at, stages)), "")


def _most_discarding(variant: Variant) -> int:
    """The most cards of a hand from which one is discarded."""
    held, most = variant.hole_cards, 0
    for step in variant.steps:
        if isinstance(step, Deal):
            held += max(step.holes)
        elif isinstance(step, Auction):
            held += step.prize == "card"
        elif isinstance(step, Discard):
            most = max(most, held)
            held -= step.count * (step.forced and not step.redraw)
    return most


def _beside(variant: Variant) -> str:
    """What a variant has that goes with no discards but those of one card unseen for another."""
    if variant.has_swaps:
        return "swaps"
    if variant.rank_order:
        return "another order of ranks"
    return "a board that may run on" if variant.run_suits else ""


def _obstacle_at(stage: CardStage) -> str:
    """What of a choice no public graph can represent, given the hands that players have there."""
    if not stage.turns:
        return ""
    hidden = any(
        step.kind in ("win", "draw") or (step.kind == "give" and not step.discard.public)
        for step in stage.steps
    )
    if stage.before_draw and any(step.kind == "win" for step in stage.steps):
        return "has discards after auctions for a card"
    if stage.before_draw and stage.grown[0] != stage.grown[1]:
        return "has discards after deals of unequal numbers of cards"
    if stage.bids == "look" and hidden:
        return "has auctions for a look after other hidden choices of cards"
    if stage.bids == "look" and any(step.kind == "give" and step.may_keep for step in stage.steps):
        return "has auctions for a look at hands of which it was free to discard"
    return ""
