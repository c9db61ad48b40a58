"""From cards to buckets for whole batches of deals: what an information set knows about the cards.

A card map numbers the buckets of every stage of a variant (see `public.stages`). It labels hands on
boards, `label_hands`, and all hand cells of a batch, `label`: `buckets[deal, seat, hand_cell]`.
`TabledCards` reads the arrays of a card abstraction; `ExactCards` distinguishes everything that a
player has seen, on decks small enough to list all deals.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.card_abstraction import CardBuckets, Sight
from counterfold.buckets.joint_tables import JointTables, build_joint
from counterfold.buckets.long_board_buckets import LongBoardBuckets
from counterfold.buckets.run_histograms.run_clusters import RunClusters, goes_on
from counterfold.buckets.trio_buckets import TRIO, TrioBuckets
from counterfold.cards.deck import FULL
from counterfold.cards.long_boards_kernels import bucket_long_boards
from counterfold.cards.pairs import N_PAIRS
from counterfold.cards.ranking_kernels import rank_tables
from counterfold.cards.streets import BOARD_SIZES
from counterfold.cards.table_files import Progress
from counterfold.cards.text import N_CARDS
from counterfold.errors import AbstractionError, UnsupportedGameError
from counterfold.games.holdem import Variant
from counterfold.public import deals_kernels
from counterfold.public.bounties import BountyKnowledge, count_bounty_classes, label_bounties
from counterfold.public.deals import STREET_OF_BOARD, Dealer, Deals, stage_hand_cells

Buckets = NDArray[np.int32]
Cards = NDArray[np.uint8]

_STREET_SIZES = list(BOARD_SIZES.values())
_MANY_HANDS = 32  # of a board, for which it is worthwhile to order all that it leaves
_MOST_BUCKETS = 2**31 - 1  # buckets that 32-bit labels can number
_CARD_BITS = 6
_MISSING = (1 << _CARD_BITS) - 1  # in place of a card
_ALL = slice(None)
_RUN_SUITS = {"d", "h"}  # of which clusters of runs know


class CardLabels(Protocol):
    """Buckets for deals and for hands on boards, as training needs them."""

    @property
    def n_buckets(self) -> tuple[int, ...]:
        """Number of buckets at every stage."""
        ...

    def label(self, deals: Deals) -> Buckets:
        """[n, 2, hand cells] the bucket of each; of no meaning beyond a deal's end."""
        ...

    def label_hands(
        self, holes: Cards, boards: Cards, lengths: NDArray[np.uint8] | None = None
    ) -> Buckets:
        """[n, stages, H] the buckets of `holes` [n, H, cards], H hands on each of n boards.

        The hands are the same from the first stage on. Stages are those that the columns of
        `boards` suffice for; beyond the end that `lengths` gives, buckets have no meaning.
        """
        ...


