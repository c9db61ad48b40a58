"""A run on disk: which game, which algorithm, how far, and the tables to go on with."""

import importlib.metadata
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold import artifacts
from counterfold.errors import ArtifactError
from counterfold.games import Game
from counterfold.games.files import find_game, parse_variant, rules_of
from counterfold.tree.compiled_game import CompiledGame, compile_game
from counterfold.tree.profile import Strategy, normalized

KIND = "solve"


@dataclass(frozen=True)
class Point:
    """One evaluation on the way."""

    iterations: int
    seconds: float  # of solving, evaluations and checkpoints not counted
    nash_conv: float  # in the unit of the game


@dataclass(frozen=True)
class Identity:
    """What must be equal for one run to continue another."""

    game: str
    abstraction: str
    fingerprint: str
    algorithm: str
    seed: int
    rules: str = ""  # a variant that its name does not say, as TOML


@dataclass(frozen=True)
class Progress:
    """How far a run has come."""

    iterations: int
    seconds: float
    horizon: int
    points: tuple[Point, ...]


def save_run(
    folder: Path, identity: Identity, progress: Progress, tables: dict[str, NDArray[np.float64]]
) -> None:
    """Replace the state of `folder`, which is empty or holds an earlier state of the same run."""
    manifest = {
        "kind": KIND,
        "counterfold": importlib.metadata.version("counterfold"),
        **asdict(identity),
        **asdict(progress),
    }
    artifacts.save(folder, manifest, tables)


def load_tables(
    folder: Path, identity: Identity, expected: dict[str, NDArray[np.float64]]
) -> tuple[Progress, dict[str, NDArray[np.float64]]]:
    """The state of `folder`, if it is one of the run `identity` with tables like `expected`."""
    manifest, tables = artifacts.load(folder)
    _check_kind(folder, manifest)
    for name, value in asdict(identity).items():
        if manifest[name] != value:
            raise ArtifactError(
                f"{str(folder)!r} holds a run with {name} {manifest[name]!r}, not {value!r}; "
                "choose another folder"
            )
    for name, table in expected.items():
        _check_table(folder, tables, name, table.size)
    return _progress(folder, manifest), tables


@dataclass(frozen=True)
class Run:
    """A finished or interrupted run, read back."""

    identity: Identity
    progress: Progress
    strategy: Strategy


def load_run(folder: Path, game: Game | CompiledGame | None = None) -> Run:
    """Read a run and compile its game again.

    `game` is needed if its rules are not ours, compiled if its abstraction is not ours either.
    """
    manifest, tables = artifacts.load(folder)
    _check_kind(folder, manifest)
    if isinstance(game, CompiledGame):
        compiled = game
    else:
        compiled = compile_game(game or _find_rules(manifest), manifest["abstraction"])
    if compiled.fingerprint != manifest["fingerprint"]:
        raise ArtifactError(
            f"the rules of {compiled.name} have changed since {str(folder)!r} was solved; "
            "solve it again"
        )
    _check_table(folder, tables, "averages", compiled.n_slots)
    identity = Identity(**{name: manifest[name] for name in Identity.__dataclass_fields__})
    strategy = normalized(compiled, tables["averages"])
    return Run(identity, _progress(folder, manifest), strategy)


def check_unused(folder: Path) -> None:
    """Raise `ArtifactError` if a new run in `folder` would overwrite something."""
    if folder.is_file():
        raise ArtifactError(f"{str(folder)!r} is a file, not a folder; choose another name")
    if (folder / artifacts.MANIFEST).exists():
        raise ArtifactError(
            f"{str(folder)!r} already holds a run; pass --resume to continue it or choose "
            "another folder"
        )
    if not artifacts.is_vacant(folder):
        raise ArtifactError(f"{str(folder)!r} is not empty; choose another folder")


def identify(game: CompiledGame, algorithm: str, seed: int) -> Identity:
    """The identity of a run that begins now."""
    rules = rules_of(game.game)
    return Identity(game.game.name, game.abstraction.name, game.fingerprint, algorithm, seed, rules)


def _find_rules(manifest: dict[str, Any]) -> Game:
    rules = manifest["rules"]
    return parse_variant(rules) if rules else find_game(manifest["game"])


def _check_kind(folder: Path, manifest: dict[str, Any]) -> None:
    if manifest.get("kind") != KIND:
        raise ArtifactError(f"{str(folder)!r} holds a {manifest.get('kind')!r}, not a solved game")
    manifest.setdefault("rules", "")  # nothing but the name was kept once
    needed = {*Identity.__dataclass_fields__, *Progress.__dataclass_fields__}
    if missing := sorted(needed - manifest.keys()):
        raise ArtifactError(f"{str(folder)!r} is damaged: its manifest lacks {missing[0]!r}")
    for name in ("game", "abstraction", "rules"):
        if not isinstance(manifest[name], str):
            raise ArtifactError(f"{str(folder)!r} is damaged: its {name} is no text")


def _check_table(folder: Path, tables: dict[str, NDArray[Any]], name: str, size: int) -> None:
    table = tables.get(name)
    if table is None or table.shape != (size,) or table.dtype != np.float64:
        raise ArtifactError(f"{str(folder)!r} is damaged: its table {name!r} does not fit")


def _progress(folder: Path, manifest: dict[str, Any]) -> Progress:
    try:
        points = tuple(Point(**point) for point in manifest["points"])
        progress = Progress(
            int(manifest["iterations"]),
            float(manifest["seconds"]),
            int(manifest["horizon"]),
            points,
        )
        numbers = (value for point in points for value in astuple(point))
        if not all(isinstance(value, int | float) for value in numbers):
            raise ValueError("its points are no numbers")
        if progress.iterations < 0 or progress.horizon < 1:
            raise ValueError("its progress makes no sense")
    except (TypeError, ValueError, OverflowError) as error:
        raise ArtifactError(f"{str(folder)!r} is damaged: {error}") from error
    return progress
