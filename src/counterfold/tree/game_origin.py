"""Where the game of a solved run came from, so that it can be found again.

A built-in game is known by its name, a variant by its rules as TOML: both are data. Any other game
is made by a Python file, and running a file that a folder names means trusting the folder. So the
folder only says which file it was; it runs if the user passes it.
"""

import shlex
from pathlib import Path

from counterfold.errors import ArtifactError, CounterfoldError, UnknownNameError
from counterfold.games import Game
from counterfold.games.files import parse_variant, rules_of
from counterfold.games.names import parse_game


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
        raise ArtifactError(_ask_for(folder, file))
    try:
        return parse_game(name)
    except UnknownNameError as error:
        raise ArtifactError(
            f"the game {name!r} of {str(folder)!r} is not built in; pass the file that makes it "
            "with --game, or its rules to load_solved"
        ) from error


def _ask_for(folder: Path, file: object) -> str:
    if not isinstance(file, str):
        return f"{str(folder)!r} is damaged: its manifest does not say which file makes its game"
    return (
        f"the game of {str(folder)!r} is made by a program, {file!r}, which was not run; if you "
        f"trust it, pass --game {shlex.quote(file)}"
    )
