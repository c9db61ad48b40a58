"""Games by file: a variant declared in TOML, or any game made by a short Python file.

The keys of a TOML file are told in `games.holdem.variant_content`.
"""

import runpy
import tomllib
import traceback
from pathlib import Path

import tomli_w

from counterfold.errors import CounterfoldError, GameError
from counterfold.games.holdem import Variant
from counterfold.games.holdem.variant_checks import in_place
from counterfold.games.holdem.variant_content import read_variant, write_variant
from counterfold.games.names import parse_game
from counterfold.games.protocol import Game

SUFFIXES = (".toml", ".py")
PYTHON_NAME = "game"  # what a Python file must set


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
    return read_variant(content, name)


def format_variant(variant: Variant) -> str:
    """The TOML that `parse_variant` reads back."""
    return tomli_w.dumps(write_variant(variant))


def rules_of(game: Game) -> str:
    """What besides the name is needed to find `game` again: TOML, or nothing if the name does."""
    if not isinstance(game, Variant):
        return ""
    try:
        return "" if parse_game(game.name) == game else format_variant(game)
    except CounterfoldError:
        return format_variant(game)


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
