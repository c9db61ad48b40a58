"""From cards to buckets for whole batches of deals: what an information set knows of the cards.

A card map numbers the buckets of every stage of a variant (see `compiled.stages`) and labels all
cells of a batch: `buckets[deal, seat, cell]`. `TabledCards` reads the arrays of a card abstraction;
`ExactCards` tells apart whatever a player has seen, on decks small enough to list all deals.
"""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from counterfold.abstraction.card_abstraction import STREETS, CardBuckets
from counterfold.abstraction.card_product import ProductBuckets
from counterfold.abstraction.history import FittedHistory
from counterfold.abstraction.long_boards import LongBoardBuckets
from counterfold.cards.streets import BOARD_SIZES
from counterfold.compiled.deals import Dealer, Deals, join_board
from counterfold.errors import AbstractionError, UnsupportedGameError
from counterfold.games.holdem import Variant
from counterfold.kernels import deals as kernels
from counterfold.kernels.long_boards import bucket_long_boards
from counterfold.kernels.ranking import rank_tables

Buckets = NDArray[np.int32]


class CardMap(Protocol):
    """What the cards of a deal are known as."""

    @property
    def name(self) -> str:
        """Text that says which."""
        ...

    @property
    def n_buckets(self) -> tuple[int, ...]:
        """Number of buckets at every stage."""
        ...

    def label(self, deals: Deals) -> Buckets:
        """[n, 2, cells] the bucket of each seat in each cell; of no meaning beyond a deal's end."""
        ...


class ExactCards:
    """Every private history a bucket of its own, for variants whose deals can be listed."""

    name = "exact"

    def __init__(self, dealer: Dealer, deals: Deals) -> None:
        self.dealer = dealer
        self._deals = deals
        self._labels, self.n_buckets = self._number(deals)

    def label(self, deals: Deals) -> Buckets:
        """The buckets of the deals it was made for."""
        if deals is not self._deals:
            raise UnsupportedGameError("exact cards label the deals that they were made for")
        return self._labels

    def _number(self, deals: Deals) -> tuple[Buckets, tuple[int, ...]]:
        layout = self.dealer.layout
        h = layout.hole_cards
        labels = np.zeros((len(deals), 2, self.dealer.n_cells), np.int32)
        counts = []
        for at, stage in enumerate(layout.stages):
            first, versions = int(stage[kernels.CELL]), int(stage[kernels.VERSIONS])
            hands = np.sort(deals.holes[:, :, first : first + versions], axis=3)
            known: list[NDArray[Any]] = [hands[..., place] for place in range(h)]
            board_before = 0
            if at > 0:
                before = layout.stages[at - 1]
                board_before = int(before[kernels.BOARD])
                parents = np.arange(versions) // (versions // int(before[kernels.VERSIONS]))
                known.append(labels[:, :, int(before[kernels.CELL]) + parents])
            shape = (len(deals), 2, versions)
            # Which card went matters only with the one that came, and the hand tells that.
            board = deals.cards[:, 2 * h + board_before : 2 * h + int(stage[kernels.BOARD])]
            cards = np.sort(board, axis=1).T
            known += [np.broadcast_to(card[:, None, None], shape) for card in cards]
            dealt = deals.lengths >= stage[kernels.STREET]
            numbers = number_rows([column[dealt].ravel() for column in known])
            labels[dealt, :, first : first + versions] = numbers.reshape(-1, 2, versions)
            counts.append(int(numbers.max(initial=0)) + 1)
        return labels, tuple(counts)


