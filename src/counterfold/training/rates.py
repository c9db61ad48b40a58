"""How fast a recipe will train: its method, timed for a moment with tables of the full size.

Where card tables are not built yet, cards are looked up in empty ones and put into random buckets,
which takes the same time.
"""

import time
from dataclasses import dataclass
from itertools import pairwise
from math import prod

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.joint_tables import JointTable, JointTables
from counterfold.public import deals_kernels
from counterfold.public.card_maps import Buckets, CardLabels, Cards
from counterfold.public.deals import Dealer, Deals
from counterfold.training.plan import Plan
from counterfold.training.solver_factory import TableSolver, build_solver, sampled_chance

_MOST_TIMED_SLOTS = 50_000_000
# Of buckets, on the last street: with fewer a GPU has too little to do.
_MOST_TIMED_SEQUENCES = {"cpu": 700, "gpu": 4_096}
_TIMED_SECONDS = 0.5


def expected_rate(plan: Plan, counts: tuple[int, ...], *, built: bool) -> float:
    """Iterations per second with `counts` buckets by stage; `built` if the card tables are."""
    if plan.algorithm == "joint-tables":
        return _joint_rate(plan, counts)
    # An order of discards by strength would build its tables now.
    dealer = plan.dealer if built else Dealer(plan.variant)
    cards = (
        plan.cards() if built else _RandomCards(plan.spec.empty_map(dealer, plan.strength_lookup()))
    )
    if built:
        counts = cards.n_buckets
    while plan.game(counts).n_slots > _MOST_TIMED_SLOTS and max(counts) > 1:
        counts = tuple(max(1, n // 2) for n in counts)
    chance = sampled_chance(plan, _FoldedCards(dealer, cards, counts), dealer)
    # Only a few deals warm up, and they take far longer than the others.
    solver = build_solver(plan, plan.game(counts), chance, warm_up=False)
    return _time(solver, 1 if plan.walks_boards else 256)


def _joint_rate(plan: Plan, counts: tuple[int, ...]) -> float:
    """Nearly all the work is products with the joint table on the last street."""
    n_streets = len(plan.variant.streets)
    n_buckets = [counts[0]]
    n_buckets += [after // before for before, after in pairwise(counts[:n_streets])]
    while prod(n_buckets) > _MOST_TIMED_SEQUENCES[plan.device]:
        n_buckets[n_buckets.index(max(n_buckets))] -= 1
    sizes = np.cumprod(n_buckets).tolist()
    # Memory that was written once: a product of zeros takes as long as any.
    tables = [JointTable(np.full((n, n), 1.0 / n**2, np.float32)) for n in sizes]
    joint = JointTables(
        tuple(n_buckets), tuple(tables), JointTable(np.zeros_like(tables[-1].values))
    )
    rate = _time(build_solver(plan, plan.game(sizes), joint), 1)
    return rate * float(sizes[-1] / counts[n_streets - 1]) ** 2


def _time(solver: TableSolver, first: int) -> float:
    """Iterations per second; `first` are the fewest that are timed."""
    for table in solver.tables.values():
        table.fill(0.0)  # or the first touches of memory would dominate
    solver.run(1)  # loads or compiles the kernels
    iterations, seconds = first, 0.0
    while seconds < _TIMED_SECONDS / 2:
        started, before = time.perf_counter(), solver.iterations
        solver.run(iterations)
        seconds = time.perf_counter() - started
        done = solver.iterations - before  # more than asked for, if a solver walks in batches
        iterations *= 2
    return done / seconds


@dataclass(frozen=True, eq=False)
class _RandomCards:
    """Cards that are looked up as in `cards`, and then put into random buckets."""

    cards: CardLabels

    @property
    def n_buckets(self) -> tuple[int, ...]:
        """Of every stage."""
        return self.cards.n_buckets

    def label(self, deals: Deals) -> Buckets:
        """A bucket for every hand cell."""
        return self._shuffle(self.cards.label(deals), int(deals.cards[0, 0]))

    def label_hands(
        self, holes: Cards, boards: Cards, lengths: NDArray[np.uint8] | None = None
    ) -> Buckets:
        """A bucket for every hand."""
        return self._shuffle(self.cards.label_hands(holes, boards, lengths), int(boards[0, 0]))

    def _shuffle(self, labels: Buckets, seed: int) -> Buckets:
        return np.random.default_rng(seed).integers(0, 2**31, labels.shape, np.int32)


@dataclass(frozen=True, eq=False)
class _FoldedCards:
    """The buckets of `cards`, folded into `n_buckets` by stage."""

    dealer: Dealer
    cards: CardLabels
    n_buckets: tuple[int, ...]

    def label(self, deals: Deals) -> Buckets:
        """A bucket for every hand cell."""
        stages = self.dealer.layout.stages
        modulus = np.repeat(
            np.array(self.n_buckets, np.int32), stages[:, deals_kernels.STAGE_PATHS]
        )
        return self.cards.label(deals) % modulus

    def label_hands(
        self, holes: Cards, boards: Cards, lengths: NDArray[np.uint8] | None = None
    ) -> Buckets:
        """A bucket for every hand."""
        labels = self.cards.label_hands(holes, boards, lengths)
        return labels % np.array(self.n_buckets, np.int32)[: labels.shape[1], np.newaxis]
