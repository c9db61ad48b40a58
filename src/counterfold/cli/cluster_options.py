"""What commands share that can work on a cluster: their options, and what they say about it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from counterfold.cli.output import announce, say
from counterfold.cluster.process_workers import ProcessWorkers
from counterfold.cluster.ray_workers import RayWorkers
from counterfold.cluster.workers import Workers
from counterfold.errors import ClusterError
from counterfold.threads import thread_count

ClusterAddress = Annotated[
    str | None,
    typer.Option(
        help="Address of a Ray cluster to work on, such as 10.0.0.1:6379, or auto for the one in "
        "$RAY_ADDRESS, or else a new one for this command.  \\[default: this process]"
    ),
]
WorkerCount = Annotated[
    int | None,
    typer.Option(
        help="Number of workers, each with one core.  \\[default: the cluster's cores]", min=1
    ),
]
# Of those that build card tables, here or there.
BuildThreads = Annotated[
    int | None,
    typer.Option(
        help="Number of threads to build with.  \\[default: $COUNTERFOLD_THREADS or all cores]"
    ),
]
Bins = Annotated[int, typer.Option(help="Number of histogram bins for final strength, 0 to 255.")]


@contextmanager
def open_processes(
    address: str | None, n_workers: int | None, threads: int | None, n_pieces: int
) -> Iterator[Workers]:
    """The workers of a cluster, or processes of this machine: one for each thread."""
    if address is None and n_workers is None:
        n_processes = max(1, min(thread_count(threads), n_pieces))
        announce(f"{n_processes} process{'es' * (n_processes > 1)} on this machine")
        with ProcessWorkers(n_processes) as workers:
            yield workers
        return
    with open_workers(address, n_workers) as found:
        assert found is not None
        yield found


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
