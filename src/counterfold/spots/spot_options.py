"""A spot and the limits of its run, as options of the command and files in TOML write them."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from counterfold.errors import SpotError, UnknownNameError
from counterfold.games.files import SUFFIXES, python_file, read_game, rules_of
from counterfold.ranges.locks import parse_lock
from counterfold.ranges.spot import Spot
from counterfold.runs.budget import Budget, parse_seconds
from counterfold.spots.spot_run import make_budget

# Keys with the types of their values, and what to say of others.
_TEXT, _CHIPS, _SHARE = "text", "a whole number of chips", "a percentage such as '5%'"
_COUNT, _TEXTS = "a whole number", "a list of texts"
_KEYS: Mapping[str, str] = {
    "board": _TEXT,
    "ranges": _TEXTS,
    "pot": _CHIPS,
    "stack": _CHIPS,
    "bets": _TEXT,
    "game": _TEXT,
    "rules": _TEXT,
    "rake": _SHARE,
    "rake_cap": "a number of chips",
    "remove": _TEXTS,
    "lock": _TEXTS,
    "target": _SHARE,
    "iterations": _COUNT,
    "time": _TEXT,
}
_TYPES: Mapping[str, type | tuple[type, ...]] = {
    _TEXT: str,
    _CHIPS: int,
    _COUNT: int,
    _SHARE: str,
    _TEXTS: list,
}
_NEEDED = ("board", "ranges", "pot", "stack")


@dataclass(frozen=True)
class SpotOptions:
    """What to solve, and for how long."""

    spot: Spot
    budget: Budget


def load_spot_file(path: Path) -> dict[str, Any]:
    """The keys of a file in TOML."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SpotError(f"cannot read the spot {str(path)!r}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SpotError(f"{str(path)!r} is not valid TOML: {error}") from error


def read_spot_options(content: Mapping[str, Any]) -> SpotOptions:
    """The spot and the budget that keys and values describe."""
    for key, value in content.items():
        _check_type(key, value)
    check_complete(content)
    spot = _make_spot(content)
    target = content.get("target")
    time = content.get("time")
    budget = make_budget(
        spot,
        None if target is None else parse_share("target", target),
        content.get("iterations"),
        None if time is None else parse_seconds(time),
    )
    return SpotOptions(spot, budget)


def check_complete(content: Mapping[str, Any]) -> None:
    """Raise `SpotError` if a key is missing that every spot needs."""
    missing = [key for key in _NEEDED if key not in content]
    if missing:
        raise SpotError(
            f"a spot needs {', '.join(_NEEDED)}; {' and '.join(missing)} "
            f"{'is' if len(missing) == 1 else 'are'} missing"
        )


def find_rules(game: str) -> dict[str, str]:
    """What a spot says about its variant: a name, or a name and the rules of a file in TOML."""
    path = Path(game.strip())
    if path.suffix not in SUFFIXES:
        return {"game": game}
    if python_file(game) is not None:
        raise SpotError(
            f"a spot takes a variant by name or from a TOML file, not from {game!r}; declare it in "
            "TOML"
        )
    variant = read_game(path)
    return {"game": variant.name, "rules": rules_of(variant)}


def parse_share(name: str, text: str) -> float:
    """The share that a percentage such as ``0.3%`` is; a number without % may mean either."""
    number = text.strip().removesuffix("%")
    try:
        if number != text.strip():
            return float(number) / 100
    except ValueError:
        pass
    raise SpotError(f"{name} must be {_SHARE}, with its sign, not {text!r}")


def _make_spot(content: Mapping[str, Any]) -> Spot:
    ranges = content["ranges"]
    if len(ranges) != 2:
        raise SpotError(
            f"ranges must be two, that of the seat out of position first, not {len(ranges)}"
        )
    given = {key: content[key] for key in ("bets", "game", "rules", "rake_cap") if key in content}
    if "game" in content and "rules" not in content:
        given |= find_rules(content["game"])
    if "rake" in content:
        given["rake"] = parse_share("rake", content["rake"])
    oop, ip = ranges
    return Spot(
        content["board"],
        oop,
        ip,
        content["pot"],
        content["stack"],
        removed=tuple(content.get("remove", ())),
        locks=tuple(map(parse_lock, content.get("lock", ()))),
        **given,
    )


def _check_type(key: str, value: Any) -> None:
    if key not in _KEYS:
        raise UnknownNameError("key of a spot", key, _KEYS)
    expected = _KEYS[key]
    fits = isinstance(value, _TYPES.get(expected, (int, float))) and not isinstance(value, bool)
    if not fits or (expected == _TEXTS and not all(isinstance(item, str) for item in value)):
        raise SpotError(f"{key} of a spot must be {expected}, not {value!r}")
