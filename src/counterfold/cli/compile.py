"""`counterfold compile`: kernels compiled before they are needed."""

from counterfold.cli.output import Json, announce, print_json, print_rows
from counterfold.warm_up import warm_up


def compile_command(json: Json = False) -> None:
    """Compile the kernels beforehand, so that the first command does not have to.

    Takes about four minutes, once on a machine; later calls find them in the cache.

    Example: counterfold compile
    """
    seconds = warm_up(lambda what: announce(f"kernels for {what}"))
    if json:
        print_json({"seconds": seconds})
    else:
        print_rows([("compiled", f"in {seconds:,.0f} s; other commands now start at once")])
