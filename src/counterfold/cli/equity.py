"""`counterfold equity`: how often one range of hands beats another."""

from typing import Annotated

import typer

from counterfold.cards.equity import equity
from counterfold.cards.ranges import parse_range
from counterfold.cards.text import format_cards, parse_cards
from counterfold.cli.output import Json, print_json, results


def equity_command(
    first: Annotated[str, typer.Argument(help="Hands such as AhKh, AKs, TT+ or random.")],
    second: Annotated[
        str, typer.Argument(help="Hands to compare them with, in the same notation.")
    ],
    board: Annotated[str, typer.Option(help="Cards on the board, such as 2h7hTc.")] = "",
    dead: Annotated[str, typer.Option(help="Dead cards, such as 2c.")] = "",
    json: Json = False,
) -> None:
    """Print the exact equity of a hand or range against another.

    Ranges are lists such as QQ+,AKs,A2s-A5s:0.5 with weights after colons. All ways to complete the
    board are equally likely.

    Example: counterfold equity AhKh 'QQ+,AKs' --board 2h7hTc
    """
    hands, others = parse_range(first), parse_range(second)
    on_board, out = parse_cards(board), parse_cards(dead)
    found = equity(hands, others, on_board, out)
    if json:
        print_json(
            {
                "first": str(hands),
                "second": str(others),
                "board": format_cards(on_board),
                "dead": format_cards(out),
                "win": found.win,
                "tie": found.tie,
                "lose": found.lose,
                "equity": found.equity,
                "run_outs": found.n_run_outs,
                "hand_pairs": found.n_matchups,
                "total_weight": found.total_weight,
            }
        )
        return
    rows = [
        ("win", f"{found.win:.2%}"),
        ("tie", f"{found.tie:.2%}"),
        ("lose", f"{found.lose:.2%}"),
        ("equity", f"{found.equity:.2%}"),
        ("run-outs", f"{found.n_run_outs:,} for each pair of hands"),
        ("pairs of hands", f"{found.n_matchups:,}"),
    ]
    width = max(len(name) for name, _ in rows)
    for name, text in rows:
        results.print(f"{name:<{width}}  {text}", markup=False, soft_wrap=True)
