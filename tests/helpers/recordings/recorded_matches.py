"""Recorded matches of real engines, and what they say about deals and actions."""

import gzip
import re
from dataclasses import dataclass, field
from pathlib import Path

from counterfold.bots import Bot, ShuffledDeck
from counterfold.cards import parse_cards

DATA = Path(__file__).parents[2] / "data"

_ACTIONS = {"folds": "f", "checks": "k", "calls": "c", "bets": "r", "raises": "r"}


def read_recording(name):
    """The text of a file of `tests/data`."""
    path = DATA / name
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return data.decode("ascii")


@dataclass
class Round:
    """A hand of a game log: names and hole cards by seat, the whole board, all actions."""

    names: list[str] = field(default_factory=list)
    holes: list[tuple[int, ...]] = field(default_factory=list)
    board: tuple[int, ...] = ()
    actions: list[tuple[str, str]] = field(default_factory=list)  # name and action

    @property
    def deal(self):
        return ShuffledDeck((self.holes[0], self.holes[1]), self.board)


def read_rounds(text):
    """The rounds of an MIT game log."""
    rounds = []
    for line in text.splitlines():
        words = line.split()
        if line.startswith("Round #"):
            rounds.append(Round())
        elif re.match("(Flop|Turn|River|Run) \\[", line):
            rounds[-1].board = parse_cards(line[line.index("[") + 1 : line.index("]")])
        elif len(words) > 1 and words[1] == "dealt":
            rounds[-1].names.append(words[0])
            rounds[-1].holes.append(parse_cards(line[line.index("[") + 1 : line.index("]")]))
        elif len(words) > 1 and words[1] in _ACTIONS:
            kind = _ACTIONS[words[1]]
            amount = words[-1] if kind == "r" else ""
            rounds[-1].actions.append((words[0], kind + amount))
    return rounds


class Script(Bot):
    """Plays recorded actions, and keeps what it was shown."""

    def __init__(self, actions):
        self.actions = list(actions)
        self.views, self.results = [], []

    def act(self, view):
        self.views.append(view)
        return self.actions.pop(0)

    def end_hand(self, result):
        self.results.append(result)
