"""Numbers and cards in foreign text, which is not trusted until parsed."""

import re

from counterfold.cards import parse_card
from counterfold.errors import ProtocolError

_WHOLE = re.compile("[0-9]{1,9}", re.ASCII)
_AMOUNT = re.compile(r"([0-9]{1,9})(\.[0-9]{1,18})?", re.ASCII)
_SIGNED = re.compile("-?[0-9]{1,12}", re.ASCII)
_SECONDS = re.compile(r"-?[0-9]{1,9}(\.[0-9]{0,18})?", re.ASCII)
_CARD = re.compile("[2-9TJQKA][cdhs]")


def parse_whole(text: str, line: str, what: str) -> int:
    """A number of chips or things, with at most nine digits."""
    if not _WHOLE.fullmatch(text):
        raise ProtocolError(line, f"{what} as a whole number, not {text[:40]!r}")
    return int(text)


def parse_amount(text: str, line: str) -> int:
    """A number of chips whose fraction, if it has one, is dropped."""
    amount = _AMOUNT.fullmatch(text)
    if not amount:
        raise ProtocolError(line, f"an amount such as 12, not {text[:40]!r}")
    return int(amount[1])


def parse_signed(text: str, line: str, what: str) -> int:
    """A number of chips won or lost."""
    if not _SIGNED.fullmatch(text):
        raise ProtocolError(line, f"{what} as a number, not {text[:40]!r}")
    return int(text)


def parse_clock(text: str, line: str) -> float:
    """A time on a clock."""
    if not _SECONDS.fullmatch(text):
        raise ProtocolError(line, f"seconds, not {text[:40]!r}")
    return float(text)


def parse_wire_cards(
    texts: list[str], line: str, what: str, n: int | None = None
) -> tuple[int, ...]:
    """Different cards, in their order; `n` of them if given."""
    if n is not None and len(texts) != n:
        raise ProtocolError(line, f"{what} as {n} cards, not {len(texts)}")
    cards = [parse_wire_card(text, line, what) for text in texts]
    if len(set(cards)) < len(cards):
        raise ProtocolError(line, f"{what} as different cards")
    return tuple(cards)


def parse_wire_card(text: str, line: str, what: str = "a card") -> int:
    """One card."""
    if not _CARD.fullmatch(text):
        raise ProtocolError(line, f"{what} such as Ah, not {text[:40]!r}")
    return parse_card(text)
