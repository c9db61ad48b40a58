"""The tables that a training run goes on with, and the lines of its metrics."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from counterfold import artifacts
from counterfold.errors import ArtifactError
from counterfold.public.infosets import PublicGame, SlotLayout
from counterfold.training.recipe import Recipe
from counterfold.training.train_folder import CHECKPOINT, fingerprint
from counterfold.tree.solve_folder import check_unused

KIND = "checkpoint"
METRICS = "metrics.jsonl"


class TableSolver(Protocol):
    """A run of CFR whose tables have the slots of a public game, in the order of `layout`."""

    game: PublicGame
    layout: SlotLayout
    iterations: int
    visited: int  # nodes

    @property
    def tables(self) -> Mapping[str, NDArray[np.float32]]:
        """All that the next iteration depends on, as live arrays; `regrets` and `averages`."""
        ...

    def run(self, n: int, /) -> None:
        """Go on for so many iterations."""
        ...


def has_checkpoint(folder: Path) -> bool:
    """Whether a run in `folder` can go on."""
    return (folder / CHECKPOINT / artifacts.MANIFEST).exists()


def save_checkpoint(folder: Path, recipe: Recipe, solver: TableSolver, seconds: float) -> None:
    """Replace the tables to go on with."""
    state = {
        "kind": KIND,
        "recipe": _identity(recipe),
        "fingerprint": fingerprint(solver.game),
        "iterations": solver.iterations,
        "visited": solver.visited,
        "seconds": seconds,
    }
    artifacts.save(folder / CHECKPOINT, state, solver.tables)


def load_checkpoint(folder: Path, solver: TableSolver) -> float:
    """Give `solver` the tables in `folder`; returns the seconds that it has trained."""
    path = folder / CHECKPOINT
    manifest, arrays = artifacts.load(path)
    if manifest.get("fingerprint") != fingerprint(solver.game):
        raise ArtifactError(
            f"the game of {str(folder)!r} has changed since it was saved; train it anew in "
            "another folder"
        )
    try:
        done = int(manifest["iterations"]), int(manifest["visited"]), float(manifest["seconds"])
        if min(done) < 0:
            raise ValueError("its progress makes no sense")
    except (KeyError, TypeError, ValueError) as error:
        raise ArtifactError(f"{str(path)!r} is damaged: {error}") from error
    for name, table in solver.tables.items():
        saved = arrays.get(name)
        if saved is None or saved.shape != table.shape or saved.dtype != table.dtype:
            raise ArtifactError(f"{str(path)!r} is damaged: its table {name!r} does not fit")
        table[:] = saved
    solver.iterations, solver.visited, seconds = done
    return seconds


def check_same_recipe(folder: Path, recipe: Recipe) -> None:
    """Raise `ArtifactError` unless the run in `folder` may go on by `recipe`."""
    found = artifacts.load_manifest(folder / CHECKPOINT).get("recipe")
    if not isinstance(found, dict):
        raise ArtifactError(f"{str(folder)!r} is damaged: its checkpoint names no recipe")
    for key, value in _leaves(_identity(recipe)).items():
        before = _leaves(found).get(key)
        if before != value:
            raise ArtifactError(
                f"{str(folder)!r} holds a run with {key} {before!r}, not {value!r}; "
                "choose another folder"
            )


def check_folder_unused(folder: Path) -> None:
    """Raise `ArtifactError` if a new run would overwrite something, a first checkpoint included."""
    if has_checkpoint(folder):
        raise ArtifactError(
            f"{str(folder)!r} already holds a run; pass --resume to continue it or choose "
            "another folder"
        )
    checkpoint = folder / CHECKPOINT
    died = checkpoint.is_dir() and artifacts.is_vacant(checkpoint)  # while it first saved
    if not (died and [path.name for path in folder.iterdir()] == [CHECKPOINT]):
        check_unused(folder)


def append_metrics(folder: Path, metrics: Mapping[str, Any]) -> None:
    """Add a line; one that a dying process left unfinished goes first."""
    try:
        with open(folder / METRICS, "ab+") as file:
            end = file.seek(0, os.SEEK_END)
            file.seek(max(0, end - _LONGEST_LINE))
            tail = file.read()
            if tail and not tail.endswith(b"\n"):
                file.truncate(end - len(tail) + tail.rfind(b"\n") + 1)
            file.write(json.dumps(metrics).encode() + b"\n")
    except OSError as error:
        raise ArtifactError(
            f"cannot write to {str(folder / METRICS)!r}: {error.strerror or error}; "
            "the checkpoint is complete"
        ) from error


_LONGEST_LINE = 4096  # bytes


def _identity(recipe: Recipe) -> dict[str, Any]:
    """What must be equal for one run to continue another; budget, threads and play may change."""
    content = recipe.model_dump(exclude={"about", "budget", "play"})
    content["solver"].pop("threads")
    return content


def _leaves(content: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Values by dotted keys."""
    leaves: dict[str, Any] = {}
    for key, value in content.items():
        if isinstance(value, dict):
            leaves |= _leaves(value, f"{prefix}{key}.")
        else:
            leaves[prefix + key] = value
    return leaves
