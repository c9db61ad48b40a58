"""Games by the text that people write: `leduc`, `goofspiel(5)`, `leduc(ranks=4, suits=2)`."""

from collections.abc import Callable

from counterfold.call_text import make, read_call
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
    call = read_call(text, GameError, "game", "leduc or goofspiel(5)")
    if call.word not in GAMES:
        raise UnknownNameError("game", call.word, GAMES)
    return make(GAMES[call.word], call, GameError)
