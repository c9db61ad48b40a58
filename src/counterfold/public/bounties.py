"""What is known of bounties: how a deal has them, and what a player's bucket says of its own.

A bounty is a secret rank, so it is dealt like a card. A player tells apart whether its own is hit;
where cards are exact it knows the rank. As long as it is not hit, all ranks are about equally
likely to come, so that a bit is nearly all there is to know.
"""

from collections.abc import Iterable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from counterfold.games.holdem import Variant

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
    holes: NDArray[np.uint8],
    boards: Iterable[tuple[slice, NDArray[np.uint8]]],
    bounties: NDArray[np.uint8],
) -> NDArray[np.uint8]:
    """[n, 2, hand cells] whether bounties are hit; [n, 0, 0] where there are none.

    `holes` are [n, 2, hand cells, cards], `boards` the hand cells of each stage and its boards
    [n, hand paths or 1, board]; `bounties` [n, 2] are ranks.
    """
    if bounties.shape[1] == 0:
        return np.zeros((len(holes), 0, 0), np.uint8)
    wanted = bounties[:, :, None, None]
    hits: NDArray[np.bool_] = (holes >> 2 == wanted).any(axis=3)
    for cells, shown in boards:
        hits[:, :, cells] |= (shown[:, None] >> 2 == wanted).any(axis=3)
    return hits.view(np.uint8)


def label_bounties(
    variant: Variant,
    knows: BountyKnowledge,
    bounties: NDArray[np.uint8],
    hits: NDArray[np.uint8],
) -> NDArray[np.int32]:
    """[n, 2, hand cells] what players know of their bounties."""
    if knows == "rank":
        places = np.searchsorted(variant.deck.ranks, bounties).astype(np.int32)
        return np.repeat(places[..., None], hits.shape[2], axis=2)
    return hits.astype(np.int32)
