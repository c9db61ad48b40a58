"""What players see of each other's hands: how a deal has it, and what a bucket says of it.

A player that wins a look sees one card of the opponent's, any of them equally often, and from then
on knows that the opponent had it. Which one it is stands in a deal as a place among the opponent's
cards in ascending order. Where cards are exact the player knows the card; elsewhere it knows how
the card stands to the board, and that is looked at anew on each street.
"""

from collections.abc import Sequence
from math import prod
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from counterfold.games.holdem import Variant
from counterfold.public.deals_kernels import NO_CARD, STAGE_CELL, STAGE_LOOK, STAGE_PATHS, Layout
from counterfold.public.stages import CardStage

LookKnowledge = Literal["nothing", "level", "card"]
Cards = NDArray[np.uint8]

# Levels of a seen card: none, then below, among or above the cards of the board without a pair, or
# paired with a card of the board that is not its highest, or with the highest. Before the flop
# ranks are cut in three.
N_LEVELS = 6
NOT_SEEN, BELOW, AMONG, ABOVE, PAIRED, PAIRED_HIGHEST = range(N_LEVELS)


def count_places(stages: Sequence[CardStage], hole_cards: int) -> tuple[int, ...]:
    """How many cards there are to see at each auction for a look, for seat 0 and for seat 1."""
    after = [stage for at, stage in enumerate(stages) if _follows_look(stages, at)]
    return tuple(stage.n_held(1 - seat, hole_cards) for stage in after for seat in (0, 1))


def _follows_look(stages: Sequence[CardStage], at: int) -> bool:
    return at > 0 and len(stages[at].looks) > len(stages[at - 1].looks)


def find_seen(layout: Layout, holes: Cards, looks: Cards) -> Cards:
    """[n, 2, hand cells, auctions] what each hand cell has seen, or `NO_CARD`.

    `holes` [n, 2, hand cells, cards] and `looks` [n, 2 * auctions] are those of deals.
    """
    n, _, n_cells, _ = holes.shape
    seen = np.full((n, 2, n_cells, looks.shape[1] // 2), NO_CARD, np.uint8)
    if looks.shape[1] == 0:
        return seen
    for at, row in enumerate(layout.stages[1:], 1):
        before = int(layout.stages[at - 1, STAGE_CELL])
        first, n_paths = int(row[STAGE_CELL]), int(row[STAGE_PATHS])
        n_following = n_paths // int(layout.stages[at - 1, STAGE_PATHS])
        parents = before + np.arange(n_paths) // n_following
        here = seen[:, :, first : first + n_paths]
        here[...] = seen[:, :, parents]
        if (auction := int(row[STAGE_LOOK])) < 0:
            continue
        for seat in (0, 1):
            # Nobody has changed cards by a choice that is not a digit of both paths.
            theirs = np.sort(holes[:, 1 - seat, first + 1 : first + n_paths : 2], axis=2)
            places = looks[:, 2 * auction + seat].astype(np.intp)[:, None, None]
            here[:, seat, 1::2, auction] = np.take_along_axis(theirs, places, axis=2)[..., 0]
    return seen


def count_look_classes(variant: Variant, knows: LookKnowledge, n_looks: int) -> int:
    """How many things a player may know after `n_looks` auctions for a look."""
    each = {"nothing": 1, "level": N_LEVELS, "card": variant.deck.n_cards + 1}[knows]
    return prod([each] * n_looks)


def label_looks(
    variant: Variant, knows: LookKnowledge, seen: Cards, boards: Cards
) -> NDArray[np.int32]:
    """[...] what players know that have `seen` [..., auctions] cards on `boards` [..., board]."""
    labels = np.zeros(seen.shape[:-1], np.int32)
    if knows == "nothing" or seen.shape[-1] == 0:
        return labels
    each = count_look_classes(variant, knows, 1)
    if knows == "card":
        known: NDArray[np.integer] = np.searchsorted(variant.deck.cards, seen) + 1
        known[seen == NO_CARD] = NOT_SEEN
    else:
        known = _find_levels(variant, seen, boards)
    for auction in range(seen.shape[-1]):
        labels = labels * np.int32(each) + known[..., auction].astype(np.int32)
    return labels


def _find_levels(variant: Variant, seen: Cards, boards: Cards) -> NDArray[np.integer]:
    """[..., auctions] the levels of seen cards."""
    ranks, on_board = seen >> 2, boards >> 2
    size = boards.shape[-1]
    if size == 0:
        places = np.searchsorted(variant.deck.ranks, ranks)
        levels = BELOW + 3 * places // len(variant.deck.ranks)
    else:
        higher = (on_board[..., None, :] > ranks[..., :, None]).sum(axis=-1)
        paired = (on_board[..., None, :] == ranks[..., :, None]).any(axis=-1)
        alone = np.select([higher == 0, higher == size], [ABOVE, BELOW], AMONG)
        levels = np.where(paired, np.where(higher == 0, PAIRED_HIGHEST, PAIRED), alone)
    return np.where(seen == NO_CARD, NOT_SEEN, levels)


def classify_looks(
    variant: Variant, knows: LookKnowledge, seen: Sequence[int], board: Sequence[int]
) -> int:
    """What one player knows that has seen these cards, one for each auction, or `NO_CARD`."""
    cards, on_board = np.array(seen, np.uint8), np.array(board, np.uint8)
    return int(label_looks(variant, knows, cards, on_board))
