"""What bucketings read: the strength tables of one deck, street by street."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.cards import DrawTables, StrengthTables
from counterfold.cards.table_files import Progress, TableSpec
from counterfold.errors import AbstractionError, UnknownNameError

METRICS = ("ehs", "ehs2", "draw")


@dataclass(frozen=True)
class Source:
    """Strength of all classes; tables are built when first asked for."""

    strength: StrengthTables = field(default_factory=StrengthTables)
    threads: int | None = None
    progress: Progress | None = None

    @property
    def draws(self) -> DrawTables:
        """Strength with discards, for the same deck and folder."""
        return DrawTables(self.strength.deck, self.strength.folder)

    def n_classes(self, street: str) -> int:
        """Classes of the street."""
        return self.strength.isomorphism(street).size

    def weights(self, street: str) -> NDArray[np.uint8]:
        """How many deals each class stands for."""
        return self.strength.isomorphism(street).weights()

    def mean(self, street: str) -> NDArray[np.float64]:
        """E[HS] of every class."""
        table = self.strength.street(street, threads=self.threads, progress=self.progress)
        return table.mean()

    def value(self, metric: str, street: str) -> NDArray[np.float64]:
        """A number from 0 to 1 for every class: E[HS], E[HS²], or E[HS] with discards to come.

        Without a discard to come, ``draw`` is plain E[HS].
        """
        check_metric(metric)
        if metric == "draw" and street in ("flop", "turn"):
            table = self.draws.street(street, threads=self.threads, progress=self.progress)
            return table.before.astype(np.float64)
        strength = self.strength.street(street, threads=self.threads, progress=self.progress)
        return strength.second_moment() if metric == "ehs2" else strength.mean()

    def order(self, metric: str, street: str) -> NDArray[Any]:
        """Numbers that order the classes like `value`: the integers of the tables where it has."""
        check_metric(metric)
        if metric == "draw" and street in ("flop", "turn"):
            return self.value(metric, street)
        table = self.strength.street(street, threads=self.threads, progress=self.progress)
        squares = table.squares if metric == "ehs2" and table.squares is not None else None
        return np.asarray(table.sums if squares is None else squares)

    def histograms(self, street: str) -> NDArray[np.integer] | None:
        """Run-outs of every class by final HS; None on the river."""
        table = self.strength.street(street, threads=self.threads, progress=self.progress)
        return table.histograms

    def chance_above(self, strength: float, street: str) -> NDArray[np.float64]:
        """Probability of ending in a bin of final HS that lies above `strength`."""
        table = self.strength.street(street, threads=self.threads, progress=self.progress)
        if table.histograms is None:
            raise AbstractionError(f"the {street} table has no histograms; ask for bins")
        first = int(np.ceil(strength * self.strength.bins - 1e-9))  # 0.14 * 50 is above 7
        above = table.histograms[:, first:].sum(axis=1, dtype=np.int64)
        return np.asarray(above / table.n_run_outs)

    def ochs(self, street: str) -> NDArray[np.float32]:
        """Equity of every class against each opponent cluster."""
        table = self.strength.street(
            street, river_ochs=True, threads=self.threads, progress=self.progress
        )
        return table.ochs_vectors().astype(np.float32)

    def spec(self, table: str) -> TableSpec:
        """A table by the name that `counterfold tables` has for it."""
        if table.startswith("draws-"):
            return self.draws.spec(table.removeprefix("draws-"))
        return self.strength.spec(table)

    def estimate_seconds(self, table: str) -> float:
        """How long building a table would take, by its name."""
        if table.startswith("draws-"):
            return self.draws.estimate_seconds(table.removeprefix("draws-"), self.threads)
        return self.strength.estimate_seconds(table, self.threads)


def metric_tables(metric: str, street: str) -> set[str]:
    """Names of the tables that a metric is read from."""
    if metric == "draw" and street in ("flop", "turn"):
        return {street, f"draws-{street}"}
    return {street}


def check_metric(metric: str) -> None:
    """Raise `UnknownNameError` for a metric that no table has."""
    if metric not in METRICS:
        raise UnknownNameError("metric", metric, METRICS)
