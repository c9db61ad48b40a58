"""`counterfold show` of a trained strategy: what it does in one situation."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray
from rich.table import Table
from rich.text import Text

from counterfold.blueprints.action_values import ActionValues
from counterfold.blueprints.blueprint_grid import find_table_cells, find_totals
from counterfold.blueprints.strategy_table import HARDLY_REACHED, HandStrategy, StrategyTable
from counterfold.bots.trained_bot import TrainedBot
from counterfold.cards import format_cards
from counterfold.cards.text import N_SUITS, RANKS
from counterfold.cli.output import announce, print_json, print_rows, print_table, results
from counterfold.cli.views.show_spot import make_runouts_table, print_grid, terminal_colors
from counterfold.cli.views.show_values import print_values
from counterfold.games.holdem.action_words import DISCARD

_MOST_NAMED = 6  # hands of one row
_HARDLY_REACHED = "dim"  # the style of what says little


def show_trained(
    bot: TrainedBot,
    table: StrategyTable,
    values: ActionValues | None,
    limit: int,
    json: bool,
) -> None:
    """Print the strategy of one hand, or of all hands, after a line of betting, and its EV."""
    if json:
        _print_json(bot, table, values, limit)
        return
    print_rows(_place(bot, table))
    if len(table.rows) < 2:
        _print_hand(table)
    else:
        if bot.variant.hole_cards == 2:
            _print_mixed_grid(bot, table)
        if not table.board and bot.run.cards.forgets_suits:
            _print_visits(table)
        else:
            _print_hands(table, limit)
    if any(row.is_hardly_reached for row in table.rows):
        announce(f"dimmed: {HARDLY_REACHED}")
    if values is not None:
        print_values(table, values, limit)


def _print_json(
    bot: TrainedBot, table: StrategyTable, values: ActionValues | None, limit: int
) -> None:
    content = table.to_dict()
    hands = content["hands"]
    if values is not None:
        ranges = [each.to_dict() for each in values.ranges]
        content["ev"] = {"found": values.describe(), "ranges": ranges}
        hands = [each | values.of(row.hand) for each, row in zip(hands, table.rows, strict=True)]
    shown = {"hands": hands[: limit or None], "hands_in_all": len(hands)}
    print_json({"recipe": bot.name, **content, **shown})


def show_runouts(bot: TrainedBot, board: str, history: str, json: bool) -> None:
    """Print what is done after each next card: a row for each."""
    rows = [
        {"card": card, "to_act": table.seat, **_share_actions(bot, table)}
        for card, table in bot.runouts(history, board)
    ]
    if json:
        print_json({"recipe": bot.name, "history": history, "runouts": rows})
        return
    print_table(make_runouts_table(rows))


def _share_actions(bot: TrainedBot, table: StrategyTable) -> dict[str, float]:
    shares = find_totals(table, bot.reach(table))
    return dict(zip((offer.text for offer in table.offered), shares, strict=True))


def _style(row: HandStrategy) -> str:
    return _HARDLY_REACHED if row.is_hardly_reached else ""


def _place(bot: TrainedBot, table: StrategyTable) -> list[tuple[str, str]]:
    """The situation in words: who acts, and the values of the features."""
    situation = table.situation
    return [
        ("recipe", f"{bot.name}: {bot.variant.name}"),
        ("betting", " ".join(table.line.read) or "none yet"),
        ("board", format_cards(table.board) or "none"),
        ("to act", f"seat {table.seat}, pot {situation.pot}, to call {situation.to_call}"),
        ("features", table.features),
    ]


def _print_hand(table: StrategyTable) -> None:
    if not table.rows:
        announce("this hand is impossible here")
        return
    row, offered = table.rows[0], table.offered
    of = f"of {table.n_buckets:,}"
    bucket = f"bucket {row.buckets[0]} {of}"
    if len(row.buckets) > 1:
        bucket = f"{len(row.buckets)} buckets {of}, weighted by how often they are dealt"
    state = "untrained: all actions equally likely"
    if row.probabilities is not None:
        state = "trained" if row.visits is None else f"trained by {row.visits_text} visits"
    print_rows([("hand", f"{format_cards(row.hand)}, {bucket}, {state}")])
    shares = row.probabilities
    for at, offer in enumerate(offered):
        share = 1.0 / len(offered) if shares is None else shares[at]
        chips = offer.word if offer.word.startswith("r") else ""
        if offer.word.startswith(DISCARD):
            chips = format_cards(table.cards_of(offer, row))
        line = f"  {offer.label:<16}{chips:<8}{100 * share:6.2f}%"
        results.print(line, markup=False, style=_style(row))


def _print_mixed_grid(bot: TrainedBot, found: StrategyTable) -> None:
    """One grid of all actions: pairs on the diagonal, suited hands above."""
    reach = bot.reach(found)
    _print_totals(found, reach)
    ranks = {RANKS[card // N_SUITS] for row in found.rows for card in row.hand}
    mixed = [
        tuple(cell for cell in row if set(cell.name[:2]) <= ranks)
        for row in find_table_cells(found, reach)
    ]
    print_grid(tuple(row for row in mixed if row), [offer.label for offer in found.offered])


def _print_visits(found: StrategyTable) -> None:
    """How often training came to each class of hands, as a grid."""
    cells: dict[tuple[int, int], HandStrategy] = {}
    for row in found.rows:
        high, low = sorted((card // N_SUITS for card in row.hand), reverse=True)
        suited = row.hand[0] % N_SUITS == row.hand[1] % N_SUITS
        cells[(high, low) if suited else (low, high)] = row
    if any(row.visits is not None for row in found.rows):
        _print_grid("visits", cells, lambda row: row.visits_text)
    announce("- means untrained")


def _print_totals(found: StrategyTable, reach: NDArray[np.float64] | None) -> None:
    """How often each action is taken, in the color that it has in the grid."""
    colors = terminal_colors([offer.label for offer in found.offered])
    line = Text()
    for offer, share, color in zip(found.offered, find_totals(found, reach), colors, strict=True):
        if results.color_system is not None:
            line.append("■ ", "rgb({},{},{})".format(*color))
        line.append(f"{offer.text} {share:.1%}   ")
    line.rstrip()
    results.print(line, soft_wrap=True)


def _print_grid(
    title: str, cells: Mapping[tuple[int, int], HandStrategy], text: Callable[[HandStrategy], str]
) -> None:
    """One text per hand, dimmed where it says little."""
    ranks = sorted({rank for place in cells for rank in place}, reverse=True)
    table = Table(box=None, pad_edge=False, title=title, title_justify="left")
    for rank in ("", *(RANKS[rank] for rank in ranks)):
        table.add_column(rank, justify="right")
    for first in ranks:
        row = [cells.get((first, second)) for second in ranks]
        table.add_row(
            RANKS[first], *("-" if cell is None else Text(text(cell), _style(cell)) for cell in row)
        )
    print_table(table)


def _print_hands(found: StrategyTable, limit: int) -> None:
    """A row for hands with the same buckets, those of higher numbers first."""
    offered = found.offered
    groups: dict[tuple[int, ...], list[HandStrategy]] = {}
    for row in found.rows:
        groups.setdefault(row.buckets, []).append(row)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("bucket", "hands"):
        table.add_column(name)
    for offer in offered:
        table.add_column(offer.text, justify="right")
    table.add_column("visits", justify="right")
    ordered = sorted(groups.items(), reverse=True)
    for buckets, members in ordered[: limit or None]:
        names = [format_cards(row.hand) for row in members]
        more = f" and {len(names) - _MOST_NAMED}" if len(names) > _MOST_NAMED else ""
        p = members[0].probabilities
        texts = ["-"] * len(offered) if p is None else [f"{100 * share:.1f}%" for share in p]
        name = str(buckets[0]) if len(buckets) == 1 else f"{len(buckets)} of them"
        shown = " ".join(names[:_MOST_NAMED]) + more
        table.add_row(name, shown, *texts, members[0].visits_text, style=_style(members[0]))
    print_table(table)
    if limit and len(ordered) > limit:
        announce(f"{len(ordered) - limit:,} more rows; show all with --limit 0")
