"""Text like a call, ``goofspiel(5)`` or ``percentile(10, metric=ehs2)``, read but never evaluated.

Parameters are Python literals; words need no quotes. Every reader of such text passes an `error`
class and an example of what it expects.
"""

import ast
import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from counterfold.errors import CounterfoldError

_T = TypeVar("_T")
_KINDS: dict[Any, str] = {int: "a whole number", float: "a number", str: "a word"}


@dataclass(frozen=True)
class Call:
    """A word, and the parameters in parentheses after it, as they stand in `text`."""

    word: str
    text: str  # the whole text it is part of, for messages
    positional: tuple[ast.expr, ...] = ()
    named: tuple[tuple[str, ast.expr], ...] = ()


def read_call(text: str, error: type[CounterfoldError], noun: str, example: str) -> Call:
    """Parse `text` as a call, with or without parameters; `noun` and `example` are for messages."""
    match = re.fullmatch(r"\s*([\w-]+)\s*(?:\((.*)\))?\s*", text, re.DOTALL)
    if match is None:
        raise error(f"cannot read the {noun} {text!r}; write it like {example}")
    try:
        node = ast.parse(f"f({match[2] or ''})", mode="eval").body
    except (SyntaxError, ValueError) as cause:
        raise error(f"cannot read the parameters of {text!r}; write it like {example}") from cause
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        raise error(f"cannot read the {noun} {text!r}; write it like {example}")
    return call_at(node, match[1], text)


def call_at(node: ast.Call, word: str, text: str) -> Call:
    """The call at a node of an expression."""
    named = tuple((str(keyword.arg), keyword.value) for keyword in node.keywords)
    return Call(word, text, tuple(node.args), named)


def read_literal(node: ast.expr, text: str, error: type[CounterfoldError]) -> Any:
    """The value written at `node`; a name stands for itself."""
    if isinstance(node, ast.Name):
        return node.id
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError) as cause:
        raise error(
            f"cannot read {ast.unparse(node)!r} in {text!r}; "
            "a parameter must be a number, a word or a tuple"
        ) from cause


def make(
    kind: Callable[..., _T],
    call: Call,
    error: type[CounterfoldError],
    *,
    read: Callable[[ast.expr], Any] | None = None,
    kinds: dict[Any, str] | None = None,
) -> _T:
    """Call `kind` with the parameters of a call.

    `read` finds the value of a node, by default that of a literal. With `kinds`, words for types
    beyond numbers and words, the values are checked against the annotations of `kind`.
    """
    find = read or (lambda node: read_literal(node, call.text, error))
    positional = [find(node) for node in call.positional]
    named = {name: find(node) for name, node in call.named}
    signature = inspect.signature(kind)
    try:
        given = signature.bind(*positional, **named).arguments
    except TypeError as cause:
        known = ", ".join(signature.parameters) or "none"
        raise error(
            f"cannot read {call.text!r}: {cause}; parameters of {call.word}: {known}"
        ) from cause
    for name, value in given.items() if kinds is not None else ():
        wanted = signature.parameters[name].annotation
        if isinstance(value, bool) or not isinstance(
            value, int | float if wanted is float else wanted
        ):
            expected = (_KINDS | (kinds or {}))[wanted]
            raise error(f"{call.text!r}: {name} of {call.word} must be {expected}, not {value!r}")
    return kind(*positional, **named)
