"""Checks for games and bots that others write.

`check_game` finds where the rules of a game contradict themselves, `check_bot` where a bot answers
what is not legal. Each state of a game is compared with a twin, reached by the same actions and
never queried, so a method that changes its state is caught even if `repr` does not show it.
"""

import math
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np

from counterfold.bots import BASELINES, Bot, Hand, HandResult, MatchInfo, shuffle
from counterfold.errors import BotError, GameError, IllegalActionError
from counterfold.games.holdem import Variant
from counterfold.games.protocol import Game, Infoset, ListedChance, State

TOLERANCE = 1e-9  # of probabilities that sum to one and utilities that sum to zero
SAMPLES = 5  # drawn at a chance that cannot be listed
LABELS = 1000  # actions that are tried where they are illegal, approximately
SHOWN = 30  # actions of a long path that a message quotes

Place = tuple[Any, Any] | None  # the place before and the action since; None is the root
Choice = tuple[Infoset, str] | None  # a player's previous information set and its action there


@dataclass(frozen=True)
class GameCheck:
    """What was checked; a state counts as often as it was visited."""

    nodes: int
    infosets: int
    terminals: int
    complete: bool  # the whole tree, else a part of it and random descents


def check_game(game: Game, *, max_nodes: int = 200_000, seed: int = 0) -> GameCheck:
    """Check that `game` keeps the promises of the protocol, and raise `GameError` if it does not.

    Walks the whole tree when it has at most `max_nodes` nodes and its chance can be listed, else
    visits as many states again in random descents from the root. The message names the fault and
    the actions that lead to it.
    """
    checker = _Checker(game, np.random.default_rng(seed))
    complete = checker.walk(max_nodes)
    if not complete:
        checker.descend(max_nodes)
    return GameCheck(checker.nodes, len(checker.infosets), checker.terminals, complete)


@dataclass(frozen=True)
class BotCheck:
    """What was looked at."""

    hands: int
    decisions: int
    slowest_seconds: float  # of one decision


def check_bot(
    make_bot: Callable[[], Bot], variant: Variant, *, n_hands: int = 100, seed: int = 0
) -> BotCheck:
    """Check that a bot plays `variant` legally and reproducibly, and raise `BotError` if not.

    `make_bot` gives a new bot. It plays `n_hands` in both seats against simple opponents, and a
    second one must answer like the first.
    """
    opponents = [BASELINES[name]() for name in ("random", "all-in", "always-call")]
    bot, twin = make_bot(), make_bot()
    for each in (bot, twin):
        each.begin_match(MatchInfo(variant, n_hands=n_hands))
    decisions, slowest = 0, 0.0
    for number in range(n_hands):
        hand, seat = Hand(variant, shuffle(variant, seed, number), number), number % 2
        for each in (bot, twin):
            each.begin_hand(hand.view(seat))
        while (actor := hand.waits_for) is not None:
            view = hand.view(actor)
            if actor != seat:
                hand.act(opponents[number % len(opponents)].act(view))
                continue
            begin = time.perf_counter()
            action = bot.act(view)
            slowest = max(slowest, time.perf_counter() - begin)
            if not view.is_legal(action):
                raise BotError(f"{bot!r} answers {action!r}, which is not legal in {view}")
            if (again := twin.act(view)) != action:
                raise BotError(
                    f"{bot!r} answers {action!r}, but a second one answers {again!r}, in {view}"
                )
            decisions += 1
            hand.act(action)
        shown = tuple(hand.holes[1 - seat]) if hand.showdown else ()
        for each in (bot, twin):
            each.end_hand(HandResult(hand.view(seat), hand.chips[seat], shown))
    return BotCheck(n_hands, decisions, slowest)


@dataclass(frozen=True)
class _Visit:
    """A state on the walk: how it was reached, and what each player last chose."""

    state: State
    twin: State
    place: Place
    chosen: tuple[Choice, ...]


