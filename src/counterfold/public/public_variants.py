"""Which variants the public graph and its deals can represent; others are played state by state."""

from functools import partial

from counterfold.errors import UnsupportedGameError
from counterfold.games.holdem import Auction, Deal, Discard, Swap, Variant
from counterfold.games.holdem.street import Step
from counterfold.public.stages import CardStage, card_stages

MOST_DRAWN = 2  # cards of hands from which one is drawn


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
    """Whether hands are of one size, of up to two cards, on one board that streets alone bring."""
    steps = [step for street in variant.streets for step in street.steps]
    usual = not any(isinstance(step, Deal | Auction) for step in steps)
    return usual and not variant.lays_cards and variant.most_hole_cards <= 2


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
    if variant.has_auctions and variant.run_suits:
        return "has auctions and a board that may run on"
    for street in variant.streets:
        for step in street.steps:
            if isinstance(step, Discard) and step not in (_lay(step), Discard(step.first)):
                return (
                    "shows discarded cards"
                    if step.public
                    else "has discards other than of one card"
                )
            exchanges = isinstance(step, Swap) or step == Discard(getattr(step, "first", 0))
            if variant.lays_cards and exchanges:
                return "both lays cards onto the board and exchanges them"
        if sum(isinstance(step, Swap) for step in street.steps) > 1:
            return "swaps twice on one street"
    if variant.lays_cards and not variant.usual_showdown:
        return "lays cards onto the board and has another order of hands"
    if variant.lays_cards and variant.run_suits:
        return "lays cards onto a board that may run on"
    return next(filter(None, map(partial(_obstacle_at, variant), card_stages(variant))), "")


def _obstacle_at(variant: Variant, stage: CardStage) -> str:
    """What of a choice no public graph can represent, given the hands that players have there."""
    if not stage.turns:
        return ""
    before = {step.kind for step in stage.steps}
    held = {stage.n_held(seat, variant.hole_cards) for seat in (0, 1)}
    if stage.before_draw and "win" in before:
        return "has discards after auctions for a card"
    if stage.before_draw and stage.grown[0] != stage.grown[1]:
        return "has discards after deals of unequal numbers of cards"
    if stage.before_draw and stage.layer is None and max(held) > MOST_DRAWN:
        return f"has discards from hands of more than {MOST_DRAWN} cards"
    if stage.bids == "look" and before & {"win", "draw"}:
        return "has auctions for a look after other hidden choices of cards"
    return ""


def _lay(step: Step) -> Discard | None:
    """The step at which each player must lay one card onto the board, first the same player."""
    if not isinstance(step, Discard):
        return None
    return Discard(step.first, forced=True, redraw=False, to_board=True)
