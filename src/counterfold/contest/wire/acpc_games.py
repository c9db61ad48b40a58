"""Games as the dealer of the Annual Computer Poker Competition defines them, in `.game` files.

A file says what the dealer plays; its messages do not. Seats count from 1 and from the big blind in
games for two, so its player 1 is our seat 1 and its player 2 our dealer.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from counterfold.errors import ExportError
from counterfold.games.holdem import Variant

_KEYS = (
    "numPlayers", "numRounds", "blind", "stack", "raiseSize", "firstPlayer", "maxRaises",
    "numSuits", "numRanks", "numHoleCards", "numBoardCards",
)  # fmt: skip
_SPELLINGS = {key.lower(): key for key in _KEYS}
_DEFAULTS = {"numSuits": (4,), "numRanks": (13,), "numHoleCards": (2,)}

Numbers = tuple[int, ...]


@dataclass(frozen=True)
class GameDefinition:
    """What a `.game` file says, by its own keys."""

    source: str
    betting: str  # limit or no-limit
    numbers: Mapping[str, Numbers]


def load_game_definition(path: Path) -> GameDefinition:
    """Read a `.game` file."""
    try:
        return parse_game_definition(path.read_text(encoding="ascii"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise ExportError(f"cannot read the game definition {str(path)!r}: {error}") from error


def parse_game_definition(text: str, source: str = "the game definition") -> GameDefinition:
    """Read the text of a `.game` file; lines that begin with # are comments."""
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    words = [line.lower() for line in lines]
    if not words or words[0] != "gamedef" or words[-1] != "end gamedef":
        raise ExportError(f"{source} must be lines between GAMEDEF and END GAMEDEF")
    betting = "no-limit" if "nolimit" in words else "limit"
    numbers: dict[str, Numbers] = dict(_DEFAULTS)
    for line in lines[1:-1]:
        if line.lower() not in ("limit", "nolimit"):
            key, values = _read_line(line, source)
            numbers[key] = values
    return GameDefinition(source, betting, numbers)


def _read_line(line: str, source: str) -> tuple[str, Numbers]:
    name, _, rest = line.partition("=")
    key = _SPELLINGS.get(name.strip().lower())
    if key is None or not re.fullmatch(r"\s*[0-9]{1,9}(\s+[0-9]{1,9})*\s*", rest, re.ASCII):
        raise ExportError(
            f"{source}: {line[:60]!r} must be limit, nolimit, or one of {', '.join(_KEYS)} "
            "with = and whole numbers"
        )
    return key, tuple(int(word) for word in rest.split())


def check_game_definition(game: GameDefinition, variant: Variant) -> None:
    """Raise `ExportError` if a bot of `variant` is not one for the dealer's `game`."""
    if game.betting != variant.betting:
        raise ExportError(
            f"{game.source} is a {game.betting} game, but the run was trained for {variant.name}"
        )
    wanted_numbers = _describe(variant)
    if variant.betting == "limit":
        unit = max(game.numbers.get("blind", ())[:2], default=0)
        own = variant.big_blind
        bets = tuple(street.bet * unit // own for street in variant.streets)
        blinds = tuple(blind * unit // own for blind in variant.blinds[::-1])
        wanted_numbers |= {"blind": blinds, "raiseSize": bets}
    for key, wanted in wanted_numbers.items():
        given = game.numbers.get(key, ())
        if given[: len(wanted)] != wanted:
            said = " ".join(map(str, given)) or "nothing"
            raise ExportError(
                f"{game.source} says {key} = {said}, but the run was trained for {variant.name}, "
                f"which has {' '.join(map(str, wanted))}; train a recipe for the dealer's game"
            )


def _describe(variant: Variant) -> dict[str, Numbers]:
    """The numbers that the dealer's game must have, by its keys.

    The chips of limit games are compared apart: raises have no amounts in messages, so only
    their ratios matter.
    """
    streets = variant.streets
    facts: dict[str, Numbers] = {
        "numPlayers": (2,),
        "numRounds": (len(streets),),
        "firstPlayer": tuple(2 if street.first == 0 else 1 for street in streets),
        "numSuits": (variant.deck.suits,),
        "numRanks": (len(variant.deck.ranks),),
        "numHoleCards": (variant.hole_cards,),
        "numBoardCards": tuple(street.cards for street in streets),
    }
    if variant.betting == "no-limit":
        return {**facts, "blind": variant.blinds[::-1], "stack": (variant.stack,) * 2}
    blinded = variant.blinds[0] != variant.blinds[1]
    raises = [street.max_bets - (blinded and at == 0) for at, street in enumerate(streets)]
    return {**facts, "maxRaises": tuple(raises)}
