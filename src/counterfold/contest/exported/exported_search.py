"""Search in an exported bot: rivers, solved by NumPy alone.

Its ranges are those of the strategy, as `search.hand_ranges` follows them; the buckets of all hands
come from the packed tables.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.bets.menu_text import parse_menu
from counterfold.bets.spot_menu_text import parse_spot_menu
from counterfold.bots.policy_kernels import Policy
from counterfold.bots.tracking.deck_hands import card_bits, list_hands
from counterfold.cards.pairs import PAIR_CARDS
from counterfold.cards.ranking import MIN_CARDS
from counterfold.contest.exported.exported_cards import PackedCards, PackedOrder
from counterfold.contest.exported.exported_strength import HandStrength
from counterfold.games.holdem import Variant
from counterfold.ranges.betting_growth import TreeMenu
from counterfold.search.blueprint_menu import BlueprintMenu
from counterfold.search.hand_ranges import HandRanges
from counterfold.search.river_solver import Ranker, RiverSolvers
from counterfold.search.search_bot import SearchBot
from counterfold.search.search_options import SearchOptions
from counterfold.search.street_solver import StreetSolver


class PackedLabels:
    """Buckets of all hands from packed tables; see `bots.tracking.range_tracking.LabeledHands`."""

    def __init__(self, variant: Variant, cards: PackedCards) -> None:
        self.hands, self._cards = list_hands(variant), cards
        self._sizes = [variant.board_cards(street) for street in range(len(variant.streets))]

    def label(self, boards: NDArray[np.uint8], lengths: NDArray[np.uint8]) -> NDArray[np.int32]:
        """[n, stages, H] the buckets of hands; 0 for those that a board rules out."""
        shape = len(boards), len(self._sizes), len(self.hands.cards)
        labels = np.zeros(shape, np.int32)
        for at, (row, last) in enumerate(zip(boards, lengths.tolist(), strict=True)):
            dealt = [row[:size].tolist() for size in self._sizes]
            for street in range(last + 1):
                blocked = card_bits(np.array([dealt[street]], np.uint8))[0] if street else 0
                free = np.flatnonzero((self.hands.bits & blocked) == 0)
                holes = self.hands.cards[free].astype(np.int64)
                labels[at, street, free] = self._cards.buckets(holes, dealt[: street + 1])
        return labels


def make_ranker(variant: Variant) -> Ranker:
    """Tells the strengths of all pairs on the last board of a variant."""
    hands = HandStrength(variant.deck.cards.tolist())
    first_suit_only = variant.first_flush_suit_only

    def rank_few(board: tuple[int, ...]) -> NDArray[np.int64]:
        found = [variant.strength([*pair, *board]) for pair in PAIR_CARDS.tolist()]
        return np.unique(found, return_inverse=True)[1].astype(np.int64)

    def rank(board: tuple[int, ...]) -> NDArray[np.int64]:
        return hands.rank_pairs(board, first_suit_only)

    return rank if variant.board_cards() + 2 >= MIN_CARDS else rank_few


def make_search_bot(
    variant: Variant,
    policy: Policy,
    cards: PackedCards,
    order: PackedOrder,
    content: Mapping[str, Any],
    *,
    seed: int,
    player: int,
) -> SearchBot:
    """The bot that `content` describes; see `contest.export.search_export`."""
    options = SearchOptions(**content["options"])
    ranges = HandRanges(PackedLabels(variant, cards), int(content["n_buckets"]), policy)
    solver = StreetSolver(options, RiverSolvers(make_ranker(variant)), _read_menu(content))
    return SearchBot(variant, policy, cards, order, ranges, solver, seed=seed, player=player)


def _read_menu(content: Mapping[str, Any]) -> TreeMenu | None:
    """The bets that it considers; None for fixed limits."""
    if content["options"]["bets"] is not None:
        return parse_spot_menu(content["options"]["bets"])
    return None if content["menu"] is None else BlueprintMenu(parse_menu(content["menu"]))
