"""From cards to buckets for whole batches of deals: what an information set knows of the cards.

A card map numbers the buckets of every stage of a variant (see `public.stages`) and labels all
hand cells of a batch: `buckets[deal, seat, hand_cell]`. `TabledCards` reads the arrays of a card
abstraction; `ExactCards` tells apart whatever a player has seen, on decks small enough to list all
deals.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.card_abstraction import STREETS, CardBuckets
from counterfold.buckets.card_product import ProductBuckets
from counterfold.buckets.history import FittedHistory
from counterfold.buckets.long_board_buckets import LongBoardBuckets
from counterfold.cards.deck import FULL
from counterfold.cards.long_boards_kernels import bucket_long_boards
from counterfold.cards.pairs import N_PAIRS
from counterfold.cards.ranking_kernels import rank_tables
from counterfold.cards.streets import BOARD_SIZES
from counterfold.cards.text import N_CARDS
from counterfold.errors import AbstractionError
from counterfold.games.holdem import Variant
from counterfold.public import deals_kernels
from counterfold.public.deals import Dealer, Deals, join_board

Buckets = NDArray[np.int32]
Sight = tuple[Sequence[int], Sequence[int]]  # hole cards, and the board in the order of streets

STREET_SIZES = list(BOARD_SIZES.values())
_MOST_BUCKETS = 2**31 - 1  # that labels of 32 bits can name
_CARD_BITS = 6


class CardLabels(Protocol):
    """Buckets for deals, as training needs them."""

    @property
    def n_buckets(self) -> tuple[int, ...]:
        """Number of buckets at every stage."""
        ...

    def label(self, deals: Deals) -> Buckets:
        """[n, 2, hand cells] the bucket of each; of no meaning beyond a deal's end."""
        ...


class CardMap(CardLabels, Protocol):
    """What the cards of a deal are known as, to those who play, too."""

    @property
    def name(self) -> str:
        """Text that says which."""
        ...

    def bucket(self, path: Sequence[Sight]) -> int:
        """The bucket of one player; `path` is what it saw at every stage up to this one."""
        ...


class ExactCards:
    """Every private history a bucket of its own, for variants whose deals can be listed.

    What a player knows at a stage is packed into a number: its hand, the bucket of the stage before
    and the new cards of the board. A bucket is the place of that number among all of its stage.
    """

    name = "exact"

    def __init__(self, dealer: Dealer, deals: Deals) -> None:
        self.dealer = dealer
        self.knowledge: list[NDArray[np.int64]] = []  # by stage, ascending
        self.label(deals)

    @property
    def n_buckets(self) -> tuple[int, ...]:
        """Number of buckets at every stage."""
        return tuple(known.size for known in self.knowledge)

    def label(self, deals: Deals) -> Buckets:
        """The buckets of any deals of the variant."""
        layout = self.dealer.layout
        labels = np.zeros((len(deals), 2, self.dealer.n_hand_cells), np.int32)
        for at, stage in enumerate(layout.stages):
            first, discard_paths = (
                int(stage[deals_kernels.STAGE_CELL]),
                int(stage[deals_kernels.STAGE_PATHS]),
            )
            dealt = np.flatnonzero(deals.lengths >= stage[deals_kernels.STAGE_STREET])
            hands = np.sort(deals.holes[dealt, :, first : first + discard_paths], axis=3)
            board = deals.cards[dealt, 2 * layout.hole_cards :]
            before: NDArray[np.int32] | None = None
            if at > 0:
                earlier = layout.stages[at - 1]
                parents = np.arange(discard_paths) // (
                    discard_paths // int(earlier[deals_kernels.STAGE_PATHS])
                )
                before = labels[dealt][:, :, int(earlier[deals_kernels.STAGE_CELL]) + parents]
            keys = self._pack(at, hands, board, before)
            if at == len(self.knowledge):
                self.knowledge.append(np.unique(keys))
            labels[dealt, :, first : first + discard_paths] = np.searchsorted(
                self.knowledge[at], keys
            )
        return labels

    def bucket(self, path: Sequence[Sight]) -> int:
        """The bucket of one player."""
        bucket = 0
        for stage, (hole, board) in enumerate(path):
            hand = np.array(sorted(hole), np.uint8)[np.newaxis, np.newaxis, np.newaxis]
            cards = np.array(board, np.uint8)[np.newaxis]
            before = np.full((1, 1, 1), bucket, np.int32) if stage > 0 else None
            key = self._pack(stage, hand, cards, before)
            bucket = int(np.searchsorted(self.knowledge[stage], key.item()))
        return bucket

    def _pack(
        self,
        at: int,
        hands: NDArray[np.uint8],
        boards: NDArray[np.uint8],
        before: NDArray[np.int32] | None,
    ) -> NDArray[np.int64]:
        """[n, seats, discard paths] what is known; `hands` ascend, `boards` may be longer."""
        stages = self.dealer.layout.stages
        keys = np.zeros(hands.shape[:3], np.int64)
        n_before = 0
        for place in range(hands.shape[3]):
            keys = keys << _CARD_BITS | hands[..., place]
        if before is not None:
            # Which card went matters only with the one that came, and the hand tells that.
            n_before = int(stages[at - 1, deals_kernels.STAGE_BOARD])
            keys = keys << self.knowledge[at - 1].size.bit_length() | before
        new = np.sort(boards[:, n_before : int(stages[at, deals_kernels.STAGE_BOARD])], axis=1)
        for card in new.T:
            keys = keys << _CARD_BITS | card[:, np.newaxis, np.newaxis]
        return keys


