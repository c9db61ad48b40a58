"""How long an epoch is on a cluster: long enough that the exchange of tables takes a tenth of its
time.

Epochs are tried, each twice as long as the one before, from empty tables, and what they did is
forgotten. The length is then a key of the run like any other: a resumed run keeps it, on any number
of workers.
"""

from collections.abc import Callable
from pathlib import Path
from typing import cast

from counterfold.runs.run_folder import find_identity
from counterfold.training.epochs.epoch_solver import EpochSolver, Exchange
from counterfold.training.plan import Plan

MOST_EXCHANGE = 0.1  # of the time
_LONGEST_TRIAL = 20.0  # seconds of an epoch that is not doubled any more

Tried = Callable[[int, Exchange], None]  # told of each epoch that was tried


def choose_epoch(plan: Plan, solver: EpochSolver, tried: Tried | None = None) -> Plan:
    """The plan with an epoch that is long enough; `solver`, which has not begun, takes it, too."""
    solver.run(1)  # the first call prepares, compiles and opens tables
    while True:
        solver.forget()
        solver.run(1)
        exchange = solver.exchange
        if tried is not None:
            tried(solver.epoch, exchange)
        enough = exchange.share <= MOST_EXCHANGE or exchange.seconds > _LONGEST_TRIAL
        if enough:
            solver.forget()
            return plan.with_epoch(solver.epoch)
        solver.epoch *= 2


def adopt_epoch(plan: Plan, folder: Path) -> Plan:
    """The plan with the epoch of the run in `folder`, if there is one."""
    identity = find_identity(folder)
    epoch = None if identity is None else cast(dict[str, int], identity["solver"]).get("epoch")
    return plan if epoch is None else plan.with_epoch(epoch)
