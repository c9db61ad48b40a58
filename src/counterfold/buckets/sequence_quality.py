"""The quality of buckets that depend on the order of streets: those of histories and products.

A bucket is a whole sequence, or all that a player knows. Before the flop and on it a class fixes
it. For a history the figures of turn and river are exact, too: the fit has counted all deals by
sequence and final strength, and for the EMD on the turn there is one more walk over them. For a
product they are estimated from deals drawn at random.
"""

from math import comb
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.bucket_quality import (
    StreetQuality,
    choose_buckets,
    format_example,
    make_quality,
    mean_emd,
    measure_street,
)
from counterfold.buckets.histories import history_kernels
from counterfold.buckets.histories.flop_walks import bucket_pairs, fill_buffers, list_flops
from counterfold.buckets.label_numbers import dense
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards.deck import Deck
from counterfold.cards.isomorphism import Isomorphism
from counterfold.cards.streets import BOARD_SIZES, STREETS
from counterfold.cards.table_files import read_only
from counterfold.threads import thread_count

if TYPE_CHECKING:
    from counterfold.buckets.card_product import ProductBuckets
    from counterfold.buckets.histories.history import FittedHistory

# For a class up to the flop, for a deal on the turn, for a sampled deal.
_CLASS_SECONDS, _GAP_SECONDS, _DEAL_SECONDS = 1e-6, 3e-7, 1e-5
N_SAMPLES = 400_000  # deals that a product is measured on
_N_EXAMPLES = 100_000  # deals that examples are taken from
_FLOPS_AT_ONCE = 8


def history_measure_seconds(source: StrengthLookup) -> float:
    """How long `measure_history` takes."""
    seconds = _early_seconds(source)
    if source.strength.bins:
        deck = source.strength.deck
        n_deals = Isomorphism((3, 1), deck).size * comb(deck.n_cards - 4, 2)
        seconds += n_deals * _GAP_SECONDS / thread_count(source.threads)
    return seconds


def product_measure_seconds(source: StrengthLookup) -> float:
    """How long `measure_product` takes."""
    return _early_seconds(source) + N_SAMPLES * _DEAL_SECONDS


def _early_seconds(source: StrengthLookup) -> float:
    return sum(source.n_classes(street) for street in STREETS[:2]) * _CLASS_SECONDS


def measure_history(fitted: "FittedHistory") -> list[StreetQuality]:
    """The figures of the bucket sequences up to each street, of all deals."""
    source = fitted.source
    flop = source.strength.isomorphism("flop")
    sequences = fitted.sequence_numbers(flop.unindex_many(np.arange(flop.size)))
    return [
        measure_street(np.asarray(fitted.arrays["preflop"]), source, "preflop"),
        measure_street(sequences, source, "flop"),
        _measure_turn(fitted),
        _measure_river(fitted),
    ]


def _measure_turn(fitted: "FittedHistory") -> StreetQuality:
    """From the final scores of each sequence: their mean is the mean of E[HS] on the turn."""
    source = fitted.source
    counts = np.asarray(fitted.arrays["river_counts"])
    sizes = counts.sum(axis=1).astype(np.float64)
    weights, strength = source.weights("turn").astype(np.float64), source.mean("turn")
    variance = weights @ (strength - weights @ strength / weights.sum()) ** 2 / weights.sum()
    return make_quality(
        "turn",
        strength.size,
        sizes,
        counts @ _strengths(fitted),
        float(variance * sizes.sum()),
        emd=_turn_emd(fitted, counts),
        examples=_find_examples(fitted, "turn", sizes.size),
    )


def _measure_river(fitted: "FittedHistory") -> StreetQuality:
    counts = np.asarray(fitted.arrays["river_counts"])
    strengths = _strengths(fitted)
    n_buckets = fitted.history.n_buckets
    sizes = np.zeros((len(counts), n_buckets))
    sums = np.zeros_like(sizes)
    for row, of_row in enumerate(counts):
        buckets = fitted.river_buckets(row)
        sizes[row] = np.bincount(buckets, weights=of_row, minlength=n_buckets)
        sums[row] = np.bincount(buckets, weights=of_row * strengths, minlength=n_buckets)
    of_score = counts.sum(axis=0)
    mean = of_score @ strengths / of_score.sum()
    return make_quality(
        "river",
        fitted.source.n_classes("river"),
        sizes.ravel(),
        sums.ravel(),
        float(of_score @ (strengths - mean) ** 2),
        emd=None,
        examples=_find_examples(fitted, "river", sizes.size),
    )


