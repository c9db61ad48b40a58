"""A trained strategy on disk: what a run of `train` adds to the folder of a run."""

import contextlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from counterfold.artifacts import append_line
from counterfold.blueprints.blueprint import Blueprint, RoundingError
from counterfold.cards.table_files import Progress as TableProgress
from counterfold.checksums import hash_parts
from counterfold.errors import ArtifactError, CounterfoldError
from counterfold.public.card_maps import CardMap
from counterfold.public.infosets import PublicGame, SlotLayout
from counterfold.runs import run_folder
from counterfold.runs.run_folder import RunRecord
from counterfold.training.plan import Plan
from counterfold.training.recipe import Recipe, change_recipe, parse_recipe
from counterfold.training.solver_factory import TableSolver
from counterfold.training.train_metrics import Metrics

KIND = "train"
METRICS = "metrics.jsonl"
_INFOSETS = "infosets"  # the order of all tables in earlier versions
_VISITS = "visits"  # the array beside the strategy, if visits were counted


@dataclass(frozen=True, eq=False)
class TrainedRun:
    """A strategy read back, with everything needed to play it."""

    name: str
    plan: Plan
    cards: CardMap
    blueprint: Blueprint
    metrics: Metrics


def save_training(
    folder: Path,
    plan: Plan,
    solver: TableSolver,
    blueprint: Blueprint,
    loss: RoundingError,
    metrics: Metrics,
) -> None:
    """Replace checkpoint and strategy, each complete at any moment, and add a line of metrics."""
    progress = {
        "iterations": solver.iterations,
        "seconds": metrics.seconds,
        "visited": solver.visited,
        "order": _order(solver.layout),
    }
    tables = plan.cards().digests()
    record = RunRecord(KIND, identify(plan.recipe), fingerprint(solver.game), progress, tables)
    run_folder.save_checkpoint(folder, record, solver.tables)
    _save_blueprint(folder, record, plan, blueprint, loss, metrics)
    append_metrics(folder, asdict(metrics))


def save_response(folder: Path, run: TrainedRun, loss: RoundingError, responds_to: str) -> None:
    """Save a run without a checkpoint: a response to the strategy with that digest."""
    progress = {"iterations": run.metrics.iterations, "seconds": run.metrics.seconds}
    identity = {**identify(run.plan.recipe), "responds_to": responds_to}
    game, tables = fingerprint(run.blueprint.game), run.cards.digests()
    record = RunRecord(KIND, identity, game, progress, tables)
    _save_blueprint(folder, record, run.plan, run.blueprint, loss, run.metrics)


def _save_blueprint(
    folder: Path,
    record: RunRecord,
    plan: Plan,
    blueprint: Blueprint,
    loss: RoundingError,
    metrics: Metrics,
) -> None:
    details = {
        "name": plan.name,
        "recipe": plan.recipe.model_dump(),
        "infosets": blueprint.game.n_infosets,
        "trained": blueprint.n_trained,
        "bits": 8 * blueprint.quantized.itemsize,
        "loss": vars(loss),
        "metrics": asdict(metrics),
    }
    arrays: dict[str, NDArray[Any]] = {run_folder.STRATEGY: blueprint.quantized}
    if blueprint.visits is not None:
        arrays[_VISITS] = blueprint.visits
    run_folder.save_strategy(folder, record, arrays, details)


def resume_training(folder: Path, plan: Plan, solver: TableSolver) -> float:
    """Give a fresh `solver` the checkpoint in `folder`; returns the seconds it has trained."""
    record = run_folder.load_checkpoint_record(folder)
    run_folder.check_built_on(folder, record, plan.cards().digests())
    progress = record.progress
    if progress.get("order", _INFOSETS) != _order(solver.layout):
        raise ArtifactError(
            f"{str(folder)!r} has its tables in the order of an earlier version; begin a new run "
            "in another folder"
        )
    tables = solver.tables
    # A device has averages in 64 bits, as all runs of earlier versions do.
    run_folder.load_tables(folder, fingerprint(solver.game), tables, converted=["averages"])
    solver.take_tables(tables)
    try:
        solver.iterations, solver.visited = int(progress["iterations"]), int(progress["visited"])
    except (KeyError, TypeError, ValueError) as error:
        raise ArtifactError(f"{str(folder)!r} is damaged: {error}") from error
    return float(progress["seconds"])


