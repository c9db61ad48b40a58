"""Leduc hold'em: one private card each, one board card, two betting rounds (Southey et al. 2005).

A pair with the board wins, else the higher rank; equal ranks split. Player 0 acts first in both
rounds. The defaults are the original game and OpenSpiel's `leduc_poker`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar

from counterfold.errors import GameError
from counterfold.games.kuhn import RANKS
from counterfold.games.protocol import Feature, Game, Infoset, Outcomes, check_parameter, illegal

SUITS = "shdc"
MAX_CHIPS = 1_000_000

_CALL_RAISE = ("call", "raise")
_FOLD_CALL = ("fold", "call")
_ALL = ("fold", "call", "raise")


@dataclass(frozen=True, slots=True)
class LeducState:
    """Cards (private, private, board), betting, and the chips each player has put in.

    In `history` an action is its first letter; a slash stands for the deal of the board.
    """

    game: "Leduc" = field(repr=False)
    cards: tuple[str, ...]
    history: str
    paid: tuple[int, int]

    @property
    def chance(self) -> Outcomes | None:
        """The next card, uniformly among those left."""
        if not self._is_deal():
            return None
        deck = _deck(self.game.ranks, self.game.suits)
        return Outcomes.uniform([card for card in deck if card not in self.cards])

    @property
    def utilities(self) -> tuple[float, float] | None:
        """Chips won by each player."""
        betting = self.history.rpartition("/")[2]
        if betting.endswith("f"):
            loser = (len(betting) - 1) % 2
        elif len(self.cards) == 3 and _is_closed(betting):
            first, second = self._strength(0), self._strength(1)
            if first == second:
                return 0.0, 0.0
            loser = 0 if first < second else 1
        else:
            return None
        won = float(self.paid[loser])
        return (-won, won) if loser == 0 else (won, -won)

    @property
    def infoset(self) -> Infoset:
        """The player's own card, the board, and the betting with the pot it made."""
        betting = self.history.rpartition("/")[2]
        player = len(betting) % 2
        facts = (
            ("card", self.cards[player]),
            ("board", self.cards[2] if len(self.cards) == 3 else ""),
            ("history", self.history),
            ("pot", self.paid[0] + self.paid[1]),
        )
        return Infoset(player, self._actions(betting), facts)

    def child(self, action: str) -> "LeducState":
        """After a card is dealt, or after a fold, call (also a check) or raise."""
        if self._is_deal():
            deck = _deck(self.game.ranks, self.game.suits)
            if action not in deck or action in self.cards:
                raise illegal(action, self)
            history = f"{self.history}/" if len(self.cards) == 2 else ""
            return LeducState(self.game, (*self.cards, action), history, self.paid)
        betting = self.history.rpartition("/")[2]
        if self.utilities is not None or action not in self._actions(betting):
            raise illegal(action, self)
        paid = self.paid
        if action != "fold":
            mine = max(paid)
            if action == "raise":
                mine += self.game.bets[len(self.cards) - 2]
            paid = (paid[0], mine) if len(betting) % 2 else (mine, paid[1])
        return LeducState(self.game, self.cards, self.history + action[0], paid)

    def _is_deal(self) -> bool:
        dealt = len(self.cards)
        return dealt < 2 or (dealt == 2 and _is_closed(self.history))

    def _actions(self, betting: str) -> tuple[str, ...]:
        if self.paid[0] == self.paid[1]:  # nothing was raised yet in this round
            return _CALL_RAISE
        return _ALL if betting.count("r") < self.game.raises else _FOLD_CALL

    def _strength(self, player: int) -> tuple[bool, int]:
        rank = self.cards[player][0]
        return rank == self.cards[2][0], RANKS.index(rank)


@dataclass(frozen=True)
class Leduc(Game):
    """Leduc hold'em with `bets` per round and at most `raises` in each, the first bet included."""

    word = "leduc"
    unit = "chips"
    features: ClassVar[Mapping[str, Feature]] = {
        "rank": lambda infoset: str(infoset["card"])[0],
        "board_rank": lambda infoset: str(infoset["board"])[:1],
        "round": lambda infoset: 2 if infoset["board"] else 1,
        "raises": lambda infoset: str(infoset["history"]).rpartition("/")[2].count("r"),
    }
    ranks: int = 3
    suits: int = 2
    ante: int = 1
    bets: tuple[int, int] = (2, 4)
    raises: int = 2

    def __post_init__(self) -> None:
        check_parameter("ranks", self.ranks, 2, len(RANKS))
        check_parameter("suits", self.suits, 1, len(SUITS))
        if self.ranks * self.suits < 3:
            raise GameError(f"ranks * suits must be at least 3, not {self.ranks * self.suits}")
        check_parameter("ante", self.ante, 1, MAX_CHIPS)
        if not isinstance(self.bets, tuple | list) or len(self.bets) != 2:
            raise GameError(f"bets must be two sizes, one per round, not {self.bets!r}")
        for size in self.bets:
            check_parameter("each of bets", size, 1, MAX_CHIPS)
        object.__setattr__(self, "bets", tuple(self.bets))
        check_parameter("raises", self.raises, 1, 20)

    def root(self) -> LeducState:
        """Before the deal; ranks end with the king."""
        return LeducState(self, (), "", (self.ante, self.ante))


@lru_cache(maxsize=64)
def _deck(ranks: int, suits: int) -> tuple[str, ...]:
    """Cards like `Js`, by rank and then by suit."""
    return tuple(rank + suit for rank in RANKS[-ranks:] for suit in SUITS[:suits])


def _is_closed(betting: str) -> bool:
    """Whether a round without a fold is over: all called, and both have acted."""
    return len(betting) > 1 and betting[-1] == "c"