@dataclass
class _Checker:
    """One run of `check_game`: the checks of a state, and what earlier states established."""

    game: Game
    rng: np.random.Generator
    nodes: int = 0
    terminals: int = 0
    sampled: bool = False  # a chance was met that cannot be listed
    infosets: dict[Hashable, tuple[Infoset, Choice]] = field(default_factory=dict)
    labels: dict[Any, None] = field(default_factory=dict)  # all actions met, as an ordered set

    def walk(self, max_nodes: int) -> bool:
        """Visit every state once; False if there are too many or chance can only be sampled."""
        stack = [self.root()]
        while stack:
            if self.nodes == max_nodes or self.sampled:
                return False
            stack += reversed(self.visit(stack.pop()))
        return not self.sampled

    def descend(self, max_nodes: int) -> None:
        """Play at random from the root until `max_nodes` more states were visited."""
        stop = self.nodes + max_nodes
        while self.nodes < stop:
            begin, children = self.nodes, [self.root()]
            while children and self.nodes < stop:
                children = self.visit(children[0], descent=True)
            if children and begin + max_nodes == stop:
                self.fault(f"play has not ended after {max_nodes} actions", children[0].place)

    def root(self) -> _Visit:
        """The start, with no choices made."""
        with self.asking("root()", None):
            state, twin = self.game.root(), self.game.root()
        if state != twin:
            self.fault("root() gives two states that are not equal", None)
        return _Visit(state, twin, None, (None,) * self.game.n_players)

    def visit(self, visit: _Visit, *, descent: bool = False) -> list[_Visit]:
        """Check one state and give its children, or a random one for a `descent`."""
        self.nodes += 1
        state, place = visit.state, visit.place
        with self.asking("repr or hash", place):
            before = repr(state), hash(state)
        with self.asking("utilities", place):
            utilities = state.utilities
        with self.asking("chance", place):
            chance = state.chance
        infoset: Infoset | None = None
        actions: tuple[Any, ...] = ()
        if utilities is not None and chance is not None:
            self.fault("a state has both utilities and chance", place)
        if utilities is not None:
            self.check_utilities(utilities, place)
        elif chance is not None:
            actions = self.outcomes(chance, place)
        else:
            infoset = self.infoset(visit)
            actions = infoset.actions
        if chance is None or isinstance(chance, ListedChance):
            self.check_illegal(state, actions, place)
        self.check_unchanged(visit, before)  # or its children could be blamed for its faults
        if descent and actions:
            actions = (actions[self.rng.integers(len(actions))],)
        children = [self.child(visit, infoset, action) for action in actions]
        self.check_unchanged(visit, before)
        return children

    def check_unchanged(self, visit: _Visit, before: tuple[str, int]) -> None:
        """Check that a state still looks as it did `before`, and equals its twin."""
        with self.asking("repr or hash", visit.place):
            after = repr(visit.state), hash(visit.state)
        if before != after or visit.state != visit.twin:
            self.fault("a state changes when it is queried", visit.place)

    def check_utilities(self, utilities: Any, place: Place) -> None:
        """One finite number per player, which sum to zero if the game says so."""
        self.terminals += 1
        n_players = self.game.n_players
        if not isinstance(utilities, tuple) or len(utilities) != n_players:
            self.fault(f"utilities {utilities!r} are not a tuple of {n_players} numbers", place)
        if not all(isinstance(u, int | float) and math.isfinite(u) for u in utilities):
            self.fault(f"utilities {utilities!r} are not finite numbers", place)
        if self.game.zero_sum and abs(sum(utilities)) > TOLERANCE:
            self.fault(f"utilities {utilities!r} of a zero-sum game do not sum to zero", place)

    def outcomes(self, chance: Any, place: Place) -> tuple[Any, ...]:
        """The distinct outcomes of a chance that is a distribution, or samples of them."""
        if not isinstance(chance, ListedChance):
            self.sampled = True
            with self.asking("chance.sample()", place):
                return tuple(dict.fromkeys(chance.sample(self.rng) for _ in range(SAMPLES)))
        with self.asking("chance.outcomes()", place):
            listed = chance.outcomes()
            outcomes = tuple(outcome for outcome, _ in listed)
            distinct = len(set(outcomes)) == len(outcomes)
        if not outcomes:
            self.fault("chance has no outcomes", place)
        if not distinct:
            self.fault(f"chance lists an outcome twice in {outcomes!r}", place)
        for outcome, probability in listed:
            if not probability > 0.0:
                self.fault(f"chance gives outcome {outcome!r} probability {probability!r}", place)
        total = math.fsum(probability for _, probability in listed)
        if not abs(total - 1.0) <= TOLERANCE:
            self.fault(f"probabilities of chance sum to {total!r}, not to one", place)
        with self.asking("chance.sample()", place):
            sample = chance.sample(self.rng)
        if sample not in outcomes:
            self.fault(f"chance samples {sample!r}, which is not one of {outcomes!r}", place)
        return outcomes

    def infoset(self, visit: _Visit) -> Infoset:
        """The information set of a state, consistent with that of all states which share it."""
        place = visit.place
        with self.asking("infoset", place):
            infoset = visit.state.infoset
        if not isinstance(infoset, Infoset):
            self.fault("a state has neither utilities nor chance nor an infoset", place)
        player, actions = infoset.player, infoset.actions
        if player not in range(self.game.n_players):
            self.fault(f"player {player!r} is not one of {self.game.n_players} players", place)
        with self.asking("infoset", place):
            hash(infoset)
        key = player, infoset.facts
        if key not in self.infosets:
            self.check_new_infoset(infoset, place)
            self.infosets[key] = infoset, visit.chosen[player]
            return infoset
        first, chosen = self.infosets[key]
        if first.actions != actions:
            self.fault(
                f"infoset '{infoset}' of player {player} offers {actions!r} here "
                f"and {first.actions!r} elsewhere",
                place,
            )
        if self.game.perfect_recall and chosen != visit.chosen[player]:
            self.fault(
                f"in infoset '{infoset}' player {player} forgets what it knew or did: "
                f"{_describe(visit.chosen[player])} here, {_describe(chosen)} elsewhere",
                place,
            )
        return infoset

    def check_new_infoset(self, infoset: Infoset, place: Place) -> None:
        """What depends on the information set alone."""
        actions = infoset.actions
        with self.asking("infoset.facts", place):
            names = [name for name, _ in infoset.facts]
        if len(set(names)) < len(names):
            self.fault(f"infoset '{infoset}' has two facts with the same name", place)
        if not actions:
            self.fault(f"infoset '{infoset}' offers no actions", place)
        kinds = set(map(type, actions))  # few, however many actions there are
        if not isinstance(actions, tuple) or not all(issubclass(kind, str) for kind in kinds):
            self.fault(f"actions {actions!r} are not a tuple of words", place)
        if len(set(actions)) < len(actions):
            self.fault(f"infoset '{infoset}' offers an action twice in {actions!r}", place)
        for name, feature in self.game.features.items():
            with self.asking(f"feature {name!r}", place):
                hash(feature(infoset))

    def child(self, visit: _Visit, infoset: Infoset | None, action: Any) -> _Visit:
        """The child by `action`, made twice; `infoset` is None where nature acts."""
        with self.asking(f"child({action!r})", visit.place):
            state, twin = visit.state.child(action), visit.state.child(action)
        if state != twin:
            self.fault(f"child({action!r}) gives two states that are not equal", visit.place)
        chosen = visit.chosen
        if infoset is not None:
            seat = infoset.player
            chosen = (*chosen[:seat], (infoset, action), *chosen[seat + 1 :])
        return _Visit(state, twin, (visit.place, action), chosen)

    def check_illegal(self, state: State, legal: tuple[Any, ...], place: Place) -> None:
        """Check that a state refuses nonsense, and an action that is legal somewhere else."""
        if len(self.labels) < LABELS:
            self.labels |= dict.fromkeys(legal)
        here = set(legal)
        elsewhere = next((label for label in self.labels if label not in here), None)
        for action in dict.fromkeys((None, "", elsewhere)):
            if action in here:
                continue
            try:
                state.child(action)
            except IllegalActionError:
                continue
            except Exception as error:
                raise self.error(
                    f"child({action!r}) is illegal and raises {error!r}, not IllegalActionError",
                    place,
                ) from error
            self.fault(f"child({action!r}) is illegal but gives a state", place)

    @contextmanager
    def asking(self, what: str, place: Place) -> Iterator[None]:
        """Say where an error raised by the game's own code came from."""
        try:
            yield
        except Exception as error:
            raise self.error(f"{what} raises {error!r}", place) from error

    def fault(self, what: str, place: Place) -> NoReturn:
        """Raise the error for a fault."""
        raise self.error(what, place)

    def error(self, what: str, place: Place) -> GameError:
        """One sentence: the game, the fault, the path."""
        path: list[str] = []
        while place is not None:
            place, action = place
            path.append(repr(action))
        if len(path) > SHOWN:
            path[SHOWN:] = [f"{len(path) - SHOWN} more actions"]
        where = f"after {', '.join(reversed(path))}" if path else "at the root"
        return GameError(f"{self.game.name}: {what}, {where}")


def _describe(chosen: Choice) -> str:
    if chosen is None:
        return "no choice yet"
    infoset, action = chosen
    return f"{action!r} in '{infoset}'"
