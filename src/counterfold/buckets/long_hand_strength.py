"""Strength of many hole cards on a board, against random hands of as many: four cards and more.

For each of the 134,459 classes of boards at showdown a table has the ranks that cut those of random
hands into 80 equal shares. So the share of hands that a hand beats on the river is a look-up by its
own rank. Before the river it is the mean over all cards to come, or on the flop over 96 pairs of
them: four times the deck is split into pairs, the same way for all flops, up to the names of
suits. Buckets are cut from the strengths of sampled hands.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets import long_hand_strength_kernels as strength_kernels
from counterfold.buckets.bucket_cost import BuildEstimate
from counterfold.buckets.bucketing import Bucketing, MetricBucketing
from counterfold.buckets.long_hand_strength_kernels import ShowdownBoards
from counterfold.buckets.strength_lookup import SQUARE, StrengthLookup
from counterfold.cards.isomorphism import Isomorphism
from counterfold.cards.ranking import CARD_BITS
from counterfold.cards.ranking_kernels import rank_tables
from counterfold.cards.table_files import (
    Arrays,
    Column,
    TableSpec,
    build_table,
    estimate_seconds,
    find_table,
    read_only,
)
from counterfold.cards.text import N_CARDS

VERSION = 1  # incremented whenever the same spec would give other strengths
LEAST_HELD = 4  # hole cards; three have the bucket of a pair
_METRICS = ("ehs", SQUARE["ehs"])
_CUTS = 80  # of the ranks on a board at showdown
_EVERY = 5  # of which cut is looked at before the river
_OPPONENTS = 1_000  # sampled for each such board
_ROUNDS = 4  # in which each card to come is in one pair
_ALL_PAIRS = 14  # cards to come of which all pairs are looked at: fewer than two for a hole card
_SAMPLED = 20_000  # hands, from which the cuts between buckets are taken


def find_cut(bucketing: Bucketing) -> MetricBucketing | None:
    """What cuts strength itself, so that many cards have buckets of their own; else None."""
    found = bucketing.by_metric
    return found if found is not None and found.metric in _METRICS else None


@dataclass(frozen=True, eq=False)
class LongHandStrength:
    """How often hands of `held` cards win on boards of `final` cards at showdown."""

    held: int
    final: int
    source: StrengthLookup
    empty: bool = False  # whether tables of zeros take the place of those that are not built

    @property
    def boards(self) -> Isomorphism:
        """The classes of boards at showdown."""
        return Isomorphism((self.final,), self.source.strength.deck)

    @property
    def spec(self) -> TableSpec:
        """The table on disk: what hands meet on each board."""
        strength = self.source.strength
        depends = {
            "deck": strength.deck.name,
            "ranking": strength.ranking,
            "held": self.held,
            "board": self.final,
            "opponents": _OPPONENTS,
            "version": VERSION,
        }
        return TableSpec(f"met-{self.held}", depends, {"ranks": self._column})

    @property
    def _column(self) -> Column:
        return Column("<i2", (self.boards.size, _CUTS))

    @cached_property
    def ranks(self) -> NDArray[np.int16]:
        """[boards, cuts] the ranks that hands meet; built now if they are not in the cache."""
        if self.empty:
            return read_only(np.zeros(self._column.shape, np.int16))
        source, folder = self.source, self.source.strength.folder
        arrays = find_table(self.spec, folder)
        if arrays is None:
            arrays = build_table(
                self.spec,
                folder,
                self.boards.size,
                self._cut_ranks,
                threads=source.threads,
                progress=source.progress,
            )
        return read_only(arrays["ranks"])

    def estimate(self) -> BuildEstimate:
        """What the table will cost if it is not in the cache."""
        spec = self.spec
        if find_table(spec, self.source.strength.folder) is not None:
            return BuildEstimate(0.0, 0, 0)
        seconds = estimate_seconds(spec, self.boards.size, self._cut_ranks, self.source.threads)
        return BuildEstimate(seconds, spec.nbytes, spec.nbytes)

    def label(self, hands: NDArray[np.uint8], bucketing: MetricBucketing) -> NDArray[np.int32]:
        """The buckets of hands ``[n, held + board]``, hole cards first."""
        cuts = self.cuts(hands.shape[1] - self.held, bucketing)
        strengths = self.measure(hands, squared=is_squared(bucketing))
        return np.searchsorted(cuts, strengths, side="right").astype(np.int32)

    @cached_property
    def cuts(self) -> Callable[[int, MetricBucketing], NDArray[np.float64]]:
        """By cards on the board and bucketing: the strengths from which the next bucket begins."""
        return cache(self._cut_buckets)

    def _cut_buckets(self, n_board: int, bucketing: MetricBucketing) -> NDArray[np.float64]:
        def sample() -> NDArray[np.float64]:
            deck = self.source.strength.deck.cards
            hands = deck[_deal(0, _SAMPLED, deck.size, self.held + n_board)]
            return np.sort(self.measure(hands, squared=is_squared(bucketing)))

        return bucketing.cut(sample)

    def measure(self, hands: NDArray[np.uint8], *, squared: bool = False) -> NDArray[np.float64]:
        """[n] the share of hands that each of ``[n, held + board]`` beats, or of its square."""
        strength = self.source.strength
        strengths, left = np.empty(len(hands)), np.empty(N_CARDS, np.uint8)
        run_outs = self.run_outs(hands.shape[1] - self.held)
        by_mask, deck = rank_tables(strength.ranking).by_mask, deck_mask(strength.deck.cards)
        rows = np.require(hands, np.uint8, ["C", "W"])
        strength_kernels.measure_hands(
            rows, self.held, deck, squared, run_outs, by_mask, left, strengths
        )
        return strengths

    @cached_property
    def run_outs(self) -> Callable[[int], ShowdownBoards]:
        """The boards at showdown that are looked at, by cards on the board now."""
        return cache(self._find_run_outs)

    def _find_run_outs(self, n_board: int) -> ShowdownBoards:
        deck = self.source.strength.deck
        places = run_out_places(deck.n_cards - n_board, self.final - n_board)
        boards = Isomorphism((n_board,), deck)
        ends = np.empty((boards.size, len(places)), np.int32)
        left, cards = np.empty(N_CARDS, np.uint8), np.empty(self.final, np.uint8)
        strength_kernels.find_ends(
            boards.unindex_many(np.arange(boards.size)),
            deck_mask(deck.cards),
            places,
            self.boards.tables,
            left,
            cards,
            ends,
        )
        met = self.ranks[:, self.columns(n_board)][ends]
        return ShowdownBoards(boards.tables, places, read_only(met))

    def columns(self, n_board: int) -> NDArray[np.uint8]:
        """Which of the cuts are looked at: where many boards are averaged, not all.

        With all of them those of the turn would be 126 MB.
        """
        first, step = (0, 1) if n_board == self.final else (_EVERY // 2, _EVERY)
        return np.arange(first, _CUTS, step, dtype=np.uint8)

    def _cut_ranks(self, first: int, last: int, arrays: Arrays) -> None:
        strength = self.source.strength
        left, ranks = np.empty(N_CARDS, np.uint8), np.empty(_OPPONENTS, np.int16)
        strength_kernels.cut_ranks(
            self.boards.unindex_many(np.arange(first, last)),
            first,
            self.held,
            strength.deck.cards,
            rank_tables(strength.ranking).by_mask,
            left,
            ranks,
            arrays["ranks"][first:last],
        )


def is_squared(bucketing: MetricBucketing) -> bool:
    """Whether it cuts the mean square of the shares that a hand beats."""
    return bucketing.metric == SQUARE["ehs"]


def deck_mask(cards: NDArray[np.uint8]) -> int:
    """The cards of a deck as bits, as `cards.ranking_kernels.card_bit` has them."""
    return sum(CARD_BITS[card] for card in cards.tolist())


def run_out_places(n_left: int, n_cards: int) -> NDArray[np.uint8]:
    """[run-outs, n_cards] places of the cards to come among those that a board leaves.

    All, unless there are many pairs: then each card is in four of them, or in three if it is
    left over once. A hand leaves some of them, since the pairs of a round are disjoint.
    """
    if n_cards < 2 or n_left <= _ALL_PAIRS:
        every = [*combinations(range(n_left), n_cards)]
        return np.array(every, np.uint8).reshape(len(every), n_cards)
    return _deal(_SAMPLED, _ROUNDS, n_left, n_left - n_left % 2).reshape(-1, n_cards)


def _deal(first: int, n: int, n_deck: int, n_cards: int) -> NDArray[np.uint8]:
    """[n, n_cards] random deals of numbers below `n_deck`, the first being number `first`."""
    left, deals = np.empty(n_deck, np.uint8), np.empty((n, n_cards), np.uint8)
    strength_kernels.deal_hands(first, n_deck, left, deals)
    return deals