def _strengths(fitted: "FittedHistory") -> NDArray[np.float64]:
    """HS of each score."""
    top = 2 * fitted.source.strength.n_opponents
    return np.arange(top + 1) / top


def _turn_emd(fitted: "FittedHistory", counts: NDArray[np.int64]) -> float | None:
    """The mean distance of all deals up to the turn to the mean histogram of their sequence."""
    source = fitted.source
    table, bin_of = source.histograms("turn"), source.strength.bin_of
    if table is None:
        return None
    histograms = read_only(table)
    centers = np.zeros((len(counts), histograms.shape[1]))
    for score, column in enumerate(bin_of):
        centers[:, column] += counts[:, score]
    n_run_outs = source.strength.n_run_outs("turn")
    sizes = np.maximum(counts.sum(axis=1, keepdims=True), 1)
    centers = np.cumsum(centers * (n_run_outs / sizes), axis=1)
    flops = list_flops(fitted.deck)
    preflop = bucket_pairs(fitted.deck, fitted.arrays["preflop"])
    gaps = np.zeros(len(flops.boards))  # by flop, so the number of threads changes nothing
    deals = np.zeros(len(flops.boards), np.int64)
    _, flop, turn, _ = fitted.streets

    def work(first: int, last: int, walk: history_kernels.FlopScratch) -> None:
        history_kernels.sum_turn_gaps(
            first, last, flops, preflop, flop, turn, histograms, centers, walk, gaps, deals
        )

    walks = [history_kernels.make_flop_scratch() for _ in range(thread_count(source.threads))]
    fill_buffers("quality-turn", work, len(gaps), _FLOPS_AT_ONCE, walks, source.progress)
    return float(gaps.sum() / deals.sum() / n_run_outs / histograms.shape[1])


def measure_product(built: "ProductBuckets") -> list[StreetQuality]:
    """The figures of everything that a player knows; on turn and river from a sample of deals."""
    tables = [
        measure_street(dense(np.asarray(built.tables[s])), built.source, s) for s in STREETS[:2]
    ]
    deals = draw_deals(built.deck, N_SAMPLES)
    return tables + [_measure_sample(built, deals, street) for street in STREETS[2:]]


def _measure_sample(
    built: "ProductBuckets", deals: NDArray[np.uint8], street: str
) -> StreetQuality:
    source = built.source
    dealt = deals[:, : 2 + BOARD_SIZES[street]]
    labels = dense(built.numbers(dealt))
    isomorphism = source.strength.isomorphism(street)
    classes = isomorphism.index_many(dealt)
    table = source.strength.street(street, threads=source.threads, progress=source.progress)
    strength, ones = table.mean(classes), np.ones(len(deals))
    n_buckets = int(labels.max()) + 1
    return make_quality(
        street,
        isomorphism.size,
        np.bincount(labels, minlength=n_buckets).astype(np.float64),
        np.bincount(labels, weights=strength, minlength=n_buckets),
        float(((strength - strength.mean()) ** 2).sum()),
        emd=mean_emd(labels, ones, source, street, classes),
        examples=_pick(labels, dealt, n_buckets),
        n_samples=len(deals),
    )


def draw_deals(deck: Deck, n: int, seed: int = 0) -> NDArray[np.uint8]:
    """Hole cards and complete boards ``[n, 7]``, drawn at random."""
    rng = np.random.default_rng(seed)
    parts = []
    for start in range(0, n, _N_EXAMPLES):
        keys = rng.random((min(_N_EXAMPLES, n - start), deck.n_cards), np.float32)
        parts.append(np.argsort(keys, axis=1)[:, :7])
    return np.asarray(deck.cards, np.uint8)[np.concatenate(parts)]


def _find_examples(fitted: "FittedHistory", street: str, n_buckets: int) -> tuple[str, ...]:
    deals = draw_deals(fitted.deck, _N_EXAMPLES)[:, : 2 + BOARD_SIZES[street]]
    return _pick(fitted.sequence_numbers(deals), deals, n_buckets)


def _pick(labels: NDArray[np.integer], deals: NDArray[np.uint8], n_buckets: int) -> tuple[str, ...]:
    """The first deal of each bucket that is shown; a bucket without deals has none."""
    found = ((bucket, np.flatnonzero(labels == bucket)) for bucket in choose_buckets(n_buckets))
    return tuple(format_example(bucket, deals[held[0]]) for bucket, held in found if held.size)