class NoCards:
    """One bucket for all: nothing is known of the cards."""

    name = "nothing"

    def __init__(self, dealer: Dealer) -> None:
        self.dealer = dealer
        self.n_buckets = (1,) * len(dealer.stages)

    def label(self, deals: Deals) -> Buckets:
        """Zeros."""
        return np.zeros((len(deals), 2, self.dealer.n_hand_cells), np.int32)

    def bucket(self, path: Sequence[Sight]) -> int:
        """Zero."""
        return 0


class TabledCards:
    """The buckets of a card abstraction of two hole cards, with boards of up to five cards.

    On longer boards `long_boards` says how; without it the river's number of equal widths of HS.
    """

    def __init__(
        self,
        dealer: Dealer,
        buckets: CardBuckets | FittedHistory | ProductBuckets,
        long_boards: LongBoardBuckets | None = None,
    ) -> None:
        self.dealer = dealer
        self.buckets = buckets
        self._n_by_street: dict[str, int] = {}
        self._check(dealer.variant)
        if long_boards is None and dealer.variant.max_runs:
            first_flush_suit_only = dealer.variant.first_flush_suit_only
            long_boards = LongBoardBuckets(self._street_buckets("river"), first_flush_suit_only)
        self.long_boards = long_boards
        self.n_buckets = self._count()

    @property
    def name(self) -> str:
        """The name of the card abstraction."""
        if isinstance(self.buckets, FittedHistory):
            return self.buckets.history.name
        if isinstance(self.buckets, ProductBuckets):
            return self.buckets.product.name
        return self.buckets.abstraction.name

    @property
    def recalls(self) -> bool:
        """Whether a bucket tells the earlier ones too."""
        return (
            not isinstance(self.buckets, CardBuckets)
            or self.buckets.abstraction.recall == "sequence"
        )

    def label(self, deals: Deals) -> Buckets:
        """The buckets of any deals of the variant."""
        layout = self.dealer.layout
        labels = np.zeros((len(deals), 2, self.dealer.n_hand_cells), np.int32)
        if not isinstance(self.buckets, CardBuckets):
            self._label_numbers(self.buckets, deals, labels)
            return labels
        for at, stage in enumerate(layout.stages):
            board = int(stage[deals_kernels.STAGE_BOARD])
            if board > BOARD_SIZES["river"]:
                self._label_runs(deals, at, labels)
                continue
            hand_cells = slice(
                stage[deals_kernels.STAGE_CELL],
                stage[deals_kernels.STAGE_CELL] + stage[deals_kernels.STAGE_PATHS],
            )
            found = self.buckets.buckets(
                join_board(deals.cards, deals.holes[:, :, hand_cells], board)
            )
            found = found.reshape(labels[:, :, hand_cells].shape)
            if at > 0 and self.recalls:
                before = layout.stages[at - 1]
                ratio = int(stage[deals_kernels.STAGE_PATHS] // before[deals_kernels.STAGE_PATHS])
                parents = (
                    before[deals_kernels.STAGE_CELL]
                    + np.arange(stage[deals_kernels.STAGE_PATHS]) // ratio
                )
                found = labels[:, :, parents] * self._street_buckets(_street(board)) + found
            labels[:, :, hand_cells] = found
        return labels

    def bucket(self, path: Sequence[Sight]) -> int:
        """The bucket of one player, whose earlier hands matter with recall only."""
        hole, board = path[-1]
        if len(board) > BOARD_SIZES["river"]:
            out = np.empty((1, 2), np.int64)
            boards = np.array([board], np.uint8)
            self._bucket_runs(boards, np.array([[hole, hole]], np.uint8), out)
            return int(out[0, 0])
        if not isinstance(self.buckets, CardBuckets):
            return int(_numbers(self.buckets, np.array([[*hole, *board]], np.uint8))[0])
        if not self.recalls:
            return self.buckets.bucket(hole, board)
        bucket = 0
        for hole, board in path:
            n = self._street_buckets(_street(len(board)))
            bucket = bucket * n + self.buckets.bucket(hole, board)
        return bucket

    def _label_numbers(
        self, buckets: FittedHistory | ProductBuckets, deals: Deals, labels: Buckets
    ) -> None:
        """What is known on each street, as one number."""
        for hand_cell, size in enumerate(BOARD_SIZES.values()):
            hands = join_board(deals.cards, deals.holes[:, :, hand_cell : hand_cell + 1], size)
            labels[:, :, hand_cell] = _numbers(buckets, hands).reshape(-1, 2)

    def _label_runs(self, deals: Deals, at: int, labels: Buckets) -> None:
        """Buckets of the hands that reach a stage of a run."""
        stage = self.dealer.layout.stages[at]
        rows = np.flatnonzero(deals.lengths >= stage[deals_kernels.STAGE_STREET])
        boards = deals.cards[rows, 4 : 4 + int(stage[deals_kernels.STAGE_BOARD])]
        found = np.empty((rows.size, 2), np.int64)
        first = int(stage[deals_kernels.STAGE_CELL])
        for hand_cell in range(first, first + int(stage[deals_kernels.STAGE_PATHS])):
            self._bucket_runs(boards, deals.holes[rows, :, hand_cell], found)
            labels[rows, :, hand_cell] = found

    def _bucket_runs(
        self, boards: NDArray[np.uint8], holes: NDArray[np.uint8], out: NDArray[np.int64]
    ) -> None:
        long = self.long_boards
        assert long is not None
        left, ranks = np.empty(N_CARDS, np.uint8), np.empty(N_PAIRS, np.int16)
        first_flush_suit_only = long.first_flush_suit_only
        bucket_long_boards(
            boards, holes, long.n, first_flush_suit_only, rank_tables(), left, ranks, out
        )

    def _street_buckets(self, street: str) -> int:
        """Found by reading all labels, so only once."""
        assert isinstance(self.buckets, CardBuckets)
        if street not in self._n_by_street:
            self._n_by_street[street] = self.buckets.n_buckets(street)
        return self._n_by_street[street]

    def _count(self) -> tuple[int, ...]:
        if isinstance(self.buckets, FittedHistory):
            return tuple(self.buckets.history.n_sequences(street) for street in STREETS)
        if isinstance(self.buckets, ProductBuckets):
            return tuple(self.buckets.n_numbers(street) for street in STREETS)
        counts: list[int] = []
        for stage in self.dealer.layout.stages:
            board = int(stage[deals_kernels.STAGE_BOARD])
            if board > BOARD_SIZES["river"]:
                assert self.long_boards is not None
                counts.append(self.long_boards.n)
            else:
                n = self._street_buckets(_street(board))
                counts.append(n * counts[-1] if counts and self.recalls else n)
        if max(counts) > _MOST_BUCKETS:
            raise AbstractionError(
                f"{self.name} makes {max(counts):,} buckets in {self.dealer.variant.name}, more "
                f"than {_MOST_BUCKETS:,}; use fewer, or recall: current"
            )
        return tuple(counts)

    def _check(self, variant: Variant) -> None:
        sizes = {variant.board_cards(street) for street in range(len(variant.streets))}
        if variant.hole_cards != 2 or not sizes <= set(BOARD_SIZES.values()):
            raise AbstractionError(
                f"card tables are for two hole cards and boards of 3, 4 and 5 cards, "
                f"unlike {variant.name}; use exact cards"
            )
        deck = self.buckets.source.strength.deck
        if deck != variant.deck:
            raise AbstractionError(
                f"the buckets are for the deck {deck.name}, not for {variant.deck.name} of "
                f"{variant.name}; build them for that deck"
            )
        changes = variant.hands_change
        usual = [variant.board_cards(k) for k in range(len(variant.streets))] == STREET_SIZES
        if not isinstance(self.buckets, CardBuckets) and (changes or variant.max_runs or not usual):
            raise AbstractionError(
                f"{self.name} is for hands that stay the same and boards of 3, 4 and 5 cards, "
                f"unlike {variant.name}; use other buckets"
            )
        if variant.max_runs and variant.deck != FULL:
            raise AbstractionError(
                f"long boards have buckets for the full deck only, unlike {variant.name}; "
                "use exact cards"
            )
        if variant.max_runs and self.recalls:
            raise AbstractionError(
                f"recall: sequence would need too many buckets on the runs of {variant.name}; "
                "use recall: current"
            )


def _street(board: int) -> str:
    return next(street for street, size in BOARD_SIZES.items() if size == board)


def number_rows(columns: list[NDArray[np.integer]]) -> NDArray[np.int64]:
    """A number for each combination that occurs, from 0 on."""
    numbers = np.zeros(columns[0].size, np.int64)
    for column in columns:
        values, places = np.unique(column, return_inverse=True)
        _, numbers = np.unique(numbers * values.size + places, return_inverse=True)
    return numbers


def _numbers(
    buckets: FittedHistory | ProductBuckets, hands: NDArray[np.uint8]
) -> NDArray[np.integer]:
    if isinstance(buckets, ProductBuckets):
        return buckets.numbers(hands)
    return buckets.sequence_numbers(hands)
