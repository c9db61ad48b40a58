"""`counterfold show` of a trained strategy: what it does in one situation."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from counterfold.blueprints.betting_line import Line, Offer, follow, offers
from counterfold.blueprints.hand_buckets import Holdings, mix
from counterfold.cards import format_card, format_cards, parse_cards
from counterfold.cards.text import N_SUITS, RANKS
from counterfold.cli.output import announce, print_json, print_rows, results, table_progress
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import DISCARD
from counterfold.public.situation_features import Situations
from counterfold.training.train_folder import TrainedRun, load_trained

_MOST_NAMED = 6  # hands of one row


@dataclass(frozen=True)
class _Row:
    """A hand and what is done with it; None where training never came."""

    hand: tuple[int, ...]
    buckets: tuple[int, ...]
    discards: tuple[int, ...]  # its cards in the order of the actions that discard them
    probabilities: NDArray[np.float64] | None


def show_trained(folder: Path, hand: str, board: str, history: str, limit: int, json: bool) -> None:
    """Print the strategy of one hand, or of all hands, after a line of betting."""
    with table_progress() as progress:
        run = load_trained(folder, progress)
    graph = run.blueprint.game.graph
    cards = parse_cards(board)
    line = follow(graph, history, cards)
    offered = offers(graph, line.node)
    rows = _look_up(run, line, parse_cards(hand), cards)
    if json:
        print_json(_as_json(run, line, cards, offered, rows))
        return
    print_rows([*_place(run, line, cards).items()])
    n_buckets = int(run.blueprint.game.n_buckets[run.blueprint.game.classes[line.node]])
    if hand:
        _print_hand(rows, offered, n_buckets)
    elif not cards and run.cards.forgets_suits:
        _print_grids(rows, offered)
    else:
        _print_hands(rows, offered, limit)


def _look_up(
    run: TrainedRun, line: Line, hand: tuple[int, ...], board: tuple[int, ...]
) -> list[_Row]:
    plan, game = run.plan, run.blueprint.game
    seat = int(game.graph.field(betting.ACTOR)[line.node])
    holdings = Holdings(plan.dealer, run.cards, plan.exact[0] if plan.is_enumerated else None)
    hands = [hand] if hand else holdings.hands(board)
    found = holdings.find(int(game.stage[line.node]), seat, line.discarded[seat], hands, board)
    draws = game.graph.phase[line.node] == betting.DRAW
    rows = []
    for holding in found:
        strategies = [run.blueprint.at(line.node, bucket) for bucket in holding.buckets]
        mean = mix(strategies, list(holding.buckets.values()))
        discards = holdings.discards(holding.hand, board) if draws else ()
        rows.append(_Row(holding.hand, tuple(sorted(holding.buckets)), discards, mean))
    return rows


def _place(run: TrainedRun, line: Line, board: tuple[int, ...]) -> dict[str, str]:
    """The situation in words: who acts, and what the features say of it."""
    game = run.blueprint.game
    graph = game.graph
    situation = Situations(graph.variant, graph.situations[line.node].tolist(), 0, line.node)
    labels = zip(game.abstraction.names, game.abstraction.labels(situation), strict=True)
    known = [f"{name} {int(label)}" for name, label in labels if name not in ("actions", "history")]
    return {
        "recipe": f"{run.name}: {run.plan.recipe.variant}",
        "betting": " ".join(line.read) or "none yet",
        "board": format_cards(board) or "none",
        "to act": f"seat {situation.player}, pot {situation.pot}, to call {situation.to_call}",
        "features": ", ".join(known) or game.abstraction.name,
    }


def _actions(row: _Row, offered: tuple[Offer, ...]) -> dict[str, float] | None:
    if row.probabilities is None:
        return None
    return {o.label: float(p) for o, p in zip(offered, row.probabilities, strict=True)}


def _as_json(
    run: TrainedRun,
    line: Line,
    board: tuple[int, ...],
    offered: tuple[Offer, ...],
    rows: list[_Row],
) -> dict[str, Any]:
    return {
        "recipe": run.name,
        "variant": run.plan.recipe.variant,
        "node": line.node,
        "seat": int(run.blueprint.game.graph.field(betting.ACTOR)[line.node]),
        "betting": list(line.read),
        "board": format_cards(board),
        "features": _place(run, line, board)["features"],
        "offered": [{"action": offer.label, "word": offer.word} for offer in offered],
        "hands": [
            {
                "hand": format_cards(row.hand),
                "buckets": list(row.buckets),
                "trained": row.probabilities is not None,
                "discards": [format_card(card) for card in row.discards],
                "actions": _actions(row, offered),
            }
            for row in rows
        ],
    }


def _print_hand(rows: list[_Row], offered: tuple[Offer, ...], n_buckets: int) -> None:
    if not rows:
        announce("this hand cannot be held here")
        return
    row = rows[0]
    of = f"of {n_buckets:,}"
    bucket = f"bucket {row.buckets[0]} {of}"
    if len(row.buckets) > 1:
        bucket = f"{len(row.buckets)} buckets {of}, weighed by how often they are dealt"
    state = "trained" if row.probabilities is not None else "untrained: all actions equally likely"
    print_rows([("hand", f"{format_cards(row.hand)}, {bucket}, {state}")])
    shares = row.probabilities
    for at, offer in enumerate(offered):
        share = 1.0 / len(offered) if shares is None else shares[at]
        chips = offer.word if offer.word.startswith("r") else ""
        if offer.word == DISCARD:
            chips = format_card(row.discards[at - 1])  # after the action that keeps all
        results.print(f"  {offer.label:<16}{chips:<8}{100 * share:6.2f} %", markup=False)


def _print_grids(rows: list[_Row], offered: tuple[Offer, ...]) -> None:
    """A grid per action: pairs on the diagonal, suited hands above it, others below."""
    cells: dict[tuple[int, int], _Row] = {}
    for row in rows:
        high, low = sorted((card // N_SUITS for card in row.hand), reverse=True)
        suited = row.hand[0] % N_SUITS == row.hand[1] % N_SUITS
        cells[(high, low) if suited else (low, high)] = row
    ranks = sorted({rank for place in cells for rank in place}, reverse=True)
    for at, offer in enumerate(offered):
        table = Table(box=None, pad_edge=False, title=f"{offer.text}, %", title_justify="left")
        for rank in ("", *(RANKS[rank] for rank in ranks)):
            table.add_column(rank, justify="right")
        for first in ranks:
            texts = []
            for second in ranks:
                row = cells.get((first, second)) or _Row((), (), (), None)
                p = row.probabilities
                texts.append("-" if p is None else f"{100 * p[at]:.0f}")
            table.add_row(RANKS[first], *texts)
        results.print(table)
    announce("suited hands stand right of the pairs, others left; - is untrained")


def _print_hands(rows: list[_Row], offered: tuple[Offer, ...], limit: int) -> None:
    """A row for hands with the same buckets, those of higher numbers first."""
    groups: dict[tuple[int, ...], list[_Row]] = {}
    for row in rows:
        groups.setdefault(row.buckets, []).append(row)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("bucket", "hands"):
        table.add_column(name)
    for offer in offered:
        table.add_column(offer.text, justify="right")
    ordered = sorted(groups.items(), reverse=True)
    for buckets, members in ordered[: limit or None]:
        names = [format_cards(row.hand) for row in members]
        more = f" and {len(names) - _MOST_NAMED}" if len(names) > _MOST_NAMED else ""
        p = members[0].probabilities
        texts = ["-"] * len(offered) if p is None else [f"{100 * share:.1f} %" for share in p]
        name = str(buckets[0]) if len(buckets) == 1 else f"{len(buckets)} of them"
        table.add_row(name, " ".join(names[:_MOST_NAMED]) + more, *texts)
    results.print(table)
    if limit and len(ordered) > limit:
        announce(f"{len(ordered) - limit:,} more rows; show all with --limit 0")
