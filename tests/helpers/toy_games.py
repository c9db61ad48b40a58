"""Small games of our own making, for what no built-in game shows, and spots solved at once."""

from dataclasses import dataclass, field

from counterfold.cards import parse_deck
from counterfold.games import Game, Infoset, Outcomes
from counterfold.games.holdem import Street, Variant
from counterfold.ranges.spot import Spot


@dataclass(frozen=True)
class Toy(Game):
    """A game whose `rules` are functions of the history, a tuple of actions."""

    word = "toy"
    rules: "Rules" = field(repr=False)

    @property
    def n_players(self):
        return self.rules.n_players

    @property
    def zero_sum(self):
        return self.rules.zero_sum

    @property
    def name(self):
        return type(self.rules).__name__

    def root(self):
        return ToyState(self.rules)


@dataclass(frozen=True)
class ToyState:
    rules: "Rules" = field(repr=False)
    history: tuple = ()

    @property
    def chance(self):
        return self.rules.chance(self.history)

    @property
    def utilities(self):
        return self.rules.utilities(self.history)

    @property
    def infoset(self):
        return self.rules.infoset(self.history)

    def child(self, action):
        return ToyState(self.rules, (*self.history, action))


@dataclass(frozen=True)
class Rules:
    """What a toy must say; the defaults are those of a game that is over at once."""

    n_players = 2
    zero_sum = True

    def chance(self, history):
        return None

    def utilities(self, history):
        return (0.0,) * self.n_players

    def infoset(self, history):
        raise AssertionError(history)


@dataclass(frozen=True)
class ThreeCards(Rules):
    """Three players, four cards, one each; in turn all see who stays, and the best card wins.

    Who folds loses its ante of one, who stays risks 2.75; if all fold nobody pays. The stakes and
    the odds are such that no two actions are worth exactly the same, where rounding would choose.
    """

    n_players = 3

    def chance(self, history):
        if len(history) >= 3:
            return None
        left = [card for card in (1, 2, 3, 4) if card not in history]
        total = sum(left)
        return Outcomes(tuple(left), tuple(card / total for card in left))

    def utilities(self, history):
        if len(history) < 6:
            return None
        cards, moves = history[:3], history[3:]
        staying = [p for p in range(3) if moves[p] == "stay"]
        if not staying:
            return (0.0, 0.0, 0.0)
        winner = max(staying, key=lambda p: cards[p])
        paid = [2.75 if p in staying else 1.0 for p in range(3)]
        return tuple(sum(paid) - 2.75 if p == winner else -paid[p] for p in range(3))

    def infoset(self, history):
        player = len(history) - 3
        facts = (("card", history[player]), ("seen", history[3:]))
        return Infoset(player, ("fold", "stay"), facts)


@dataclass(frozen=True)
class Dice(Rules):
    """Nature alone plays: nobody decides anything."""

    def chance(self, history):
        return None if history else Outcomes((1, 2), (0.25, 0.75))

    def utilities(self, history):
        return (float(history[0]), -float(history[0])) if history else None


class OnlySampled:
    """Nature's move that can be drawn but not listed."""

    def sample(self, rng):
        return float(rng.random())


@dataclass(frozen=True)
class Spinner(Rules):
    """A number that can only be sampled, then it is paid."""

    def chance(self, history):
        return None if history else OnlySampled()

    def utilities(self, history):
        return (history[0], -history[0]) if history else None


@dataclass(frozen=True)
class Paying(Rules):
    """One decision, then fixed payoffs, which may be wrong on purpose."""

    payoffs: tuple = (1.0, -1.0)
    question: str = "which"
    labels: tuple = ("left", "right")

    def utilities(self, history):
        return self.payoffs if history else None

    def infoset(self, history):
        return Infoset(0, self.labels, (("question", self.question),))


@dataclass(frozen=True)
class Gambler(Rules):
    """One player, who sees a fair coin and says what it saw; a right answer pays one."""

    n_players = 1
    zero_sum = False

    def chance(self, history):
        return None if history else Outcomes.uniform(("heads", "tails"))

    def utilities(self, history):
        return (float(history[0] == history[1]),) if len(history) == 2 else None

    def infoset(self, history):
        return Infoset(0, ("heads", "tails"), (("coin", history[0]),))


THREE_CARDS = Toy(ThreeCards())


@dataclass(frozen=True)
class LoadedCoin(Rules):
    """A coin whose probabilities are wrong on purpose."""

    def chance(self, history):
        return None if history else Outcomes((1, 2), (0.25, 0.7))

    def utilities(self, history):
        return (1.0, -1.0) if history else None


def small_variant(deck: str, hole_cards: int, cards: tuple[int, ...]) -> Variant:
    """A hold'em whose streets deal so many `cards` after the first, which deals none."""
    streets = tuple(Street(cards=n, first=int(at > 0)) for at, n in enumerate((0, *cards)))
    return Variant(
        "small", streets, stack=100, blinds=(1, 2), deck=parse_deck(deck), hole_cards=hole_cards
    )


RIVER = {
    "board": "2c2d7h8s3d",
    "oop": "AA,QQ",
    "ip": "KK,JJ:0.5",
    "pot": 100,
    "stack": 100,
    "bets": "50%, allin",
}
TURN = {
    "board": "Kd7c2s9h",
    "oop": "AA,KQs,76s",
    "ip": "QQ,AKs,T8s",
    "pot": 20,
    "stack": 40,
    "bets": "50%, allin",
}


def river(**changes: object) -> Spot:
    return Spot(**{**RIVER, **changes})  # type: ignore[arg-type]


def turn(**changes: object) -> Spot:
    return Spot(**{**TURN, **changes})  # type: ignore[arg-type]
