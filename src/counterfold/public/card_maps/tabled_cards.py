"""The buckets of a card abstraction, looked up in its tables or counted on long boards."""

from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.bucketing import MetricBucketing
from counterfold.buckets.card_abstraction import CardBuckets, Sight
from counterfold.buckets.joint_tables import JointTables, build_joint
from counterfold.buckets.long_board_buckets import LongBoardBuckets
from counterfold.buckets.long_hand_buckets import PAIR_CARDS, LongHandBuckets
from counterfold.buckets.long_hand_deals import LongHandDeals, count_dealt
from counterfold.buckets.long_hand_strength import LEAST_HELD, LongHandStrength, find_cut
from counterfold.buckets.run_histograms.run_clusters import RunClusters, goes_on
from counterfold.cards.long_boards_kernels import bucket_long_boards
from counterfold.cards.pairs import N_PAIRS
from counterfold.cards.ranking_kernels import rank_tables
from counterfold.cards.streets import BOARD_SIZES, STREET_OF_BOARD
from counterfold.cards.table_files import Progress, table_digest
from counterfold.cards.text import N_CARDS
from counterfold.errors import AbstractionError
from counterfold.games.holdem import Variant
from counterfold.public import deals_kernels
from counterfold.public.card_maps.card_map import Buckets, CardMap, Cards
from counterfold.public.deals import Dealer
from counterfold.public.stages import CardStage, PathStep

_STREET_SIZES = list(BOARD_SIZES.values())
_MANY_HANDS = 32  # of a board, for which it is worthwhile to order all that it leaves
_MOST_BUCKETS = 2**31 - 1  # buckets that 32-bit labels can number
_RUN_SUITS = {"d", "h"}  # of which clusters of runs know


