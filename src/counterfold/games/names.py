"""Games by the text that people write: `leduc`, `goofspiel(5)`, `leduc(ranks=4, suits=2)`."""

import ast
import inspect
import re
from collections.abc import Callable
from typing import Any

from counterfold.errors import GameError, UnknownNameError
from counterfold.games.bargaining import NashBargaining
from counterfold.games.goofspiel import Goofspiel
from counterfold.games.holdem import VARIANTS
from counterfold.games.kuhn import Kuhn
from counterfold.games.leduc import Leduc
from counterfold.games.liars_dice import LiarsDice
from counterfold.games.matrix import Matrix, RockPaperScissors
from counterfold.games.protocol import Game

GAMES: dict[str, Callable[..., Game]] = {
    "goofspiel": Goofspiel,
    "kuhn": Kuhn,
    "leduc": Leduc,
    "liars-dice": LiarsDice,
    "matrix": Matrix,
    "nash-bargaining": NashBargaining,
    "rps": RockPaperScissors,
    **VARIANTS,
}


def parse_game(text: str) -> Game:
    """The game that `text` names, with parameters by position or by name in parentheses.

    A parameter is a Python literal; words need no quotes.
    """
    match = re.fullmatch(r"\s*([\w-]+)\s*(?:\((.*)\))?\s*", text, re.DOTALL)
    if match is None:
        raise GameError(f"cannot read game {text!r}; write it like leduc or goofspiel(5)")
    word, arguments = match.groups()
    if word not in GAMES:
        raise UnknownNameError("game", word, GAMES)
    game = GAMES[word]
    try:
        call = ast.parse(f"f({arguments or ''})", mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise GameError(f"cannot read the parameters of {text!r}") from error
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        raise GameError(f"cannot read game {text!r}; write it like leduc or goofspiel(5)")
    positional = [_literal(value, text) for value in call.args]
    named = {str(keyword.arg): _literal(keyword.value, text) for keyword in call.keywords}
    signature = inspect.signature(game)
    try:
        signature.bind(*positional, **named)
    except TypeError as error:
        known = ", ".join(signature.parameters) or "none"
        raise GameError(f"cannot read {text!r}: {error}; parameters of {word}: {known}") from error
    return game(*positional, **named)


def _literal(node: ast.expr, text: str) -> Any:
    """The value written at `node`; nothing is evaluated."""
    if isinstance(node, ast.Name):
        return node.id
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError) as error:
        raise GameError(
            f"parameter {ast.unparse(node)!r} of {text!r} must be a number, a word or a tuple"
        ) from error
