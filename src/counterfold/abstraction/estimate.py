"""What building a card abstraction will take, before any of it is built."""

import time
from dataclasses import dataclass
from math import comb

import numpy as np

from counterfold.abstraction.bucketing import percentiles
from counterfold.abstraction.card_abstraction import STREETS, CardAbstraction, label_spec
from counterfold.abstraction.history import History
from counterfold.abstraction.source import Source
from counterfold.cards.deck import FULL
from counterfold.cards.strength import N_FINAL
from counterfold.cards.table_files import find_table
from counterfold.threads import thread_count

# Peak while labelling: strengths, weights, labels before and after ordering, as 8-byte numbers.
_BYTES_PER_CLASS = 45
_FIT_SECONDS = 60.0  # of one core, to walk over all boards of a full deck
_SAMPLE = 200_000  # points by which sorting is timed


@dataclass(frozen=True)
class BuildEstimate:
    """Time and space of a build, of what is not in the cache yet."""

    seconds: float
    memory_bytes: int
    disk_bytes: int


def estimate_build(abstraction: CardAbstraction, source: Source) -> BuildEstimate:
    """What `abstraction.build(source)` will take."""
    abstraction.check(source)
    seconds, memory, disk = 0.0, 0, 0
    tables: set[str] = set()
    per_class = _seconds_per_class()
    for street, bucketing in zip(STREETS, abstraction.streets, strict=True):
        spec = label_spec(bucketing, source, street)
        if find_table(spec, source.strength.folder) is not None:
            continue
        n_classes = source.n_classes(street)
        seconds += n_classes * per_class + bucketing.estimate_seconds(source, street)
        memory = max(memory, n_classes * _BYTES_PER_CLASS)
        disk += spec.nbytes
        tables |= bucketing.tables(street)
    for name in tables:
        seconds, disk = _add_table(name, tables, source, seconds, disk)
    return BuildEstimate(seconds, memory, disk)


def estimate_history(history: History, source: Source) -> BuildEstimate:
    """What `history.build(source)` will take."""
    spec = history.spec(source.strength.deck)
    if find_table(spec, source.strength.folder) is not None:
        return BuildEstimate(0.0, 0, 0)
    share = comb(source.strength.deck.n_cards, N_FINAL) / comb(FULL.n_cards, N_FINAL)
    threads = thread_count(source.threads)
    seconds, disk = _FIT_SECONDS * share / threads, spec.nbytes
    tables = {"preflop", "flop", "turn"}
    for name in tables:
        seconds, disk = _add_table(name, tables, source, seconds, disk)
    counts = history.n_sequences("turn") * (2 * source.strength.n_opponents + 1) * 8
    memory = threads * counts + source.n_classes("turn") * _BYTES_PER_CLASS
    return BuildEstimate(seconds, memory, disk)


def _add_table(
    name: str, tables: set[str], source: Source, seconds: float, disk: int
) -> tuple[float, int]:
    folder = source.strength.folder
    if name.startswith("draws-"):
        street = name.removeprefix("draws-")
        spec = source.draws.spec(street)
        if find_table(spec, folder) is None:
            seconds += source.draws.estimate_seconds(street, source.threads)
            disk += spec.nbytes
        return seconds, disk
    spec = source.strength.spec(name)
    if find_table(spec, folder) is None:
        if not (name == "preflop" and "flop" in tables):  # a sum over the flop's
            seconds += source.strength.estimate_seconds(name, source.threads)
        disk += spec.nbytes
    return seconds, disk


def _seconds_per_class() -> float:
    """Of cutting into percentiles and ordering by strength, timed on a sample."""
    values = np.random.default_rng(0).random(_SAMPLE)
    weights = np.full(_SAMPLE, 12, np.uint8)
    started = time.perf_counter()
    percentiles(values, weights, 10)
    return 3.0 * (time.perf_counter() - started) / _SAMPLE