def _order(layout: SlotLayout) -> str:
    """What lies side by side in tables: actions of an information set, or one of many."""
    return _INFOSETS if (layout.steps == 1).all() else "actions"


def is_trained(folder: Path) -> bool:
    """Whether `folder` holds a trained strategy rather than a solved game."""
    return run_folder.run_kind(folder) == KIND


def load_trained(folder: Path | str, progress: TableProgress | None = None) -> TrainedRun:
    """Read a trained strategy; card tables are built if the cache does not have them."""
    folder = Path(folder)
    stored = run_folder.load_strategy(folder, KIND)
    details = stored.details
    try:
        plan = Plan(_read_recipe(details["recipe"]), str(details["name"]))
        trained = int(details["trained"])
        metrics = Metrics(**details["metrics"])
    except (CounterfoldError, KeyError, TypeError, ValueError) as error:
        what = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        raise ArtifactError(f"{str(folder)!r} is damaged: {what}") from error
    cards = plan.cards(progress)
    game = plan.game(cards.n_buckets)
    if fingerprint(game) != stored.record.fingerprint:
        raise ArtifactError(
            f"the game of {str(folder)!r} has changed since it was trained; train it again"
        )
    run_folder.check_built_on(folder, stored.record, cards.digests())
    quantized, visits = stored.arrays[run_folder.STRATEGY], stored.arrays.get(_VISITS)
    blueprint = Blueprint(game, quantized, trained, visits)
    return TrainedRun(plan.name, plan, cards, blueprint, metrics)


def _read_recipe(content: Mapping[str, Any]) -> Recipe:
    """The recipe of a run; earlier ones have the limit of pruning in chips."""
    solver = dict(content.get("solver", {}))
    chips = solver.pop("prune_below", None)
    recipe = parse_recipe({**content, "solver": solver}, "its recipe")
    if chips is None:
        return recipe
    blinds = float(chips) / Plan(recipe).variant.big_blind
    return change_recipe(recipe, [f"solver.prune_below_blinds={blinds}"])


def identify(recipe: Recipe) -> dict[str, Any]:
    """What must be equal for one call to resume another.

    Budget, threads, shares, device and play may change.
    """
    content = recipe.model_dump(exclude={"about", "budget", "play"})
    content["discards"] = "by-strength" if Plan(recipe).discards_by_strength else "by-rank"
    for computed in ("threads", "shares", "device"):
        content["solver"].pop(computed)
    if content["solver"]["averages_power"] is None:  # as before there was such a key
        content["solver"].pop("averages_power")
    return content


def fingerprint(game: PublicGame) -> str:
    """Hash of all that gives a slot its meaning."""
    graph = game.graph
    by_node = (graph.situations, graph.starts, graph.children, graph.kinds, graph.amounts)
    by_class = (game.classes, game.n_buckets, game.offsets)
    return hash_parts(graph.variant.name, *by_node, *by_class)


def load_metrics(folder: Path) -> list[dict[str, Any]]:
    """The metrics of a run so far, a line for each save; what is unfinished is left out."""
    try:
        lines = (folder / METRICS).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise ArtifactError(f"cannot read {str(folder / METRICS)!r}: {error}") from error
    rows = []
    for line in lines:
        with contextlib.suppress(ValueError, RecursionError):
            rows.append(json.loads(line))
    return [row for row in rows if isinstance(row, dict) and _are_numbers(row)]


def _are_numbers(row: Mapping[str, Any]) -> bool:
    return "iterations" in row and all(isinstance(value, int | float) for value in row.values())


def append_metrics(folder: Path, metrics: Mapping[str, Any]) -> None:
    """Add a line."""
    try:
        append_line(folder / METRICS, json.dumps(metrics).encode())
    except OSError as error:
        raise ArtifactError(
            f"cannot write to {str(folder / METRICS)!r}: {error.strerror or error}; "
            "the checkpoint is complete"
        ) from error
