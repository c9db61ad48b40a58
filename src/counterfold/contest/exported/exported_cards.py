"""Buckets of hands from packed tables, without Numba: the look-up of an exported bot.

Before the river a bucket is read from a table by class. The river has 123 million classes; there
the table holds *runs*: for each score of a hand, which is counted when needed, the classes at which
the bucket changes. Most scores have one bucket. If the buckets of a river are not such a function,
its whole table is packed and read like the others.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.bots.choices import LowerFirst
from counterfold.buckets.histories.history_kernels import find_bucket
from counterfold.cards.isomorphism_kernels import index_cards
from counterfold.contest.exported.exported_classes import (
    BOARD_SIZES,
    Arrays,
    Classes,
    Numbers,
    read_tables,
)
from counterfold.contest.exported.exported_long_hands import (
    PAIR_CARDS,
    PackedLongHands,
    bucket_long_hand,
)
from counterfold.contest.exported.exported_runs import PackedRuns
from counterfold.contest.exported.exported_strength import HandStrength
from counterfold.public.bounties import BountyKnowledge
from counterfold.public.deals_kernels import NO_CARD
from counterfold.public.looks import LookKnowledge

NOTHING, EXACT, STREETS, PRODUCT = "nothing", "exact", "streets", "product"
BY_RANK, BY_STRENGTH = "by-rank", "by-strength"
DRAWING = ("flop", "turn")
RUNS = "runs"  # name of the centers of runs
CLASS_BITS = 32  # bits of a run's key; the score is above them
CARD_BITS = 6


class PackedStreets:
    """One bucketing per street; see `buckets.street_abstraction.StreetBuckets`."""

    def __init__(self, arrays: Arrays, prefix: str, classes: Classes, hands: HandStrength) -> None:
        self._classes, self._hands = classes, hands
        self._labels = {size: arrays[f"{prefix}.{size}.labels"] for size in BOARD_SIZES}
        self._keys = {
            size: arrays[f"{prefix}.{size}.keys"]
            for size in BOARD_SIZES
            if f"{prefix}.{size}.keys" in arrays
        }

    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """The bucket of a hand."""
        size = len(board)
        labels = self._labels[size]
        if size not in self._keys:
            return int(labels[self._classes.index(hole, board)])
        keys = self._keys[size]
        score, _ = self._hands.score(hole, board)
        first, last = np.searchsorted(keys, [score << CLASS_BITS, (score + 1) << CLASS_BITS])
        if last - first > 1:
            key = (score << CLASS_BITS) | self._classes.index(hole, board)
            last = first + np.searchsorted(keys[first:last], key, side="right")
        return int(labels[last - 1])

    def buckets(self, holes: Numbers, board: Sequence[int]) -> Numbers:
        """The buckets of many hands [n, 2] on one board."""
        size = len(board)
        labels = self._labels[size]
        if size not in self._keys:
            return labels[self._classes.index_many(holes, board)].astype(np.int64)
        keys = self._keys[size]
        scores = self._hands.scores(holes, board)
        first = np.searchsorted(keys, scores << CLASS_BITS)
        last = np.searchsorted(keys, (scores + 1) << CLASS_BITS)
        some = np.flatnonzero(last - first > 1)
        if some.size:
            wanted = scores[some] << CLASS_BITS | self._classes.index_many(holes[some], board)
            last[some] = np.searchsorted(keys, wanted, side="right")
        return labels[last - 1].astype(np.int64)


class PackedHistory:
    """Bucket sequences; see `buckets.histories.history.FittedHistory`."""

    def __init__(
        self, arrays: Arrays, prefix: str, n_buckets: int, classes: Classes, hands: HandStrength
    ) -> None:
        self._classes, self._hands, self._n_buckets = classes, hands, n_buckets
        names = ("levels", "cuts", "within", "within_cuts")
        self._streets = {
            size: [arrays[f"{prefix}.{size}.{name}"] for name in names] for size in BOARD_SIZES
        }

    def number(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """The sequence of a hand as one number."""
        number = 0
        for size in BOARD_SIZES:
            if size > len(board):
                break
            levels, cuts, within, within_cuts = self._streets[size]
            if levels.size:
                place = self._classes.index(hole, board[:size])
                level = int(levels[place])
                other = int(within[place]) if within.size else level
            else:
                level = other = self._hands.score(hole, board[:size])[0]
            bucket = find_bucket(number, level, other, cuts, within_cuts)
            number = number * self._n_buckets + int(bucket)
        return number

    def numbers(self, holes: Numbers, board: Sequence[int]) -> Numbers:
        """The sequences of many hands [n, 2] on one board."""
        numbers = np.zeros(len(holes), np.int64)
        for size in BOARD_SIZES:
            if size > len(board):
                break
            levels, cuts, within, within_cuts = self._streets[size]
            if levels.size:
                places = self._classes.index_many(holes, board[:size])
                level = other = levels[places].astype(np.int64)
                if within.size:
                    other = within[places].astype(np.int64)
            else:
                level = other = self._hands.scores(holes, board[:size])
            found = level
            if len(cuts):
                first = (cuts[numbers] <= level[:, None]).sum(axis=1)
                rows = within_cuts[numbers * (cuts.shape[1] + 1) + first]
                found = first * (within_cuts.shape[1] + 1) + (rows <= other[:, None]).sum(axis=1)
            numbers = numbers * self._n_buckets + found
        return numbers


class PackedOrder:
    """Which card is considered first at a draw; see `public.discard_orders.ByStrength`."""

    def __init__(self, kind: str, arrays: Arrays) -> None:
        self._classes = Classes(arrays)
        self._order_differs: dict[int, NDArray[Any]] = {}
        if kind == BY_STRENGTH:
            names = {size: f"order.{size}" for size in BOARD_SIZES}
            self._order_differs = {
                size: arrays[name] for size, name in names.items() if name in arrays
            }

    def first(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """The place of that card."""
        lower = LowerFirst().first(hole, board)
        if len(board) not in self._order_differs:
            return lower
        place = self._classes.index(hole, board)
        return lower ^ ((int(self._order_differs[len(board)][place >> 3]) >> (place & 7)) & 1)


class PackedDealt:
    """Buckets of more than two cards without a board; see `buckets.long_hand_deals`."""

    def __init__(self, held: int, arrays: Arrays) -> None:
        self._tables = read_tables(arrays, f"dealt.{held}")
        self._labels = arrays[f"dealt.{held}.labels"]

    def bucket(self, hole: Sequence[int]) -> int:
        """The bucket of a hand."""
        return int(self._labels[index_cards(np.array(hole, np.uint8), 0, self._tables)])


class PackedCards:
    """The card map of a run, unpacked; equal to it on every hand."""

    def __init__(self, content: Mapping[str, Any], arrays: Arrays) -> None:
        self._kind = content["kind"]
        self._content = content
        self._arrays = arrays
        self.sees_shown = self._kind == EXACT
        self.knows_bounty: BountyKnowledge = content.get("bounty", "nothing")
        self.knows_look: LookKnowledge = content.get("look", "nothing")
        if self._kind in (NOTHING, EXACT):
            return
        classes, self._hands = Classes(arrays), HandStrength(content["deck"], content["ranking"])
        self._counts = {int(size): int(n) for size, n in content["counts"].items()}
        self._dealt = {held: PackedDealt(held, arrays) for held in content.get("dealt", ())}
        self._strengths = {
            int(held): PackedLongHands(int(held), by_board, arrays, self._hands)
            for held, by_board in content.get("strengths", {}).items()
        }
        first_suit_only = bool(content["long_quirk"])
        self._runs = (
            PackedRuns(arrays[RUNS], self._hands, first_suit_only) if RUNS in arrays else None
        )
        self._streets = (
            PackedStreets(arrays, "streets", classes, self._hands) if self._counts else None
        )
        self._histories = [
            (
                PackedHistory(arrays, f"histories.{at}", int(n), classes, self._hands),
                int(n),
            )
            for at, n in enumerate(content["histories"])
        ]

    def bucket(self, path: Sequence[tuple[Sequence[int], Sequence[int]]]) -> int:
        """The bucket of a player that saw `path`: its hole cards and the board at each stage."""
        if self._kind == NOTHING:
            return 0
        if self._kind == EXACT:
            return self._exact(path)
        hole, board = path[-1]
        if NO_CARD in board:  # where players lay fewer cards than they may
            board = [card for card in board if card != NO_CARD]
            path = [(hole, board)]
        if self._runs is not None and self._runs.covers(board):
            return self._runs.bucket(hole, board)
        if len(board) > BOARD_SIZES[-1]:
            if len(hole) > PAIR_CARDS:
                return bucket_long_hand(hole, board, self._long_bucket, self._hands)
            return self._long_bucket(hole, board)
        if self._kind == PRODUCT:
            return self._product(hole, board)
        assert self._streets is not None
        if len(hole) > PAIR_CARDS and not board:
            return self._dealt[len(hole)].bucket(hole)
        if len(hole) in self._strengths and self._strengths[len(hole)].knows(board):
            return self._strengths[len(hole)].bucket(hole, board)
        if len(hole) > PAIR_CARDS:
            return bucket_long_hand(hole, board, self._streets.bucket, self._hands)
        if not self._content["recalls"]:
            return self._streets.bucket(hole, board)
        bucket = 0
        for hole, board in path:
            bucket = bucket * self._counts[len(board)] + self._streets.bucket(hole, board)
        return bucket

    def buckets(self, holes: Numbers, boards: Sequence[Sequence[int]]) -> Numbers:
        """The buckets of many hands [n, 2] that saw one board after another."""
        if self._kind == PRODUCT:
            return self._products(holes, boards[-1])
        if self._kind != STREETS or self._runs is not None:
            paths = ([(hole, board) for board in boards] for hole in holes.tolist())
            return np.array([self.bucket(path) for path in paths], np.int64)
        assert self._streets is not None
        if not self._content["recalls"]:
            return self._streets.buckets(holes, boards[-1])
        buckets = np.zeros(len(holes), np.int64)
        for board in boards:
            found = self._streets.buckets(holes, board)
            buckets = buckets * self._counts[len(board)] + found
        return buckets

    def _long_bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        n = int(self._content["long_n"])
        score, n_hands = self._hands.score(hole, board, bool(self._content["long_quirk"]))
        return min(score * n // (2 * n_hands), n - 1)

    def _product(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """What the factors know, as one number; see `buckets.card_product`."""
        n_streets = BOARD_SIZES.index(len(board)) + 1
        number = 0
        for history, n in self._histories:
            number = number * n**n_streets + history.number(hole, board)
        if self._streets is not None:
            sizes = BOARD_SIZES[:n_streets] if self._content["recalls"] else (len(board),)
            for size in sizes:
                number = number * self._counts[size] + self._streets.bucket(hole, board[:size])
        return number

    def _products(self, holes: Numbers, board: Sequence[int]) -> Numbers:
        """The same of many hands [n, 2] on one board."""
        n_streets = BOARD_SIZES.index(len(board)) + 1
        numbers = np.zeros(len(holes), np.int64)
        for history, n in self._histories:
            numbers = numbers * n**n_streets + history.numbers(holes, board)
        if self._streets is not None:
            sizes = BOARD_SIZES[:n_streets] if self._content["recalls"] else (len(board),)
            for size in sizes:
                found = self._streets.buckets(holes, board[:size])
                numbers = numbers * self._counts[size] + found
        return numbers

    def _exact(self, path: Sequence[tuple[Sequence[int], Sequence[int]]]) -> int:
        """See `public.card_maps.ExactCards`; cut by `labels` if there are any."""
        bucket = 0
        for stage, (hole, board) in enumerate(path):
            key = 0
            for card in sorted(hole):
                key = key << CARD_BITS | card + 1
            if stage > 0:
                key = key << self._arrays[f"exact.{stage - 1}"].size.bit_length() | bucket
            for start, stop in self._content["groups"][stage]:
                for number in sorted((card + 1) % (NO_CARD + 1) for card in board[start:stop]):
                    key = key << CARD_BITS | number
            bucket = int(np.searchsorted(self._arrays[f"exact.{stage}"], key))
        labels = self._arrays.get(f"labels.{len(path) - 1}")
        return bucket if labels is None else int(labels[bucket])
