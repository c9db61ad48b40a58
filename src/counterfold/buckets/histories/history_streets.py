"""The buckets of a history bucketing in the form of the kernels, street by street.

Before the flop and on it the levels are buckets by class. On the turn a level is the percentile of
the class by the metric in 65,536 steps, on the river the integer score of the hand, and the bucket
is the number of cuts of the sequence so far that the level reaches.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.histories.history_kernels import StreetTables
from counterfold.buckets.label_numbers import percentiles
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards.isomorphism_kernels import IndexTables
from counterfold.cards.streets import STREETS
from counterfold.cards.table_files import (
    Arrays,
    Column,
    TableSpec,
    build_table,
    read_only,
)

if TYPE_CHECKING:
    from counterfold.buckets.histories.history import History

N_LEVELS = 1 << 16  # of the turn


def street_tables(
    history: "History", source: StrengthLookup, arrays: Arrays, street: str
) -> StreetTables:
    """The kernel form of a street, as far as it has been fitted."""
    classes = source.strength.isomorphism(street).tables
    none = np.zeros(0, np.uint16)
    if street in ("preflop", "flop"):
        return make_street(history.n_buckets, classes, arrays[street])
    levels = within = none
    if street == "turn":
        levels = turn_levels(source, history.metric)
        within = turn_levels(source, "ehs") if history.m > 1 else none
    n_rows = history.n_sequences(STREETS[STREETS.index(street) - 1])
    cuts = arrays.get(f"{street}_cuts", np.zeros((n_rows, 0), np.int32))
    within_cuts = arrays.get(f"{street}_within_cuts", np.zeros((n_rows * history.n, 0), np.int32))
    return make_street(history.n_buckets, classes, levels, cuts, within, within_cuts)


def make_street(
    n_buckets: int,
    classes: IndexTables,
    levels: NDArray[Any],
    cuts: NDArray[Any] | None = None,
    within: NDArray[Any] | None = None,
    within_cuts: NDArray[Any] | None = None,
) -> StreetTables:
    """Tables of one type, whatever they hold, so kernels are compiled only once."""
    no_cuts, no_levels = np.zeros((0, 0), np.int32), np.zeros(0, np.uint16)
    return StreetTables(
        n_buckets,
        classes,
        read_only(levels.astype(np.uint16, copy=False)),
        read_only(no_cuts if cuts is None else cuts),
        read_only(no_levels if within is None else within),
        read_only(no_cuts if within_cuts is None else within_cuts),
    )


def turn_levels(source: StrengthLookup, metric: str) -> NDArray[np.uint16]:
    """The level of every class of the turn: where it stands by `metric`, in 65,536 steps."""
    columns = {"levels": Column("<u2", (source.n_classes("turn"),))}
    depends = {"deck": source.strength.deck.name, "metric": metric, "steps": N_LEVELS}
    spec = TableSpec("levels-turn", depends, columns)

    def work(first: int, last: int, arrays: Arrays) -> None:
        values = source.order(metric, "turn")
        arrays["levels"][...] = percentiles(values, source.weights("turn"), N_LEVELS)

    return build_table(spec, source.strength.folder, 1, work, threads=1)["levels"]
