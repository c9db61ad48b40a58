"""What a game must say about itself, and nothing about arrays.

A game is a tree of immutable states. At a state either nature moves (`chance`), or the game is over
(`utilities`), or a player chooses (`infoset`). Chance is an attribute of a state, not a player; it
may list its outcomes with probabilities or only sample one. A state gives the information set of
the player who acts, and the information set, not the state, gives the actions: two states that a
player cannot tell apart cannot offer different choices.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from counterfold.errors import GameError, IllegalActionError

Action = Hashable  # players' actions are short strings, outcomes of chance anything hashable
Feature = Callable[["Infoset"], Hashable]  # what an abstraction may reveal


@dataclass(frozen=True, slots=True)
class Infoset:
    """Everything the acting player knows, by name, and what it may do.

    `facts` identify the information set together with `player`; an abstraction reveals part of
    them.
    """

    player: int
    actions: tuple[str, ...]
    facts: tuple[tuple[str, Hashable], ...]

    def __getitem__(self, name: str) -> Any:
        for key, value in self.facts:
            if key == name:
                return value
        raise KeyError(name)

    def __str__(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self.facts if value != "")


class Chance(Protocol):
    """Nature's move at one state, which can at least be sampled."""

    def sample(self, rng: np.random.Generator) -> Action:
        """One outcome, drawn with its probability."""
        ...


@runtime_checkable
class ListedChance(Chance, Protocol):
    """Nature's move whose outcomes can be listed; only such games compile to a tree."""

    def outcomes(self) -> Sequence[tuple[Action, float]]:
        """All outcomes with positive probabilities that sum to one."""
        ...


@dataclass(frozen=True, slots=True)
class Outcomes:
    """A finite distribution over outcomes, listed and sampled."""

    actions: tuple[Action, ...]
    probabilities: tuple[float, ...]

    @classmethod
    def uniform(cls, actions: Sequence[Action]) -> "Outcomes":
        """Each of `actions` equally often."""
        return cls(tuple(actions), (1.0 / len(actions),) * len(actions))

    def outcomes(self) -> Sequence[tuple[Action, float]]:
        """All outcomes with their probabilities."""
        return tuple(zip(self.actions, self.probabilities, strict=True))

    def sample(self, rng: np.random.Generator) -> Action:
        """One outcome, drawn with its probability."""
        return self.actions[rng.choice(len(self.actions), p=self.probabilities)]


class State(Protocol):
    """One point of one play of a game; immutable, hashable, comparable, with a readable `repr`."""

    @property
    def chance(self) -> Chance | None:
        """Nature's move, or None where nature does not move."""
        ...

    @property
    def utilities(self) -> tuple[float, ...] | None:
        """What each player gets where the game is over, else None."""
        ...

    @property
    def infoset(self) -> Infoset:
        """The information set of the player to act; only where a player acts."""
        ...

    def child(self, action: Any) -> "State":
        """The state after `action`; raises `IllegalActionError`."""
        ...


class Game(ABC):
    """The rules of a game: frozen parameters, a root, and what is known about the whole.

    A subclass is a frozen dataclass whose fields are the game's parameters. `features` names
    functions of an information set beside its facts, for abstractions to use.
    """

    word: ClassVar[str]  # what the game is called on the command line
    n_players: int = 2
    zero_sum: bool = True
    perfect_recall: bool = True
    unit: str = "points"  # of the utilities
    features: ClassVar[Mapping[str, Feature]] = {}

    @abstractmethod
    def root(self) -> State:
        """The state before anything has happened."""

    @property
    def name(self) -> str:
        """Text that `parse_game` reads back: the word and the parameters that differ."""
        changed = [
            f"{field.name}={getattr(self, field.name)!r}"
            for field in fields(self)  # type: ignore[arg-type]
            if field.init and getattr(self, field.name) != field.default
        ]
        return f"{self.word}({', '.join(changed)})" if changed else self.word


def illegal(action: Any, state: State) -> IllegalActionError:
    """The error for `action` at `state`, which names the legal ones."""
    if state.utilities is not None:
        return IllegalActionError(f"action {action!r} after the end of the game in {state!r}")
    chance = state.chance
    if isinstance(chance, ListedChance):
        legal: tuple[Any, ...] = tuple(outcome for outcome, _ in chance.outcomes())
    elif chance is not None:
        return IllegalActionError(f"action {action!r} is not an outcome of chance in {state!r}")
    else:
        legal = state.infoset.actions
    return IllegalActionError(f"action {action!r} is not one of {legal} in {state!r}")


def check_parameter(name: str, value: Any, low: int, high: int) -> None:
    """Raise `GameError` unless the integer parameter `name` lies within its bounds."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise GameError(f"{name} must be an integer from {low} to {high}, not {value!r}")
