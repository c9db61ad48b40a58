"""`counterfold tournament`: a match between every pair of players."""

from itertools import combinations
from typing import Annotated

import typer

from counterfold.cli.cluster_options import ClusterAddress, WorkerCount, open_workers
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
from counterfold.cli.output import Json, print_json, say, table_progress
from counterfold.matches import enter, let_search, play_tournament
from counterfold.search.search_options import DEFAULT_ITERATIONS, DEFAULT_STREETS


def tournament_command(
    players: Annotated[
        list[str], typer.Argument(help="Players: folders of runs or programs, and baselines.")
    ],
    variant: VariantName = None,
    hands: Annotated[
        int | None,
        typer.Option(
            help="Number of hands per match.  \\[default: 100000; 2000 with a program or a search]",
            min=2,
        ),
    ] = None,
    duplicate: Duplicate = True,
    adjust: Adjust = True,
    aivat: Aivat = False,
    resolve: Resolve = None,
    resolve_iterations: ResolveIterations = DEFAULT_ITERATIONS,
    resolve_seconds: ResolveSeconds = None,
    resolve_bets: ResolveBets = None,
    resolve_streets: ResolveStreets = DEFAULT_STREETS,
    seed: Seed = 0,
    threads: Threads = None,
    cluster: ClusterAddress = None,
    workers: WorkerCount = None,
    protocol: ProtocolName = None,
    clock: Clock = None,
    action_clock: ActionClock = 10.0,
    json: Json = False,
) -> None:
    """Match every pair of players and print what each wins from the others.

    With --resolve all trained runs search.

    Example: counterfold tournament runs/discard random always-call pot-odds --hands 20000
    """
    search = read_search(
        resolve, resolve_iterations, resolve_seconds, resolve_bets, resolve_streets
    )
    with stoppable() as check:
        with table_progress() as building:
            game, entrants = enter(players, variant, building)
            if search is not None:
                entrants = [
                    each if each.run is None else let_search(each, search) for each in entrants
                ]
        with open_workers(cluster, workers) as crew, playing(check) as show:
            result = play_tournament(
                entrants,
                hands=hands,
                variant=game,
                seed=seed,
                duplicate=duplicate,
                adjust=adjust,
                aivat=aivat,
                threads=threads,
                workers=crew,
                protocol=protocol,
                clock_seconds=clock,
                action_seconds=action_clock,
                progress=show,
            )
    if json:
        content = result.to_dict()
        for match, (first, second) in zip(
            content["matches"], combinations(players, 2), strict=True
        ):
            match |= {"first": first, "second": second}  # as they were named here
        print_json(content)
        return
    typer.echo(str(result))
    for each in result.matches:
        for side, other in zip(each.sides, each.sides[::-1], strict=True):
            for why in side.forfeits:
                say(f"{side.name} forfeited against {other.name}, {why}")
