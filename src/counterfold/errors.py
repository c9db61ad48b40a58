"""Every exception that Counterfold raises on purpose.

Each is also a built-in exception, so that callers can catch it without importing this module. A
message is one sentence in lower case: the value, what was expected, the place, the next step.
"""

import difflib
from collections.abc import Iterable
from typing import Any

_MOST_NAMES = 20  # names that a message lists
_MOST_QUOTED = 100  # characters of foreign text that a message quotes


class CounterfoldError(Exception):
    """Base of all deliberate errors; the command line prints it without a traceback."""


class IllegalActionError(CounterfoldError, ValueError):
    """The action is not legal in this state."""


class GameError(CounterfoldError, ValueError):
    """The rules of a game contradict themselves, or its parameters do not describe a game."""


class SpotError(CounterfoldError, ValueError):
    """A spot that is impossible, or that its options or file do not describe."""


class CardError(CounterfoldError, ValueError):
    """Cards that are not in the deck, dealt twice, or too few or too many."""


class UnknownNameError(CounterfoldError, ValueError):
    """A name that is not known."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        known = sorted(known)
        near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
        some = ", ".join(known[:_MOST_NAMES]) + ", …" * (len(known) > _MOST_NAMES)
        hint = f"did you mean {' or '.join(near)}?" if near else f"known: {some}"
        super().__init__(f"unknown {kind} {name!r}; {hint}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Other processes have the sentence, not what it was made from."""
        return _with_sentence, self.args


def _with_sentence(sentence: str) -> UnknownNameError:
    error = UnknownNameError.__new__(UnknownNameError)
    error.args = (sentence,)
    return error


class AbstractionError(CounterfoldError, ValueError):
    """An abstraction does not fit the game."""


class UnsupportedGameError(CounterfoldError, ValueError):
    """The method needs a property that the game does not have."""


class AlgorithmError(CounterfoldError, ValueError):
    """Settings of a solver that make no sense, alone or together."""


class StrategyError(CounterfoldError, ValueError):
    """The numbers are not a strategy of this game."""


class BudgetError(CounterfoldError, ValueError):
    """A budget that makes no sense or cannot be met."""


class ThreadCountError(CounterfoldError, ValueError):
    """A number of threads that makes no sense."""


class DeviceError(CounterfoldError, RuntimeError):
    """A device that is not there, or that a method cannot use."""


class ClusterError(CounterfoldError, RuntimeError):
    """A cluster that cannot be joined, or whose workers cannot do their work."""


class TooLargeError(CounterfoldError, MemoryError):
    """The work would not fit into memory."""


class ArtifactError(CounterfoldError, ValueError):
    """A folder on disk is damaged, foreign, or made for something else."""


class RecipeError(CounterfoldError, ValueError):
    """A recipe that cannot be read, or whose settings contradict each other."""


class MatchError(CounterfoldError, ValueError):
    """A match that cannot be played."""


class HistoryError(CounterfoldError, ValueError):
    """A file of hand histories that cannot be read or written, or that breaks the rules."""


class BotError(CounterfoldError, RuntimeError):
    """A bot breaks the promises of its interface."""


class ExportError(CounterfoldError, ValueError):
    """A bot cannot be exported, or would break a limit of its contest."""


class ServeError(CounterfoldError, RuntimeError):
    """The page cannot be served as requested."""


class MissingLibraryError(CounterfoldError, ImportError):
    """An optional library that this needs is not installed."""


class ProtocolError(CounterfoldError, ValueError):
    """The other side of a connection wrote something that its protocol does not allow."""

    def __init__(self, text: str, expected: str, peer: str = "") -> None:
        super().__init__(text, expected, peer)
        self.text = text
        self.expected = expected
        self.peer = peer  # who wrote it; a parser does not know

    def __str__(self) -> str:
        return f"{self.peer or 'peer'} wrote {_shorten(self.text)}; expected {self.expected}"


class PeerError(CounterfoldError, ConnectionError):
    """The other side of a connection cannot be reached, is gone, or was silent for too long."""


def _shorten(text: str) -> str:
    if len(text) <= _MOST_QUOTED:
        return repr(text)
    return f"{text[:_MOST_QUOTED]!r}… ({len(text)} characters)"
