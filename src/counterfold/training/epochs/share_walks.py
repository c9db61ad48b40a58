"""A share of an epoch: samples that one worker walks from the tables the epoch began with.

The walk learns as it goes, in tables of its own; what it added is the result. That depends on the
recipe, the numbers of the samples and the tables at the start, and on nothing else.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from counterfold.threads import Stretch
from counterfold.training.epochs.table_changes import Changes, find_changes
from counterfold.training.plan import Plan
from counterfold.training.recipe import Recipe, change_recipe
from counterfold.training.run_parcel import check_digests
from counterfold.training.sampled_base import SampledSolver
from counterfold.training.solver_factory import build_solver, find_chance

Tables = Mapping[str, NDArray[np.floating]]


class PublishedTables(NamedTuple):
    """What all shares of an epoch begin with."""

    number: int  # another one for other tables
    tables: Tables  # those that walks read


class ShareResult(NamedTuple):
    """What a share added to the tables."""

    changes: Mapping[str, Changes]  # by table
    visited: int  # nodes
    walk_seconds: float
    other_seconds: float  # to copy tables and find the changes

    @property
    def nbytes(self) -> int:
        """What travels."""
        return sum(changes.nbytes for changes in self.changes.values())


@dataclass(frozen=True)
class ShareJob:
    """Walks of a recipe; card tables must be those of the head."""

    recipe: Recipe
    digests: Mapping[str, str]  # of the card tables

    def prepare(self) -> Callable[[PublishedTables, Stretch], ShareResult]:
        """Open the cards, build the tables."""
        plan = Plan(change_recipe(self.recipe, ["solver.threads=1", "solver.device=cpu"]))
        cards = plan.cards()
        check_digests(cards, self.digests)
        solver = build_solver(plan, plan.game(cards.n_buckets), find_chance(plan, cards))
        return ShareWalker(cast(SampledSolver, solver)).walk


class ShareWalker:
    """Walks shares, one after another, with one set of tables."""

    def __init__(self, solver: SampledSolver) -> None:
        self._solver = solver
        self._number: int | None = None  # of the tables that it has

    def walk(self, published: PublishedTables, share: Stretch) -> ShareResult:
        """Walk from the tables that were published; they are restored afterwards."""
        began = time.perf_counter()
        solver, tables = self._solver, self._solver.tables
        if published.number != self._number:
            for name, table in tables.items():
                table[...] = published.tables.get(name, 0.0)
            self._number = published.number
        visited = solver.visited
        copied = time.perf_counter()
        solver.walk(*share)
        walked = time.perf_counter()
        changes = {name: _take_back(t, published.tables.get(name)) for name, t in tables.items()}
        other = copied - began + time.perf_counter() - walked
        return ShareResult(changes, solver.visited - visited, walked - copied, other)


def _take_back(table: NDArray[Any], before: NDArray[Any] | None) -> Changes:
    """The changes of a table, which is as it was before afterwards."""
    slots, changes = find_changes(table, before)
    table[slots] = 0.0 if before is None else before[slots]
    return changes
