"""Logs of the real programs, replayed by our rules."""

import gzip
import re
from dataclasses import dataclass
from pathlib import Path

from counterfold.games.holdem.betting_kernels import BASE

DATA = Path(__file__).parents[2] / "data"

WORDS = {"folds": "f", "calls": "c", "checks": "k"}
BOARD = re.compile(r"(?:Flop|Turn|River|Run) \[(.*)\], \w+ \((\d+)\), \w+ \((\d+)\)")


@dataclass(frozen=True)
class Round:
    """A round of MIT Pokerbots: names by seat, their banks before it, what was logged."""

    names: tuple
    banks: tuple
    lines: tuple

    @property
    def awarded(self):
        """Chips won, by seat."""
        won = dict(re.fullmatch(r"(\w+) awarded (-?\d+)", line).groups() for line in self.ends)
        return tuple(int(won[name]) for name in self.names)

    @property
    def ends(self):
        return [line for line in self.lines if " awarded " in line]

    @property
    def hands(self):
        """Hole cards by seat."""
        dealt = dict(
            re.fullmatch(r"(\w+) dealt \[(.*)\]", line).groups()
            for line in self.lines
            if " dealt " in line
        )
        return tuple(dealt[name].replace(" ", "") for name in self.names)


def read_pokerbots(name):
    """The rounds of a game log, and the chips of both bots at its end."""
    with gzip.open(DATA / name, "rt") as file:
        _, *parts = file.read().strip().split("\n\n")
    *parts, final = parts
    rounds = []
    for part in parts:
        header, *lines = part.splitlines()
        banks = re.findall(r"(\w+) \((-?\d+)\)", header)
        names = tuple(name for name, _ in banks)
        rounds.append(Round(names, tuple(int(bank) for _, bank in banks), tuple(lines)))
    return rounds, {name: int(chips) for name, chips in re.findall(r"(\w+) \((-?\d+)\)", final)}


def replay_pokerbots(variant, record):
    """The last state of a round; chips and actors are compared on the way.

    The engine goes on asking for checks once the stacks are in, which our states do not.
    """
    state = variant.root()
    for cards in record.hands:
        state = state.child(cards)
    for line in record.lines:
        if match := BOARD.fullmatch(line):
            cards, *spent = match.groups()
            known = sum(len(street) for street in state.board)
            state = state.child("".join(cards.split()[known:]))
            assert state.spent == tuple(map(int, spent))
            continue
        name, _, action = line.partition(" ")
        word = action.split()[0]
        if word in ("bets", "raises"):
            move = f"r{action.split()[-1]}"
        elif word in WORDS:
            move = WORDS[word]
        else:
            continue  # blinds, hands and awards
        if move == "k" and state.spent == (variant.stack, variant.stack):
            continue
        assert record.names[state.actor] == name
        state = state.child(move)
    return state


@dataclass(frozen=True)
class CompetitionHand:
    """A hand of the annual competition; its seats are ours in reverse."""

    betting: str
    hands: tuple
    board: tuple
    won: tuple


def read_competition(name):
    """The hands of a dealer's log."""
    hands = []
    for line in (DATA / name).read_text().splitlines():
        if line.startswith("STATE:"):
            _, _, betting, cards, won, _ = line.split(":")
            holes, *board = cards.split("/")
            hands.append(
                CompetitionHand(
                    betting,
                    tuple(reversed(holes.split("|"))),
                    tuple(board),
                    tuple(int(chips) for chips in reversed(won.split("|"))),
                )
            )
    return hands


def replay_competition(variant, hand):
    """The last state of a hand. Amounts in the log are totals over the whole hand."""
    state = variant.root()
    for cards in hand.hands:
        state = state.child(cards)
    board = iter(hand.board)
    for at, street in enumerate(hand.betting.split("/")):
        if at > 0:
            state = state.child(next(board))
        for move in re.findall(r"f|c|r\d*", street):
            if move == "r":  # fixed limit: the only raise there is
                action = state.actions()[-1]
            elif move[0] == "r":
                action = f"r{int(move[1:]) - state.situation[BASE]}"
            else:
                action = "f" if move == "f" else "c" if state.to_call else "k"
            state = state.child(action)
    assert next(board, None) is None
    return state
