"""`counterfold match`: who wins how much, with an interval."""

from pathlib import Path
from typing import Annotated

import typer

from counterfold.cli.match_options import (
    ActionClock,
    Adjust,
    Aivat,
    Clock,
    Duplicate,
    ProtocolName,
    Resolve,
    ResolveBets,
    ResolveIterations,
    ResolveSeconds,
    ResolveStreets,
    Seed,
    Threads,
    VariantName,
    playing,
    read_search,
    stoppable,
)
from counterfold.cli.output import Json, print_json, print_rows, table_progress
from counterfold.matches import EntrantResult, MatchResult, enter, let_search, play_match
from counterfold.search.search_options import DEFAULT_ITERATIONS, DEFAULT_STREETS

Hands = Annotated[
    int | None,
    typer.Option(
        help="Total number of hands; a deal played in both seats counts twice.  "
        "\\[default: 100000; 2000 with a program or a search]",
        min=2,
        max=10**9,
    ),
]


def match_command(
    first: Annotated[
        str,
        typer.Argument(
            help="Folder of a trained run, folder of a program with commands.json, or a baseline."
        ),
    ],
    second: Annotated[str, typer.Argument(help="The opponent: a run, a program or a baseline.")],
    variant: VariantName = None,
    hands: Hands = None,
    duplicate: Duplicate = True,
    adjust: Adjust = True,
    aivat: Aivat = False,
    resolve: Resolve = None,
    resolve_iterations: ResolveIterations = DEFAULT_ITERATIONS,
    resolve_seconds: ResolveSeconds = None,
    resolve_bets: ResolveBets = None,
    resolve_streets: ResolveStreets = DEFAULT_STREETS,
    histories: Annotated[
        Path | None, typer.Option(help="Write all hands to this new file, for counterfold replay.")
    ] = None,
    seed: Seed = 0,
    threads: Threads = None,
    protocol: ProtocolName = None,
    clock: Clock = None,
    action_clock: ActionClock = 10.0,
    json: Json = False,
) -> None:
    """Play a match and report what the first player wins per hand, with a 95% interval.

    With --resolve the first player searches; it must be a trained run.

    Baselines: random, always-call, check-fold, all-in, pot-odds, hand-rank, outs.

    Example: counterfold match runs/discard pot-odds --hands 100000
    """
    search = read_search(
        resolve, resolve_iterations, resolve_seconds, resolve_bets, resolve_streets
    )
    with stoppable() as check:
        with table_progress() as building:
            game, (one, two) = enter([first, second], variant, building)
            if search is not None:
                one = let_search(one, search)
        with playing(check) as show:
            result = play_match(
                one,
                two,
                hands=hands,
                variant=game,
                seed=seed,
                duplicate=duplicate,
                adjust=adjust,
                aivat=aivat,
                threads=threads,
                protocol=protocol,
                clock_seconds=clock,
                action_seconds=action_clock,
                progress=lambda done, total: show(f"{one.name} – {two.name}", done, total),
                histories=histories,
            )
    if json:
        print_json(result.to_dict())
    else:
        print_rows(_rows(result, f"{first} against {second}"))


def _rows(result: MatchResult, title: str) -> list[tuple[str, str]]:
    kind = "duplicate hands" if result.duplicate else "hands"
    rows = [
        ("match", f"{title}, {result.variant}, {result.hands:,} {kind}, seed {result.seed}"),
        ("result", f"{result.rate()} mb/hand (95% interval)"),
        ("in chips", f"{result.chips:+.4f} ± {result.chips_interval:.4f} chips/hand"),
    ]
    if result.adjusted:
        share = 100.0 * result.adjusted / result.hands
        rows.append(
            (
                "adjusted",
                f"{result.adjusted:,} hands ({share:.2f}%) counted at their all-in expectation; "
                f"as the cards fell, {result.plain_rate} mb/hand",
            )
        )
    rows += _aivat_rows(result)
    for side in result.sides:
        rows.append((side.name, _describe_side(side)))
        rows += [("", f"forfeited, {why}") for why in side.forfeits]
    if not any(side.mean_seconds for side in result.sides):
        rows.append(("time", f"{result.decision_microseconds:.2f} µs per decision"))
    return [*rows, ("rate", f"{result.hands_per_second:,.0f} hands/s")]


def _aivat_rows(result: MatchResult) -> list[tuple[str, str]]:
    """The luck-adjusted result, and what it rests on."""
    if result.aivat is None:
        return []
    aivat, ratios = result.aivat, result.variance_ratios
    text = f"{aivat.rate()} mb/hand (95% interval), luck-adjusted"
    if ratios is not None:
        text += (
            f"; variance of the result {ratios[1]:.1f} times as large, as the cards fell "
            f"{ratios[0]:.1f} times"
        )
    decisions = f", and for decisions of {' and '.join(aivat.known)}" if aivat.known else ""
    return [
        ("aivat", text),
        (
            "",
            f"corrected for cards{decisions}; value function {aivat.value_function}, fitted to "
            f"{aivat.fitted_hands:,} other hands",
        ),
    ]


def _describe_side(side: EntrantResult) -> str:
    """What an entrant did, in one line."""
    text = f"{side.decisions:,} decisions"
    share = 100.0 / max(1, side.decisions)
    if side.untrained is not None and side.off_tree is not None and side.forced is not None:
        text += (
            f", {share * side.untrained:.3f}% untrained, {share * side.off_tree:.3f}% beyond "
            f"its game, {share * side.forced:.3f}% forced"
        )
    if side.searched is not None and side.unsearched is not None:
        text += f", {side.searched:,} searched and {side.unsearched:,} left to its strategy"
    if side.mean_seconds is not None and side.slowest_seconds is not None:
        mean, slowest = 1000.0 * side.mean_seconds, 1000.0 * side.slowest_seconds
        text += f", {mean:.3f} ms each, {slowest:.3f} ms at most"
    return f"{text}, {side.faults:,} faults" if side.untrained is None or side.faults else text
