"""What a recipe will take, before anything large is built: sizes, memory, time, rate."""

import time
from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.abstraction import (
    BuildEstimate,
    CardAbstraction,
    CardBuckets,
    CardProduct,
    History,
    Source,
    parse_card_abstraction,
)
from counterfold.abstraction.estimate import estimate as estimate_cards
from counterfold.abstraction.long_boards import LongBoardBuckets
from counterfold.cards.streets import BOARD_SIZES
from counterfold.cards.table_files import find_table
from counterfold.compiled.card_maps import CardMap, TabledCards
from counterfold.compiled.classes import PublicGame
from counterfold.compiled.deals import STREET_OF_BOARD
from counterfold.compiled.walks import DealSource
from counterfold.kernels import deals as layouts
from counterfold.kernels import public_walks
from counterfold.kernels.public_walks import WalkDeals
from counterfold.memory import free_memory_bytes
from counterfold.runs.plan import Plan

_MOST_TIMED_SLOTS = 50_000_000
_TIMED_SECONDS = 0.5  # of walks, for the rate to be expected
_WRITTEN_AT_ONCE = 16 << 20  # bytes that NumPy copies to write them
_UNSAMPLED = ("joint-tables", "public-chance")  # whose iterations are no deals


@dataclass(frozen=True)
class Estimate:
    """What a recipe will take."""

    nodes: int
    edges: int
    classes: int
    infosets: int
    slots: int
    training_bytes: int  # regrets, averages, strategy, graph and listed deals
    tables_bytes: int  # card tables that are read while training
    bot_bytes: int  # of the exported strategy, before compression
    iterations_per_second: float  # deals, each walked for both players; NaN where not known
    tables: BuildEstimate  # to build the card tables that are not there yet


def estimate_plan(plan: Plan, bits: int = 8) -> Estimate:
    """Sizes, times and rates of `plan`, its strategy in so many bits."""
    counts = plan.most_buckets()
    game = plan.game(counts)
    needs, tables = _card_tables(plan)
    n_bytes = training_bytes(plan, game, bits)
    fits = n_bytes <= free_memory_bytes() and plan.algorithm not in _UNSAMPLED
    return Estimate(
        plan.graph.n_nodes,
        plan.graph.n_edges,
        game.n_classes,
        game.n_infosets,
        game.n_slots,
        n_bytes,
        tables,
        game.n_slots * bits // 8,
        _rate(plan, counts, built=needs.disk_bytes == 0) if fits else nan,
        needs,
    )


def training_bytes(plan: Plan, game: PublicGame, bits: int) -> int:
    """Regrets, averages and strategy by slots; the graph, its classes and its rows for walks.

    NumPy writes arrays of a checkpoint piece by piece, and that piece counts too.
    """
    graph = game.graph
    by_slot = 4 + 4 + bits // 8
    by_node = 8 * public_walks.N_COLUMNS
    by_edge, by_class = 4 + 1, 8 + 8
    arrays: list[NDArray[Any]] = [
        graph.situations,
        graph.starts,
        graph.children,
        graph.kinds,
        graph.amounts,
    ]
    arrays += [graph.labels, game.stage, game.classes, game.node_offsets, graph.decisions]
    total = by_slot * game.n_slots + by_node * graph.n_nodes + by_edge * graph.n_edges
    total += by_class * game.n_classes + min(_WRITTEN_AT_ONCE, 4 * game.n_slots)
    total += sum(array.nbytes for array in arrays)
    if plan.is_listed:
        deals, exact = plan.exact
        total += (
            deals.cards.nbytes + deals.lengths.nbytes + deals.holes.nbytes + deals.firsts.nbytes
        )
        total += deals.strengths.nbytes + deals.weights.nbytes + exact.label(deals).nbytes
    return total


def _card_tables(plan: Plan) -> tuple[BuildEstimate, int]:
    """What is to be built, and the bytes that are read when all is there."""
    if plan.is_listed or not plan.abstraction.cards:
        return BuildEstimate(0.0, 0, 0), 0
    source = plan.source()
    assert isinstance(plan.spec, CardAbstraction | History | CardProduct)
    width = 1 if isinstance(plan.spec, CardAbstraction) else 2  # bytes of a river class
    n_bytes = width * sum(source.n_classes(street) for street in BOARD_SIZES)
    return estimate_cards(plan.spec, source) + _discard_tables(plan, source), n_bytes


