"""The betting tree of a spot: every betting line below a public situation, as flat arrays.

Shapes: ``N`` nodes, ``E`` edges. A node is a betting history, and a parent precedes its children;
nodes are sorted by street. Cards are not enumerated: a deal has one child. When all chips are in
before the last street, the hand ends with that call: its node is a showdown on the street on which
the chips went in, and the cards to come are a matter of equity.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.bets.spot_menu import SpotMenu
from counterfold.errors import (
    AbstractionError,
    GameError,
    IllegalActionError,
    TooLargeError,
    UnsupportedGameError,
)
from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import BET, WORDS, letter_of
from counterfold.games.holdem.notation import DEAL, LineWord, read_line, resolve_bet
from counterfold.games.holdem.state import Situation
from counterfold.public.graph_kernels import DEALT

MAX_NODES = 250_000
_ENOUGH = 20_000  # places after which a tree that is too large is not counted to the end
_NOBODY = -1


@dataclass(frozen=True, eq=False)
class BettingTree:
    """Nodes and edges. `situations` has the fields of `games.holdem.betting_kernels` as columns."""

    variant: Variant
    situations: NDArray[np.int32]  # [N, N_FIELDS]
    starts: NDArray[np.int32]  # [N + 1] node n owns edges starts[n]:starts[n + 1]
    children: NDArray[np.int32]  # [E]
    kinds: NDArray[np.int8]  # [E] FOLD, CALL, RAISE or DEALT
    amounts: NDArray[np.int32]  # [E] a raise's total over the hand, 1 for a last deal, else 0
    labels: tuple[str, ...]  # [E] what the action is called, with chips on this street
    dead: int = 0  # chips in the pot that neither seat has put in

    @property
    def n_nodes(self) -> int:
        """How many nodes there are."""
        return self.starts.size - 1

    @property
    def n_edges(self) -> int:
        """How many edges there are."""
        return self.children.size

    def field(self, field: int) -> NDArray[np.int32]:
        """A column of the situations."""
        return self.situations[:, field]

    @cached_property
    def phase(self) -> NDArray[np.int32]:
        """[N] what a node waits for."""
        return self.field(betting.PHASE)

    @cached_property
    def decisions(self) -> NDArray[np.intp]:
        """The nodes at which a player acts."""
        return np.flatnonzero(self.phase == betting.BET)


def spot_root(
    variant: Variant, board_cards: int, pot: int, stack: int
) -> tuple[Variant, Situation, int]:
    """Where a street begins with `pot` in the middle and `stack` chips behind for each seat.

    Returns the variant with its stack set to that, the situation, and the odd chip of the pot. On
    the first street the pot is that of blinds and antes, and `stack` is behind the larger blind.
    """
    boards = [variant.board_cards(street) for street in range(len(variant.streets))]
    if board_cards not in boards:
        known = ", ".join(map(str, boards))
        raise GameError(
            f"a board of {board_cards} cards does not begin a street of {variant.name}; "
            f"boards have {known}"
        )
    for word, chips in (("pot", pot), ("stack", stack)):
        if chips < 1:
            raise GameError(f"{word} must be 1 chip or more, not {chips!r}")
    street = boards.index(board_cards)
    first = betting.first_situation(variant.rules)
    spent = (first[betting.SPENT_0], first[betting.SPENT_1])
    if street == 0 and pot != sum(spent):
        raise GameError(
            f"pot must be {sum(spent)} before the flop, the blinds and antes of {variant.name}, "
            f"not {pot!r}"
        )
    each = max(spent) if street == 0 else pot // 2
    variant = replace(variant, stack=each + stack)
    if street == 0:
        return variant, tuple(betting.first_situation(variant.rules)), 0
    before = (street - 1, betting.DEAL, 0, each, each, 0, 0, 0, 0, 0)
    return variant, tuple(betting.after_deal(variant.rules, before, False)), pot % 2


def build_betting_tree(
    variant: Variant,
    root: Situation,
    menu: SpotMenu | None,
    *,
    dead: int = 0,
    removed: Sequence[str] = (),
    max_nodes: int = MAX_NODES,
) -> BettingTree:
    """All betting lines below `root` that `menu` offers; with fixed limits it is not looked at.

    `removed` are lines in notation, such as ``k b50%``, whose last action is taken out of the tree.
    Raises `TooLargeError` before building more than `max_nodes`.
    """
    _check(variant, root, menu, dead)
    if menu is not None and variant.betting != "limit":
        menu.check_chips(variant, root)
    lines = tuple(map(_read_removed, removed))
    growth = _Growth(variant, menu, dead)
    start = _Place(tuple(root), _last_aggressor(root), _NOBODY, lines)
    growth.check_size(start, max_nodes)
    return growth.build(start)


def _check(variant: Variant, root: Situation, menu: SpotMenu | None, dead: int) -> None:
    if variant.hands_change or variant.max_runs:
        raise UnsupportedGameError(
            f"{variant.name} has draws, swaps or runs; spots are for variants without them"
        )
    if menu is None and variant.betting != "limit":
        raise AbstractionError(
            f"a spot of {variant.name} needs a menu of bets, such as '50%, 100%, allin'"
        )
    if dead < 0:
        raise GameError(f"dead must be 0 chips or more, not {dead!r}")
    spent = root[betting.SPENT_0], root[betting.SPENT_1]
    if root[betting.PHASE] not in (betting.BET, betting.DEAL) or min(spent) >= variant.stack:
        raise GameError(
            f"a spot must begin where someone can still bet, not at {_describe(root)} "
            f"with {spent[0]} and {spent[1]} of {variant.stack} chips in"
        )


_PHASES = {betting.FOLDED: "a fold", betting.SHOWDOWN: "a showdown", betting.DRAW: "a draw"}


def _describe(situation: Situation) -> str:
    return _PHASES.get(situation[betting.PHASE], "all-in")


def _last_aggressor(situation: Situation) -> int:
    """The seat that bet last on this street, if the chips tell; blinds are not bets here."""
    spent_0, spent_1 = situation[betting.SPENT_0], situation[betting.SPENT_1]
    if situation[betting.N_ACTIONS] == 0 or spent_0 == spent_1:
        return _NOBODY
    return int(spent_1 > spent_0)


class _Place(NamedTuple):
    """What the betting below a node depends on."""

    situation: Situation
    aggressor: int  # seat that bet last on this street
    before: int  # seat that bet last on the street before
    removed: tuple[tuple[LineWord, ...], ...]  # lines from here on, the last action goes


class _Edge(NamedTuple):
    kind: int
    amount: int
    label: str
    child: _Place


class _Growth:
    """Expands places, each once however many lines lead there."""

    def __init__(self, variant: Variant, menu: SpotMenu | None, dead: int) -> None:
        self.variant, self.menu, self.dead = variant, menu, dead
        self.known: dict[_Place, tuple[_Edge, ...]] = {}

    def check_size(self, root: _Place, most: int) -> None:
        """Raise `TooLargeError` if the tree below `root` has more than `most` nodes."""
        total = 0
        level = Counter({root: 1})
        while level and (total <= most or len(self.known) <= _ENOUGH):
            total += level.total()
            following: Counter[_Place] = Counter()
            for place, n in level.items():
                for edge in self.edges(place):
                    following[edge.child] += n
            level = following
        if total > most:
            told = repr(self.menu.name) if self.menu else self.variant.name
            raise TooLargeError(
                f"the betting tree of {told} has {'more than ' if level else ''}{total:,} nodes, "
                f"and {most:,} are the limit; offer fewer sizes, or set a cap on raises"
            )

    def build(self, root: _Place) -> BettingTree:
        """The tree as arrays."""
        places = [root]
        edges: list[_Edge] = []
        children: list[int] = []
        degrees = []
        for place in places:  # grows while it is read
            below = self.edges(place)
            degrees.append(len(below))
            edges += below
            children += range(len(places), len(places) + len(below))
            places += [edge.child for edge in below]
        situations = np.array([place.situation for place in places], np.int32)
        return _sorted_by_street(self.variant, situations, edges, children, degrees, self.dead)

    def edges(self, place: _Place) -> tuple[_Edge, ...]:
        """What may follow a place."""
        if place not in self.known:
            self.known[place] = self._without_removed(place, self._expand(place))
        return self.known[place]

    def _expand(self, place: _Place) -> tuple[_Edge, ...]:
        phase = place.situation[betting.PHASE]
        if phase == betting.DEAL:
            after = tuple(betting.after_deal(self.variant.rules, place.situation, False))
            final = after[betting.FINAL]
            lines = (line[1:] if line[0].kind == DEAL else line for line in place.removed)
            child = _Place(after, _NOBODY, place.aggressor, tuple(lines))
            return (_Edge(DEALT, final, "deal", child),)
        return tuple(self._actions(place)) if phase == betting.BET else ()

    def _actions(self, place: _Place) -> list[_Edge]:
        """Edges of a decision, in the order of the public graph: fold, call, raises ascending."""
        situation, rules = place.situation, self.variant.rules
        actor, base = situation[betting.ACTOR], situation[betting.BASE]
        to_call = abs(situation[betting.SPENT_0] - situation[betting.SPENT_1])
        found = []
        if to_call or self.variant.fold_when_free:
            after = betting.after_fold(situation)
            found.append(self._edge(place, betting.FOLD, 0, "fold", after, place.aggressor))
        word = WORDS[letter_of(betting.CALL, to_call)]
        after = self._called(betting.after_call(rules, situation))
        found.append(self._edge(place, betting.CALL, 0, word, after, place.aggressor))
        for total in self._totals(place):
            word = "raise" if situation[betting.N_BETS] else BET
            word = "allin" if total == self.variant.stack else word
            after = betting.after_raise(situation, total)
            label = f"{word} {total - base}"
            found.append(self._edge(place, betting.RAISE, total, label, after, actor))
        return found

    def _edge(
        self, place: _Place, kind: int, amount: int, label: str, after: Situation, aggressor: int
    ) -> _Edge:
        return _Edge(kind, amount, label, _Place(tuple(after), aggressor, place.before, ()))

    def _called(self, after: Situation) -> Situation:
        """`after`, as an end of the hand where no one has chips to bet with."""
        all_in = after[betting.SPENT_0] == after[betting.SPENT_1] == self.variant.stack
        if not all_in:
            return after
        return (after[betting.STREET], betting.SHOWDOWN, *after[betting.PHASE + 1 :])

    def _totals(self, place: _Place) -> tuple[int, ...]:
        situation = place.situation
        if self.menu is None or self.variant.betting == "limit":
            low, _ = betting.raise_bounds(self.variant.rules, situation)
            return (int(low),) if low else ()
        first = situation[betting.N_ACTIONS] == 0 and situation[betting.N_BETS] == 0
        donk = first and place.before == 1 - situation[betting.ACTOR]
        return self.menu.totals(self.variant, situation, donk=donk, dead=self.dead)

    def _without_removed(self, place: _Place, edges: tuple[_Edge, ...]) -> tuple[_Edge, ...]:
        """`edges` without the actions at which removed lines end; the others learn what follows."""
        if not place.removed or place.situation[betting.PHASE] == betting.DEAL:
            return edges
        lines: list[list[tuple[LineWord, ...]]] = [[] for _ in edges]
        actions = [(edge.kind, edge.amount) for edge in edges]
        labels = [edge.label for edge in edges]
        for line in place.removed:
            found = find_action(self.variant, place.situation, line[0], actions, labels, self.dead)
            lines[found].append(line[1:])
        kept = [
            edge._replace(child=edge.child._replace(removed=tuple(below)))
            for edge, below in zip(edges, lines, strict=True)
            if () not in below
        ]
        if not kept:
            raise IllegalActionError(
                f"{place.removed[-1][0].place}: no action is left; keep one of those removed here"
            )
        return tuple(kept)


def find_action(
    variant: Variant,
    situation: Situation,
    word: LineWord,
    actions: Sequence[tuple[int, int]],
    labels: Sequence[str],
    dead: int,
) -> int:
    """Which of `actions`, kinds with amounts, `word` names; raises `IllegalActionError`."""
    found = None
    if situation[betting.PHASE] == betting.BET:
        found = resolve_bet(variant, situation, word, dead)
    if found not in actions:
        raise IllegalActionError(
            f"{word.place}: {word.text!r} does not fit; {tell_offered(labels)}"
        )
    return actions.index(found)


def tell_offered(labels: Sequence[str]) -> str:
    """What was possible where a word does not fit."""
    return f"offered are {', '.join(labels)}" if labels else "the hand is over"


def _read_removed(text: str) -> tuple[LineWord, ...]:
    line = read_line(text)
    if not line or not line[-1].is_action:
        raise IllegalActionError(
            f"the removed line {text!r} must end with an action, such as k b50%"
        )
    for word in line:
        if word.cards:
            raise IllegalActionError(
                f"{word.place}: a line is removed for all cards; leave out {word.text!r}"
            )
    return line


def _sorted_by_street(
    variant: Variant,
    situations: NDArray[np.int32],
    edges: Sequence[_Edge],
    children: Sequence[int],
    degrees: Sequence[int],
    dead: int,
) -> BettingTree:
    """The tree with its nodes by street, in their order otherwise."""
    order = np.argsort(situations[:, betting.STREET], kind="stable")
    place = np.empty(order.size, np.int32)
    place[order] = np.arange(order.size, dtype=np.int32)
    n_edges = np.array(degrees, np.int32)
    old_starts = np.concatenate([[0], np.cumsum(n_edges)])[:-1]
    starts = np.concatenate([[0], np.cumsum(n_edges[order])]).astype(np.int32)
    moved = np.repeat(old_starts[order] - starts[:-1], n_edges[order]) + np.arange(len(edges))
    sorted_edges = [edges[e] for e in moved.tolist()]
    return BettingTree(
        variant,
        np.ascontiguousarray(situations[order]),
        starts,
        place[np.array(children, np.intp)[moved]],
        np.array([edge.kind for edge in sorted_edges], np.int8),
        np.array([edge.amount for edge in sorted_edges], np.int32),
        tuple(edge.label for edge in sorted_edges),
        dead,
    )