class CardMap(ABC):
    """What is known about the cards of a variant, in training and in play. `label_stage` gives it
    for one stage, from the bucket of the stage before if the map is `chained`.
    """

    dealer: Dealer
    n_buckets: tuple[int, ...]  # at every stage
    recalls: bool = False  # whether a bucket is numbered by the buckets of the stages so far
    chained: bool = False  # whether a bucket follows from that of the stage before
    forgets_suits: ClassVar[bool] = False  # whether hands that are alike up to suits share buckets
    knows_bounty: BountyKnowledge = "nothing"  # what `label` says of bounties, and `bucket` leaves

    @property
    @abstractmethod
    def name(self) -> str:
        """Text that identifies the map."""

    @abstractmethod
    def label_stage(self, at: int, holes: Cards, boards: Cards, before: Buckets | None) -> Buckets:
        """[n, H] the buckets at a stage of H hands on each of n boards.

        `before` are the buckets [n, H] of the stage before, None at the first and if not chained.
        """

    @abstractmethod
    def bucket(self, path: Sequence[Sight]) -> int:
        """The bucket of one player; `path` is what it saw at every stage up to this one."""

    def digests(self) -> dict[str, str]:
        """Hashes of the tables on disk that give hands their buckets, by name."""
        return {}

    def joint_tables(
        self, threads: int | None = None, progress: Progress | None = None
    ) -> JointTables:
        """The joint tables of its buckets, from the cache or counted now."""
        raise AbstractionError(f"{self.name} cards have no joint tables; use card tables")

    def label(self, deals: Deals) -> Buckets:
        """[n, 2, hand cells] the buckets of any deals of the variant."""
        layout = self.dealer.layout
        h = layout.hole_cards
        labels = np.zeros((len(deals), 2, self.dealer.n_hand_cells), np.int32)
        for at, stage in enumerate(layout.stages):
            if self.dealer.stages[at].n_laid or self.dealer.stages[at].layer is not None:
                self._label_laid(at, deals, labels)
                continue
            rows = self._rows(stage, deals.lengths)
            hand_cells = stage_hand_cells(stage)
            holes = deals.holes[rows, :, hand_cells]
            boards = deals.cards[rows, 2 * h : 2 * h + int(stage[deals_kernels.STAGE_BOARD])]
            n, _, n_paths, _ = holes.shape
            before: Buckets | None = None
            if at > 0 and self.chained:
                earlier = stage_hand_cells(layout.stages[at - 1])
                n_following = n_paths // (earlier.stop - earlier.start)
                known = labels[rows, :, earlier]
                if n_following > 1:
                    known = np.repeat(known, n_following, axis=2)
                before = known.reshape(n, 2 * n_paths)  # also of no deal at all
            width = layout.most_held
            of_seats = holes[:, :, 0] if n_paths == 1 else holes.reshape(n, 2 * n_paths, width)
            found = self.label_stage(at, of_seats, boards, before)
            labels[rows, :, hand_cells] = found.reshape(n, 2, n_paths)
        return labels

    def _label_laid(self, at: int, deals: Deals, labels: Buckets) -> None:
        """Fill the hand cells of a stage at which each hand path has a board of its own."""
        dealer, stage = self.dealer, self.dealer.stages[at]
        hand_cells = stage_hand_cells(dealer.layout.stages[at])
        boards = dealer.boards(at, deals.cards, deals.laid)
        flat_boards = boards.reshape(-1, boards.shape[2])
        before: Buckets | None = None
        if self.chained:
            earlier = stage_hand_cells(dealer.layout.stages[at - 1])
            n_following = stage.n_paths // (earlier.stop - earlier.start)
            before = np.repeat(labels[:, :, earlier], n_following, axis=2)
        held = [stage.n_held(seat, dealer.layout.hole_cards) for seat in (0, 1)]
        # Hands of one size are labeled together, so that each board is looked at once.
        groups = [(0, 1)] if held[0] == held[1] else [(0,), (1,)]
        if stage.layer is not None and not self.chained:
            groups = [(stage.layer,)]  # the other is not asked
        for seats in groups:
            n_held, own = held[seats[0]], list(seats)
            holes = deals.holes[:, own, hand_cells, :n_held].swapaxes(1, 2)
            shape = holes.shape[:3]
            known = None if before is None else before[:, own].swapaxes(1, 2)
            found = self.label_stage(
                at,
                holes.reshape(-1, len(seats), n_held),
                flat_boards,
                None if known is None else known.reshape(-1, len(seats)),
            )
            labels[:, own, hand_cells] = found.reshape(shape).swapaxes(1, 2)

    def label_hands(
        self, holes: Cards, boards: Cards, lengths: NDArray[np.uint8] | None = None
    ) -> Buckets:
        """[n, stages, H] the buckets of H hands on each of n boards; see `CardLabels`."""
        stages = self.dealer.layout.stages
        stages = stages[stages[:, deals_kernels.STAGE_BOARD] <= boards.shape[1]]
        labels = np.zeros((len(holes), len(stages), holes.shape[1]), np.int32)
        for at, stage in enumerate(stages):
            rows = _ALL if lengths is None else self._rows(stage, lengths)
            board = boards[rows, : int(stage[deals_kernels.STAGE_BOARD])]
            before = labels[rows, at - 1] if at > 0 and self.chained else None
            labels[rows, at] = self.label_stage(at, holes[rows], board, before)
        return labels

    def _rows(
        self, stage: NDArray[np.int64], lengths: NDArray[np.uint8]
    ) -> slice | NDArray[np.intp]:
        """The deals that reach a stage; only runs end early."""
        if stage[deals_kernels.STAGE_STREET] <= self.dealer.layout.last_street:
            return _ALL
        return np.flatnonzero(lengths >= stage[deals_kernels.STAGE_STREET])


