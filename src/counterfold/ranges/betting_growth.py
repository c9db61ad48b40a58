"""Grows the betting of a spot: places, each expanded once, however many lines lead there.

What follows a place depends on its situation, on who bet last on this street and the one before,
and on the lines below it that were removed. Legal actions and what they lead to are those of
`games.holdem.betting_kernels`.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from counterfold.errors import IllegalActionError, TooLargeError
from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import BET, WORDS, letter_of
from counterfold.games.holdem.notation import DEAL, LineWord, read_line, resolve_bet
from counterfold.games.holdem.situation import Situation
from counterfold.public.graph_kernels import DEALT

_ENOUGH = 5_000  # places after which a tree that is too large is not counted to the end
_NOBODY = -1


class TreeMenu(Protocol):
    """What may be bet; equal menus offer the same."""

    @property
    def name(self) -> str:
        """What it is called in messages."""

    def totals(
        self, variant: Variant, situation: Situation, *, donk: bool = False, dead: int = 0
    ) -> tuple[int, ...]:
        """The totals over the hand that the actor is offered to bet or raise to, ascending.

        With `donk` the other seat bet last on the street before, and the actor is first to act;
        `dead` chips in the pot are nobody's.
        """

    def check_fit(self, variant: Variant, root: Situation) -> None:
        """Raise `AbstractionError` if it does not suit a tree that begins at `root`."""

    def __hash__(self) -> int: ...


@dataclass(frozen=True)
class CheckedDown:
    """What `menu` offers before `street`; from there on nobody bets, and the cards decide.

    So a tree ends where a later street would begin: its hands are shown once the board is whole.
    With fixed limits there is no menu.
    """

    menu: TreeMenu | None
    street: int

    @property
    def name(self) -> str:
        """Text of the menu."""
        return f"{self.menu.name if self.menu else 'fixed limits'}, checked down"

    def totals(
        self, variant: Variant, situation: Situation, *, donk: bool = False, dead: int = 0
    ) -> tuple[int, ...]:
        """The totals over the hand that the actor is offered to bet or raise to, ascending."""
        if self.menu is None:
            return _fixed_total(variant, situation)
        return self.menu.totals(variant, situation, donk=donk, dead=dead)

    def check_fit(self, variant: Variant, root: Situation) -> None:
        """Raise `AbstractionError` if it does not suit a tree that begins at `root`."""
        if self.menu is not None:
            self.menu.check_fit(variant, root)


class GrowthPlace(NamedTuple):
    """What the betting below a node depends on."""

    situation: Situation
    aggressor: int  # seat that bet last on this street
    before: int  # seat that bet last on the street before
    removed: tuple[tuple[LineWord, ...], ...]  # lines from here on, the last action goes


class Edge(NamedTuple):
    """An action or a deal, with the columns of a betting tree."""

    kind: int
    amount: int
    label: str
    child: GrowthPlace


def root_place(root: Situation, removed: Sequence[str]) -> GrowthPlace:
    """The place where a spot begins, without the lines `removed`."""
    return GrowthPlace(root, _last_aggressor(root), _NOBODY, tuple(map(_read_removed, removed)))


class Growth:
    """Expands places, each once however many lines lead there.

    Raises to the totals `added` are offered in the situation `root` beside those of the menu.
    """

    def __init__(
        self,
        variant: Variant,
        menu: TreeMenu | None,
        dead: int,
        root: Situation = (),
        added: Sequence[int] = (),
    ) -> None:
        self.variant, self.menu, self.dead = variant, menu, dead
        self.root, self.added = root, frozenset(added)
        self.known: dict[GrowthPlace, tuple[Edge, ...]] = {}

    def check_size(self, root: GrowthPlace, most: int) -> None:
        """Raise `TooLargeError` if the tree below `root` has more than `most` nodes."""
        total = 0
        level = Counter({root: 1})
        while level and (total <= most or len(self.known) <= _ENOUGH):
            total += sum(level.values())
            following: Counter[GrowthPlace] = Counter()
            for place, n in level.items():
                if total > most and len(self.known) > _ENOUGH:
                    break
                for edge in self.edges(place):
                    following[edge.child] += n
            else:
                level = following
        if total > most:
            told = repr(self.menu.name) if self.menu else self.variant.name
            raise TooLargeError(
                f"the betting tree of {told} has {'more than ' if level else ''}{total:,} nodes, "
                f"and the limit is {most:,}; offer fewer sizes, or set a cap on raises"
            )

    def edges(self, place: GrowthPlace) -> tuple[Edge, ...]:
        """What may follow a place."""
        if place not in self.known:
            self.known[place] = self._without_removed(place, self._expand(place))
        return self.known[place]

    def _expand(self, place: GrowthPlace) -> tuple[Edge, ...]:
        phase = place.situation[betting.PHASE]
        if phase == betting.DEAL:
            after = tuple(betting.after_deal(self.variant.rules, place.situation, False))
            final = after[betting.FINAL]
            if isinstance(self.menu, CheckedDown) and after[betting.STREET] >= self.menu.street:
                after = _shown(after)
            lines = (line[1:] if line[0].kind == DEAL else line for line in place.removed)
            child = GrowthPlace(after, _NOBODY, place.aggressor, tuple(lines))
            return (Edge(DEALT, final, "deal", child),)
        return tuple(self._actions(place)) if phase == betting.BET else ()

    def _actions(self, place: GrowthPlace) -> list[Edge]:
        """Edges of a decision, in the order of the public graph: fold, call, raises ascending."""
        situation = place.situation
        found = []
        if situation[betting.SPENT_0] != situation[betting.SPENT_1] or self.variant.fold_when_free:
            found.append(self.edge_of(place, betting.FOLD))
        found.append(self.edge_of(place, betting.CALL))
        found += [self.edge_of(place, betting.RAISE, total) for total in self._totals(place)]
        return found

    def edge_of(self, place: GrowthPlace, kind: int, total: int = 0) -> Edge:
        """The edge of an action of the player who acts, whether or not the menu offers it."""
        situation, aggressor = place.situation, place.aggressor
        if kind == betting.FOLD:
            label, after = WORDS[letter_of(kind, 0)], betting.after_fold(situation)
        elif kind == betting.CALL:
            to_call = abs(situation[betting.SPENT_0] - situation[betting.SPENT_1])
            label = WORDS[letter_of(betting.CALL, to_call)]
            after = self._called(betting.after_call(self.variant.rules, situation))
        else:
            word = "raise" if situation[betting.N_BETS] else BET
            word = "allin" if total == self.variant.stack else word
            label, after = (
                f"{word} {total - situation[betting.BASE]}",
                betting.after_raise(situation, total),
            )
            aggressor = situation[betting.ACTOR]
        return Edge(kind, total, label, GrowthPlace(tuple(after), aggressor, place.before, ()))

    def _called(self, after: Situation) -> Situation:
        """`after`, as an end of the hand where no one has chips to bet with."""
        all_in = after[betting.SPENT_0] == after[betting.SPENT_1] == self.variant.stack
        if not all_in:
            return after
        return _shown(after)

    def _totals(self, place: GrowthPlace) -> tuple[int, ...]:
        situation = place.situation
        if self.menu is None or self.variant.betting == "limit":
            return _fixed_total(self.variant, situation)
        first = situation[betting.N_ACTIONS] == 0 and situation[betting.N_BETS] == 0
        donk = first and place.before == 1 - situation[betting.ACTOR]
        totals = self.menu.totals(self.variant, situation, donk=donk, dead=self.dead)
        if self.added and situation == self.root:
            totals = tuple(sorted({*totals, *self.added}))
        return totals

    def _without_removed(self, place: GrowthPlace, edges: tuple[Edge, ...]) -> tuple[Edge, ...]:
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


def _shown(situation: Situation) -> Situation:
    """`situation`, where hands are shown as soon as the board is whole."""
    return (situation[betting.STREET], betting.SHOWDOWN, *situation[betting.PHASE + 1 :])


def _fixed_total(variant: Variant, situation: Situation) -> tuple[int, ...]:
    """The one raise of fixed limits, as a total over the hand; none at the cap."""
    low, _ = betting.raise_bounds(variant.rules, situation)
    return (int(low),) if low else ()


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


def _last_aggressor(situation: Situation) -> int:
    """The seat that bet last on this street, if the chips tell; blinds are not bets here."""
    spent_0, spent_1 = situation[betting.SPENT_0], situation[betting.SPENT_1]
    if situation[betting.N_ACTIONS] == 0 or spent_0 == spent_1:
        return _NOBODY
    return int(spent_1 > spent_0)
