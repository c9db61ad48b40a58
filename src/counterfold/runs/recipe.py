"""Recipes: everything that makes a bot, in one TOML file.

A recipe names variant, cards, bets, features, solver, budget and seed. It is shipped with the
package, by name, or is a file of the user's. Unknown keys are errors.
"""

import tomllib
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from counterfold.errors import RecipeError, UnknownNameError

Algorithm = Literal[
    "chance", "external", "outcome", "average-strategy", "public-chance", "joint-tables"
]
DiscountingName = Literal["cfr", "cfr+", "linear", "dcfr", "pcfr+"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class SolverRecipe(_Part):
    """How the abstract game is solved."""

    algorithm: Algorithm = "external"
    discounting: DiscountingName = "linear"
    epoch: int = Field(default=100_000, ge=1)  # deals between two discounts
    threads: int | None = Field(default=None, ge=1, le=1024)
    epsilon: float = Field(default=0.6, gt=0.0, le=1.0)  # exploration of outcome, average-strategy
    tau: float = Field(default=1000.0, ge=0.0)  # of average-strategy sampling
    beta: float = Field(default=1e6, ge=0.0)
    prune_below: float = Field(default=0.0, le=0.0)  # chips of regret; 0 to leave no action out


class BudgetRecipe(_Part):
    """When training ends, and what it may use."""

    time: str | None = None  # 30s, 10m, 1.5h
    iterations: int | None = Field(default=None, ge=1)  # deals
    memory: str | None = None  # 500MB, 4GB


class PlayRecipe(_Part):
    """How the strategy is played in the real game."""

    translation: Literal["nearest", "pseudo-harmonic"] = "pseudo-harmonic"
    threshold: float = Field(
        default=0.0, ge=0.0, lt=0.5
    )  # actions played less often are never played
    purify: bool = False  # always the most likely action


class Recipe(_Part):
    """A whole recipe."""

    about: str = ""
    variant: str
    cards: str  # a card abstraction, a history bucketing, or `exact` on a small deck
    bets: str
    discards: Literal["by-rank", "by-strength"] = "by-rank"  # which card is thought of first
    features: str = "history * cards"
    seed: int = Field(default=0, ge=-(2**62), lt=2**62)
    bins: int = Field(default=50, ge=2, le=1000)  # of histograms of strength
    solver: SolverRecipe = SolverRecipe()
    budget: BudgetRecipe = BudgetRecipe()
    play: PlayRecipe = PlayRecipe()


def shipped_recipes() -> dict[str, Path]:
    """The recipes of the package, by name."""
    folder = resources.files("counterfold") / "recipes"
    with resources.as_file(folder) as path:
        return {file.stem: file for file in sorted(Path(path).glob("*.toml"))}


def load_recipe(name: str, overrides: Sequence[str] = ()) -> tuple[str, Recipe]:
    """The shipped recipe or the file called `name`, with overrides such as ``solver.threads=2``.

    Returns a short name with it.
    """
    path = Path(name)
    shipped = shipped_recipes()
    if name in shipped:
        path = shipped[name]
    elif path.suffix != ".toml" and not path.exists():
        raise UnknownNameError("recipe", name, shipped)
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RecipeError(f"cannot read the recipe {name!r}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RecipeError(f"the recipe {name!r} is no TOML: {error}") from error
    for override in overrides:
        _override(content, override)
    return path.stem, parse_recipe(content, f"the recipe {name!r}")


def parse_recipe(content: Mapping[str, Any], where: str) -> Recipe:
    """A recipe from its keys; `where` it stands is for messages."""
    try:
        return Recipe.model_validate(dict(content))
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in fault["loc"])
        if fault["type"] == "extra_forbidden":
            part: Any = Recipe
            for name in fault["loc"][:-1]:
                part = part.model_fields[name].annotation
            unknown = UnknownNameError("key", key, _keys(part, fault["loc"][:-1]))
            raise RecipeError(f"{where}: {unknown}") from None
        if fault["type"] == "missing":
            raise RecipeError(f"{where} lacks the key {key!r}") from None
        message = fault["msg"][0].lower() + fault["msg"][1:]
        raise RecipeError(f"{where}: {key} = {fault['input']!r}: {message}") from None


def _keys(part: type[BaseModel], place: tuple[Any, ...]) -> list[str]:
    return [".".join((*map(str, place), key)) for key in part.model_fields]


def _override(content: dict[str, Any], text: str) -> None:
    """Set a key of `content`, such as ``solver.threads=2``; plain words need no quotes."""
    key, sign, value = text.partition("=")
    if not sign or not key.strip():
        raise RecipeError(f"cannot read the override {text!r}; write it like solver.threads=2")
    try:
        parsed = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        parsed = value.strip()
    *parents, last = key.strip().split(".")
    for parent in parents:
        content = content.setdefault(parent, {})
        if not isinstance(content, dict):
            raise RecipeError(f"cannot set {key.strip()!r}: {parent!r} has no keys of its own")
    content[last] = parsed