class NoCards:
    """One bucket for all: nothing is known of the cards."""

    name = "nothing"

    def __init__(self, dealer: Dealer) -> None:
        self.dealer = dealer
        self.n_buckets = (1,) * len(dealer.stages)

    def label(self, deals: Deals) -> Buckets:
        """Zeros."""
        return np.zeros((len(deals), 2, self.dealer.n_cells), np.int32)


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
        self._check(dealer.variant)
        if long_boards is None and dealer.variant.max_runs:
            quirk = dealer.variant.first_flush_suit_only
            long_boards = LongBoardBuckets(self._street_buckets("river"), quirk)
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
        labels = np.zeros((len(deals), 2, self.dealer.n_cells), np.int32)
        if not isinstance(self.buckets, CardBuckets):
            self._label_numbers(self.buckets, deals, labels)
            return labels
        for at, stage in enumerate(layout.stages):
            board = int(stage[kernels.BOARD])
            if board > BOARD_SIZES["river"]:
                self._label_runs(deals, at, labels)
                continue
            cells = slice(stage[kernels.CELL], stage[kernels.CELL] + stage[kernels.VERSIONS])
            found = self.buckets.buckets(join_board(deals.cards, deals.holes[:, :, cells], board))
            found = found.reshape(labels[:, :, cells].shape)
            if at > 0 and self.recalls:
                before = layout.stages[at - 1]
                ratio = int(stage[kernels.VERSIONS] // before[kernels.VERSIONS])
                parents = before[kernels.CELL] + np.arange(stage[kernels.VERSIONS]) // ratio
                found = labels[:, :, parents] * self._street_buckets(_street(board)) + found
            labels[:, :, cells] = found
        return labels

    def _label_numbers(
        self, buckets: FittedHistory | ProductBuckets, deals: Deals, labels: Buckets
    ) -> None:
        """What is known on each street, as one number."""
        number = (
            buckets.numbers if isinstance(buckets, ProductBuckets) else buckets.sequence_numbers
        )
        for cell, size in enumerate(BOARD_SIZES.values()):
            hands = join_board(deals.cards, deals.holes[:, :, cell : cell + 1], size)
            labels[:, :, cell] = number(hands).reshape(-1, 2)

    def _label_runs(self, deals: Deals, at: int, labels: Buckets) -> None:
        """Buckets of the hands that reach a stage of a run."""
        assert self.long_boards is not None
        stage = self.dealer.layout.stages[at]
        rows = np.flatnonzero(deals.lengths >= stage[kernels.STREET])
        cell = int(stage[kernels.CELL])
        found = np.empty((rows.size, 2), np.int64)
        bucket_long_boards(
            deals.cards[rows, : 4 + int(stage[kernels.BOARD])],
            deals.holes[rows, :, cell],
            self.long_boards.n,
            self.long_boards.first_flush_suit_only,
            rank_tables(),
            found,
        )
        labels[rows, :, cell] = found

    def _street_buckets(self, street: str) -> int:
        assert isinstance(self.buckets, CardBuckets)
        return self.buckets.n_buckets(street)

    def _count(self) -> tuple[int, ...]:
        if isinstance(self.buckets, FittedHistory):
            return tuple(self.buckets.history.n_sequences(street) for street in STREETS)
        if isinstance(self.buckets, ProductBuckets):
            return tuple(self.buckets.n_numbers(street) for street in STREETS)
        counts: list[int] = []
        for stage in self.dealer.layout.stages:
            board = int(stage[kernels.BOARD])
            if board > BOARD_SIZES["river"]:
                assert self.long_boards is not None
                counts.append(self.long_boards.n)
            else:
                n = self._street_buckets(_street(board))
                counts.append(n * counts[-1] if counts and self.recalls else n)
        return tuple(counts)

    def _check(self, variant: Variant) -> None:
        sizes = {variant.board_cards(street) for street in range(len(variant.streets))}
        if variant.hole_cards != 2 or not sizes <= set(BOARD_SIZES.values()):
            raise AbstractionError(
                f"card tables are for two hole cards and boards of 3, 4 and 5 cards, "
                f"unlike {variant.name}"
            )
        changes = any(street.draw or street.swap for street in variant.streets)
        if not isinstance(self.buckets, CardBuckets) and (changes or variant.max_runs):
            raise AbstractionError(
                f"{self.name} is for hands that stay the same and boards of five cards, "
                f"unlike {variant.name}"
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
