"""Goofspiel: sealed bids for prizes, with a hand of cards 1 to n each (Ross 1971).

The higher bid takes the prize, equal bids discard it. The players learn who won each trick, not the
bids. The last trick is forced and plays itself. In sequence: player 0 bids, then player 1 without
seeing that bid. A player gets its points less the mean of both, which is half the difference, as in
OpenSpiel's `goofspiel` with `imp_info` and `point_difference`despite that name.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar

from counterfold.errors import GameError
from counterfold.games.protocol import Feature, Game, Infoset, Outcomes, check_parameter, illegal

ORDERS = ("descending", "ascending", "random")
TIE = "="


@dataclass(frozen=True, slots=True)
class GoofspielState:
    """The prizes shown, what each player has bid, and who won: a seat or `=` per trick."""

    game: "Goofspiel" = field(repr=False)
    prizes: tuple[str, ...]
    bids: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    wins: str = ""

    @property
    def chance(self) -> Outcomes | None:
        """The next prize, where the order is random."""
        if len(self.prizes) > len(self.bids[1]) or len(self.wins) == self.game.cards:
            return None
        return Outcomes.uniform(_left(self.game.cards, self.prizes))

    @property
    def utilities(self) -> tuple[float, float] | None:
        """Each player's points less the mean of both: half the difference."""
        if len(self.wins) < self.game.cards:
            return None
        half = _lead(self.prizes, self.wins) / 2
        return half, 0.0 - half

    @property
    def infoset(self) -> Infoset:
        """The player's own bids, the prizes shown and who won them."""
        player = len(self.bids[0]) - len(self.bids[1])
        mine = self.bids[player]
        facts = (("prizes", ",".join(self.prizes)), ("bids", ",".join(mine)), ("wins", self.wins))
        return Infoset(player, _left(self.game.cards, mine), facts)

    def child(self, action: str) -> "GoofspielState":
        """After a prize is shown or a bid is made."""
        cards = self.game.cards
        prizes, (first, second), wins = self.prizes, self.bids, self.wins
        if len(wins) == cards:
            raise illegal(action, self)
        if len(prizes) == len(second):
            if action not in _left(cards, prizes):
                raise illegal(action, self)
            return GoofspielState(self.game, (*prizes, action), self.bids, wins)
        if action not in _left(cards, second if len(first) > len(second) else first):
            raise illegal(action, self)
        if len(first) == len(second):
            return GoofspielState(self.game, prizes, ((*first, action), second), wins)
        second = (*second, action)
        wins += _winner(first[-1], action)
        if len(wins) == cards - 1:
            first, second = first + _left(cards, first), second + _left(cards, second)
            wins += _winner(first[-1], second[-1])
        return GoofspielState(self.game, self.game.shown(prizes, len(wins)), (first, second), wins)


@dataclass(frozen=True)
class Goofspiel(Game):
    """Goofspiel with prizes 1 to `cards` in `order`: descending, ascending or random."""

    word = "goofspiel"
    features: ClassVar[Mapping[str, Feature]] = {
        "score": lambda infoset: _score(infoset),
        "hand": lambda infoset: infoset.actions,
        "prize": lambda infoset: str(infoset["prizes"]).rpartition(",")[2],
    }
    cards: int = 4
    order: str = "descending"

    def __post_init__(self) -> None:
        check_parameter("cards", self.cards, 2, 13)
        if self.order not in ORDERS:
            raise GameError(f"order must be one of {', '.join(ORDERS)}, not {self.order!r}")

    def root(self) -> GoofspielState:
        """Before the first bid, or before the first prize where the order is random."""
        return GoofspielState(self, self.shown((), 0))

    def shown(self, prizes: tuple[str, ...], tricks: int) -> tuple[str, ...]:
        """`prizes` and those that follow without chance, once `tricks` have been played."""
        if tricks == self.cards:
            return prizes + _left(self.cards, prizes) if len(prizes) < tricks else prizes
        if self.order == "random":
            return prizes
        deck = _left(self.cards, ())
        return (*prizes, deck[tricks] if self.order == "ascending" else deck[-1 - tricks])


@lru_cache(maxsize=65536)
def _left(cards: int, gone: tuple[str, ...]) -> tuple[str, ...]:
    """The cards 1 to `cards` except those in `gone`."""
    return tuple(card for card in map(str, range(1, cards + 1)) if card not in gone)


def _winner(first: str, second: str) -> str:
    if first == second:
        return TIE
    return "0" if int(first) > int(second) else "1"


def _lead(prizes: tuple[str, ...], wins: str) -> int:
    """Points of player 0 less those of player 1."""
    sign = {"0": 1, "1": -1, TIE: 0}
    return sum(sign[who] * int(prize) for prize, who in zip(prizes, wins, strict=False))


def _score(infoset: Infoset) -> int:
    """The acting player's lead in points."""
    lead = _lead(tuple(str(infoset["prizes"]).split(",")), str(infoset["wins"]))
    return lead if infoset.player == 0 else -lead
