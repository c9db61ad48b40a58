"""What commands share that let a cluster work: their options, and what they say of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from counterfold.cli.output import announce, say
from counterfold.cluster.ray_workers import RayWorkers
from counterfold.cluster.workers import Workers
from counterfold.errors import ClusterError

ClusterAddress = Annotated[
    str | None,
    typer.Option(
        help="Ray cluster to work on: its address, such as 10.0.0.1:6379, or auto: the one in "
        "$RAY_ADDRESS, else a new one for this command.  \\[default: this process]"
    ),
]
WorkerCount = Annotated[
    int | None,
    typer.Option(
        help="Number of workers, each with one core.  \\[default: the cluster's cores]", min=1
    ),
]


@contextmanager
def open_workers(address: str | None, n_workers: int | None) -> Iterator[Workers | None]:
    """The workers that were asked for, None if no cluster was."""
    if address is None:
        if n_workers is not None:
            raise ClusterError("--workers goes with --cluster; on this machine, use --threads")
        yield None
        return
    with RayWorkers(address, n_workers) as workers:
        announce(f"cluster: {workers.n_workers} workers with the same software as here")
        yield workers
        if workers.n_replaced:
            say(f"{workers.n_replaced} workers died and were replaced; the result is the same")