class ExactCards(CardMap):
    """A bucket for every private history, for variants whose deals can be listed.

    What a player knows at a stage is packed into a number: its hand, the bucket of the stage before
    and the new cards of the board. A bucket is the place of that number among all of its stage.
    """

    name = "exact"
    chained = True

    def __init__(self, dealer: Dealer, deals: Deals) -> None:
        self.dealer = dealer
        self.knowledge: list[NDArray[np.int64]] = []  # by stage, ascending; filled by `label`
        self.label(deals)
        self.n_buckets = tuple(known.size for known in self.knowledge)

    def label_stage(self, at: int, holes: Cards, boards: Cards, before: Buckets | None) -> Buckets:
        """The place of what is known."""
        keys = self._pack(at, np.sort(holes, axis=2), boards, before)
        if at == len(self.knowledge):
            self.knowledge.append(np.unique(keys))
        return np.searchsorted(self.knowledge[at], keys).astype(np.int32)

    def bucket(self, path: Sequence[Sight]) -> int:
        """The bucket of one player."""
        bucket: Buckets | None = None
        for at, (hole, board) in enumerate(path):
            hands, boards = np.array([[self._fill(hole)]], np.uint8), np.array([board], np.uint8)
            bucket = self.label_stage(at, hands, boards, bucket)
        return 0 if bucket is None else int(bucket.item())

    @property
    def most_held(self) -> int:
        """To how many cards hands are filled up where they may grow, else 0."""
        return self.dealer.layout.most_held if self.dealer.variant.has_auctions else 0

    def _fill(self, hole: Sequence[int]) -> list[int]:
        """A hand as deals have it."""
        return [*hole, *[deals_kernels.NO_CARD] * (self.most_held - len(hole))]

    def _pack(
        self, at: int, hands: Cards, boards: Cards, before: Buckets | None
    ) -> NDArray[np.int64]:
        """[n, H] what is known; `hands` ascend."""
        keys = np.zeros(hands.shape[:2], np.int64)
        n_before = 0
        for place in range(hands.shape[2]):
            keys = keys << _CARD_BITS | np.minimum(hands[..., place], _MISSING)
        if before is not None:
            # Which card was discarded matters only together with the drawn one, which the hand
            # shows.
            n_before = int(self.dealer.layout.stages[at - 1, deals_kernels.STAGE_BOARD])
            keys = keys << self.knowledge[at - 1].size.bit_length() | before
        for card in np.sort(boards[:, n_before:], axis=1).T:
            keys = keys << _CARD_BITS | card[:, np.newaxis]
        return keys


class NoCards(CardMap):
    """One bucket for all: nothing is known about the cards."""

    name = "nothing"

    def __init__(self, dealer: Dealer) -> None:
        self.dealer = dealer
        self.n_buckets = (1,) * len(dealer.stages)

    def label_stage(self, at: int, holes: Cards, boards: Cards, before: Buckets | None) -> Buckets:
        """Zeros."""
        return np.zeros(holes.shape[:2], np.int32)

    def bucket(self, path: Sequence[Sight]) -> int:
        """Zero."""
        return 0


class BountyCards(CardMap):
    """The buckets of `cards`, each as many times as there is something to know of one's bounty.

    Whoever looks up one hand with `bucket` adds what it knows of its own; see `public.bounties`.
    """

    def __init__(self, cards: CardMap, knows: BountyKnowledge) -> None:
        self.cards, self.dealer, self.knows_bounty = cards, cards.dealer, knows
        if cards.recalls:
            raise AbstractionError(
                f"{cards.name} remembers earlier buckets, which cannot be joined with bounties; "
                "use recall: current"
            )
        self.n_classes = count_bounty_classes(self.dealer.variant, knows)
        self.n_buckets = tuple(n * self.n_classes for n in cards.n_buckets)

    @property
    def name(self) -> str:
        """That of the cards."""
        return self.cards.name

    def label(self, deals: Deals) -> Buckets:
        """The buckets of the cards with what is known of the bounties."""
        variant, knows = self.dealer.variant, self.knows_bounty
        streets = [stage.street for stage in self.dealer.stages]  # each has one hand cell
        known = label_bounties(variant, knows, deals.bounties, deals.hits, streets)
        return self.cards.label(deals) * np.int32(self.n_classes) + known

    def label_stage(self, at: int, holes: Cards, boards: Cards, before: Buckets | None) -> Buckets:
        """Not without a bounty."""
        raise UnsupportedGameError(
            f"what a hand of {self.dealer.variant.name} does depends on its bounty, which is not "
            "given here"
        )

    def bucket(self, path: Sequence[Sight]) -> int:
        """The bucket of the cards alone."""
        return self.cards.bucket(path)

    def digests(self) -> dict[str, str]:
        """Those of the cards."""
        return self.cards.digests()


