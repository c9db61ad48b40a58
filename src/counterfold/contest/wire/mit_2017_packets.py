"""The packets of MIT Pokerbots 2017 as text: what an engine writes, word by word."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from counterfold.cards import format_card
from counterfold.contest.wire.fields import (
    parse_clock,
    parse_signed,
    parse_whole,
    parse_wire_card,
    parse_wire_cards,
)
from counterfold.errors import ProtocolError

Cards = tuple[int, ...]

NO_CARD = -1
MAX_LISTED = 200  # entries of a list in a packet

_WITH_AMOUNT = ("POST", "BET", "RAISE", "REFUND", "WIN", "TIE")
_WITHOUT_AMOUNT = ("CALL", "CHECK", "FOLD")
STREETS = {3: "FLOP", 4: "TURN", 5: "RIVER"}  # by the size of the board


class Performed(NamedTuple):
    """Something that happened; `word` is the street of a deal."""

    kind: str
    actor: str = ""
    amount: int = 0
    cards: Cards = ()
    word: str = ""


class Legal(NamedTuple):
    """Something that may be answered."""

    kind: str
    low: int = 0
    high: int = 0
    card: int = NO_CARD


@dataclass(frozen=True)
class NewGame:
    """The first packet of a match."""

    name: str
    opponent: str
    stack: int
    big_blind: int
    n_hands: int
    seconds: float


@dataclass(frozen=True)
class NewHand:
    """The first packet of a hand."""

    number: int  # from 1
    button: bool
    hole: Cards
    bank: int
    opponent_bank: int
    seconds: float


@dataclass(frozen=True)
class GetAction:
    """A question."""

    pot: int
    board: Cards
    performed: tuple[Performed, ...]
    legal: tuple[Legal, ...]
    seconds: float


@dataclass(frozen=True)
class HandOver:
    """The last packet of a hand."""

    bank: int
    opponent_bank: int
    board: Cards
    performed: tuple[Performed, ...]
    seconds: float


@dataclass(frozen=True)
class KeyValue:
    """Something that a bot stored in an earlier match."""

    key: str
    value: str


@dataclass(frozen=True)
class RequestKeyValues:
    """The last packet of a match."""


Packet = NewGame | NewHand | GetAction | HandOver | KeyValue | RequestKeyValues


def parse_packet(line: str) -> Packet:
    """The packet that a line of the engine holds."""
    words = line.split()
    if not words:
        raise ProtocolError(line, "a packet")
    name, rest = words[0], _Words(iter(words[1:]), line)
    packet: Packet
    if name == "NEWGAME":
        packet = NewGame(
            rest.word(), rest.word(), rest.whole(), rest.whole(), rest.whole(), rest.seconds()
        )
    elif name == "NEWHAND":
        packet = NewHand(
            rest.whole(), rest.flag(), rest.cards(2), rest.chips(), rest.chips(), rest.seconds()
        )
    elif name == "GETACTION":
        pot, board, performed = rest.whole(), rest.cards(rest.length()), rest.performed()
        legal = tuple(_parse_legal(rest.word(), line) for _ in range(rest.length()))
        packet = GetAction(pot, board, performed, legal, rest.seconds())
    elif name == "HANDOVER":
        packet = HandOver(
            rest.chips(),
            rest.chips(),
            rest.cards(rest.length()),
            rest.performed(),
            rest.seconds(),
        )
    elif name == "KEYVALUE":
        return KeyValue(rest.word(), rest.word())
    elif name == "REQUESTKEYVALUES":
        packet = RequestKeyValues()
    else:
        raise ProtocolError(
            line, "NEWGAME, NEWHAND, GETACTION, HANDOVER, KEYVALUE or REQUESTKEYVALUES"
        )
    if (extra := next(rest.words, None)) is not None:
        raise ProtocolError(line, f"an end of {name}, not {extra[:40]!r}")
    return packet


def format_packet(packet: Packet) -> str:
    """The line that holds `packet`."""
    if isinstance(packet, KeyValue):
        return f"KEYVALUE {packet.key} {packet.value}"
    if isinstance(packet, RequestKeyValues):
        return "REQUESTKEYVALUES"
    return f"{_packet_words(packet)} {packet.seconds:.6f}"


def _packet_words(packet: NewGame | NewHand | GetAction | HandOver) -> str:
    """All but the time that is left."""
    if isinstance(packet, NewGame):
        names = f"{packet.name} {packet.opponent}"
        return f"NEWGAME {names} {packet.stack} {packet.big_blind} {packet.n_hands}"
    if isinstance(packet, NewHand):
        cards = " ".join(map(format_card, packet.hole))
        flag = str(packet.button).lower()
        return f"NEWHAND {packet.number} {flag} {cards} {packet.bank} {packet.opponent_bank}"
    lists = [
        *_count(format_card(card) for card in packet.board),
        *_count(format_performed(each) for each in packet.performed),
    ]
    if isinstance(packet, HandOver):
        return f"HANDOVER {packet.bank} {packet.opponent_bank} {' '.join(lists)}"
    lists += _count(format_legal(each) for each in packet.legal)
    return f"GETACTION {packet.pot} {' '.join(lists)}"


def format_performed(performed: Performed) -> str:
    """The token of something that happened."""
    kind, actor, amount, cards, word = performed
    if kind == "DEAL":
        return f"DEAL:{word}"
    if kind in _WITH_AMOUNT:
        return f"{kind}:{amount}:{actor}"
    return ":".join([kind, *map(format_card, cards), actor])


def format_legal(legal: Legal) -> str:
    """The token of something that may be answered."""
    if legal.kind in ("BET", "RAISE"):
        return f"{legal.kind}:{legal.low}:{legal.high}"
    return f"DISCARD:{format_card(legal.card)}" if legal.kind == "DISCARD" else legal.kind


def _parse_performed(token: str, line: str) -> Performed:
    kind, *rest = token.split(":")
    if kind == "DEAL" and len(rest) == 1 and rest[0] in STREETS.values():
        return Performed(kind, word=rest[0])
    if kind in _WITH_AMOUNT and len(rest) == 2:
        return Performed(kind, rest[1], parse_whole(rest[0], line, "an amount"))
    if kind in _WITHOUT_AMOUNT and len(rest) == 1:
        return Performed(kind, rest[0])
    if kind == "CALL" and len(rest) == 2:  # of older engines; the amount follows from the game
        return Performed(kind, rest[1])
    if kind == "DISCARD" and len(rest) == 1:
        return Performed(kind, rest[0])
    if kind in ("DISCARD", "SHOW") and len(rest) == 3:
        return Performed(kind, rest[2], cards=parse_wire_cards(rest[:2], line, "cards"))
    raise ProtocolError(line, f"a performed action, not {token[:40]!r}")


def _parse_legal(token: str, line: str) -> Legal:
    kind, *rest = token.split(":")
    if kind in ("CHECK", "CALL", "FOLD") and not rest:
        return Legal(kind)
    if kind in ("BET", "RAISE") and len(rest) == 2:
        low, high = (parse_whole(text, line, "a bound") for text in rest)
        return Legal(kind, low, high)
    if kind == "DISCARD" and len(rest) == 1:
        return Legal(kind, card=parse_wire_card(rest[0], line))
    raise ProtocolError(line, f"a legal action, not {token[:40]!r}")


def _count(tokens: Iterator[str]) -> list[str]:
    listed = list(tokens)
    return [str(len(listed)), *listed]


@dataclass
class _Words:
    """The words of a packet, read one after the other."""

    words: Iterator[str]
    line: str

    def word(self) -> str:
        word = next(self.words, None)
        if word is None:
            raise ProtocolError(self.line, "more words")
        return word

    def whole(self) -> int:
        return parse_whole(self.word(), self.line, "a number")

    def length(self) -> int:
        n = parse_whole(self.word(), self.line, "the length of a list")
        if n > MAX_LISTED:
            raise ProtocolError(self.line, f"lists of at most {MAX_LISTED} entries")
        return n

    def chips(self) -> int:
        return parse_signed(self.word(), self.line, "chips")

    def seconds(self) -> float:
        return parse_clock(self.word(), self.line)

    def flag(self) -> bool:
        word = self.word()
        if word not in ("true", "false"):
            raise ProtocolError(self.line, f"true or false, not {word[:40]!r}")
        return word == "true"

    def cards(self, n: int) -> Cards:
        return parse_wire_cards([self.word() for _ in range(n)], self.line, "cards", n)

    def performed(self) -> tuple[Performed, ...]:
        return tuple(_parse_performed(self.word(), self.line) for _ in range(self.length()))
