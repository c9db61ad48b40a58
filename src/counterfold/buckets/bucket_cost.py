"""What building a card abstraction will cost, estimated before any of it is built."""

import time
from dataclasses import dataclass, field
from math import comb

import numpy as np

from counterfold.buckets.bucket_quality import emd_memory_bytes
from counterfold.buckets.bucketing import Bucketing
from counterfold.buckets.card_abstraction import CardAbstraction
from counterfold.buckets.histories.history import History
from counterfold.buckets.label_numbers import percentiles
from counterfold.buckets.run_histograms.run_clusters import estimate_run, run_spec
from counterfold.buckets.street_abstraction import StreetAbstraction, label_spec
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards.deck import FULL
from counterfold.cards.streets import N_FINAL, STREETS
from counterfold.cards.table_files import find_table
from counterfold.threads import thread_count

# Peak while labeling: strengths, weights, and labels before, while and after they are ordered;
# where values are sorted, the order and sums in it; where buckets are many, their means and order.
_BYTES_PER_CLASS, _BYTES_PER_SORTED, _BYTES_PER_BUCKET = 24, 45, 40
_FIT_SECONDS = 60.0  # of one core, for a walk over all boards of a full deck
_BYTES_PER_SECOND = 2.5e8  # of a table, to write and to hash
_SAMPLE = 200_000  # points that sorting is timed on


@dataclass(frozen=True)
class BuildEstimate:
    """Time and space to build what is not in the cache yet."""

    seconds: float
    memory_bytes: int
    disk_bytes: int

    def __add__(self, later: "BuildEstimate") -> "BuildEstimate":
        """One build after the other."""
        return BuildEstimate(
            self.seconds + later.seconds,
            max(self.memory_bytes, later.memory_bytes),
            self.disk_bytes + later.disk_bytes,
        )


def estimate(abstraction: CardAbstraction, source: StrengthLookup) -> BuildEstimate:
    """What ``abstraction.build(source)`` will cost, and the memory of its report.

    The time of the report is `estimate_measure`.
    """
    abstraction.check(source)
    needs = _Needs(source)
    histories, by_street = abstraction.factors
    for history in histories:
        needs.add_history(history)
    if by_street is not None:
        needs.add_streets(by_street)
    needs.add_tables()
    return needs.total


def estimate_measure(abstraction: CardAbstraction, source: StrengthLookup) -> BuildEstimate:
    """How long `measure` takes once all is built; its memory is part of the build's."""
    return BuildEstimate(abstraction.measure_seconds(source), 0, 0)


@dataclass
class _Needs:
    """The tables found to be missing."""

    source: StrengthLookup
    total: BuildEstimate = field(default_factory=lambda: BuildEstimate(0.0, 0, 0))
    tables: set[str] = field(default_factory=set)  # that something reads

    def add_streets(self, abstraction: StreetAbstraction) -> None:
        """The labels of each street."""
        to_sort = _seconds_per_class()
        for street, bucketing in zip(STREETS, abstraction.streets, strict=True):
            self._add_labels(bucketing, street, to_sort)
        if abstraction.run is not None:
            spec = run_spec(abstraction.run, self.source)
            if find_table(spec, self.source.strength.folder) is None:
                self.total += BuildEstimate(*estimate_run(abstraction.run), spec.nbytes)

    def _add_labels(self, bucketing: Bucketing, street: str, to_sort: float) -> None:
        source = self.source
        spec = label_spec(bucketing, source, street)
        if find_table(spec, source.strength.folder) is not None:
            return
        n_classes = source.n_classes(street)
        seconds = n_classes * to_sort + bucketing.estimate_seconds(source, street)
        extra = bucketing.estimate_space(source, street)
        n_buckets = bucketing.most_buckets(n_classes)
        # Scores of the river are small integers, which are counted and not sorted.
        per_class = _BYTES_PER_CLASS if street == "river" else _BYTES_PER_SORTED
        memory = n_classes * per_class + n_buckets * _BYTES_PER_BUCKET + extra.memory_bytes
        if street != "river":
            quality = emd_memory_bytes(n_buckets, n_classes, source.strength.bins)
            memory = max(memory, quality + n_classes * _BYTES_PER_CLASS)
        self.total += BuildEstimate(seconds, memory, spec.nbytes + extra.disk_bytes)
        self.tables |= bucketing.tables(street)

    def add_history(self, history: History) -> None:
        """The fit, and the levels of the turn."""
        source = self.source
        spec = history.spec(source.strength.deck)
        if find_table(spec, source.strength.folder) is not None:
            return
        share = comb(source.strength.deck.n_cards, N_FINAL) / comb(FULL.n_cards, N_FINAL)
        threads = thread_count(source.threads)
        seconds = _FIT_SECONDS * share / threads
        counts = history.n_sequences("turn") * (2 * source.strength.n_opponents + 1) * 8
        memory = threads * counts + source.n_classes("turn") * _BYTES_PER_SORTED
        self.total += BuildEstimate(seconds, memory, spec.nbytes)
        self.tables |= {"preflop", "flop", "turn", "river"}

    def add_tables(self) -> None:
        """The tables that are read, and those from which they are computed."""
        waiting, seen = set(self.tables), set()
        while waiting:
            name = waiting.pop()
            seen.add(name)
            spec = self.source.spec(name)
            if find_table(spec, self.source.strength.folder) is None:
                seconds = self.source.estimate_seconds(name) + spec.nbytes / _BYTES_PER_SECOND
                self.total += BuildEstimate(seconds, 0, spec.nbytes)
                waiting |= self.source.needs(name) - seen


def _seconds_per_class() -> float:
    """Time of cutting into percentiles and ordering by strength, measured on a sample."""
    values = np.random.default_rng(0).random(_SAMPLE)
    weights = np.full(_SAMPLE, 12, np.uint8)
    started = time.perf_counter()
    percentiles(values, weights, 10)
    return 3.0 * (time.perf_counter() - started) / _SAMPLE