def with_bounties(cards: CardMap, knows: BountyKnowledge) -> CardMap:
    """`cards`, and what is known of bounties where the variant has them."""
    return cards if cards.dealer.variant.bounty is None else BountyCards(cards, knows)


class TabledCards(CardMap):
    """The buckets of a card abstraction of two hole cards, with boards of up to five cards.

    On longer boards `long_boards` gives the buckets; by default equal widths of HS, as many as on
    the river. If the abstraction has clusters of runs, these are the buckets from the fifth card
    on, wherever another card follows.
    """

    forgets_suits = True

    def __init__(
        self, dealer: Dealer, buckets: CardBuckets, long_boards: LongBoardBuckets | None = None
    ) -> None:
        self.dealer = dealer
        self.buckets = buckets
        self.recalls = buckets.recalls
        self.chained = buckets.recalls and buckets.hands_may_change
        self._check(dealer.variant)
        if long_boards is None and dealer.variant.max_runs:
            first_flush_suit_only = dealer.variant.first_flush_suit_only
            long_boards = LongBoardBuckets(buckets.count("river"), first_flush_suit_only)
        self.long_boards = long_boards
        by_street = buckets.factors.by_street
        self.runs: RunClusters | None = None if by_street is None else by_street.run
        self._check_runs(dealer.variant)
        self.n_buckets = self._count()

    @property
    def name(self) -> str:
        """The name of the card abstraction."""
        return self.buckets.name

    def label_stage(self, at: int, holes: Cards, boards: Cards, before: Buckets | None) -> Buckets:
        """Looked up, or computed for boards without tables."""
        if self.runs is None or boards.shape[1] < BOARD_SIZES["river"]:
            return self._label_board(holes, boards, before)
        labels = np.empty(holes.shape[:2], np.int32)
        follows = goes_on(boards)
        over = ~follows
        labels[over] = self._label_board(holes[over], boards[over], None)
        first_flush_suit_only = self.dealer.variant.first_flush_suit_only
        labels[follows] = self.runs.label(holes[follows], boards[follows], first_flush_suit_only)
        return labels

    def _label_board(self, holes: Cards, boards: Cards, before: Buckets | None) -> Buckets:
        if boards.shape[1] > BOARD_SIZES["river"]:
            return self._label_long(holes, boards)
        n, n_hands, h = holes.shape
        hands = np.empty((n, n_hands, h + boards.shape[1]), np.uint8)
        # Card by card: NumPy is slow on inner loops of two cards.
        for at_card in range(h):
            hands[..., at_card] = holes[..., at_card]
        for at_card in range(boards.shape[1]):
            hands[..., h + at_card] = boards[:, np.newaxis, at_card]
        flat = None if before is None else before.reshape(-1)
        found = self._label_flat(hands.reshape(n * n_hands, hands.shape[2]), h, flat)
        return found.reshape(n, n_hands).astype(np.int32, copy=False)

    def _label_flat(
        self, hands: Cards, hole_cards: int, before: Buckets | None
    ) -> NDArray[np.integer]:
        """The buckets of hands, of which some may have a third hole card."""
        if hole_cards < TRIO:
            return self.buckets.label(hands, before)
        pairs = np.delete(hands, TRIO - 1, axis=1)
        three = hands[:, TRIO - 1] != deals_kernels.NO_CARD
        found = np.empty(len(hands), np.int32)
        found[~three] = self.buckets.label(pairs[~three])
        if three.any():
            found[three] = TrioBuckets(self.buckets).label(hands[three])
        return found

    def bucket(self, path: Sequence[Sight]) -> int:
        """The bucket of one player; earlier hands matter only with recall."""
        hole, board = path[-1]
        tabled = BOARD_SIZES["river"] - (self.runs is not None)
        if len(board) <= tabled and len(hole) < TRIO:
            return self.buckets.bucket_path(path)
        holes, boards = np.array([[hole]], np.uint8), np.array([board], np.uint8)
        return int(self.label_stage(len(path) - 1, holes, boards, None).item())

    def digests(self) -> dict[str, str]:
        """Those of the card abstraction."""
        return self.buckets.digests()

    def joint_tables(
        self, threads: int | None = None, progress: Progress | None = None
    ) -> JointTables:
        """The joint tables of its buckets; raises `AbstractionError` if they have none."""
        recalled, folder = self.buckets.with_perfect_recall(), self.buckets.source.strength.folder
        return build_joint(recalled, folder, threads=threads, progress=progress)

    def _label_long(self, holes: Cards, boards: Cards) -> Buckets:
        long = self.long_boards
        assert long is not None
        out = np.empty(holes.shape[:2], np.int64)
        if holes.shape[1] >= _MANY_HANDS:
            low, high = holes.min(axis=2).astype(np.int64), holes.max(axis=2).astype(np.int64)
            pairs = high * (high - 1) // 2 + low
            for k, board in enumerate(boards):
                out[k] = long.buckets(board.tolist())[pairs[k]]
            return out.astype(np.int32)
        left, ranks = np.empty(N_CARDS, np.uint8), np.empty(N_PAIRS, np.int16)
        first_flush_suit_only = long.first_flush_suit_only
        bucket_long_boards(
            boards, holes, long.n, first_flush_suit_only, rank_tables(), left, ranks, out
        )
        return out.astype(np.int32)

    def _count(self) -> tuple[int, ...]:
        counts: list[int] = []
        for stage in self.dealer.layout.stages:
            board = int(stage[deals_kernels.STAGE_BOARD])
            if board > BOARD_SIZES["river"]:
                assert self.long_boards is not None
                counts.append(self.long_boards.n)
            else:
                counts.append(
                    self.buckets.count(STREET_OF_BOARD[board], counts[-1] if counts else 1)
                )
            if self.runs is not None and board >= BOARD_SIZES["river"]:
                counts[-1] = max(counts[-1], self.runs.n_buckets)
        if max(counts) > _MOST_BUCKETS:
            raise AbstractionError(
                f"{self.name} makes {max(counts):,} buckets in {self.dealer.variant.name}, more "
                f"than {_MOST_BUCKETS:,}; use fewer, or recall: current"
            )
        return tuple(counts)

    def _check_runs(self, variant: Variant) -> None:
        if self.runs is not None and set(variant.run_suits) != _RUN_SUITS:
            raise AbstractionError(
                f"{self.name} has buckets of runs, boards that a red last card makes longer, which "
                f"{variant.name} does not have; leave out 'run:'"
            )

    def _check(self, variant: Variant) -> None:
        sizes = [variant.board_cards(street) for street in range(len(variant.streets))]
        if variant.hole_cards != 2 or not set(sizes) <= set(_STREET_SIZES):
            raise AbstractionError(
                "card tables need two hole cards and boards of 3, 4 and 5 cards, unlike "
                f"{variant.name}; use exact cards"
            )
        check_deck(self.buckets, variant)
        usual = sizes == _STREET_SIZES and not variant.hands_change and not variant.max_runs
        if not (self.buckets.hands_may_change or usual):
            raise AbstractionError(
                f"{self.name} needs hole cards that never change and boards of 3, 4 and 5 cards, "
                f"unlike {variant.name}; use other buckets"
            )
        if variant.max_runs and variant.deck != FULL:
            raise AbstractionError(
                f"long boards have buckets only for the full deck, unlike {variant.name}; "
                "use exact cards"
            )
        if variant.most_hole_cards > TRIO:
            raise AbstractionError(
                f"card tables label hands of up to {TRIO} cards, but a player of {variant.name} "
                f"may have {variant.most_hole_cards}; use exact cards"
            )
        if variant.has_auctions and self.recalls:
            raise AbstractionError(
                f"{self.name} remembers earlier buckets, which hands of three cards as in "
                f"{variant.name} do not have; use recall: current"
            )
        if variant.max_runs and self.recalls:
            raise AbstractionError(
                f"recall: sequence would need too many buckets on the runs of {variant.name}; "
                "use recall: current"
            )


def check_deck(buckets: CardBuckets, variant: Variant) -> None:
    """Raise `AbstractionError` unless `buckets` were fitted to the deck of `variant`."""
    if buckets.deck != variant.deck:
        raise AbstractionError(
            f"the buckets are for the deck {buckets.deck.name}, not for {variant.deck.name} of "
            f"{variant.name}; build them for that deck"
        )
