"""The recorded game logs of MIT Pokerbots 2017, Discard Hold'em, as plain facts."""

import re
from dataclasses import dataclass, field

from counterfold.bots import ShuffledDeck
from counterfold.cards import parse_card, parse_cards
from helpers.recordings.recorded_matches import read_recording

LOGS = ("mit_2017_pineapple_arinze.txt.gz", "mit_2017_pineapple_random.txt.gz")

_ACTIONS = {"folds": "f", "checks": "k", "calls": "c", "bets": "r", "raises": "r", "discards": "d"}


@dataclass
class LoggedHand:
    """A hand; names, banks and hole cards are by seat, seat 0 is the dealer."""

    number: int  # from 1
    names: tuple[str, str]
    banks: tuple[int, int]  # before the hand
    holes: list[tuple[int, ...]] = field(default_factory=list)
    deck: list[int] = field(default_factory=list)  # board and drawn cards, in the order dealt
    actions: list[tuple[int, str]] = field(default_factory=list)  # seat, and f k c r12 or dAh
    pots: list[int] = field(default_factory=list)  # when a street was dealt
    faults: list[tuple[int, int, str]] = field(default_factory=list)  # actions before; seat; words
    lines: list[str] = field(default_factory=list)

    @property
    def deal(self):
        return ShuffledDeck((self.holes[0], self.holes[1]), tuple(self.deck))


def read_discard_log(name):
    """The first line, the hands and the last line of a log."""
    text = read_recording(name)
    header, rest = text.split("\n", 1)
    *parts, final = rest.split("\n\n")
    return header, [_read_hand(part.splitlines()) for part in parts], final


def _read_hand(lines):
    number, *banks = re.fullmatch(
        r"Hand #(\d+), (\w+) \((-?\d+)\), (\w+) \((-?\d+)\)", lines[0]
    ).groups()
    hand = LoggedHand(int(number), (banks[0], banks[2]), (int(banks[1]), int(banks[3])))
    hand.lines = lines
    for line in lines[1:]:
        words = line.split()
        if line.startswith("Dealt to "):
            hand.holes.append(parse_cards(line[line.index("[") + 1 : -1]))
        elif street := re.fullmatch(r"\*\*\* \w+ \*\*\* \((\d+)\) (?:\[.*\] )?\[(.*)\]", line):
            hand.pots.append(int(street[1]))
            hand.deck += parse_cards(street[2])
        elif fault := re.fullmatch(r"### ILLEGAL ACTION: (.*) \[player=(\w+)\](.*)", line):
            seat = hand.names.index(fault[2])
            hand.faults.append((len(hand.actions), seat, fault[1] + fault[3]))
        elif words[1] in _ACTIONS:
            action = _ACTIONS[words[1]]
            if action == "r":
                action += words[-1]
            elif action == "d":
                action += words[2]
                hand.deck.append(parse_card(words[4]))
            hand.actions.append((hand.names.index(words[0]), action))
    return hand
