"""Solving a compiled game within a budget: evaluations, checkpoints, resumption.

The iterations of a run do not depend on when it was evaluated, saved or interrupted, so a
run that was killed and resumed ends with the same tables, bit for bit, as one that was not.
"""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Any

from counterfold.discounting import Discounting
from counterfold.frames import make_frame
from counterfold.games import Game
from counterfold.games.files import find_game, python_file
from counterfold.runs.budget import Budget, evaluation_points
from counterfold.runs.run_folder import claimed_folder, load_tables
from counterfold.runs.run_loop import RunLoop
from counterfold.sampling import Sampling
from counterfold.tree.algorithms import DEFAULT_HORIZON, Solver, find_algorithm, make_solver
from counterfold.tree.compiled_game import CompiledGame, compile_game
from counterfold.tree.exact_evaluation import Evaluation, evaluate
from counterfold.tree.game_origin import needs_file
from counterfold.tree.linear_program import solve_linear_program
from counterfold.tree.profile import Strategy
from counterfold.tree.solve_folder import (
    KIND,
    Identity,
    Point,
    Progress,
    SolveFolder,
    identify,
    load_progress,
)

DEFAULT_ALGORITHM = "dcfr"
_DEFAULT_FULL, _DEFAULT_SAMPLED = 1_000, 1_000_000  # iterations when no budget is given

_CHUNK_SECONDS = 0.1  # how long an interrupt may go unnoticed
_CHECKPOINT_SECONDS = 10.0


@dataclass(frozen=True)
class SolveResult:
    """What a run found."""

    game: CompiledGame
    algorithm: str
    strategy: Strategy
    evaluation: Evaluation
    iterations: int
    seconds: float
    points: tuple[Point, ...]
    interrupted: bool = False

    @property
    def iterations_per_second(self) -> float:
        """Rate over the whole run."""
        return self.iterations / self.seconds if self.seconds > 0 else 0.0

    def to_dict(self) -> dict[str, Any]:
        """All figures by name, without the strategy."""
        return {
            "game": self.game.name,
            "algorithm": self.algorithm,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "interrupted": self.interrupted,
            **self.evaluation.to_dict(),
        }

    def to_frame(self) -> Any:
        """A row per evaluation of the run; needs pandas or polars."""
        return make_frame([asdict(point) for point in self.points])

    def __repr__(self) -> str:
        return f"<SolveResult {self}>"

    def __str__(self) -> str:
        return (
            f"{self.game.name} by {self.algorithm}, {self.iterations:,} iterations in "
            f"{self.seconds:.3g} s: {self.evaluation} {self.game.game.unit}"
        )


Observer = Callable[[int, float, float], None]  # of iterations, seconds and the latest NashConv


def solve(
    game: CompiledGame | Game | str,
    algorithm: str | Discounting | Sampling = DEFAULT_ALGORITHM,
    budget: Budget | int | None = None,
    *,
    seed: int = 0,
    folder: Path | str | None = None,
    resume: bool = False,
    observe: Observer | None = None,
    game_file: Path | None = None,
) -> SolveResult:
    """Solve `game`, given compiled, as rules, by name, or by the path of a file.

    `algorithm` is a name or your own method. `budget` may be a number of iterations. With `folder`,
    tables and strategy are saved there every ten seconds and at the end, even on Ctrl-C or SIGTERM;
    with `resume` an existing run is continued. `game_file` is the Python file that made `game`,
    whose name a folder keeps.
    """
    if isinstance(game, str):
        game_file = python_file(game)
        game = find_game(game)
    if isinstance(game, Game):
        game = compile_game(game)
    method = find_algorithm(algorithm).method if isinstance(algorithm, str) else algorithm
    identity = identify(game, str(algorithm), seed)
    if folder is None:
        return _solve(game, method, identity, budget, None, False, observe)
    origin = game_file if needs_file(game.game) else None
    target = SolveFolder(Path(folder), identity, origin)
    with claimed_folder(target.path, KIND, asdict(identity), resume=resume) as resuming:
        return _solve(game, method, identity, budget, target, resuming, observe)


