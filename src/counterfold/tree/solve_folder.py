"""A solved game on disk: what a run of `solve` adds to the folder of a run."""

from collections.abc import Mapping
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.errors import ArtifactError
from counterfold.games import Game
from counterfold.games.files import rules_of
from counterfold.runs import run_folder
from counterfold.runs.run_folder import RunRecord
from counterfold.tree.compiled_game import CompiledGame, compile_game
from counterfold.tree.game_origin import find_origin
from counterfold.tree.profile import Strategy

KIND = "solve"


@dataclass(frozen=True)
class Point:
    """One evaluation during a run."""

    iterations: int
    seconds: float  # of solving, evaluations and checkpoints not counted
    nash_conv: float  # in the unit of the game


@dataclass(frozen=True)
class Identity:
    """What must be equal for one run to continue another."""

    game: str
    abstraction: str
    algorithm: str
    seed: int
    rules: str = ""  # the rules of a variant that its name does not determine, as TOML


@dataclass(frozen=True)
class Progress:
    """The progress of a run."""

    iterations: int = 0
    seconds: float = 0.0
    horizon: int = 1
    points: tuple[Point, ...] = ()


@dataclass(frozen=True)
class SolvedRun:
    """A finished or interrupted run of `solve`, read back."""

    identity: Identity
    progress: Progress
    strategy: Strategy


def identify(game: CompiledGame, algorithm: str, seed: int) -> Identity:
    """The identity of a new run."""
    return Identity(game.game.name, game.abstraction.name, algorithm, seed, rules_of(game.game))


@dataclass(frozen=True)
class SolveFolder:
    """Where a run is saved, and its identity."""

    path: Path
    identity: Identity
    game_file: Path | None = None  # the Python file that made the game, if it takes one

    def save(
        self,
        progress: Progress,
        tables: Mapping[str, NDArray[np.float64]],
        strategy: Strategy,
    ) -> None:
        """Replace what is there; without `tables` there is nothing to resume from."""
        fingerprint = strategy.game.fingerprint
        record = RunRecord(KIND, asdict(self.identity), fingerprint, asdict(progress))
        if tables:
            run_folder.save_checkpoint(self.path, record, tables)
        details = {"game_file": None if self.game_file is None else str(self.game_file.resolve())}
        arrays = {run_folder.STRATEGY: strategy.probabilities}
        run_folder.save_strategy(self.path, record, arrays, details)


def load_progress(folder: Path) -> Progress:
    """The progress of the checkpoint in `folder`."""
    return _parse_progress(folder, run_folder.load_checkpoint_record(folder).progress)


def load_solved(folder: Path | str, game: Game | CompiledGame | None = None) -> SolvedRun:
    """Read a run of `solve` and compile its game again.

    `game` is needed if its rules are not built in, and must be compiled if its abstraction is not
    either. A folder is data: the Python file that made a game is named in it, but never run.
    """
    folder = Path(folder)
    stored = run_folder.load_strategy(folder, KIND)
    identity = _parse_identity(folder, stored.record.identity)
    if not isinstance(game, CompiledGame):
        rules = game or find_origin(
            folder, identity.game, identity.rules, stored.details.get("game_file")
        )
        game = compile_game(rules, identity.abstraction)
    if game.fingerprint != stored.record.fingerprint:
        raise ArtifactError(
            f"the rules of {game.name} have changed since {str(folder)!r} was solved; "
            "solve it again"
        )
    probabilities = stored.arrays[run_folder.STRATEGY]
    if probabilities.shape != (game.n_slots,) or probabilities.dtype != np.float64:
        raise ArtifactError(f"{str(folder)!r} is damaged: its strategy does not fit the game")
    progress = _parse_progress(folder, stored.record.progress)
    return SolvedRun(identity, progress, Strategy(game, probabilities))


def _parse_identity(folder: Path, content: Mapping[str, Any]) -> Identity:
    for name, field in Identity.__dataclass_fields__.items():
        if not isinstance(content.get(name), int if field.type is int else str):
            raise ArtifactError(f"{str(folder)!r} is damaged: its identity lacks {name!r}")
    return Identity(**{name: content[name] for name in Identity.__dataclass_fields__})


def _parse_progress(folder: Path, content: Mapping[str, Any]) -> Progress:
    try:
        points = tuple(Point(**point) for point in content["points"])
        progress = Progress(
            int(content["iterations"]),
            float(content["seconds"]),
            int(content["horizon"]),
            points,
        )
        numbers = (value for point in points for value in astuple(point))
        if not all(isinstance(value, int | float) for value in numbers):
            raise ValueError("its points are not numbers")
        if progress.horizon < 1:
            raise ValueError("its horizon is below 1")
    except KeyError as error:
        raise ArtifactError(f"{str(folder)!r} is damaged: its progress lacks {error}") from error
    except (TypeError, ValueError, OverflowError) as error:
        raise ArtifactError(f"{str(folder)!r} is damaged: {error}") from error
    return progress
