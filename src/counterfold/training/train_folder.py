"""A trained strategy on disk, with everything needed to play it."""

import hashlib
import importlib.metadata
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from counterfold import artifacts
from counterfold.blueprints.blueprint import Blueprint, RoundingError
from counterfold.cards.table_files import Progress as TableProgress
from counterfold.errors import ArtifactError, CounterfoldError
from counterfold.public.card_maps import CardMap
from counterfold.public.infosets import PublicGame
from counterfold.training.plan import Plan
from counterfold.training.recipe import Recipe, parse_recipe

KIND = "blueprint"
CHECKPOINT = "checkpoint"  # the folder, in that of the strategy, with the tables to go on with


@dataclass(frozen=True, eq=False)
class TrainedRun:
    """A strategy read back, with what it takes to play it."""

    name: str
    plan: Plan
    cards: CardMap
    blueprint: Blueprint
    manifest: dict[str, Any]


def save_strategy(
    folder: Path,
    name: str,
    recipe: Recipe,
    blueprint: Blueprint,
    loss: RoundingError,
    metrics: dict[str, Any],
) -> None:
    """Replace the strategy in `folder`."""
    manifest = {
        "kind": KIND,
        "counterfold": importlib.metadata.version("counterfold"),
        "name": name,
        "recipe": recipe.model_dump(),
        "fingerprint": fingerprint(blueprint.game),
        "infosets": blueprint.game.n_infosets,
        "trained": blueprint.n_trained,
        "bits": 8 * blueprint.quantised.itemsize,
        "loss": vars(loss),
        "metrics": metrics,
    }
    arrays: dict[str, NDArray[Any]] = {"strategy": blueprint.quantised}
    if blueprint.visits is not None:
        arrays["visits"] = blueprint.visits
    artifacts.save(folder, manifest, arrays)


def is_trained(folder: Path) -> bool:
    """Whether `folder` holds a trained strategy rather than a solved game."""
    if not (folder / artifacts.MANIFEST).exists() and (folder / CHECKPOINT).is_dir():
        raise ArtifactError(
            f"{str(folder)!r} has no strategy yet; go on with counterfold train --resume"
        )
    return artifacts.load_manifest(folder).get("kind") == KIND


def load_training(folder: Path, progress: TableProgress | None = None) -> TrainedRun:
    """Read a trained strategy; card tables are built if the cache does not have them."""
    manifest, arrays = artifacts.load(folder)
    if manifest.get("kind") != KIND:
        raise ArtifactError(
            f"{str(folder)!r} holds a {manifest.get('kind')!r}, no trained strategy"
        )
    try:
        plan = Plan(parse_recipe(manifest["recipe"], "its recipe"))
        quantised: NDArray[Any] = arrays["strategy"]
        trained, made_by = int(manifest["trained"]), str(manifest["fingerprint"])
        name = str(manifest["name"])
    except (CounterfoldError, KeyError, TypeError, ValueError) as error:
        what = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        raise ArtifactError(f"{str(folder)!r} is damaged: {what}") from error
    cards = plan.cards(progress)
    game = plan.game(cards.n_buckets)
    if fingerprint(game) != made_by:
        raise ArtifactError(
            f"the game of {str(folder)!r} has changed since it was trained; train it again"
        )
    blueprint = Blueprint(game, quantised, trained, arrays.get("visits"))
    return TrainedRun(name, plan, cards, blueprint, manifest)


def fingerprint(game: PublicGame) -> str:
    """Hash of all that gives a slot its meaning."""
    graph = game.graph
    digest = hashlib.sha256(graph.variant.name.encode())
    arrays: list[NDArray[Any]] = [graph.situations, graph.starts, graph.children, graph.kinds]
    for array in (*arrays, graph.amounts, game.classes, game.n_buckets, game.offsets):
        digest.update(array.tobytes())
    return digest.hexdigest()[:16]
