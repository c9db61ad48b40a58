"""Cards as people write them: `As` is the ace of spades, `2h7hTc` is a flop.

A card is the integer ``4 * rank + suit``, ranks 0 to 12 for 2 to A and suits 0 to 3 for c, d, h, s.
Letters are read in either case, and signs of suits like letters: `A♠`. Positions in messages count
characters from 1.
"""

from collections.abc import Iterable

from counterfold.errors import CardError

RANKS = "23456789TJQKA"
SUITS = "cdhs"
SUIT_SIGNS = "♣♦♥♠"
_OPEN_SIGNS = "♧♢♡♤"
EMOJI_MARK = "\ufe0f"  # after a sign that is to be drawn in color; means nothing
N_RANKS = len(RANKS)
N_SUITS = len(SUITS)
N_CARDS = N_RANKS * N_SUITS

# Regular expressions, where case is ignored.
SUIT_PATTERN = f"[{SUITS}{SUIT_SIGNS}{_OPEN_SIGNS}]"
CARD_PATTERN = f"[{RANKS}]{SUIT_PATTERN}"
_SUIT_LETTERS = str.maketrans(SUIT_SIGNS + _OPEN_SIGNS, SUITS + SUITS)


def find_rank(text: str, at: int) -> int:
    """The rank written at offset `at` of `text`."""
    return _find_letter("rank", RANKS, text[at : at + 1].upper(), text, at)


def find_suit(text: str, at: int) -> int:
    """The suit written at offset `at` of `text`."""
    letter = text[at : at + 1].lower().translate(_SUIT_LETTERS)
    return _find_letter("suit", SUITS, letter, text, at)


def _find_letter(kind: str, letters: str, letter: str, text: str, at: int) -> int:
    if not letter:
        raise CardError(f"{kind} missing at position {at + 1}, the end of {text!r}")
    index = letters.find(letter)
    if index < 0:
        raise CardError(
            f"unknown {kind} {text[at]!r} at position {at + 1} of {text!r}; {kind}s are {letters}"
        )
    return index


def parse_card(text: str) -> int:
    """The card written as `text`, such as `As`."""
    text = text.removesuffix(EMOJI_MARK)
    card = N_SUITS * find_rank(text, 0) + find_suit(text, 1)
    if len(text) > 2:
        raise CardError(f"unexpected {text[2:]!r} at position 3 of {text!r}; a card is like As")
    return card


def format_card(card: int) -> str:
    """The text of a card."""
    if not 0 <= card < N_CARDS:
        raise CardError(f"no card has the number {card!r}; numbers are from 0 to {N_CARDS - 1}")
    return RANKS[card // N_SUITS] + SUITS[card % N_SUITS]


def parse_cards(text: str) -> tuple[int, ...]:
    """The cards of `text` in their order, with or without spaces and commas between them."""
    cards: list[int] = []
    at = 0
    while at < len(text):
        if text[at].isspace() or text[at] in ("," + EMOJI_MARK):
            at += 1
            continue
        card = N_SUITS * find_rank(text, at) + find_suit(text, at + 1)
        if card in cards:
            raise CardError(f"card {format_card(card)} twice, at position {at + 1} of {text!r}")
        cards.append(card)
        at += 2
    return tuple(cards)


def format_cards(cards: Iterable[int], separator: str = "") -> str:
    """The texts of `cards`, joined."""
    return separator.join(format_card(int(card)) for card in cards)
