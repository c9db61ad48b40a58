"""The recorded rounds of the contests of 2022, 2024, 2025 and 2026, as plain facts.

A round is read from the game log, which shows everything; the traffic of a player is read from its
wire log. Nothing here knows our rules, so that both can serve as oracles for them.
"""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from counterfold.cards import parse_card, parse_cards
from helpers.recordings.recorded_matches import read_recording

GAMES = {2022: "swap", 2024: "auction", 2025: "bounty", 2026: "toss"}

# Kinds of events, and what their value is. Seats are by round; None where both are concerned.
BOARD = "board"  # the whole board, in its order on the wire; `spent` tells what was in
ACTION = "action"  # f, k, c or r12, as in our notation; a check is asked for even when all-in
HAND = "hand"  # 2022: the hand of a seat after a street's swaps, changed or not
BID = "bid"  # 2024: chips
CARD = "card"  # 2024: the card that an auction brought
TOSS = "toss"  # 2026: the card laid onto the board
NOD = "nod"  # 2026: the check with which the other seat answers a toss; no value


class LoggedEvent(NamedTuple):
    """One line of a round."""

    kind: str
    seat: int | None
    value: object = None
    spent: tuple[int, int] | None = None  # by seat, where the log says it


@dataclass
class LoggedRound:
    """A round of a game log; lists and tuples are by seat, seat 0 is the dealer."""

    number: int  # from 1
    names: tuple[str, str]
    banks: tuple[int, int]  # before the round
    bounties: tuple[str, str] | None = None  # 2025: ranks, which last 25 rounds
    holes: list[tuple[int, ...]] = field(default_factory=list)  # as dealt
    events: list[LoggedEvent] = field(default_factory=list)
    shown: list[tuple[int, ...]] = field(default_factory=list)  # empty unless a showdown
    awarded: list[int] = field(default_factory=list)
    hits: set[int] = field(default_factory=set)  # 2025: seats that hit their bounty
    swapped: set[int] = field(default_factory=set)  # 2022: seats whose hand has changed
    header: str = ""
    lines: list[str] = field(default_factory=list)  # below the header

    @property
    def board(self):
        """The board at the end."""
        boards = [event.value for event in self.events if event.kind == BOARD]
        return boards[-1] if boards else ()


def read_game_log(year):
    """The rounds of a year's recorded match."""
    text = read_recording(f"mit_{year}_{GAMES[year]}_gamelog_400_rounds.txt.gz")
    rounds, bounties = [], {}
    for part in text.split("\n\n")[1:-1]:
        header, *lines = part.splitlines()
        number, first, bank, second, other = re.fullmatch(
            r"Round #(\d+), (\w+) \((-?\d+)\), (\w+) \((-?\d+)\)", header
        ).groups()
        banks = int(bank), int(other)
        each = LoggedRound(int(number), (first, second), banks, header=header, lines=lines)
        for line in lines:
            if match := re.fullmatch(
                r"Bounties reset to (.) for player (\w+) and (.) for player (\w+)", line
            ):
                rank, name, other_rank, other_name = match.groups()
                bounties = {name: rank, other_name: other_rank}
            else:
                _add(each, line)
        if bounties:
            each.bounties = bounties[first], bounties[second]
        rounds.append(each)
    return rounds


def read_header(year):
    """The first line of a year's game log."""
    text = read_recording(f"mit_{year}_{GAMES[year]}_gamelog_400_rounds.txt.gz")
    return text.partition("\n")[0]


def read_final(year):
    """The chips of both players at the end of a year's match, by name."""
    text = read_recording(f"mit_{year}_{GAMES[year]}_gamelog_400_rounds.txt.gz")
    (final,) = re.findall(r"^Final, (.*)$", text, re.MULTILINE)
    return {name: int(chips) for name, chips in re.findall(r"(\w+) \((-?\d+)\)", final)}


def read_traffic(year, name):
    """Pairs of a message and its answer, which is empty after the last, of player `name`."""
    text = read_recording(f"mit_{year}_{GAMES[year]}_wire_{name.lower()}.log.gz")
    lines = text.splitlines()
    assert all(line[:2] == "<>"[at % 2] + " " for at, line in enumerate(lines))
    answers = [*(line[2:] for line in lines[1::2]), ""]
    return list(zip((line[2:] for line in lines[::2]), answers, strict=True))


def _add(each, line):
    """Note what one line says."""
    if match := re.fullmatch(r"(\w+) \d? ?\[(.*)\], \w+ \((\d+)\), \w+ \((\d+)\)", line):
        street, cards, *spent = match.groups()
        assert street in ("Flop", "Turn", "River", "Discard")
        event = LoggedEvent(BOARD, None, parse_cards(cards), tuple(map(int, spent)))
        each.events.append(event)
        return
    if not (match := re.fullmatch(r"(\w)(?:'s| \(swapped\))? (.*)", line)):
        assert re.match("Current stacks|Winning counts|Players", line), line
        return
    name, told = match.groups()
    seat = each.names.index(name)
    if "(swapped)" in line:
        each.swapped.add(seat)
    verb, _, rest = told.partition(" ")
    if verb in _NOTES:
        _NOTES[verb](each, seat, rest)
        return
    each.events.append(_EVENTS[verb](each, seat, rest))


def _cards(text):
    return parse_cards(text[text.index("[") + 1 : text.index("]")])


def _check(each, seat, rest):
    tossed = bool(each.events) and each.events[-1].kind == TOSS
    return LoggedEvent(NOD, seat) if tossed else LoggedEvent(ACTION, seat, "k")


def _raise(each, seat, rest):
    return LoggedEvent(ACTION, seat, "r" + rest.split()[-1])


_NOTES = {
    "posts": lambda each, seat, rest: None,
    "dealt": lambda each, seat, rest: each.holes.append(_cards(rest)),
    "shows": lambda each, seat, rest: each.shown.append(_cards(rest)),
    "awarded": lambda each, seat, rest: each.awarded.append(int(rest)),
    "hits": lambda each, seat, rest: each.hits.add(seat),
}
_EVENTS = {
    "folds": lambda each, seat, rest: LoggedEvent(ACTION, seat, "f"),
    "calls": lambda each, seat, rest: LoggedEvent(ACTION, seat, "c"),
    "checks": _check,
    "bets": _raise,
    "raises": _raise,
    "hand:": lambda each, seat, rest: LoggedEvent(HAND, seat, _cards(rest)),
    "bids": lambda each, seat, rest: LoggedEvent(BID, seat, int(rest)),
    "won": lambda each, seat, rest: LoggedEvent(CARD, seat, _cards(rest)[0]),
    "discards": lambda each, seat, rest: LoggedEvent(TOSS, seat, parse_card(rest)),
}
