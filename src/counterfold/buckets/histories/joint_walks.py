"""Walks over boards that count how often bucket sequences meet and which wins.

Sums are packed: see `buckets.joint_tables_kernels`.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets import joint_tables_kernels
from counterfold.buckets.histories import history_kernels
from counterfold.buckets.histories.flop_walks import Sums, bucket_pairs, list_flops, sum_walks
from counterfold.buckets.perfect_recall import PerfectRecall, n_sequences
from counterfold.cards import strength_kernels
from counterfold.cards.ranking_kernels import rank_tables
from counterfold.cards.streets import BOARD_SIZES, N_FINAL
from counterfold.cards.table_files import Progress
from counterfold.cluster.workers import Workers

_FLOPS_AT_ONCE = 1
_SAMPLES_AT_ONCE = 64


class JointBuffer(NamedTuple):
    """What a thread works with."""

    walk: history_kernels.FlopScratch
    scratch: strength_kernels.StrengthScratch
    tally: joint_tables_kernels.JointScratch
    sums: NDArray[np.int64]  # [S, S] packed


@dataclass(frozen=True)
class JointWalk:
    """Counts the pairs on all boards of a street that follow from a flop."""

    flops: history_kernels.Flops
    streets: joint_tables_kernels.SequenceGrowth
    street: str
    n: int  # sequences up to it

    def make_buffer(self) -> JointBuffer:
        """What a thread works with, its sums zero."""
        return _make_buffer(self.flops.deck.size, self.street, self.n)

    def walk(self, first: int, last: int, buffer: JointBuffer) -> None:
        """Add the boards of the flops first:last."""
        walk, scratch, tally, sums = buffer
        common = first, last, self.flops, self.streets
        if self.street == "flop":
            joint_tables_kernels.tally_flops(*common, walk, tally, sums)
        elif self.street == "turn":
            joint_tables_kernels.tally_turns(*common, walk, tally, sums)
        else:
            joint_tables_kernels.tally_rivers(*common, rank_tables(), walk, scratch, tally, sums)

    def sums(self, buffer: JointBuffer) -> Sums:
        """What was added."""
        return (buffer.sums,)


@dataclass(frozen=True)
class SampleWalk:
    """Counts the pairs on boards of the river that are drawn by their numbers."""

    deck: NDArray[np.int64]
    streets: joint_tables_kernels.SequenceGrowth
    seed: int
    n: int  # sequences

    def make_buffer(self) -> tuple[JointBuffer, NDArray[np.int64]]:
        """What a thread works with, and the sums of squares, too."""
        buffer = _make_buffer(self.deck.size, "river", self.n)
        return buffer, np.zeros_like(buffer.sums)

    def walk(self, first: int, last: int, both: tuple[JointBuffer, NDArray[np.int64]]) -> None:
        """Add the boards first:last."""
        buffer, squares = both
        joint_tables_kernels.sample_rivers(
            first, last, self.seed, self.deck, self.streets, rank_tables(), *buffer, squares
        )

    def sums(self, both: tuple[JointBuffer, NDArray[np.int64]]) -> Sums:
        """What was added."""
        return both[0].sums, both[1]


def count_pairs(
    buckets: PerfectRecall,
    street: str,
    threads: int,
    progress: Progress | None,
    workers: Workers | None = None,
) -> NDArray[np.int64]:
    """Packed sums over all boards of a street."""
    flops, streets = list_flops(buckets.deck), _kernel_streets(buckets)
    n = n_sequences(buckets, street)
    if street == "preflop":
        buffer = _make_buffer(buckets.deck.n_cards, street, n)
        joint_tables_kernels.tally_pairs(flops.deck, streets.preflop, 1, buffer.tally, buffer.sums)
        return buffer.sums
    walk, n_flops = JointWalk(flops, streets, street, n), len(flops.boards)
    (sums,) = sum_walks(
        f"joint-{street}",
        walk,
        n_flops,
        _FLOPS_AT_ONCE,
        threads=threads,
        progress=progress,
        workers=workers,
    )
    return sums


def sample_pairs(
    buckets: PerfectRecall,
    samples: int,
    seed: int,
    threads: int,
    progress: Progress | None,
    workers: Workers | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Packed sums over sampled boards of the river, and sums of squares."""
    n = n_sequences(buckets, "river")
    walk = SampleWalk(np.array(buckets.deck.cards), _kernel_streets(buckets), seed, n)
    sums, squares = sum_walks(
        "joint-river",
        walk,
        samples,
        _SAMPLES_AT_ONCE,
        threads=threads,
        progress=progress,
        workers=workers,
    )
    return sums, squares


def _make_buffer(n_cards: int, street: str, n: int) -> JointBuffer:
    return JointBuffer(
        history_kernels.make_flop_scratch(),
        strength_kernels.make_scratch(n_cards, N_FINAL, 0, np.zeros(0, np.uint8)),
        joint_tables_kernels.make_joint_scratch(n_cards - BOARD_SIZES[street], n),
        np.zeros((n, n), np.int64),
    )


def _kernel_streets(buckets: PerfectRecall) -> joint_tables_kernels.SequenceGrowth:
    preflop, flop, turn, river = buckets.streets
    return joint_tables_kernels.SequenceGrowth(
        bucket_pairs(buckets.deck, preflop.levels), flop, turn, river
    )
