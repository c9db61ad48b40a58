"""What a recipe will cost, estimated before anything large is built: sizes, memory, time, rate."""

from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.bucket_cost import BuildEstimate
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards.streets import STREET_OF_BOARD
from counterfold.cards.table_files import find_table
from counterfold.devices import free_gpu_bytes, gpu_name
from counterfold.errors import BudgetError, TooLargeError
from counterfold.memory import free_memory_bytes
from counterfold.public import walk_kernels
from counterfold.public.boards import most_hands
from counterfold.public.infosets import PublicGame
from counterfold.ranges.joint.joint_pass import find_joint_lines, pass_bytes
from counterfold.threads import thread_count
from counterfold.training.plan import Plan
from counterfold.training.rates import expected_rate
from counterfold.training.recipe import Recipe
from counterfold.training.sampled_base import AVERAGES

_WRITTEN_AT_ONCE = 16 << 20  # bytes that NumPy copies at a time when writing


@dataclass(frozen=True)
class TrainingEstimate:
    """What a recipe will take."""

    device: str  # what trains: the name of a GPU, or the processor
    threads: int  # of the processor
    nodes: int
    edges: int
    classes: int
    infosets: int
    slots: int
    training_bytes: int  # regrets, averages, strategy, graph and listed deals
    tables_bytes: int  # card tables that are read while training
    bot_bytes: int  # of the exported strategy, before compression
    iterations_per_second: float  # for both players; NaN where training does not fit
    unit: str  # what one iteration covers: deals, boards, or all pairs of sequences
    tables: BuildEstimate  # to build the card tables that are not there yet
    device_bytes: int = 0  # of a GPU's memory, for regrets and averages alone


def estimate_plan(plan: Plan, bits: int = 8) -> TrainingEstimate:
    """Sizes, times and rates of `plan`, its strategy in `bits` per probability."""
    counts = plan.most_buckets()
    game = plan.game(counts)
    needs, tables = _card_tables(plan)
    n_bytes = training_bytes(plan, game, bits)
    fits = n_bytes <= free_memory_bytes()
    return TrainingEstimate(
        gpu_name() if plan.device == "gpu" else "processor",
        thread_count(plan.recipe.solver.threads),
        plan.graph.n_nodes,
        plan.graph.n_edges,
        game.n_classes,
        game.n_infosets,
        game.n_slots,
        n_bytes,
        tables,
        game.n_slots * bits // 8,
        expected_rate(plan, counts, built=needs.disk_bytes == 0) if fits else nan,
        plan.unit,
        needs,
        _device_bytes(plan, game) if plan.device == "gpu" else 0,
    )


def check_estimate(recipe: Recipe, estimate: TrainingEstimate) -> None:
    """Raise `TooLargeError` or `BudgetError` if training would not fit into memory."""
    needed = estimate.training_bytes
    advice = f"use fewer buckets, bets or features than make {estimate.infosets:,} information sets"
    limit = recipe.budget.memory
    if limit is not None and needed > limit:
        raise BudgetError(
            f"training needs {needed / 1e9:,.2f} GB, but budget.memory is "
            f"{limit.human_readable(decimal=True)}; {advice}"
        )
    free = free_memory_bytes()
    if needed > free:
        raise TooLargeError(
            f"training needs {needed / 1e9:,.2f} GB, but only {free / 1e9:,.2f} GB of memory are "
            "free; "
            f"{advice}"
        )
    held = estimate.device_bytes
    if held and held > (free := free_gpu_bytes()):
        raise TooLargeError(
            f"training needs more than {held / 1e9:,.2f} GB of the GPU's memory, of which "
            f"{free / 1e9:,.2f} GB are free; use --device cpu, or {advice}"
        )


def _device_bytes(plan: Plan, game: PublicGame) -> int:
    """Regrets of 32 bits, also those of a responder, and averages of 64."""
    return game.n_slots * (16 if plan.algorithm == "cfr-br" else 12)


def training_bytes(plan: Plan, game: PublicGame, bits: int) -> int:
    """Regrets, averages and strategy by slots; visits by information sets; the graph, its classes
    and its rows for walks.

    NumPy writes arrays of a checkpoint piece by piece, and that piece counts too.
    """
    graph = game.graph
    is_wide = plan.algorithm == "joint-tables" or plan.device == "gpu"
    averages = np.dtype(np.float64 if is_wide else AVERAGES).itemsize
    by_slot = 4 + averages + bits // 8
    by_node = 8 * walk_kernels.N_NODE_COLUMNS
    by_edge, by_class = 4 + walk_kernels.N_PATH_COLUMNS, 8 + 8
    arrays: list[NDArray[Any]] = [
        graph.situations,
        graph.starts,
        graph.children,
        graph.kinds,
        graph.amounts,
    ]
    arrays += [graph.labels, game.stage, game.classes, game.node_offsets, graph.decisions]
    total = by_slot * game.n_slots + by_node * graph.n_nodes + by_edge * graph.n_edges
    total += game.n_infosets + by_class * game.n_classes
    total += min(_WRITTEN_AT_ONCE, averages * game.n_slots)
    total += sum(array.nbytes for array in arrays)
    if plan.is_enumerated:
        deals, exact = plan.exact
        total += (
            deals.cards.nbytes
            + deals.lengths.nbytes
            + deals.holes.nbytes
            + deals.discard_first.nbytes
        )
        total += deals.strengths.nbytes + deals.weights.nbytes + exact.label(deals).nbytes
    if plan.algorithm == "cfr-br":
        total += 4 * game.n_slots + graph.n_nodes * most_hands(plan.dealer)
    if plan.algorithm == "joint-tables":
        n_sequences = plan.most_buckets()[: len(plan.variant.streets)]
        total += pass_bytes(find_joint_lines(game), n_sequences, np.float32)
    return total


def _card_tables(plan: Plan) -> tuple[BuildEstimate, int]:
    """What must be built, and the bytes that are read once it is."""
    if plan.is_enumerated or not plan.abstraction.cards:
        return BuildEstimate(0.0, 0, 0), 0
    needs = plan.spec.estimate(plan) + _discard_tables(plan, plan.strength_lookup())
    if plan.algorithm == "joint-tables":
        needs += plan.spec.estimate_joint(plan)
    return needs, plan.spec.tables_bytes(plan)


def _discard_tables(plan: Plan, lookup: StrengthLookup) -> BuildEstimate:
    """What must be built for dealing: the order of discards, if the buckets lack it."""
    needs = BuildEstimate(0.0, 0, 0)
    if not plan.discards_by_strength or plan.variant.gives_cards:
        return needs
    for at, street in enumerate(plan.variant.streets):
        name = f"draws-{STREET_OF_BOARD.get(plan.variant.board_cards(at))}"
        if street.draw is None or name in plan.spec.strength_tables():
            continue
        spec = lookup.spec(name)
        if find_table(spec, lookup.strength.folder) is None:
            needs += BuildEstimate(lookup.estimate_seconds(name), 0, spec.nbytes)
    return needs
