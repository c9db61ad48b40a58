"""Games by file: a variant declared in TOML, or any game made by a short Python file.

The keys of a TOML file are the fields of `Variant`, `Street` and `Draw`, except that `title` is
called `name`. What a file leaves out has the default of the field.
"""

import runpy
import tomllib
import traceback
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, asdict, fields
from pathlib import Path
from typing import Any

import tomli_w

from counterfold.cards import Deck, parse_deck
from counterfold.errors import CounterfoldError, GameError, UnknownNameError
from counterfold.games.holdem import Draw, Street, Variant
from counterfold.games.holdem.variant import in_place
from counterfold.games.names import parse_game
from counterfold.games.protocol import Game

SUFFIXES = (".toml", ".py")
PYTHON_NAME = "game"  # what a Python file must set

_NAME, _TITLE = "name", "title"


def find_game(text: str) -> Game:
    """The game that `text` names: a file by its path, which ends in .toml or .py, or a name."""
    path = Path(text.strip())
    return read_game(path) if path.suffix in SUFFIXES else parse_game(text)


def python_file(text: str) -> Path | None:
    """The file that `find_game` would run for `text`, None if it would not run one."""
    path = Path(text.strip())
    return path if path.suffix == ".py" else None


def read_game(path: Path) -> Game:
    """The game that a file declares. A Python file is run, and must set `game`."""
    if path.suffix == ".py":
        return _run_python(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise GameError(f"cannot read {str(path)!r}: {_reason(error)}") from error
    with in_place(str(path)):
        return parse_variant(text, path.stem)


def parse_variant(text: str, name: str = "variant") -> Variant:
    """The variant that the TOML `text` declares, called `name` if it does not name itself."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise GameError(f"not valid TOML: {error}") from error
    _check_keys(content, {_NAME, *_known(Variant)} - {_TITLE})
    title = content.pop(_NAME, name)
    if not isinstance(title, str) or not title.isprintable() or not title.strip():
        raise GameError(f"name must be a line of text, not {title!r}")
    streets = content.pop("streets", None)
    if not isinstance(streets, list) or not streets:
        raise GameError("there are no streets; a street begins with the line [[streets]]")
    if "deck" in content:
        content["deck"] = _parse_deck(content["deck"])
    return Variant(
        title, tuple(_parse_street(at, street) for at, street in enumerate(streets)), **content
    )


def format_variant(variant: Variant) -> str:
    """The TOML that `parse_variant` reads back."""
    content = _differing_fields(variant)
    title, streets = content.pop(_TITLE), content.pop("streets")
    return tomli_w.dumps({_NAME: title, **content, "streets": streets})


def rules_of(game: Game) -> str:
    """What besides the name is needed to find `game` again: TOML, or nothing if the name does."""
    if not isinstance(game, Variant):
        return ""
    try:
        return "" if parse_game(game.name) == game else format_variant(game)
    except CounterfoldError:
        return format_variant(game)


def _parse_street(at: int, content: object) -> Street:
    with in_place(f"street {at}"):
        if not isinstance(content, dict):
            raise GameError(f"a street must be a table, not {content!r}")
        _check_keys(content, _known(Street))
        if "draw" not in content:
            return Street(**content)
        draw = content["draw"]
        if not isinstance(draw, dict):
            raise GameError(
                f"draw must be a table such as {{ first = 1, shown = false }}, not {draw!r}"
            )
        with in_place("draw"):
            _check_keys(draw, _known(Draw))
        return Street(**content | {"draw": Draw(**draw)})


def _parse_deck(text: object) -> Deck:
    if not isinstance(text, str):
        raise GameError(f"deck must be text such as full or 9TJQKA/cd, not {text!r}")
    return parse_deck(text)


def _known(kind: type) -> set[str]:
    return {field.name for field in fields(kind)}


def _check_keys(content: Mapping[str, Any], known: Iterable[str]) -> None:
    for key in content:
        if key not in known:
            raise GameError(str(UnknownNameError("key", key, known)))


def _differing_fields(value: Any) -> dict[str, Any]:
    """The fields that differ from their defaults, as TOML has them."""
    return {
        field.name: _as_toml(getattr(value, field.name))
        for field in fields(value)
        if getattr(value, field.name) != _default(field)
    }


def _default(field: Field[Any]) -> Any:
    return None if field.default is MISSING else field.default


def _as_toml(value: Any) -> Any:
    if isinstance(value, Deck):
        return value.name
    if isinstance(value, Draw):
        return asdict(value)
    if isinstance(value, Street):
        return _differing_fields(value)
    return [_as_toml(item) for item in value] if isinstance(value, tuple) else value


def _run_python(path: Path) -> Game:
    try:
        content = runpy.run_path(str(path))
    except CounterfoldError as error:
        raise GameError(f"{path}: {error}") from error
    except OSError as error:
        raise GameError(f"cannot read {str(path)!r}: {_reason(error)}") from error
    except SyntaxError as error:
        raise GameError(f"{path}: line {error.lineno}: {error.msg}") from error
    except Exception as error:
        lines = [
            at.lineno
            for at in traceback.extract_tb(error.__traceback__)
            if at.filename == str(path)
        ]
        place = f"line {lines[-1]}: " if lines else ""
        raise GameError(f"{path}: {place}{type(error).__name__}: {error}") from error
    game = content.get(PYTHON_NAME)
    if not isinstance(game, Game):
        raise GameError(f"{path}: {PYTHON_NAME} must be set to a Game, such as a Variant")
    return game


def _reason(error: OSError | UnicodeDecodeError) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else "it is not text"
