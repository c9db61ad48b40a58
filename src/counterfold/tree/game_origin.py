"""Where the game of a solved run came from, so that it can be found again.

A built-in game is known by its name, a variant by its rules as TOML. Any other game is made by a
Python file, and running a file that a folder names means trusting the folder. So the file is run
again only if neither it nor the run has moved and its content is the same to the byte; otherwise
the user has to pass the file.
"""

import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from counterfold.artifacts import hash_file
from counterfold.errors import ArtifactError, CounterfoldError, UnknownNameError
from counterfold.games import Game
from counterfold.games.files import parse_variant, read_game, rules_of
from counterfold.games.names import parse_game


@dataclass(frozen=True)
class GameFile:
    """A Python file that made a game."""

    path: str  # absolute
    from_run: str  # the same, relative to the folder of the run
    sha256: str


def describe_file(path: Path, folder: Path) -> GameFile:
    """What a run in `folder` keeps of the Python file that made its game."""
    path = path.resolve()
    return GameFile(str(path), _relative(path, folder), _hash(path))


def needs_file(game: Game) -> bool:
    """Whether neither its name nor its rules identify `game`."""
    if rules_of(game):
        return False
    try:
        return parse_game(game.name) != game
    except CounterfoldError:
        return True


def find_origin(folder: Path, name: str, rules: str, file: object) -> Game:
    """The game of the run in `folder`; `file` is what its manifest says about a Python file."""
    if rules:
        return parse_variant(rules)
    if file is not None:
        return _run_again(folder, _parse(folder, file))
    try:
        return parse_game(name)
    except UnknownNameError as error:
        raise ArtifactError(
            f"the game {name!r} of {str(folder)!r} is not built in; pass the file that makes it "
            "with --game, or its rules to load_solved"
        ) from error


def _run_again(folder: Path, file: GameFile) -> Game:
    path = Path(file.path)
    if _relative(path, folder) != file.from_run:
        raise ArtifactError(
            f"{str(folder)!r} has moved since it was solved, and its game is a program, "
            f"{file.path!r}; if you trust it, pass it with --game"
        )
    if not path.is_file():
        raise ArtifactError(
            f"{file.path!r}, which makes the game of {str(folder)!r}, is gone; pass the file "
            "with --game"
        )
    if _hash(path) != file.sha256:
        raise ArtifactError(
            f"{file.path!r} has changed since {str(folder)!r} was solved, so it was not run; if "
            "its game is the same, pass it with --game, else solve it again"
        )
    return read_game(path)


def _parse(folder: Path, content: object) -> GameFile:
    known = asdict(GameFile("", "", ""))
    if not isinstance(content, dict) or dict.fromkeys(content, "") != known:
        raise ArtifactError(f"{str(folder)!r} is damaged: its manifest does not say which file")
    texts: dict[str, Any] = {key: str(value) for key, value in content.items()}
    return GameFile(**texts)


def _relative(path: Path, folder: Path) -> str:
    try:
        return os.path.relpath(path, folder.resolve())
    except ValueError:  # on another drive
        return str(path)


def _hash(path: Path) -> str:
    try:
        return hash_file(path)
    except OSError as error:
        raise ArtifactError(f"cannot read {str(path)!r}: {error.strerror or error}") from error
