"""The two tables that complete an abstract game with perfect recall.

For every street the probability of each pair of bucket sequences, one of either player, from which
the buckets that come next follow; and for the river the showdown result of such a pair. Hands of
one deal share no card, which the counts respect exactly, board by board over all hands at once.

Up to the turn all boards are counted. On the river either all boards are, or a sample of them with
all hands on each; then every entry has a standard error. Counts are integers, so results do not
depend on the number of threads.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from math import pi, sqrt
from operator import mul
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.device.board_counts import BoardCounts, fits_device
from counterfold.buckets.histories.joint_walks import count_pairs, sample_pairs
from counterfold.buckets.perfect_recall import PerfectRecall, n_sequences
from counterfold.cards.deck import FULL, Deck
from counterfold.cards.streets import STREETS
from counterfold.cards.table_files import (
    Arrays,
    Column,
    Progress,
    TableSpec,
    build_table,
    find_table,
)
from counterfold.cluster.workers import Workers
from counterfold.devices import Device, counting_library
from counterfold.errors import AbstractionError
from counterfold.memory import check_memory, free_memory_bytes
from counterfold.threads import thread_count

Matrix = NDArray[np.floating[Any]]

VERSION = 1  # incremented whenever the same buckets would give other tables
_MOST_SAMPLES = 4_000_000  # a sum of squares fits 63 bits; all boards of a full deck are fewer
_MOST_EXACT_WIDTH = 1024  # sequences up to which tables have 64-bit numbers
_ROWS_AT_ONCE = 256


@dataclass(frozen=True, eq=False)
class JointTable:
    """One number for each pair of sequences on a street. Shape: ``S`` sequences of a player."""

    values: Matrix  # [S, S]
    errors: Matrix | None = None  # [S, S] standard errors; None where all boards were counted

    @property
    def overall_error(self) -> float:
        """Expected sum of all absolute errors, 0 where all boards were counted.

        For probabilities half of it is the distance in total variation.
        """
        if self.errors is None:
            return 0.0
        return sqrt(2.0 / pi) * float(self.errors.sum(dtype=np.float64))


@dataclass(frozen=True, eq=False)
class JointTables:
    """The tables of one abstraction, or of all deals of a small variant, street by street.

    A sequence is numbered by its buckets, that of the first street counting most: those of the next
    street that follow sequence ``s`` are ``s * n`` to ``s * n + n - 1``, even if no deal has them.
    """

    n_buckets: tuple[int, ...]  # of each street, by which sequences grow
    probabilities: tuple[JointTable, ...]  # by street, the first player first; each sums to one
    net: JointTable  # on the last street: P(pair and the first wins) - P(pair and the second wins)
    n_samples: int | None = None  # boards on the river; None: all of them
    seed: int | None = None  # of the sample
    folders: tuple[str, ...] = ()  # by street: where the table is in the cache

    def __post_init__(self) -> None:
        if len(self.probabilities) != len(self.n_buckets):
            raise AbstractionError(
                f"{len(self.probabilities)} joint tables for {len(self.n_buckets)} streets of "
                "buckets; give one for each street"
            )
        last = (self.n_sequences[-1], self.net)
        for n, table in (*zip(self.n_sequences, self.probabilities, strict=True), last):
            if table.values.shape != (n, n):
                raise AbstractionError(
                    f"buckets {self.n_buckets} need tables of {n} by {n}, not {table.values.shape}"
                )

    @property
    def n_sequences(self) -> tuple[int, ...]:
        """Bucket sequences of a player up to each street."""
        return tuple(accumulate(self.n_buckets, mul))

    def shares(self, street: int) -> NDArray[np.float64]:
        """Probability of each sequence of one player, on a street by its number."""
        shares: NDArray[np.float64] = self.probabilities[street].values.sum(axis=1, dtype=float)
        return shares

    def transition(self, street: int) -> NDArray[np.float64]:
        """P(both next buckets | both sequences on `street`), ``[S, S, B, B]``.

        For a pair of sequences that never meet, the two are treated as independent.
        """
        if not 0 <= street < len(self.n_buckets) - 1:
            raise AbstractionError(
                f"no street follows street {street!r} of {len(self.n_buckets)}; "
                f"ask for 0 to {len(self.n_buckets) - 2}"
            )
        n, n_next = self.n_sequences[street], self.n_buckets[street + 1]
        joint = self.probabilities[street + 1].values.reshape(n, n_next, n, n_next)
        both = joint.transpose(0, 2, 1, 3).astype(np.float64, order="C")
        totals = both.sum(axis=(2, 3), keepdims=True)
        np.divide(both, totals, out=both, where=totals > 0.0)
        own = _normalize(self.shares(street + 1).reshape(n, n_next))
        first, second = np.nonzero(totals[:, :, 0, 0] == 0.0)
        both[first, second] = own[first][:, :, np.newaxis] * own[second][:, np.newaxis, :]
        return both

    def results(self) -> NDArray[np.float64]:
        """E[result of the first player] at showdown, win 1, tie 1/2; 1/2 for pairs that never meet.

        ``[S, S]`` by final sequences of both players.
        """
        weights = self.probabilities[-1].values.astype(np.float64)
        return 0.5 + 0.5 * self.net.values / np.where(weights > 0.0, weights, 1.0)


def _normalize(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rows that sum to one; those of zeros become uniform."""
    total = rows.sum(axis=1, keepdims=True)
    return np.where(total > 0.0, rows / np.where(total > 0.0, total, 1.0), 1.0 / rows.shape[1])


