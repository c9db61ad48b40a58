"""What each action is worth to every hand, if both seats play a blueprint from there on.

Where few run-outs may follow the values are means over all of them: exact. Before that, they are
estimates from random run-outs, with intervals. What a hand wins and what it meets are both summed
over run-outs, and the value is their quotient; its interval is that of a ratio of means (Cochran
1977, chapter 6) by Student's distribution, narrower as a larger part of all run-outs is taken. Few
run-outs may miss the rare ones that decide about a hand, and all seem to agree; so two more are
assumed, which err as those of all hands do on average. Hands that differ only in the names of
suits, where nothing tells these apart, are counted together.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy  # `scipy.special` is imported when it is used
from numpy.typing import NDArray

from counterfold.blueprints.dealt_runouts import can_list_runouts, count_kinds, deal_runouts
from counterfold.blueprints.hand_buckets import HandBuckets
from counterfold.blueprints.runout_walk import RunoutWalk, SeatWorth
from counterfold.blueprints.strategy_table import Cards, StrategyTable, find_range
from counterfold.cards import format_cards
from counterfold.cards.pairs import index_pairs
from counterfold.cards.suits import rename_pairs
from counterfold.errors import UnsupportedGameError
from counterfold.frames import make_frame, name_figures
from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.intervals import Estimate
from counterfold.ranges.board_cards import BoardCards

Values = NDArray[np.float64]

_USUAL_SAMPLE = 100  # run-outs, where there are more
_UPPER = 0.975  # the upper end of a 95% interval
_LEAST_WORTH = 1.5  # run-outs, below which there is no interval
_ASSUMED = 2  # run-outs that err as those of all hands do


def check_valued(variant: Variant) -> None:
    """Raise `UnsupportedGameError` unless values of hands can be computed."""
    if variant.hole_cards != 2 or variant.hands_change or variant.max_runs:
        raise UnsupportedGameError(
            "EV needs two hole cards that never change and a board of fixed length, unlike those "
            f"of {variant.name}"
        )
    if variant.bounty is not None or variant.rank_order:
        raise UnsupportedGameError(
            f"EV needs the usual order of ranks and nothing but the pot to win, unlike "
            f"{variant.name}"
        )


@dataclass(frozen=True, eq=False)
class ActionValues:
    """Chips of the pot that hands win from here on; a fold has 0.

    NaN where no hand of the other seat gets here. Intervals are half of the 95% interval, and 0
    where values are exact.
    """

    hands: tuple[Cards, ...]  # of the rows
    labels: tuple[str, ...]  # of the actions
    means: Values  # [rows, actions]
    intervals: Values  # [rows, actions]
    mixed: Values  # [rows] if a hand takes its actions as often as the blueprint does
    mixed_intervals: Values  # [rows]
    ranges: tuple[Estimate, Estimate]  # of all hands of a seat, by seat; together the pot
    n_runouts: int  # that were taken
    n_runouts_in_all: int | None  # up to names of suits; None if they were not listed

    @property
    def is_exact(self) -> bool:
        """Whether all run-outs were taken."""
        return self.n_runouts == self.n_runouts_in_all

    def describe(self) -> str:
        """How the values were found, in words."""
        n, in_all = self.n_runouts, self.n_runouts_in_all
        if self.is_exact:
            return "exact" if n == 1 else f"exact, over all {n:,} run-outs"
        of = "" if in_all is None else f" of {in_all:,}"
        return f"estimated from {n:,}{of} run-outs, with 95% intervals"

    def tell_ranges(self) -> str:
        """What the range of each seat wins, in words."""
        first, second = map(write_ev, self.ranges)
        return f"seat 0 {first} and seat 1 {second} chips of the pot"

    @cached_property
    def _places(self) -> dict[Cards, int]:
        return {hand: at for at, hand in enumerate(self.hands)}

    def of(self, hand: Cards) -> dict[str, Any]:
        """The figures of a hand, for JSON."""
        at = self._places[hand]
        return {
            "ev": float(self.mixed[at]),
            "ev_interval": float(self.mixed_intervals[at]),
            "evs": self.means[at].tolist(),
            "ev_intervals": self.intervals[at].tolist(),
        }

    def to_dict(self) -> dict[str, Any]:
        """All figures, for JSON; None where no hand of the other seat gets here."""
        return {
            "found": self.describe(),
            "ranges": [each.to_dict() for each in self.ranges],
            "hands": self._rows(),
        }

    def to_frame(self) -> Any:
        """A row per hand, a column per figure; needs pandas or polars."""
        return make_frame([dict(name_figures(row)) for row in self._rows()])

    def _rows(self) -> list[dict[str, Any]]:
        mixed = zip(self.mixed.tolist(), self.mixed_intervals.tolist(), strict=True)
        found = zip(self.means.tolist(), self.intervals.tolist(), strict=True)
        return [
            {
                "hand": format_cards(hand),
                **_name_ev(*of_hand),
                "actions": {
                    label: _name_ev(*each)
                    for label, *each in zip(self.labels, *by_action, strict=True)
                },
            }
            for hand, of_hand, by_action in zip(self.hands, mixed, found, strict=True)
        ]

    def __repr__(self) -> str:
        return f"<ActionValues of {len(self.hands):,} hands, {self.describe()}>"

    def __str__(self) -> str:
        means = np.column_stack([self.mixed, self.means])
        halves = np.column_stack([self.mixed_intervals, self.intervals])
        lines = [["hand", "EV", *self.labels]]
        for hand, *row in zip(self.hands, means.tolist(), halves.tolist(), strict=True):
            evs = [write_ev(Estimate(*pair)) for pair in zip(*row, strict=True)]
            lines.append([format_cards(hand), *evs])
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        rows = ("  ".join(t.rjust(w) for t, w in zip(line, widths, strict=True)) for line in lines)
        return "\n".join([f"{self.tell_ranges()}, {self.describe()}", *rows])


def _name_ev(*figures: float) -> dict[str, float | None]:
    mean, half = (each if math.isfinite(each) else None for each in figures)
    return {"ev": mean, "ev_interval": half}


def write_ev(estimate: Estimate) -> str:
    """Chips with their interval, if there is one; a dash where there is no EV."""
    if not math.isfinite(estimate.mean):
        return "-"
    half = f" ± {estimate.interval:,.2f}" if estimate.interval else ""
    return f"{estimate.mean + 0.0:,.2f}{half}".replace("-0.00", "0.00")


class ValueEstimate:
    """Values of the rows of a table, from one more run-out at each step."""

    def __init__(self, table: StrategyTable, hand_buckets: HandBuckets, seed: int = 0) -> None:
        blueprint = table.blueprint
        variant = blueprint.game.graph.variant
        check_valued(variant)
        self.table, self.n_runouts = table, 0
        first, second = (
            find_range(blueprint, hand_buckets, table.history, table.board, seat) for seat in (0, 1)
        )
        self._reach = first, second
        self._walk = RunoutWalk(
            blueprint, hand_buckets.cards, table.line.node, table.board, self._reach, table.seat
        )
        self._cards = BoardCards(
            variant, table.board, self._reach, merge_suits=hand_buckets.cards.forgets_suits
        )
        self._runouts = deal_runouts(self._cards, seed)
        n_classes = int(self._classes.max()) + 1
        self._by_hand = _Ratios(np.zeros((len(table.offered) + 1, n_classes)), np.zeros(n_classes))
        self._by_range = _Ratios(np.zeros(1), np.zeros(1))

    @cached_property
    def n_runouts_in_all(self) -> int | None:
        """How many run-outs there are up to names of suits; None if they are not listed."""
        return count_kinds(self._cards) if can_list_runouts(self._cards) else None

    @cached_property
    def n_wanted(self) -> int:
        """How many run-outs are usually taken: all of one card, else a sample."""
        return min(self.n_runouts_in_all or _USUAL_SAMPLE, _USUAL_SAMPLE)

    @cached_property
    def _classes(self) -> NDArray[np.intp]:
        """[1326] hands that are alike up to suits have the same number."""
        renamed = [rename_pairs(renaming) for renaming in self._cards.renamings]
        classes: NDArray[np.intp] = np.unique(np.min(renamed, axis=0), return_inverse=True)[1]
        return classes

    def add_runout(self) -> bool:
        """Take one more run-out; returns whether there was one left."""
        runout = next(self._runouts, None)
        if runout is None:
            return False
        worth = self._walk.value(runout.dealt)
        self._by_hand.add(*self._by_class(worth, runout.weight))
        own = runout.weight * self._reach[self.table.seat]
        self._by_range.add(np.array([own @ worth.mixed]), np.array([own @ worth.met]))
        self.n_runouts += 1
        return True

    def _by_class(self, worth: SeatWorth, weight: int) -> tuple[Values, Values]:
        columns = [worth.mixed, *worth.by_action, worth.met]
        sums: Values = np.stack([np.bincount(self._classes, column * weight) for column in columns])
        return sums[:-1], sums[-1]

    def values(self) -> ActionValues:
        """What has been found so far."""
        table, counted = self.table, (self.n_runouts, self.n_runouts_in_all)
        situation = table.blueprint.game.graph.situations[table.line.node]
        spent = situation[[betting.SPENT_0, betting.SPENT_1]].astype(np.float64)
        hands = np.array([row.hand for row in table.rows], np.int64).reshape(-1, 2)
        classes = self._classes[index_pairs(hands)]
        means, intervals = (each[:, classes].T for each in self._by_hand.find(*counted))
        means += spent[table.seat]
        (own,), (half,) = self._by_range.find(*counted)
        own += spent[table.seat]
        ranges = Estimate(float(own), float(half)), Estimate(float(spent.sum() - own), float(half))
        return ActionValues(
            tuple(row.hand for row in table.rows),
            tuple(offer.label for offer in table.offered),
            means[:, 1:],
            intervals[:, 1:],
            means[:, 0],
            intervals[:, 0],
            ranges if table.seat == 0 else ranges[::-1],
            *counted,
        )


@dataclass(eq=False)
class _Ratios:
    """Sums over run-outs of what is won and of what is met, and of their products."""

    won: Values
    met: Values  # of the last axis of `won`

    def __post_init__(self) -> None:
        self._won_2, self._won_met = np.zeros_like(self.won), np.zeros_like(self.won)
        self._met_2 = np.zeros_like(self.met)

    def add(self, won: Values, met: Values) -> None:
        """Add those of one run-out."""
        self.won += won
        self.met += met
        self._won_2 += won**2
        self._won_met += won * met
        self._met_2 += met**2

    def find(self, n: int, in_all: int | None) -> tuple[Values, Values]:
        """What is won for what is met, and half of the 95% intervals, after `n` run-outs."""
        met = np.where(self.met > 0, self.met, np.nan)
        ratios = self.won / met
        if n == in_all:
            return ratios, np.zeros_like(ratios)
        # What is won beyond the usual for what is met, squared and summed.
        squares = self._won_2 - 2 * ratios * self._won_met + ratios**2 * self._met_2
        left = 1.0 if in_all is None else 1.0 - n / in_all
        # Run-outs that rule out a hand say nothing about it: this many, alike, would say as much.
        worth = np.maximum(met**2 / np.where(met > 0, self._met_2, np.nan), 1.0)
        known = worth >= _LEAST_WORTH
        with np.errstate(divide="ignore", invalid="ignore"):
            sums = np.maximum(squares, 0.0) * (worth / met) ** 2  # in chips
            usual = (sums / worth).sum(axis=-1, keepdims=True, where=known) / max(known.sum(), 1)
            errors = np.sqrt((sums + _ASSUMED * usual) * left / (worth * (worth - 1)))
            errors = np.where(known, errors * scipy.special.stdtrit(worth - 1, _UPPER), np.inf)
        return ratios, errors