class TabledCards(CardMap):
    """The buckets of a card abstraction of two hole cards, with boards of up to five cards.

    Hands of more cards have those of pairs, or from four cards on, where buckets cut strength, of
    their own strength; see `buckets.long_hand_buckets` and `buckets.long_hand_strength`, in whose
    place `empty` looks tables of zeros up. On longer boards `long_boards` gives the buckets; by
    default equal widths of HS, as many as on the river. If the abstraction has clusters of runs,
    these are the buckets from the fifth card on, wherever another card follows.
    """

    forgets_suits = True

    def __init__(
        self,
        dealer: Dealer,
        buckets: CardBuckets,
        long_boards: LongBoardBuckets | None = None,
        *,
        empty: bool = False,
    ) -> None:
        self.dealer = dealer
        self.buckets = buckets
        self._dealt: dict[int, LongHandDeals] = {}
        self._strengths: dict[int, LongHandStrength] = {}
        self._empty = empty
        self.recalls = buckets.recalls
        self.chained = buckets.recalls and buckets.hands_may_change
        self._check(dealer.variant)
        if long_boards is None and max(self._sizes) > BOARD_SIZES["river"]:
            long_boards = long_board_buckets(dealer.variant, buckets.count("river"))
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
        """Looked up, or computed for boards without tables; zeros where nobody acts."""
        if self.skips(at):
            return np.zeros(holes.shape[:2], np.int32)
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
        n, n_hands, h = holes.shape
        varies = self._boards_vary and bool((boards == deals_kernels.NO_CARD).any())
        if boards.shape[1] > BOARD_SIZES["river"] and h == PAIR_CARDS and not varies:
            return self._label_long(holes, boards)
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
        """The buckets of hands, which may lack cards: those are `NO_CARD`."""
        if hole_cards <= PAIR_CARDS and not self._boards_vary:
            return self.buckets.label(hands, before)
        there = hands != deals_kernels.NO_CARD
        sizes = np.stack([there[:, :hole_cards].sum(axis=1), there.sum(axis=1)], axis=1)
        found = np.empty(len(hands), np.int32)
        for held, n_cards in np.unique(sizes, axis=0).tolist():
            rows = (sizes == (held, n_cards)).all(axis=1)
            found[rows] = self._label_held(hands[rows][there[rows]].reshape(-1, n_cards), held)
        return found

    def _label_held(self, hands: Cards, held: int) -> NDArray[np.integer]:
        """The buckets of hands of as many cards each."""
        if hands.shape[1] - held > BOARD_SIZES["river"]:
            long = _LongBoardPairs(self)
            pairs = held <= PAIR_CARDS
            return long.label(hands) if pairs else LongHandBuckets(long, held).label(hands)
        if held <= PAIR_CARDS:
            return self.buckets.label(hands)
        if hands.shape[1] == held:
            return self.dealt(held).label(hands)
        bucketing = self.own_bucketing(held, hands.shape[1] - held)
        if bucketing is not None:
            return self.strength(held).label(hands, bucketing)
        return LongHandBuckets(self.buckets, held).label(hands)

    def own_bucketing(self, held: int, n_board: int) -> MetricBucketing | None:
        """What cuts the strength of many hole cards; None if they have the bucket of a pair."""
        by_street = self.buckets.description.factors.by_street
        if held < LEAST_HELD or n_board not in _STREET_SIZES[1:] or by_street is None:
            return None
        return find_cut(by_street.streets[_STREET_SIZES.index(n_board)])

    def strength(self, held: int) -> LongHandStrength:
        """The strength of more than three cards on a board."""
        if held not in self._strengths:
            final = min(self.dealer.variant.board_cards(), BOARD_SIZES["river"])
            source, empty = self.buckets.source, self._empty
            self._strengths[held] = LongHandStrength(held, final, source, empty)
        return self._strengths[held]

    def dealt(self, held: int) -> LongHandDeals:
        """The buckets of more than two cards before there is a board."""
        if held not in self._dealt:
            n, board = count_dealt(self.buckets.description), self.dealer.variant.board_cards()
            self._dealt[held] = LongHandDeals(held, board, n, self.buckets.source)
        return self._dealt[held]

    @property
    def all_dealt(self) -> list[LongHandDeals]:
        """All that are needed."""
        found: set[int] = set()
        for at, stage in enumerate(self.dealer.stages):
            if stage.asks and self._sizes[at] == 0:
                found.update(range(self._least_held(at), self._most_held(at) + 1))
        return [self.dealt(held) for held in sorted(found) if held > PAIR_CARDS]

    @property
    def all_strengths(self) -> dict[LongHandStrength, dict[int, MetricBucketing]]:
        """All that are needed, each with what cuts it by cards on the board."""
        found: dict[int, dict[int, MetricBucketing]] = {}
        for at, stage in enumerate(self.dealer.stages):
            hands = range(self._least_held(at), self._most_held(at) + 1)
            for held, n_board in product(hands, self._boards_at(at) if stage.asks else ()):
                if (bucketing := self.own_bucketing(held, n_board)) is not None:
                    found.setdefault(held, {})[n_board] = bucketing
        return {self.strength(held): found[held] for held in sorted(found)}

    def bucket(self, path: Sequence[Sight]) -> int:
        """The bucket of one player; earlier hands matter only with recall."""
        hole, board = path[-1]
        if self._boards_vary:
            board = [card for card in board if card != deals_kernels.NO_CARD]
            path = [(hole, board)]
        tabled = BOARD_SIZES["river"] - (self.runs is not None)
        if len(board) <= tabled and len(hole) <= PAIR_CARDS:
            return self.buckets.bucket_path(path)
        holes, boards = np.array([[hole]], np.uint8), np.array([board], np.uint8)
        return int(self.label_stage(len(path) - 1, holes, boards, None).item())

    def digests(self) -> dict[str, str]:
        """Those of the card abstraction, and of hands of more than two cards."""
        folder = self.buckets.source.strength.folder
        specs = [dealt.spec for dealt in self.all_dealt]
        specs += [strength.spec for strength in self.all_strengths]
        built = [spec for spec in specs if (folder / spec.folder_name).is_dir()]
        long = {spec.folder_name: table_digest(spec, folder) for spec in built}
        return {**self.buckets.digests(), **long}

    def joint_tables(
        self, threads: int | None = None, progress: Progress | None = None
    ) -> JointTables:
        """The joint tables of its buckets; raises `AbstractionError` if they have none."""
        recalled, source = self.buckets.with_perfect_recall(), self.buckets.source
        folder, device = source.strength.folder, source.device
        return build_joint(recalled, folder, threads=threads, progress=progress, device=device)

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
        tables, deck = rank_tables(long.ranking), long.deck.cards
        bucket_long_boards(
            boards, holes, long.n, long.first_flush_suit_only, tables, deck, left, ranks, out
        )
        return out.astype(np.int32)

    def _count(self) -> tuple[int, ...]:
        counts: list[int] = []
        for at, board in enumerate(self._sizes):
            before = counts[-1] if counts else 1
            sizes = () if self.skips(at) else self._boards_at(at)
            counts.append(max((self._count_on(at, size, before) for size in sizes), default=1))
            if self.runs is not None and board >= BOARD_SIZES["river"]:
                counts[-1] = max(counts[-1], self.runs.n_buckets)
        if max(counts) > _MOST_BUCKETS:
            raise AbstractionError(
                f"{self.name} makes {max(counts):,} buckets in {self.dealer.variant.name}, more "
                f"than {_MOST_BUCKETS:,}; use fewer, or recall: current"
            )
        return tuple(counts)

    def _count_on(self, at: int, board: int, before: int) -> int:
        """The buckets of a stage on boards of one size, after `before` of the stage before."""
        held = self._most_held(at)
        if board > BOARD_SIZES["river"]:
            assert self.long_boards is not None
            return self.long_boards.n
        least = self.buckets.count(STREET_OF_BOARD[board], before)
        if board == 0 and held > PAIR_CARDS:
            return max(least, self.dealt(held).n_buckets)
        own = self.own_bucketing(held, board)
        return least if own is None else max(least, own.most_buckets(least))

    def _boards_at(self, at: int) -> range:
        """The numbers of cards that the board may have at a stage."""
        steps = self.dealer.stages[at].steps
        free = sum(step.discard.count for step in steps if _lays_freely(step))
        return range(self._sizes[at] - free, self._sizes[at] + 1)

    @property
    def _boards_vary(self) -> bool:
        """Whether players choose how many cards lie on the board."""
        return any(map(_lays_freely, self.dealer.stages[-1].steps))

    @property
    def _sizes(self) -> list[int]:
        """The most cards on the board at each stage."""
        sizes: list[int] = self.dealer.layout.stages[:, deals_kernels.STAGE_BOARD].tolist()
        return sizes

    def _most_held(self, at: int) -> int:
        """The most cards that a hand may have at a stage."""
        return int(self.dealer.layout.stages[at, deals_kernels.STAGE_HELD])

    def _check_runs(self, variant: Variant) -> None:
        if self.runs is not None and set(variant.run_suits) != _RUN_SUITS:
            raise AbstractionError(
                f"{self.name} has buckets of runs, boards that a red last card makes longer, which "
                f"{variant.name} does not have; leave out 'run:'"
            )

    def _check(self, variant: Variant) -> None:
        labeled = [at for at in range(len(self._sizes)) if not self.skips(at)]
        sizes = [size for at in labeled for size in self._boards_at(at)]
        held = {self._least_held(at) for at in labeled} | {self._most_held(at) for at in labeled}
        if min(held) < PAIR_CARDS or not {min(n, 5) for n in sizes} <= set(_STREET_SIZES):
            raise AbstractionError(
                "card tables need two hole cards or more and boards of 3, 4 and 5 cards or more "
                f"wherever players act, unlike {variant.name}; use exact cards"
            )
        check_deck(self.buckets, variant)
        streets = [variant.board_cards(street) for street in range(len(variant.streets))]
        usual = streets == _STREET_SIZES and not variant.hands_change and not variant.max_runs
        usual = usual and max(held) == PAIR_CARDS
        if not (self.buckets.hands_may_change or usual):
            raise AbstractionError(
                f"{self.name} needs hole cards that never change and boards of 3, 4 and 5 cards, "
                f"unlike {variant.name}; use other buckets"
            )
        long = max(sizes) > BOARD_SIZES["river"]
        if long and max(held) > PAIR_CARDS and variant.first_flush_suit_only:
            raise AbstractionError(
                f"on boards of {max(sizes)} cards hands of more than two cards have buckets only "
                f"where first_flush_suit_only is false, unlike in {variant.name}"
            )
        if self._boards_vary and self.recalls:
            raise AbstractionError(
                f"{self.name} remembers earlier buckets, which boards onto which players may lay "
                f"cards as in {variant.name} do not have; use recall: current"
            )
        if max(held) > PAIR_CARDS and self.recalls:
            raise AbstractionError(
                f"{self.name} remembers earlier buckets, which hands of more than two cards as in "
                f"{variant.name} do not have; use recall: current"
            )
        if variant.max_runs and self.recalls:
            raise AbstractionError(
                f"recall: sequence would need too many buckets on the runs of {variant.name}; "
                "use recall: current"
            )

    def _least_held(self, at: int) -> int:
        """The fewest cards that a hand may have at a stage."""
        return min(self._least_of(self.dealer.stages[at], seat) for seat in (0, 1))

    def _least_of(self, stage: CardStage, seat: int) -> int:
        won = sum(step.kind == "win" for step in stage.steps)
        dropped = sum(
            step.discard.count
            for step in stage.steps
            if step.gives(seat) and step.may_keep and not step.discard.redraw
        )
        return stage.n_held(seat, self.dealer.layout.hole_cards) - won - dropped


