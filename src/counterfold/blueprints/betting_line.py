"""A line of betting as people write it, followed through a public graph.

Words are those of states, `f k c r12 s d`, where `r12` bets or raises to 12 chips on this street,
or the labels of the menu, `call`, `50%`, `allin`. `/` stands for the deal of a street and may be
left out. An amount that the menu does not offer is read as the most similar one.
"""

import re
from dataclasses import dataclass

from counterfold.bets.menu import format_size
from counterfold.cards.text import SUITS
from counterfold.errors import IllegalActionError
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import (
    DISCARD,
    RAISE,
    WORDS,
    letter_of,
)
from counterfold.games.holdem.state import DEALT, LAST_DEALT
from counterfold.public.graph import PublicGraph

_PLACES = ("first", "second")  # of two hole cards, in the order of `public.deals`


@dataclass(frozen=True)
class Offer:
    """An action at a node: its label, the word for it in states, and the edge."""

    label: str
    word: str
    edge: int

    @property
    def text(self) -> str:
        """Label and chips."""
        return f"{self.label} ({self.word})" if self.word.startswith(RAISE) else self.label


@dataclass(frozen=True)
class Line:
    """Where a line of betting leads."""

    node: int
    read: tuple[str, ...]  # the actions as they were understood, deals included
    discarded: tuple[tuple[bool, ...], tuple[bool, ...]]  # by seat, at each of its draws
    decisions: tuple[tuple[int, int], ...]  # the nodes at which someone acted, with the edges taken


def offers(graph: PublicGraph, node: int) -> tuple[Offer, ...]:
    """The actions at a decision, in the order of its slots."""
    situation = graph.situations[node]
    to_call = abs(int(situation[betting.SPENT_0]) - int(situation[betting.SPENT_1]))
    found = []
    for edge in range(int(graph.starts[node]), int(graph.starts[node + 1])):
        kind, amount = int(graph.kinds[edge]), int(graph.amounts[edge])
        word = letter_of(kind, to_call)
        label = WORDS[word]
        if kind == betting.RAISE:
            label, word = (
                format_size(int(graph.labels[edge])),
                f"{word}{amount - situation[betting.BASE]}",
            )
        elif kind == betting.DISCARD and graph.variant.hole_cards > 1:
            label = f"{label} {_PLACES[amount]}"
        found.append(Offer(label, word, edge))
    return tuple(found)


def follow(graph: PublicGraph, text: str, board: tuple[int, ...] = ()) -> Line:
    """The decision after the line `text`; `board` says whether a run continues.

    Raises `IllegalActionError` with the offered actions if a word does not fit.
    """
    node = 0
    read: list[str] = []
    discarded: tuple[list[bool], list[bool]] = ([], [])
    decisions: list[tuple[int, int]] = []
    for at, word in enumerate(text.split(), start=1):
        place = f"word {at} of {text!r}"
        phase = graph.phase[node]
        if word in (DEALT, LAST_DEALT):
            if phase != betting.DEAL:
                raise IllegalActionError(
                    f"{place}: no street is dealt here; {_offered(graph, node)}"
                )
            node = _deal(graph, node, board, read)
            continue
        while graph.phase[node] == betting.DEAL:
            node = _deal(graph, node, board, read)
        if graph.phase[node] in (betting.FOLDED, betting.SHOWDOWN):
            raise IllegalActionError(f"{place}: {word!r} comes after the hand is over")
        offer = _match(graph, node, word, place)
        if graph.phase[node] == betting.DRAW:
            seat = int(graph.field(betting.ACTOR)[node])
            discarded[seat].append(offer.word == DISCARD)
        read.append(offer.text if offer.word != DISCARD else WORDS[DISCARD])
        decisions.append((node, offer.edge))
        node = int(graph.children[offer.edge])
    while graph.phase[node] == betting.DEAL:
        node = _deal(graph, node, board, read)
    if graph.phase[node] in (betting.FOLDED, betting.SHOWDOWN):
        raise IllegalActionError(f"nobody acts after {text!r}: the hand is over")
    choices = tuple(discarded[0]), tuple(discarded[1])
    return Line(node, tuple(read), choices, tuple(decisions))


def _deal(graph: PublicGraph, node: int, board: tuple[int, ...], read: list[str]) -> int:
    """The node after a deal; where a run may continue, the board says whether it does."""
    edge = int(graph.starts[node])
    read.append(DEALT)
    if graph.starts[node + 1] - edge == 1:
        return int(graph.children[edge])
    variant = graph.variant
    size = variant.board_cards(int(graph.field(betting.STREET)[node]) + 1)
    if len(board) < size:
        raise IllegalActionError(
            f"whether {variant.name} deals another street depends on card {size} of the board, "
            f"which has {len(board)}; pass a longer --board"
        )
    goes_on = SUITS[board[size - 1] & 3] in variant.run_suits
    return int(graph.children[edge if goes_on else edge + 1])


def _match(graph: PublicGraph, node: int, word: str, place: str) -> Offer:
    """The offer that `word` names or comes nearest to."""
    offered = offers(graph, node)
    lower = word.lower()
    for offer in offered:
        if lower in (offer.label, offer.word):
            return offer
    draws = graph.phase[node] == betting.DRAW
    if draws and re.fullmatch(r"d([2-9tjqka][cdhs])?|discard", lower):
        return next(offer for offer in offered if offer.word == DISCARD)
    raises = [offer for offer in offered if offer.word.startswith(RAISE)]
    if re.fullmatch(r"r\d{1,9}", lower) and raises:
        situation = tuple(int(field) for field in graph.situations[node])
        low, high = betting.raise_bounds(graph.variant.rules, situation)
        base = situation[betting.BASE]
        total = int(lower[1:])
        if low <= total + base <= high:
            other = situation[betting.SPENT_1 if situation[betting.ACTOR] == 0 else betting.SPENT_0]
            return min(raises, key=lambda offer: _unlike(total + base, offer, base, other))
        raise IllegalActionError(
            f"{place}: {word!r} is not a raise from r{low - base} to r{high - base}; "
            f"{_offered(graph, node)}"
        )
    raise IllegalActionError(f"{place}: {word!r} does not fit; {_offered(graph, node)}")


def _unlike(total: int, offer: Offer, base: int, other: int) -> float:
    """The ratio of the larger raise to the smaller, counted beyond the call; 1 if equal."""
    mine, theirs = total - other, int(offer.word[1:]) + base - other
    return max(mine / theirs, theirs / mine)


def _offered(graph: PublicGraph, node: int) -> str:
    texts = dict.fromkeys(
        f"{offer.label.split()[0]} ({offer.word})" if offer.word != offer.label else offer.label
        for offer in offers(graph, node)
    )
    return f"offered are {', '.join(texts)}"
