"""Games by the text that people write: `leduc`, `goofspiel(5)`, `leduc(ranks=4, suits=2)`."""

import ast
import re

from counterfold.errors import GameError, UnknownNameError
from counterfold.games.kuhn import Kuhn
from counterfold.games.protocol import Game

GAMES: dict[str, type[Game]] = {game.word: game for game in (Kuhn,)}


def parse_game(text: str) -> Game:
    """The game that `text` names, with parameters by position or by name in parentheses."""
    match = re.fullmatch(r"\s*([\w-]+)\s*(?:\((.*)\))?\s*", text, re.DOTALL)
    if match is None:
        raise GameError(f"cannot read game {text!r}; write it like leduc or goofspiel(5)")
    word, arguments = match.groups()
    if word not in GAMES:
        raise UnknownNameError("game", word, GAMES)
    try:
        call = ast.parse(f"f({arguments or ''})", mode="eval").body
        assert isinstance(call, ast.Call)
        positional = [ast.literal_eval(value) for value in call.args]
        named = {str(word.arg): ast.literal_eval(word.value) for word in call.keywords}
        return GAMES[word](*positional, **named)
    except (SyntaxError, TypeError) as error:
        raise GameError(f"cannot read the parameters of {text!r}: {error}") from error
