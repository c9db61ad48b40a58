"""Recipes: everything that makes a bot, in one TOML file.

A recipe names variant, cards, bets, features, solver, budget and seed. It is either shipped with
the package, by name, or a file of the user's. Unknown keys are errors.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ByteSize, ConfigDict, Field, ValidationError

from counterfold.cards.strength import MOST_BINS
from counterfold.devices import Device
from counterfold.discounting import DISCOUNTINGS, Discounting
from counterfold.errors import BudgetError, RecipeError, UnknownNameError
from counterfold.games.files import SUFFIXES, read_game, rules_of
from counterfold.runs.budget import parse_seconds

Algorithm = Literal[
    "auto",
    "chance",
    "external",
    "outcome",
    "average-strategy",
    "public-chance",
    "cfr-br",
    "joint-tables",
]
DiscountingName = Literal["cfr", "cfr+", "linear", "dcfr", "pcfr+"]

# Keys of the solver that only some algorithms read.
_READ_BY: Mapping[str, tuple[Algorithm, ...]] = {
    "epsilon": ("outcome", "average-strategy"),
    "tau": ("average-strategy",),
    "beta": ("average-strategy",),
    "prune_below_blinds": ("external",),
    "warm_up": ("external", "average-strategy"),
    "self_play": ("cfr-br",),
    "epoch": tuple(name for name in get_args(Algorithm) if name != "joint-tables"),
    "shares": tuple(name for name in get_args(Algorithm) if name != "joint-tables"),
}


# Keys of earlier versions, and what to write instead.
_RETIRED: Mapping[str, str] = {
    "solver.prune_below": "which was in chips, is now solver.prune_below_blinds, in big blinds; "
    "divide it by the big blind",
}


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class SolverRecipe(_Part):
    """How the abstract game is solved."""

    algorithm: Algorithm = "auto"  # public-chance where it is the better choice, else external
    discounting: DiscountingName = "linear"
    # epoch t counts t ** averages_power in the average strategy; as the discounting says if not set
    averages_power: float | None = Field(default=None, ge=0.0, le=100.0)
    # deals or boards between two discounts; 100,000 deals, 100 boards
    epoch: int | None = Field(default=None, ge=1)
    threads: int | None = Field(default=None, ge=1, le=1024)
    # parts of an epoch that the workers of a cluster walk, each from the tables it began with
    shares: int = Field(default=32, ge=1, le=65536)
    device: Device = "auto"  # the GPU if there is one and the algorithm can use it
    epsilon: float = Field(default=0.6, gt=0.0, le=1.0)  # exploration of outcome, average-strategy
    tau: float = Field(default=1000.0, ge=0.0)  # of average-strategy sampling
    beta: float = Field(default=1e6, ge=0.0)
    # big blinds of regret below which an action is skipped; 0 to skip none
    prune_below_blinds: float = Field(default=0.0, le=0.0)
    warm_up: int = Field(default=0, ge=0)  # deals that are walked in full before the others
    # share of the epochs in which players of cfr-br meet each other instead of responders
    self_play: float = Field(default=0.0, ge=0.0, lt=1.0)

    @property
    def fading(self) -> Discounting:
        """How past regrets and past strategies fade."""
        named = DISCOUNTINGS[self.discounting]
        power = self.averages_power
        return named if power is None else replace(named, gamma=power)


class BudgetRecipe(_Part):
    """When training ends, and what it may use."""

    time: str | None = None  # 30s, 10m, 1.5h
    iterations: int | None = Field(default=None, ge=1)  # deals
    memory: Annotated[ByteSize, Field(gt=0)] | None = None  # 500MB, 4GB


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
    variant: str  # by name, or the path of a file beside the recipe
    rules: str = ""  # the rules of a custom variant, as TOML; filled in from its file
    cards: str  # a card abstraction, a history bucketing, or `exact` on a small deck
    bets: str
    discards: Literal["auto", "by-rank", "by-strength"] = "auto"  # which card is considered first
    features: str = "history * cards"
    seed: int = Field(default=0, ge=-(2**62), lt=2**62)
    bins: int = Field(default=50, ge=2, le=MOST_BINS)  # of histograms of strength
    solver: SolverRecipe = SolverRecipe()
    budget: BudgetRecipe = BudgetRecipe()
    play: PlayRecipe = PlayRecipe()


def shipped_recipes() -> dict[str, Path]:
    """The recipes of the package, by name."""
    folder = resources.files("counterfold") / "recipes"
    with resources.as_file(folder) as path:
        files = sorted(Path(path).glob("*.toml"), key=lambda file: file.stem)
    return {file.stem: file for file in files}


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
        raise RecipeError(f"cannot read the recipe {name!r}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RecipeError(f"the recipe {name!r} is not valid TOML: {error}") from error
    for override in overrides:
        _override(content, override)
    return path.stem, _include(parse_recipe(content, f"the recipe {name!r}"), path.parent)


def change_recipe(recipe: Recipe, overrides: Sequence[str]) -> Recipe:
    """The recipe with overrides such as ``solver.threads=2``."""
    if not overrides:
        return recipe
    content = recipe.model_dump()
    for override in overrides:
        _override(content, override)
    return parse_recipe(content, "the changed recipe")


def _include(recipe: Recipe, folder: Path) -> Recipe:
    """The recipe with the rules of its variant if a file has them, so it needs no file."""
    path = folder / recipe.variant.strip()
    if recipe.rules or path.suffix not in SUFFIXES:
        return recipe
    game = read_game(path)
    return recipe.model_copy(update={"variant": game.name, "rules": rules_of(game)})


def parse_recipe(content: Mapping[str, Any], where: str) -> Recipe:
    """A recipe from its keys; `where` names the source in messages."""
    try:
        recipe = Recipe.model_validate(dict(content))
    except ValidationError as error:
        raise RecipeError(f"{where}: {_explain(error)}") from None
    _check_solver(recipe.solver, where)
    try:
        if recipe.budget.time is not None and parse_seconds(recipe.budget.time) == 0.0:
            raise BudgetError("budget.time must be above 0")
    except BudgetError as error:
        raise RecipeError(f"{where}: {error}") from None
    return recipe


def _check_solver(solver: SolverRecipe, where: str) -> None:
    """Refuse settings that the algorithm would ignore."""
    for key, algorithms in _READ_BY.items():
        if key in solver.model_fields_set and solver.algorithm not in algorithms:
            default = SolverRecipe.model_fields[key].default
            if getattr(solver, key) != default:
                raise RecipeError(
                    f"{where}: solver.{key} has no meaning for solver.algorithm "
                    f"{solver.algorithm!r}, only for {', '.join(algorithms)}"
                )


_TYPES = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "byte_size": "a size such as 500MB or 4GB",
    "byte_size_unit": "a size such as 500MB or 4GB",
    "model_type": "a table of keys",
}
_LIMITS = {
    "greater_than_equal": ("at least", "ge"),
    "greater_than": ("above", "gt"),
    "less_than_equal": ("at most", "le"),
    "less_than": ("below", "lt"),
}


def _explain(error: ValidationError) -> str:
    """The first fault as a sentence."""
    fault = error.errors(include_url=False)[0]
    place = tuple(str(part) for part in fault["loc"])
    key, kind, found = ".".join(place), fault["type"], fault["input"]
    if kind == "extra_forbidden" and key in _RETIRED:
        return f"{key}, {_RETIRED[key]}"
    if kind == "extra_forbidden":
        parents = place[:-1]
        names = [".".join((*parents, name)) for name in _part(parents).model_fields]
        return str(UnknownNameError("key", key, names))
    if kind == "missing":
        return f"the key {key!r} is missing"
    if kind == "literal_error":
        choices = get_args(_part(place[:-1]).model_fields[place[-1]].annotation)
        return str(UnknownNameError(key, str(found), choices))
    if kind in _LIMITS:
        words, bound = _LIMITS[kind]
        return f"{key} must be {words} {fault['ctx'][bound]}, not {found!r}"
    if kind in _TYPES:
        return f"{key} must be {_TYPES[kind]}, not {found!r}"
    return f"{key} cannot be {found!r}: {fault['msg']}"


def _part(place: Sequence[str]) -> type[BaseModel]:
    """The model of a table of keys."""
    part: Any = Recipe
    for name in place:
        part = part.model_fields[name].annotation
    model: type[BaseModel] = part
    return model


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