def _discard_tables(plan: Plan, source: Source) -> BuildEstimate:
    """What is to be built for dealing alone: the order of discards, where the buckets lack it."""
    assert isinstance(plan.spec, CardAbstraction | History | CardProduct)
    needs = BuildEstimate(0.0, 0, 0)
    if plan.recipe.discards != "by-strength":
        return needs
    for at, street in enumerate(plan.variant.streets):
        name = f"draws-{STREET_OF_BOARD.get(plan.variant.board_cards(at))}"
        if street.draw is None or name in _tables_of(plan.spec):
            continue
        spec = source.spec(name)
        if find_table(spec, source.strength.folder) is None:
            needs += BuildEstimate(source.estimate_seconds(name), 0, spec.nbytes)
    return needs


def _tables_of(spec: CardAbstraction | History | CardProduct) -> set[str]:
    """Strength tables that the buckets are read from."""
    cards = spec.cards if isinstance(spec, CardProduct) else spec
    if not isinstance(cards, CardAbstraction):
        return set()
    pairs = zip(BOARD_SIZES, cards.streets, strict=True)
    return set().union(*(bucketing.tables(street) for street, bucketing in pairs))


def _rate(plan: Plan, counts: tuple[int, ...], *, built: bool) -> float:
    """Deals per second, dealt, looked up and walked for a moment with tables of the full size."""
    source: DealSource
    if built:
        cards = plan.cards()
        counts, source = cards.n_buckets, plan.deals(cards)
    else:
        # An order of discards by strength would build its tables now.
        plan = Plan(plan.recipe.model_copy(update={"discards": "by-rank"}))
        source = _MadeUpDeals(plan, _like_tables(plan))
    while plan.game(counts).n_slots > _MOST_TIMED_SLOTS and max(counts) > 1:
        counts = tuple(max(1, n // 2) for n in counts)
    solver = plan.make_solver(plan.game(counts), _FoldedDeals(plan, source, counts))
    for table in solver.tables.values():
        table.fill(0.0)  # else the first touches of memory would be all one sees
    solver.run(1)  # loads or compiles the kernels
    deals, seconds = 256, 0.0
    while seconds < _TIMED_SECONDS / 2:
        started = time.perf_counter()
        solver.run(deals)
        seconds = time.perf_counter() - started
        deals *= 2
    return deals / 2 / seconds


def _like_tables(plan: Plan) -> CardMap:
    """Card tables of the right size with nothing in them, for the time that it takes to read."""
    source = plan.source()
    spec = (
        plan.spec
        if isinstance(plan.spec, CardAbstraction)
        else parse_card_abstraction("uniform(2)")
    )
    empty: dict[str, NDArray[np.integer]] = {
        street: np.zeros(source.n_classes(street), np.uint8) for street in BOARD_SIZES
    }
    runs = LongBoardBuckets(100, plan.variant.first_flush_suit_only)
    return TabledCards(plan.dealer, CardBuckets(spec, source, empty), runs)


@dataclass(frozen=True, eq=False)
class _MadeUpDeals:
    """Real deals, read as `cards`, then in random buckets: for times before there are tables."""

    plan: Plan
    cards: CardMap

    def batch(self, seed: int, first: int, n: int) -> WalkDeals:
        deals = self.plan.dealer.sample(seed, first, n)
        shape = self.cards.label(deals).shape
        buckets = np.random.default_rng(first).integers(0, 2**31, shape, np.int32)
        return WalkDeals(deals.lengths, buckets, deals.strengths)


@dataclass(frozen=True, eq=False)
class _FoldedDeals:
    """Deals of `source` in fewer buckets."""

    plan: Plan
    source: DealSource
    counts: tuple[int, ...]

    def batch(self, seed: int, first: int, n: int) -> WalkDeals:
        deals = self.source.batch(seed, first, n)
        stages = self.plan.dealer.layout.stages
        modulus = np.repeat(np.array(self.counts, np.int32), stages[:, layouts.VERSIONS])
        return deals._replace(buckets=deals.buckets % modulus)
