"""What is known of bounties: how a deal has them, and what a player's bucket says of its own.

A bounty is a secret rank, so it is dealt like a card. A player tells apart whether its own is hit;
where cards are exact it knows the rank. As long as it is not hit, all ranks are about equally
likely to come, so that a bit is nearly all there is to know.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from counterfold.games.holdem import Variant

NEVER = 255  # in place of the street on which a bounty is hit

BountyKnowledge = Literal["nothing", "hit", "rank"]


def count_bounty_classes(variant: Variant, knows: BountyKnowledge) -> int:
    """How many things a player may know of its own bounty."""
    return {"nothing": 1, "hit": 2, "rank": len(variant.deck.ranks)}[knows]


def classify_bounty(
    variant: Variant, knows: BountyKnowledge, bounty: int, cards: Iterable[int]
) -> int:
    """What a player knows of its `bounty`, a rank, that sees `cards`."""
    if knows == "nothing":
        return 0
    if knows == "rank":
        return variant.deck.ranks.index(bounty)
    return int(any(card // 4 == bounty for card in cards))


def find_hits(
    variant: Variant, cards: NDArray[np.uint8], bounties: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """[n, seats] the street on which the bounty of each seat is first hit, or `NEVER`.

    `cards` are rows of deals: hole cards by seat, then the board; `bounties` [n, seats] are ranks,
    of no seats where a variant has none.
    """
    h, ranks = variant.hole_cards, cards >> 2
    hits = np.full(bounties.shape, NEVER, np.uint8)
    for seat in range(bounties.shape[1]):
        bounty = bounties[:, seat, None]
        for street in range(len(variant.streets) - 1, -1, -1):
            board = ranks[:, 2 * h : 2 * h + variant.board_cards(street)]
            hits[(board == bounty).any(axis=1), seat] = street
        held = ranks[:, seat * h : (seat + 1) * h]
        hits[(held == bounty).any(axis=1), seat] = 0
    return hits


def label_bounties(
    variant: Variant,
    knows: BountyKnowledge,
    bounties: NDArray[np.uint8],
    hits: NDArray[np.uint8],
    streets: Sequence[int],
) -> NDArray[np.int32]:
    """[n, 2, streets] what players know of their bounties on each of `streets`."""
    if knows == "rank":
        places = np.searchsorted(variant.deck.ranks, bounties).astype(np.int32)
        return np.repeat(places[..., None], len(streets), axis=2)
    return (hits[..., None] <= np.array(streets, np.uint8)).astype(np.int32)