def _lays_freely(step: PathStep) -> bool:
    """Whether a seat chose how many cards to lay onto the board."""
    return step.kind == "give" and step.may_keep and step.discard.to_board


class _LongBoardPairs:
    """The buckets of two hole cards on boards without tables, row by row."""

    def __init__(self, cards: TabledCards) -> None:
        self._cards, self.source, self.deck = cards, cards.buckets.source, cards.buckets.deck

    def label(
        self, hands: NDArray[np.uint8], before: NDArray[np.integer] | None = None
    ) -> NDArray[np.integer]:
        """The buckets of hands ``[n, 2 + board]``."""
        holes = np.ascontiguousarray(hands[:, np.newaxis, :PAIR_CARDS])
        boards = np.ascontiguousarray(hands[:, PAIR_CARDS:])
        return self._cards._label_long(holes, boards)[:, 0]


def long_board_buckets(variant: Variant, n: int) -> LongBoardBuckets:
    """`n` buckets for boards of a variant without tables."""
    return LongBoardBuckets(n, variant.first_flush_suit_only, variant.deck, variant.ranking)


def check_deck(buckets: CardBuckets, variant: Variant) -> None:
    """Raise `AbstractionError` unless `buckets` were fitted to the deck of `variant`."""
    if buckets.deck != variant.deck:
        raise AbstractionError(
            f"the buckets are for the deck {buckets.deck.name}, not for {variant.deck.name} of "
            f"{variant.name}; build them for that deck"
        )
