"""Betting lines and states as people write them: ``AhKs QdQc r6 c | Qd7c2s | k b50%``.

Actions are `f` fold, `k` or `x` check, `c` call, `b50%`, `b120` or `r300` bet or raise (to chips on
this street), `allin`, `s` keep, `d` discard and `a12` bid, or these words in full. Cards are
written where they are dealt. Spaces and commas may stand between words, and `|` or `/` between
streets.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from counterfold.cards.text import CARD_PATTERN, EMOJI_MARK, RANKS, format_cards, parse_cards
from counterfold.errors import CardError, IllegalActionError
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import (
    BID,
    CALL,
    CHECK,
    DISCARD,
    FOLD,
    KEEP,
    KINDS,
    RAISE,
)
from counterfold.games.holdem.bet_size import CHIPS, SIZE_FORMS, BetSize, raise_total, read_size
from counterfold.games.holdem.situation import Situation
from counterfold.games.holdem.state import HoldemState
from counterfold.games.holdem.variant import Variant

# Kinds of words that are not actions: cards, a mark between streets, a card that is drawn, swapped
# or seen or a bounty, and, where `read_line` has put marks and cards together, the deal of a
# street.
CARDS, MARK, CHANCE, DEAL = "cards", "|", "chance", "deal"

_SIZE = r"\d+(?:\.\d+)?[%x]?|[1-9]?e|min|all-?in"
_WORD = re.compile(
    rf"""
    (?P<mark>[|/!])
    | (?P<chance>[+~?]{CARD_PATTERN}|=)
    | (?P<bounty>\#[{RANKS}])
    | (?P<cards>(?:{CARD_PATTERN})+)
    | (?P<word>fold|check|call|keep|discard)
    | (?P<discard>d{CARD_PATTERN})
    | (?:bid\s*|a)(?P<bid>\d+)
    | all-?in\s+(?P<chips>\d+)(?!\w)
    | (?:bet|raise(?:\s*to)?)\s*(?P<told>{_SIZE})
    | [br](?P<size>{_SIZE})
    | (?P<label>\d+(?:\.\d+)?%|min|all-?in)
    | (?P<fixed>bet|raise|[br])
    | (?P<letter>[fkxcsd])
    """,
    re.IGNORECASE | re.VERBOSE,
)
_GAP = re.compile(r"[\s,]*")
_LETTERS = {"x": CHECK, "check": CHECK, "keep": KEEP}


class LineWord(NamedTuple):
    """A word of a line: an action with its letter as kind, or one of the kinds above."""

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
    """The actions and deals of a betting line, such as ``k b50% c | 7h | k``.

    A deal has the cards that are written, if any. Raises `IllegalActionError` for anything else.
    """
    return tuple(_join_deals(list(_read_words(text))))


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


def format_action(variant: Variant, situation: Situation, word: LineWord) -> str:
    """The action of `word` as states write it, such as ``r12``; as it stands if it is not legal."""
    if situation[betting.PHASE] == betting.DRAW and word.kind in (KEEP, DISCARD):
        return word.kind + format_cards(word.cards)
    found = None
    if situation[betting.PHASE] == betting.BET:
        found = resolve_bet(variant, situation, word)
    if found is None:
        return word.text
    kind, total = found
    return f"{RAISE}{total - situation[betting.BASE]}" if kind == betting.RAISE else word.kind


def check_dealt(variant: Variant, street: int, word: LineWord) -> None:
    """Raise `IllegalActionError` if a deal has other than the cards of the street, or none."""
    n = variant.streets[min(street, len(variant.streets) - 1)].cards
    if word.cards and len(word.cards) != n:
        cards = "1 card is" if n == 1 else f"{n} cards are"
        raise IllegalActionError(f"{word.place}: {cards} dealt here, not {word.text!r}")


def parse_state(variant: Variant, text: str) -> HoldemState:
    """The state of `variant` that `text` describes, such as ``AhKs QdQc c k 2c7dTs k r4``."""
    state = variant.root()
    words = list(_read_words(text))
    while words:
        word = _take(words, getattr(state.chance, "n", 0))
        try:
            state = state if word.kind == MARK else state.child(_event(state, word))
        except IllegalActionError as error:
            raise IllegalActionError(f"{word.place}: {error}") from None
    return state


def _take(words: list[LineWord], n_cards: int) -> LineWord:
    """Remove the first of `words`; words of cards are joined up to `n_cards`."""
    word = words.pop(0)
    while words and word.kind == words[0].kind == CARDS and len(word.cards) < n_cards:
        word = _joined(word, words.pop(0))
    return word


def _event(state: HoldemState, word: LineWord) -> str:
    """The word as states write it; as it stands if it has no meaning here."""
    if word.kind == CARDS:
        return format_cards(word.cards)
    if word.kind == CHANCE:
        return word.text[0] + format_cards(word.cards) if word.cards else word.text
    if state.chance is not None:
        return word.text
    return format_action(state.variant, state.situation, word)


def _join_deals(words: list[LineWord]) -> Iterator[LineWord]:
    """`words` with a deal for a mark, for cards, or for cards with marks around them."""
    while words:
        word = words.pop(0)
        if word.kind == MARK and words and words[0].kind == CARDS:
            word = words.pop(0)
        if word.kind == CARDS:
            while words and words[0].kind == CARDS:
                word = _joined(word, words.pop(0))
            if words and words[0].kind == MARK and (len(words) == 1 or words[1].is_action):
                words.pop(0)
        yield word._replace(kind=DEAL) if word.kind in (MARK, CARDS) else word


def _joined(word: LineWord, more: LineWord) -> LineWord:
    return word._replace(text=f"{word.text} {more.text}", cards=word.cards + more.cards)


def _read_words(text: str) -> Iterator[LineWord]:
    plain = text.replace(EMOJI_MARK, "")
    at, number = _skip_gap(plain, 0), 0
    while at < len(plain):
        number += 1
        place = f"word {number} of {text!r}"
        found = _WORD.match(plain, at)
        if found is None:
            raise IllegalActionError(
                f"{place}: {plain[at:].split()[0]!r} is not an action or cards; write f, k, c, "
                "b50%, r300, allin, cards such as Qd7c2s, or | between streets"
            )
        yield _make_word(found, place)
        at = _skip_gap(plain, found.end())


def _skip_gap(text: str, at: int) -> int:
    gap = _GAP.match(text, at)
    assert gap is not None
    return gap.end()


def _make_word(found: re.Match[str], place: str) -> LineWord:
    text = found[0]
    if found["mark"]:
        return LineWord(MARK, text, place)
    if found["bounty"]:
        return LineWord(CHANCE, text.upper(), place)
    if found["bid"]:
        return LineWord(BID, f"{BID}{found['bid']}", place)
    if found["cards"] or found["chance"] or found["discard"]:
        kind = CARDS if found["cards"] else CHANCE if found["chance"] else DISCARD
        return LineWord(kind, text, place, cards=_read_cards(found, place))
    if found["word"] or found["letter"]:
        return LineWord(_LETTERS.get(text.lower(), text[0].lower()), text, place)
    if found["fixed"]:
        return LineWord(RAISE, text, place)
    written = found["chips"] or found["told"] or found["size"] or found["label"]
    size = read_size(written.lower().replace("-", ""))
    if size is None:
        raise IllegalActionError(f"{place}: a size is {SIZE_FORMS}, not {written!r}")
    return LineWord(RAISE, text, place, size)


def _read_cards(found: re.Match[str], place: str) -> tuple[int, ...]:
    try:
        return parse_cards(found["cards"] or found[0][1:])
    except CardError as error:
        raise IllegalActionError(f"{place}: {error}") from None
