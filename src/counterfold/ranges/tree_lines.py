"""Lines through the betting tree of a spot as people write them: ``k b50% c | 7h | k``."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from counterfold.cards.text import format_card, format_cards
from counterfold.errors import IllegalActionError
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import letter_of
from counterfold.games.holdem.line_steps import LineStep, extend_by_deal, extend_line
from counterfold.games.holdem.notation import DEAL, MARK, LineWord, check_dealt, read_line
from counterfold.public.graph_kernels import DEALT
from counterfold.ranges.betting_growth import find_action, tell_offered
from counterfold.ranges.betting_tree import BettingTree

Cards = tuple[int, ...]


class TreeLine(NamedTuple):
    """Where a line leads, and the cards that it deals on the way."""

    node: int
    dealt: tuple[Cards, ...]  # by deal; empty where no cards are written


def follow_line(tree: BettingTree, text: str) -> TreeLine:
    """The node that a line leads to; streets that are not marked are dealt without cards.

    A line that ends with the betting of a street leads to its deal. Raises `IllegalActionError`
    with what was possible if a word does not fit.
    """
    node = 0
    dealt: list[Cards] = []
    for word in read_line(text):
        waits = tree.phase[node] == betting.DEAL
        if word.kind == DEAL:
            _check_deal(tree, node, word, dealt)
        if waits:
            node = int(tree.children[tree.starts[node]])
            dealt.append(word.cards if word.kind == DEAL else ())
        if word.kind != DEAL:
            node = int(tree.children[find_edge(tree, node, word)])
    return TreeLine(node, tuple(dealt))


def find_edge(tree: BettingTree, node: int, word: LineWord) -> int:
    """The edge of the action that `word` names at a node; raises `IllegalActionError`."""
    edges = range(tree.starts[node], tree.starts[node + 1])
    actions = [(int(tree.kinds[e]), int(tree.amounts[e])) for e in edges]
    labels = [tree.labels[e] for e in edges]
    situation = tuple(tree.situations[node].tolist())
    return edges[find_action(tree.variant, situation, word, actions, labels, tree.dead)]


def format_line(tree: BettingTree, node: int, dealt: Sequence[Cards] = ()) -> str:
    """The line to a node, which `follow_line` reads back, with the cards of its deals if known."""
    words: list[str] = []
    deals = iter(dealt)
    path = _path(tree, node)
    for at, edge in enumerate(path):
        if tree.kinds[edge] != DEALT:
            words.append(_format_action(tree, edge))
            continue
        cards = next(deals, ())
        words += [MARK, format_cards(cards), MARK] if cards else [MARK]
        if cards and at == len(path) - 1:
            words.pop()
    return " ".join(words)


def list_steps(tree: BettingTree, node: int, dealt: Sequence[Cards] = ()) -> tuple[LineStep, ...]:
    """The decisions and deals on the way to a node, with what was offered at each."""
    steps: list[LineStep] = []
    text = ""
    deals = iter(dealt)
    for edge in _path(tree, node):
        parent = _parent(tree, edge)
        if tree.kinds[edge] == DEALT:
            cards = next(deals, ())
            steps.append(LineStep(text, cards=cards))
            text = extend_by_deal(text, cards)
            continue
        seat = int(tree.situations[parent, betting.ACTOR])
        taken = edge - int(tree.starts[parent])
        steps.append(LineStep(text, seat, list_offers(tree, parent), taken))
        text = extend_line(text, _format_action(tree, edge))
    return tuple(steps)


def list_offers(tree: BettingTree, node: int) -> tuple[tuple[str, str], ...]:
    """What each action of a decision is called, and its word in a line."""
    edges = range(int(tree.starts[node]), int(tree.starts[node + 1]))
    return tuple((tree.labels[e], _format_action(tree, e)) for e in edges)


def _parent(tree: BettingTree, edge: int) -> int:
    """The node that an edge begins at."""
    return int(np.searchsorted(tree.starts, edge, side="right")) - 1


def _path(tree: BettingTree, node: int) -> list[int]:
    """The edges from the root to a node."""
    above = np.empty(tree.n_nodes, np.int64)  # edge that leads to each node
    above[tree.children] = np.arange(tree.n_edges)
    edges = []
    while node:
        edge = int(above[node])
        edges.append(edge)
        node = _parent(tree, edge)
    return edges[::-1]


def _format_action(tree: BettingTree, edge: int) -> str:
    situation = tree.situations[_parent(tree, edge)]
    if tree.kinds[edge] != betting.RAISE:
        to_call = abs(int(situation[betting.SPENT_0]) - int(situation[betting.SPENT_1]))
        return letter_of(int(tree.kinds[edge]), to_call)
    letter = "r" if situation[betting.N_BETS] else "b"
    return f"{letter}{tree.amounts[edge] - situation[betting.BASE]}"


def _check_deal(tree: BettingTree, node: int, word: LineWord, dealt: Sequence[Cards]) -> None:
    """Raise `IllegalActionError` unless `word` deals the cards that are due, and no card twice."""
    if tree.phase[node] != betting.DEAL:
        labels = tree.labels[tree.starts[node] : tree.starts[node + 1]]
        raise IllegalActionError(f"{word.place}: no street is dealt here; {tell_offered(labels)}")
    check_dealt(tree.variant, int(tree.field(betting.STREET)[node]) + 1, word)
    known = {card for cards in dealt for card in cards}
    for card in word.cards:
        if card in known or word.cards.count(card) > 1:
            raise IllegalActionError(f"{word.place}: card {format_card(card)} is dealt twice")
