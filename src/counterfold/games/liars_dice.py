"""Liar's dice: hidden dice, rising bids on all dice together, until one player calls `liar`.

A bid `2x5` says that at least two dice show a five; the highest face is wild and counts as any.
The defaults are OpenSpiel's `liars_dice`: one die each, six faces, one point for the winner.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from counterfold.games.protocol import Feature, Game, Infoset, Outcomes, check_parameter, illegal


@dataclass(frozen=True, slots=True)
class LiarsDiceState:
    """Each player's dice in ascending order, and the bids so far, ended by `liar`."""

    faces: int
    dice: int
    hands: tuple[str, str] = ("", "")
    bids: str = ""

    @property
    def chance(self) -> Outcomes | None:
        """The next die, first of player 0 and then of player 1."""
        return _roll(self.faces) if len(self.hands[1]) < self.dice else None

    @property
    def utilities(self) -> tuple[float, float] | None:
        """One point from the loser, who is the caller if the last bid holds."""
        if not self.bids.endswith("liar"):
            return None
        *_, bid, _ = self.bids.split(",")
        quantity, face = bid.split("x")
        rolled = self.hands[0] + self.hands[1]
        wild = str(self.faces)
        count = rolled.count(wild) + (rolled.count(face) if face != wild else 0)
        bidder = (self.bids.count("x") - 1) % 2
        winner = bidder if count >= int(quantity) else 1 - bidder
        return (1.0, -1.0) if winner == 0 else (-1.0, 1.0)

    @property
    def infoset(self) -> Infoset:
        """The player's own dice and the bids."""
        bids = self.bids
        player = bids.count("x") % 2
        actions = _menu(self.faces, self.dice, bids.rpartition(",")[2])
        return Infoset(player, actions, (("hand", self.hands[player]), ("bids", bids)))

    def child(self, action: str) -> "LiarsDiceState":
        """After a die is rolled, a bid, or `liar`."""
        faces, dice, hands, bids = self.faces, self.dice, self.hands, self.bids
        if len(hands[1]) < dice:
            if action not in _roll(faces).actions:
                raise illegal(action, self)
            player = 0 if len(hands[0]) < dice else 1
            hand = "".join(sorted(hands[player] + action))
            hands = (hand, "") if player == 0 else (hands[0], hand)
            return LiarsDiceState(faces, dice, hands, bids)
        if action not in _menu(faces, dice, bids.rpartition(",")[2]):
            raise illegal(action, self)
        return LiarsDiceState(faces, dice, hands, f"{bids},{action}" if bids else action)


@dataclass(frozen=True)
class LiarsDice(Game):
    """Liar's dice with `dice` dice of `faces` faces for each player."""

    word = "liars-dice"
    features: ClassVar[Mapping[str, Feature]] = {
        "last_bid": lambda infoset: str(infoset["bids"]).rpartition(",")[2]
    }
    faces: int = 6
    dice: int = 1

    def __post_init__(self) -> None:
        check_parameter("faces", self.faces, 2, 9)
        check_parameter("dice", self.dice, 1, 9)

    def root(self) -> LiarsDiceState:
        """Before the first die is rolled."""
        return LiarsDiceState(self.faces, self.dice)


@lru_cache(maxsize=16)
def _roll(faces: int) -> Outcomes:
    return Outcomes.uniform([str(face) for face in range(1, faces + 1)])


@lru_cache(maxsize=4096)
def _menu(faces: int, dice: int, last: str) -> tuple[str, ...]:
    """What may follow `last`: nothing after `liar`, only bids if there was none."""
    if last == "liar":
        return ()
    bids = tuple(f"{n}x{face}" for n in range(1, 2 * dice + 1) for face in range(1, faces + 1))
    return (*bids[bids.index(last) + 1 :], "liar") if last else bids