def build_joint(
    buckets: PerfectRecall,
    folder: Path,
    *,
    samples: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
    device: Device = "auto",
    workers: Workers | None = None,
) -> JointTables:
    """The tables, from the cache in `folder` or counted now.

    Parameters
    ----------
    samples
        Boards to draw on the river; None counts all. For a full deck and five buckets per street,
        all of them take minutes, and the time grows with the square of the sequences on a board.
    seed
        Random seed of the sample; board ``i`` of a seed is always the same.
    threads
        By default as many as there are cores, or fewer if their sums would not fit into memory.
    device
        What counts all boards of the river; if a GPU has no room for the sums, threads do it.
    workers
        Who counts instead; the counts are the same.
    """
    check_samples(samples)
    n_threads, n = thread_count(threads), n_sequences(buckets, STREETS[-1])
    xp = counting_library(device) if samples is None and workers is None else None
    if xp is not None and fits_device(xp, n):
        check_memory(f"pairs of {n:,} bucket sequences", memory_bytes(n, False, 1))
    else:
        xp = None
        if threads is None:
            n_threads = _most_threads(n, samples is not None, n_threads)
        _check_fits(buckets, samples is not None, n_threads)
    tables: list[Arrays] = []
    for street in STREETS:
        spec = _spec(buckets, street, samples, seed)

        def work(first: int, last: int, arrays: Arrays, street: str = street) -> None:
            if street == STREETS[-1] and samples is not None:
                sums, squares = sample_pairs(buckets, samples, seed, n_threads, progress, workers)
                _fill_errors(sums, squares, samples, arrays)
            elif street == STREETS[-1] and xp is not None:
                sums = _count_by(xp, buckets, n_threads, progress)
            else:
                sums = count_pairs(buckets, street, n_threads, progress, workers)
            _fill_values(sums, arrays)

        tables.append(build_table(spec, folder, 1, work, threads=1))
    return _make_joint(buckets, samples, seed, tables)


def find_joint(
    buckets: PerfectRecall, folder: Path, *, samples: int | None = None, seed: int = 0
) -> JointTables | None:
    """The tables with the fingerprint of `buckets`, or None if any is not in `folder`."""
    tables: list[Arrays] = []
    for street in STREETS:
        found = find_table(_spec(buckets, street, samples, seed), folder)
        if found is None:
            return None
        tables.append(found)
    return _make_joint(buckets, samples, seed, tables)


def check_samples(samples: int | None) -> None:
    """Raise `AbstractionError` for an invalid number of sampled boards."""
    if samples is not None and not 2 <= samples <= _MOST_SAMPLES:
        raise AbstractionError(
            f"a sample must have 2 to {_MOST_SAMPLES:,} boards, not {samples!r}; None counts all "
            "boards"
        )


def _make_joint(
    buckets: PerfectRecall, samples: int | None, seed: int, tables: list[Arrays]
) -> JointTables:
    river = tables[-1]
    return JointTables(
        tuple(street.n_buckets for street in buckets.streets),
        tuple(JointTable(arrays["values"], arrays.get("errors")) for arrays in tables),
        JointTable(river["net"], river.get("net_errors")),
        samples,
        None if samples is None else seed,
        tuple(_spec(buckets, street, samples, seed).folder_name for street in STREETS),
    )


