"""Kuhn poker: one card each, one chip ante, one bet of one chip (Kuhn 1950).

`ranks` cards, one of each rank; three in the original. The value of the original to the first
player is -1/18.
"""

from dataclasses import dataclass

from counterfold.games.protocol import Game, Infoset, Outcomes, check_parameter, illegal

RANKS = "23456789TJQK"

# What each player put in, by the betting: `p` is a pass (check or fold), `b` a bet or call.
_POTS = {"pp": (1, 1), "pbp": (1, 2), "pbb": (2, 2), "bp": (2, 1), "bb": (2, 2)}


@dataclass(frozen=True, slots=True)
class KuhnState:
    """The cards dealt so far and the betting after the deal."""

    deck: str
    cards: str = ""
    history: str = ""

    @property
    def chance(self) -> Outcomes | None:
        """The next card, uniformly among those left."""
        if len(self.cards) == 2:
            return None
        return Outcomes.uniform([card for card in self.deck if card not in self.cards])

    @property
    def utilities(self) -> tuple[float, float] | None:
        """Chips won by each player."""
        pots = _POTS.get(self.history)
        if pots is None:
            return None
        if self.history.endswith("bp"):  # the player who passed last gave up
            loser = (len(self.history) - 1) % 2
        else:
            loser = 0 if self.deck.index(self.cards[0]) < self.deck.index(self.cards[1]) else 1
        won = float(pots[loser])
        return (-won, won) if loser == 0 else (won, -won)

    @property
    def infoset(self) -> Infoset:
        """The player's own card and the betting."""
        player = len(self.history) % 2
        facts = (("card", self.cards[player]), ("history", self.history))
        return Infoset(player, ("pass", "bet"), facts)

    def child(self, action: str) -> "KuhnState":
        """After a card is dealt, or after a pass or bet."""
        if len(self.cards) < 2 and action in set(self.deck) - set(self.cards):
            return KuhnState(self.deck, self.cards + action)
        if len(self.cards) == 2 and action in ("pass", "bet") and self.history not in _POTS:
            return KuhnState(self.deck, self.cards, self.history + action[0])
        raise illegal(action, self)


@dataclass(frozen=True)
class Kuhn(Game):
    """Kuhn poker with `ranks` cards."""

    word = "kuhn"
    unit = "chips"
    ranks: int = 3

    def __post_init__(self) -> None:
        check_parameter("ranks", self.ranks, 2, len(RANKS))

    def root(self) -> KuhnState:
        """Before the deal; the deck ends with the king, as in J, Q, K."""
        return KuhnState(RANKS[-self.ranks :])
