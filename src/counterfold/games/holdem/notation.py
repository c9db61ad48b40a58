"""Betting lines and states as people write them: ``AhKs QdQc r6 c | Qd7c2s | k b50%``.

Actions are `f` fold, `k` or `x` check, `c` call, `b50%`, `b120` or `r300` bet or raise (to chips on
this street), `allin`, `s` keep and `d` discard, or these words in full. Cards are written where
they are dealt. Spaces and commas may stand between words, and `|` or `/` between streets.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from counterfold.cards.text import CARD_PATTERN, format_cards, parse_cards
from counterfold.errors import IllegalActionError
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import CALL, CHECK, DISCARD, FOLD, KEEP, KINDS, RAISE
from counterfold.games.holdem.bet_size import CHIPS, SIZE_FORMS, BetSize, raise_total, read_size
from counterfold.games.holdem.state import HoldemState, Situation
from counterfold.games.holdem.variant import Variant

CARDS, STREET, CHANCE = "cards", "|", "chance"  # kinds of words that are not actions

_SIZE = r"\d+(?:\.\d+)?[%x]?|[1-9]?e|min|all-?in"
_WORD = re.compile(
    rf"""
    (?P<street>[|/!])
    | (?P<chance>[+~]{CARD_PATTERN}|=)
    | (?P<cards>(?:{CARD_PATTERN})+)
    | (?P<letter>fold|check|call|keep|discard)
    | (?P<discard>d{CARD_PATTERN})
    | all-?in\s+(?P<chips>\d+)(?!\w)
    | (?:bet|raise(?:\s+to)?)\s*(?P<told>{_SIZE})
    | [br](?P<size>{_SIZE})
    | (?P<label>\d+(?:\.\d+)?%|min|all-?in)
    | (?P<fixed>bet|raise|[br])
    | (?P<short>[fkxcsd])
    """,
    re.IGNORECASE | re.VERBOSE,
)
_GAP = re.compile(r"[\s,]*")
_LETTERS = {"x": CHECK, "check": CHECK, "keep": KEEP}


class LineWord(NamedTuple):
    """A word of a line: an action with its letter, or one of the kinds above."""

    kind: str
    text: str
    place: str  # for messages, such as ``word 2 of 'k b50%'``
    size: BetSize | None = None  # of a bet or raise, where it is written
    cards: tuple[int, ...] = ()

    @property
    def is_action(self) -> bool:
        """Whether a player acts."""
        return self.kind in KINDS


def read_line(text: str) -> tuple[LineWord, ...]:
    """The words of `text`; raises `IllegalActionError` where it has something else."""
    return tuple(_read_words(text))


def read_actions(text: str) -> tuple[LineWord, ...]:
    """The actions of `text`, without its cards and the marks of streets."""
    return tuple(word for word in read_line(text) if word.is_action)


def resolve_bet(
    variant: Variant, situation: Situation, word: LineWord, dead: int = 0
) -> tuple[int, int] | None:
    """The kind of an action where a player bets, and a raise's total; None if it is not legal.

    A size in chips must be legal as it stands; others are brought between the legal bounds.
    """
    to_call = situation[betting.SPENT_0] != situation[betting.SPENT_1]
    if word.kind == FOLD:
        return (betting.FOLD, 0) if to_call or variant.fold_when_free else None
    if word.kind in (CHECK, CALL):
        return (betting.CALL, 0) if to_call == (word.kind == CALL) else None
    low, high = betting.raise_bounds(variant.rules, situation)
    if word.kind != RAISE or not high:
        return None
    if word.size is None:
        return (betting.RAISE, high) if low == high else None
    if word.size.kind == CHIPS:
        total = situation[betting.BASE] + word.size.amount
        return (betting.RAISE, total) if low <= total <= high else None
    return betting.RAISE, raise_total(variant, situation, word.size, dead)


def parse_state(variant: Variant, text: str) -> HoldemState:
    """The state of `variant` that `text` describes, such as ``AhKs QdQc c k 2c7dTs k r4``."""
    state = variant.root()
    words = [word for word in read_line(text) if word.kind != STREET]
    while words:
        word = take_word(words, getattr(state.chance, "n", 0))
        try:
            state = state.child(_event(state, word))
        except IllegalActionError as error:
            raise IllegalActionError(f"{word.place}: {error}") from None
    return state


def take_word(words: list[LineWord], n_cards: int) -> LineWord:
    """Remove the first of `words`; words of cards are joined up to `n_cards`."""
    word = words.pop(0)
    while words and word.kind == words[0].kind == CARDS and len(word.cards) < n_cards:
        more = words.pop(0)
        word = word._replace(text=f"{word.text} {more.text}", cards=word.cards + more.cards)
    return word


def _event(state: HoldemState, word: LineWord) -> str:
    """The word as states write it."""
    if word.kind == CARDS:
        return format_cards(word.cards)
    if word.kind == CHANCE:
        return word.text[0] + format_cards(word.cards)
    if word.kind != RAISE:
        return word.kind + format_cards(word.cards)
    betting_now = state.chance is None and state.situation[betting.PHASE] == betting.BET
    found = resolve_bet(state.variant, state.situation, word) if betting_now else None
    return f"{RAISE}{found[1] - state.situation[betting.BASE]}" if found else word.text


def _read_words(text: str) -> Iterator[LineWord]:
    at, number = _GAP.match(text).end(), 0  # type: ignore[union-attr]
    while at < len(text):
        number += 1
        found = _WORD.match(text, at)
        place = f"word {number} of {text!r}"
        if found is None:
            raise IllegalActionError(
                f"{place}: {text[at:].split()[0]!r} is not an action or cards; write f, k, c, "
                "b50%, r300, allin, cards such as Qd7c2s, or | between streets"
            )
        yield _make_word(found, place)
        at = _GAP.match(text, found.end()).end()  # type: ignore[union-attr]


def _make_word(found: re.Match[str], place: str) -> LineWord:
    text = found[0].lower()
    if found["street"]:
        return LineWord(STREET, text, place)
    if found["cards"] or found["chance"] or found["discard"]:
        kind = CARDS if found["cards"] else CHANCE if found["chance"] else DISCARD
        cards = parse_cards(text if found["cards"] else text[1:])
        return LineWord(kind, text, place, cards=cards)
    if found["letter"] or found["short"]:
        return LineWord(_LETTERS.get(text, text[0]), text, place)
    if found["fixed"]:
        return LineWord(RAISE, text, place)
    written = found["chips"] or found["told"] or found["size"] or found["label"]
    size = read_size(written.lower().replace("-", ""))
    if size is None:
        raise IllegalActionError(f"{place}: {found[0]!r} has a size that is not {SIZE_FORMS}")
    return LineWord(RAISE, text, place, size)