def _solve(
    game: CompiledGame,
    method: Discounting | Sampling | None,
    identity: Identity,
    budget: Budget | int | None,
    target: SolveFolder | None,
    resuming: bool,
    observe: Observer | None,
) -> SolveResult:
    if method is None:
        return _solve_exactly(game, identity, target)
    if budget is None:
        budget = _DEFAULT_FULL if isinstance(method, Discounting) else _DEFAULT_SAMPLED
    if isinstance(budget, int):
        budget = Budget(iterations=budget)
    progress = Progress(horizon=budget.iterations or DEFAULT_HORIZON)
    if target is not None and resuming:
        progress = load_progress(target.path)
    solver = make_solver(game, method, seed=identity.seed, horizon=progress.horizon)
    if target is not None and resuming:
        load_tables(target.path, game.fingerprint, solver.tables)
        solver.iterations = progress.iterations
    loop = _SolveLoop(solver, budget, progress, target, observe)
    loop.save()  # so that a folder that cannot be written to is found out now
    interrupted = loop.run()
    strategy = solver.average_strategy()
    return SolveResult(
        game,
        identity.algorithm,
        strategy,
        evaluate(strategy),
        solver.iterations,
        loop.seconds,
        tuple(loop.points),
        interrupted,
    )


def _solve_exactly(
    game: CompiledGame, identity: Identity, target: SolveFolder | None
) -> SolveResult:
    """The linear program has no intermediate state: it is solved, then saved."""
    import_module("scipy.optimize")  # which takes longer than Leduc
    started = time.perf_counter()
    solution = solve_linear_program(game)
    seconds = time.perf_counter() - started
    evaluation = evaluate(solution.strategy)
    points = (Point(solution.iterations, seconds, evaluation.nash_conv),)
    if target is not None:
        progress = Progress(solution.iterations, seconds, DEFAULT_HORIZON, points)
        target.save(progress, {}, solution.strategy)
    return SolveResult(
        game,
        identity.algorithm,
        solution.strategy,
        evaluation,
        solution.iterations,
        seconds,
        points,
    )


class _SolveLoop(RunLoop):
    """Evaluates at growing intervals, and saves to a folder if there is one."""

    def __init__(
        self,
        solver: Solver,
        budget: Budget,
        progress: Progress,
        target: SolveFolder | None,
        observe: Observer | None,
    ) -> None:
        super().__init__(
            solver,
            budget,
            chunk_seconds=_CHUNK_SECONDS,
            checkpoint_seconds=_CHECKPOINT_SECONDS,
            seconds=progress.seconds,
        )
        self.solver: Solver = solver
        self.target, self.observer = target, observe
        self.horizon = progress.horizon
        self.points = list(progress.points)
        self.exploitability = self._nash_conv / 2

    @property
    def _nash_conv(self) -> float:
        return self.points[-1].nash_conv if self.points else inf

    def save(self) -> None:
        """Write tables and strategy."""
        if self.target is None:
            return
        done = self.solver.iterations
        progress = Progress(done, self.seconds, self.horizon, tuple(self.points))
        self.target.save(progress, self.solver.tables, self.solver.average_strategy())

    def observe(self) -> None:
        """Report the progress of the run to the observer."""
        if self.observer is not None:
            self.observer(self.solver.iterations, self.seconds, self._nash_conv)

    def next_pause(self, done: int) -> int:
        """The next evaluation."""
        return evaluation_points(done)

    def pause(self) -> None:
        """Evaluate the strategy so far."""
        nash_conv = evaluate(self.solver.average_strategy()).nash_conv
        self.points.append(Point(self.solver.iterations, self.seconds, nash_conv))
        self.exploitability = nash_conv / 2