def joint_spec(
    fingerprint: str, deck: Deck, n: int, street: str, samples: int | None, seed: int
) -> TableSpec:
    """Name, dependencies and arrays of a street on disk, for `n` sequences of known buckets."""
    depends: dict[str, Any] = {"buckets": fingerprint, "deck": deck.name, "version": VERSION}
    columns = {"values": Column("<f8" if n <= _MOST_EXACT_WIDTH else "<f4", (n, n))}
    if street == STREETS[-1]:
        columns["net"] = columns["values"]
        if samples is not None:
            depends |= {"samples": samples, "seed": seed}
            columns["errors"] = columns["net_errors"] = Column("<f4", (n, n))
    return TableSpec(f"joint-{street}", depends, columns)


def _spec(buckets: PerfectRecall, street: str, samples: int | None, seed: int) -> TableSpec:
    n = n_sequences(buckets, street)
    return joint_spec(buckets.fingerprint, buckets.deck, n, street, samples, seed)


def memory_bytes(n: int, sampled: bool, threads: int) -> int:
    """Memory for counting pairs of `n` sequences: the sums of each thread, and the tables."""
    tables = joint_spec("", FULL, n, STREETS[-1], 2 if sampled else None, 0).nbytes
    return tables + threads * n * n * 8 * (2 if sampled else 1)


def _most_threads(n: int, sampled: bool, threads: int) -> int:
    """As many threads as memory has room for, each with sums of its own, up to `threads`."""
    while threads > 1 and memory_bytes(n, sampled, threads) > free_memory_bytes():
        threads -= 1
    return threads


def _check_fits(buckets: PerfectRecall, sampled: bool, threads: int) -> None:
    """Refuse what memory cannot hold, before any of it is counted."""
    n = n_sequences(buckets, STREETS[-1])
    needed = memory_bytes(n, sampled, threads)
    check_memory(f"pairs of {n:,} bucket sequences on {threads} threads", needed)


def _count_by(
    xp: Any, buckets: PerfectRecall, threads: int, progress: Progress | None
) -> NDArray[np.int64]:
    """Packed sums over all boards of the river, counted by the library of a GPU."""
    preflop, flop, turn, river = buckets.streets
    counts = BoardCounts(xp, buckets.deck, preflop.levels, flop, turn, threads, progress)
    return counts.tally(river, n_sequences(buckets, STREETS[-1]))


def _fill_values(sums: NDArray[np.int64], arrays: Arrays) -> None:
    """Probabilities, and wins less losses if asked for, from packed sums."""
    total = 2 * int(np.triu(sums, 1).sum()) + int(np.trace(sums))
    for rows, pairs, net in _unpack(sums):
        arrays["values"][rows] = pairs / total
        if "net" in arrays:
            arrays["net"][rows] = net / total


def _fill_errors(
    sums: NDArray[np.int64], squares: NDArray[np.int64], n: int, arrays: Arrays
) -> None:
    """Standard errors of the means of `n` boards, which have equal numbers of pairs."""
    total = 2 * int(np.triu(sums, 1).sum()) + int(np.trace(sums))
    both = zip(_unpack(sums), _unpack(squares), strict=True)
    for (rows, pairs, net), (_, pair_squares, net_squares) in both:
        for name, sums_of, squares_of in (
            ("errors", pairs, pair_squares),
            ("net_errors", net, np.abs(net_squares)),
        ):
            spread = squares_of - sums_of.astype(np.float64) ** 2 / n
            arrays[name][rows] = np.sqrt(np.maximum(spread, 0.0) * n / (n - 1)) / total


def _unpack(
    packed: NDArray[np.int64],
) -> Iterator[tuple[slice, NDArray[np.int64], NDArray[np.int64]]]:
    """Both matrices that are packed in one, the symmetric and the antisymmetric, by rows."""
    for start in range(0, len(packed), _ROWS_AT_ONCE):
        rows = slice(start, start + _ROWS_AT_ONCE)
        across = packed.T[rows]
        row, column = np.ogrid[: len(across), : len(packed)]
        above, on = row + start <= column, row + start == column
        symmetric = np.where(above, packed[rows], across)
        yield rows, symmetric, np.where(on, 0, np.where(above, -across, packed[rows]))
