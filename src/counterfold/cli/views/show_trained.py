"""`counterfold show` of a trained strategy: what it does in one situation."""

from rich.table import Table

from counterfold.blueprints.strategy_table import HandStrategy, StrategyTable
from counterfold.bots.trained_bot import TrainedBot
from counterfold.cards import format_card, format_cards
from counterfold.cards.text import N_SUITS, RANKS
from counterfold.cli.output import announce, print_json, print_rows, print_table, results
from counterfold.games.holdem.action_words import DISCARD

_MOST_NAMED = 6  # hands of one row


def show_trained(
    bot: TrainedBot, hand: str, board: str, history: str, limit: int, json: bool
) -> None:
    """Print the strategy of one hand, or of all hands, after a line of betting."""
    table = bot.strategy(hand or None, board, history)
    if json:
        content = table.to_dict()
        shown = content["hands"][: limit or None]
        in_all = {"hands_in_all": len(content["hands"])}
        print_json({"recipe": bot.name, **content, "hands": shown, **in_all})
        return
    print_rows(_place(bot, table))
    if hand:
        _print_hand(table)
    elif not table.board and bot.run.cards.forgets_suits:
        _print_grids(table)
    else:
        _print_hands(table, limit)


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
    state = "trained" if row.probabilities is not None else "untrained: all actions equally likely"
    print_rows([("hand", f"{format_cards(row.hand)}, {bucket}, {state}")])
    shares = row.probabilities
    for at, offer in enumerate(offered):
        share = 1.0 / len(offered) if shares is None else shares[at]
        chips = offer.word if offer.word.startswith("r") else ""
        if offer.word == DISCARD:
            chips = format_card(row.discards[at - 1])  # after the action that keeps all
        results.print(f"  {offer.label:<16}{chips:<8}{100 * share:6.2f} %", markup=False)


def _print_grids(found: StrategyTable) -> None:
    """A grid per action: pairs on the diagonal, suited hands above it, offsuit hands below."""
    cells: dict[tuple[int, int], HandStrategy] = {}
    for row in found.rows:
        high, low = sorted((card // N_SUITS for card in row.hand), reverse=True)
        suited = row.hand[0] % N_SUITS == row.hand[1] % N_SUITS
        cells[(high, low) if suited else (low, high)] = row
    ranks = sorted({rank for place in cells for rank in place}, reverse=True)
    for at, offer in enumerate(found.offered):
        table = Table(box=None, pad_edge=False, title=f"{offer.text}, %", title_justify="left")
        for rank in ("", *(RANKS[rank] for rank in ranks)):
            table.add_column(rank, justify="right")
        for first in ranks:
            texts = []
            for second in ranks:
                cell = cells.get((first, second))
                p = None if cell is None else cell.probabilities
                texts.append("-" if p is None else f"{100 * p[at]:.0f}")
            table.add_row(RANKS[first], *texts)
        print_table(table)
    announce("suited hands are right of the pairs, offsuit hands left; - means untrained")


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
    ordered = sorted(groups.items(), reverse=True)
    for buckets, members in ordered[: limit or None]:
        names = [format_cards(row.hand) for row in members]
        more = f" and {len(names) - _MOST_NAMED}" if len(names) > _MOST_NAMED else ""
        p = members[0].probabilities
        texts = ["-"] * len(offered) if p is None else [f"{100 * share:.1f} %" for share in p]
        name = str(buckets[0]) if len(buckets) == 1 else f"{len(buckets)} of them"
        table.add_row(name, " ".join(names[:_MOST_NAMED]) + more, *texts)
    print_table(table)
    if limit and len(ordered) > limit:
        announce(f"{len(ordered) - limit:,} more rows; show all with --limit 0")
