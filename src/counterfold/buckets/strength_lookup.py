"""What bucketings read: the strength tables of one deck, street by street.

A *metric* gives a number from 0 to 1 for every class: E[HS] (``ehs``), E[HS²] (``ehs2``), and both
if cards may still be exchanged (``draw``, ``draw2``), for Discard Hold'em. On the river nothing can
be exchanged, and the last two equal the first two. Histograms also exist of strength at the end of
a run (``run``), for River of Blood.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.run_histograms.run_tables import RunTables
from counterfold.cards import DrawHistograms, DrawTables, FinalStrength, Strength, StrengthTables
from counterfold.cards.ranking_kernels import STANDARD
from counterfold.cards.table_files import Progress, TableSpec
from counterfold.cluster.workers import Workers
from counterfold.devices import Device
from counterfold.errors import AbstractionError, UnknownNameError
from counterfold.threads import thread_count

METRICS = ("ehs", "ehs2", "draw", "draw2")
MEANS = ("ehs", "draw")  # metrics with second moments and histograms
SQUARE = {"ehs": "ehs2", "draw": "draw2"}
RUN = "run"
HISTOGRAMS = (*MEANS, RUN)  # metrics with histograms

_DRAWS, _FINAL, _RUN = "draws-", "final-", "run-"


@dataclass(frozen=True)
class StrengthLookup:
    """Strength of all classes; tables are built when first needed."""

    strength: StrengthTables = field(default_factory=StrengthTables)
    threads: int | None = None
    progress: Progress | None = None
    device: Device = "auto"  # on which boards are counted; the numbers are the same
    workers: Workers | None = None  # who builds tables and counts boards instead of threads

    def check_usual(self, what: str) -> None:
        """Raise `AbstractionError` unless hands have the order of hold'em, which `what` needs."""
        if self.strength.ranking != STANDARD:
            raise AbstractionError(
                f"{what} needs the standard ranking, not {self.strength.ranking}; use other buckets"
            )

    @property
    def draws(self) -> DrawTables:
        """Strength with discards, for the same deck and folder."""
        self.check_usual("strength with discards")
        return DrawTables(self.strength.deck, self.strength.folder)

    @property
    def draw_histograms(self) -> DrawHistograms:
        """Distributions of final strength with discards, for the same deck, bins and folder."""
        self.check_usual("strength with discards")
        return DrawHistograms(self.strength)

    @property
    def runs(self) -> RunTables:
        """Distributions of strength at the end of a run, for the same deck, bins and folder."""
        self.check_usual("strength at the end of a run")
        return RunTables(self.strength)

    def n_classes(self, street: str) -> int:
        """Classes of the street."""
        return self.strength.isomorphism(street).size

    def weights(self, street: str) -> NDArray[np.uint8]:
        """How many deals each class stands for."""
        return self.strength.isomorphism(street).weights(threads=thread_count(self.threads))

    def mean(self, street: str) -> NDArray[np.float64]:
        """E[HS] of every class."""
        return self._plain(street).mean()

    def value(self, metric: str, street: str) -> NDArray[np.float64]:
        """A number from 0 to 1 for every class."""
        check_metric(metric)
        if metric == "draw" and street != "river":
            return self._draw_mean(street)
        if metric == "draw2" and street != "river":
            return self._final(street).second_moment()
        table = self._plain(street)
        return table.second_moment() if metric in SQUARE.values() else table.mean()

    def order(self, metric: str, street: str) -> NDArray[Any]:
        """Numbers that order the classes like `value`: the integers of the tables if any."""
        check_metric(metric)
        if metric == "draw" and street != "river":
            return self._draw_mean(street)
        if metric == "draw2" and street != "river":
            return np.asarray(self._final(street).squares)
        table = self._plain(street)
        squares = table.squares if metric in SQUARE.values() else None
        return np.asarray(table.sums if squares is None else squares)

    def histograms(self, street: str, metric: str = "ehs") -> NDArray[np.integer] | None:
        """Run-outs of every class by final HS, with discards for ``draw``; None on the river.

        With ``run`` they go to the end of the run, and are given as shares.
        """
        check_histogram(metric)
        if metric == RUN and street != "river":
            return self.runs.street(street, threads=self.threads, progress=self.progress)
        if metric == "draw" and street != "river":
            return self._final(street).histograms
        return self._plain(street).histograms

    def chance_above(
        self, strength: float, street: str, metric: str = "ehs"
    ) -> NDArray[np.float64]:
        """Probability of ending in a bin of final HS that lies above `strength`."""
        histograms = self.histograms(street, metric)
        if histograms is None:
            raise AbstractionError(f"the {street} table has no histograms; set bins above 0")
        first = int(np.ceil(strength * self.strength.bins - 1e-9))  # 0.14 * 50 is above 7
        above = histograms[:, first:].sum(axis=1, dtype=np.int64)
        return np.asarray(above / histograms[0].sum(dtype=np.int64))

    def ochs(self, street: str) -> NDArray[np.float32]:
        """Equity of every class against each opponent cluster."""
        table = self.strength.street(street, river_ochs=True, **self._how)
        return table.ochs_vectors().astype(np.float32)

    def spec(self, table: str) -> TableSpec:
        """A table by the name that `counterfold tables` has for it."""
        if table.startswith(_FINAL):
            return self.draw_histograms.spec(table.removeprefix(_FINAL))
        if table.startswith(_DRAWS):
            return self.draws.spec(table.removeprefix(_DRAWS))
        if table.startswith(_RUN):
            return self.runs.spec(table.removeprefix(_RUN))
        return self.strength.spec(table)

    def needs(self, table: str) -> set[str]:
        """Names of the tables from which a table is computed."""
        if table.startswith(_FINAL):
            return self.draw_histograms.needs(table.removeprefix(_FINAL))
        if table.startswith(_RUN):
            return self.runs.needs(table.removeprefix(_RUN))
        return {"flop"} if table == "preflop" else set()

    def estimate_seconds(self, table: str) -> float:
        """How long building a table would take once those that it needs are built."""
        if table.startswith(_FINAL):
            return self.draw_histograms.estimate_seconds(table.removeprefix(_FINAL), self.threads)
        if table.startswith(_DRAWS):
            return self.draws.estimate_seconds(table.removeprefix(_DRAWS), self.threads)
        if table.startswith(_RUN):
            return self.runs.estimate_seconds(table.removeprefix(_RUN), self.threads)
        return 0.0 if table == "preflop" else self.strength.estimate_seconds(table, self.threads)

    def _plain(self, street: str) -> Strength:
        return self.strength.street(street, **self._how)

    def _final(self, street: str) -> FinalStrength:
        return self.draw_histograms.street(street, **self._how)

    @property
    def _how(self) -> dict[str, Any]:
        """How tables are built."""
        return {"threads": self.threads, "progress": self.progress, "workers": self.workers}

    def _draw_mean(self, street: str) -> NDArray[np.float64]:
        """Before the flop nothing is decided, so its value is the mean over all flops."""
        on_flop = street == "preflop"
        table = self.draws.street("flop" if on_flop else street, **self._how)
        values = table.before.astype(np.float64)
        if not on_flop:
            return values
        deals = table.isomorphism.unindex_many(np.arange(table.isomorphism.size))
        of = self.strength.isomorphism("preflop").index_many(deals[:, :2])
        weights = table.isomorphism.weights().astype(np.float64)
        return np.asarray(np.bincount(of, weights=weights * values) / np.bincount(of, weights))


def metric_tables(metric: str, street: str) -> set[str]:
    """Names of the tables that a metric is read from, and strength for the order of buckets."""
    if street == "river" or metric not in ("draw", "draw2"):
        return {street}
    if metric == "draw":
        return {street, _DRAWS + ("flop" if street == "preflop" else street)}
    return {street, _FINAL + street}


def histogram_tables(metric: str, street: str) -> set[str]:
    """Names of the tables that histograms are read from, and strength for the order of buckets."""
    if metric == RUN:
        return {street} if street == "river" else {street, _RUN + street}
    return metric_tables(SQUARE[metric], street)  # they come with second moments


def check_metric(metric: str) -> None:
    """Raise `UnknownNameError` for a metric that no table has."""
    if metric not in METRICS:
        raise UnknownNameError("metric", metric, METRICS)


def check_mean(metric: str) -> None:
    """Raise `UnknownNameError` for a metric without second moments and histograms."""
    if metric not in MEANS:
        raise UnknownNameError("metric of final strength", metric, MEANS)


def check_histogram(metric: str) -> None:
    """Raise `UnknownNameError` for a metric without histograms."""
    if metric not in HISTOGRAMS:
        raise UnknownNameError("metric with histograms", metric, HISTOGRAMS)
