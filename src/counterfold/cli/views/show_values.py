"""`counterfold show --ev`: what each action of a trained strategy is worth to hands."""

import threading

import numpy as np
from rich.table import Table

from counterfold.blueprints.action_values import ActionValues, write_ev
from counterfold.blueprints.strategy_table import StrategyTable
from counterfold.bots.trained_bot import TrainedBot
from counterfold.cards import format_cards
from counterfold.cards.pairs import PAIR_HAND_CLASSES, format_hand_class, index_pairs
from counterfold.cli.output import announce, print_rows, print_table, table_progress
from counterfold.intervals import Estimate
from counterfold.runs.interrupts import interruptible


def compute_values(bot: TrainedBot, table: StrategyTable, runouts: int | None) -> ActionValues:
    """The values of a table, with a bar; Ctrl-C ends it with those so far."""
    with table_progress("run-outs") as show, interruptible() as stop:

        def watch(done: int, wanted: int) -> bool:
            show("EV", done, wanted)
            return _goes_on(stop)

        return bot.values(table, runouts=runouts, progress=watch)


def _goes_on(stop: threading.Event) -> bool:
    return not stop.is_set()


def print_values(table: StrategyTable, values: ActionValues, limit: int) -> None:
    """A row for each hand, or class of hands where suits do not matter; the highest EV first."""
    print_rows([("EV", f"{values.tell_ranges()}, {values.describe()}")])
    shown = Table(box=None, pad_edge=False, header_style="bold")
    shown.add_column("hand")
    for name in ("EV", *(f"EV of {offer.text}" for offer in table.offered)):
        shown.add_column(name, justify="right")
    rows = _list_rows(table, values)
    for name, at in rows[: limit or None]:
        mixed = Estimate(float(values.mixed[at]), float(values.mixed_intervals[at]))
        pairs = zip(values.means[at].tolist(), values.intervals[at].tolist(), strict=True)
        shown.add_row(name, write_ev(mixed), *(write_ev(Estimate(*pair)) for pair in pairs))
    print_table(shown)
    if limit and len(rows) > limit:
        announce(f"{len(rows) - limit:,} more rows; show all with --limit 0")


def _list_rows(table: StrategyTable, values: ActionValues) -> list[tuple[str, int]]:
    """Names with rows of the values, those with the highest EV first."""
    hands = np.array(values.hands).reshape(-1, 2)
    classes = PAIR_HAND_CLASSES[index_pairs(hands)]
    order = np.argsort(-np.nan_to_num(values.mixed, nan=-np.inf), kind="stable").tolist()
    if table.board or len(values.hands) == 1 or not _is_by_class(classes, values):
        return [(format_cards(values.hands[at]), at) for at in order]
    firsts: dict[int, int] = {}
    for at in order:
        firsts.setdefault(int(classes[at]), at)
    return [(format_hand_class(number), at) for number, at in firsts.items()]


def _is_by_class(classes: np.ndarray, values: ActionValues) -> bool:
    """Whether the hands of a class are all worth the same."""
    _, first, of = np.unique(classes, return_index=True, return_inverse=True)
    return bool(np.array_equal(values.mixed, values.mixed[first][of], equal_nan=True))
