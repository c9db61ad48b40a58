"""`counterfold compile`: kernels compiled before they are needed."""

from typing import Annotated

import typer

from counterfold.cli.output import Json, announce, print_json, print_rows
from counterfold.warm_up import warm_up

Processes = Annotated[int, typer.Option(help="Number of processes to compile in.", min=1)]


def compile_command(processes: Processes = 2, json: Json = False) -> None:
    """Compile the kernels beforehand, so that the first command does not have to.

    Takes about four minutes on two cores, once per machine; later commands find them in the cache.

    Example: counterfold compile
    """
    seconds = warm_up(lambda what: announce(f"compiled kernels for {what}"), processes)
    if json:
        print_json({"seconds": seconds})
    else:
        print_rows([("compiled", f"in {seconds:,.0f} s; other commands now start at once")])
