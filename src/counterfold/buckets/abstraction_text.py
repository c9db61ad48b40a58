"""Bucketings and card abstractions as text.

A bucketing is written like a call, ``percentile(10, metric=ehs2)``; a star joins two, as in
``nested(5, 2) * ochs(20)``. A card abstraction names one per street, ``preflop: lossless; flop:
histogram(200); turn: histogram(200); river: percentile(50)``; a street that is not named is
bucketed like the one before it, and ``recall: sequence`` makes players remember. ``run:
histogram(40)`` is for boards of River of Blood that another card follows. A history
bucketing has buckets for all streets; a star joins it with a bucketing, or with a card abstraction
in parentheses: ``history(5) * (lossless; flop: ochs(10))``.
"""

import ast
import re
from functools import reduce
from operator import mul
from typing import Any

from counterfold.buckets.bucketing import (
    Bucketing,
    Coarsen,
    Discards,
    Lossless,
    Nested,
    Percentile,
    PsOpti,
    Uniform,
)
from counterfold.buckets.card_abstraction import RECALLS, CardAbstraction
from counterfold.buckets.clustering.clustered import Histogram, Ochs, Potential
from counterfold.buckets.histories.history import HISTORY_PRESETS, History
from counterfold.buckets.street_abstraction import RUN, StreetAbstraction
from counterfold.call_text import Call, call_at, make, read_call, read_literal
from counterfold.cards.streets import STREETS
from counterfold.errors import AbstractionError, UnknownNameError

BUCKETINGS: dict[str, type[Bucketing]] = {
    kind.word: kind
    for kind in (
        Lossless,
        Uniform,
        Percentile,
        Nested,
        PsOpti,
        Histogram,
        Ochs,
        Potential,
        Coarsen,
        Discards,
    )
}


def parse_bucketing(text: str) -> Bucketing:
    """The bucketing that `text` names."""
    for part in (part.strip() for part in _split(text, "*")):
        if part in HISTORY_PRESETS or re.match(r"history\b", part):
            raise AbstractionError(
                f"{part!r} has buckets for all streets at once; make it a factor of the whole, "
                "as in 'history(5) * (lossless; flop: ochs(10))'"
            )
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise AbstractionError(f"cannot read the bucketing {text!r}") from error
    found = _read(tree, text)
    if isinstance(found, str) and found not in BUCKETINGS:
        raise UnknownNameError("bucketing", found, BUCKETINGS)
    if not isinstance(found, Bucketing):
        raise AbstractionError(f"{text!r} is not a bucketing; write it like percentile(10)")
    return found


def parse_card_abstraction(text: str) -> CardAbstraction:
    """A card abstraction, a history bucketing by name or like a call, or a product with one.

    A factor of a product is a bucketing of all streets, or a card abstraction in parentheses.
    """
    if _split(text, ":;") != [text]:
        return parse_street_abstraction(text)
    return reduce(mul, (_parse_factor(part.strip(), text) for part in _split(text, "*")))


def _parse_factor(part: str, text: str) -> CardAbstraction:
    """One factor of the product `text`."""
    if part in HISTORY_PRESETS:
        return HISTORY_PRESETS[part]
    if re.fullmatch(r"[a-z]+(-\w+)+", part):
        raise UnknownNameError("card abstraction", part, (*HISTORY_PRESETS, *BUCKETINGS))
    if part.startswith("(") and part.endswith(")"):
        return parse_card_abstraction(part[1:-1].strip())
    if not re.match(r"history\b", part):
        return StreetAbstraction((parse_bucketing(part),) * 4)
    call = read_call(part, AbstractionError, "bucketing", "history(5)")
    if not call.positional and not call.named:
        raise AbstractionError(f"{text!r} needs a number of buckets, as in history(5)")
    return make(History, call, AbstractionError, kinds={})


def _split(text: str, marks: str) -> list[str]:
    """The parts of a text between marks that are not in parentheses."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if sign in marks and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def parse_street_abstraction(text: str) -> StreetAbstraction:
    """The card abstraction that `text` names; a single bucketing applies to all streets."""
    streets: dict[str, Bucketing] = {}
    recall: str | None = None
    for part in filter(None, (part.strip() for part in _split(text, ";"))):
        head, colon, body = (piece.strip() for piece in part.partition(":"))
        if not colon:
            head, body = STREETS[0], head
        if head == "recall":
            if recall is not None:
                raise AbstractionError(f"{text!r} sets recall twice")
            recall = body
        elif head not in (*STREETS, RUN):
            raise UnknownNameError("street", head, (*STREETS, RUN))
        elif head in streets:
            raise AbstractionError(f"{text!r} names the {head} twice")
        else:
            streets[head] = parse_bucketing(body)
    if STREETS[0] not in streets:
        raise AbstractionError(f"{text!r} does not say how the {STREETS[0]} is bucketed")
    run: Any = streets.pop(RUN, None)  # checked by what it is for
    filled = [streets[STREETS[0]]]
    for street in STREETS[1:]:
        filled.append(streets.get(street, filled[-1]))
    a, b, c, d = filled
    return StreetAbstraction((a, b, c, d), recall or RECALLS[0], run)


def _read(node: ast.expr, text: str) -> Any:
    """The value at one node of the expression; nothing is evaluated."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        first, second = _read(node.left, text), _read(node.right, text)
        if not (isinstance(first, Bucketing) and isinstance(second, Bucketing)):
            raise AbstractionError(f"a star in {text!r} is not between two bucketings")
        return first * second
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return _make(call_at(node, node.func.id, text))
    if isinstance(node, ast.Name) and node.id in (Lossless.word, Discards.word):
        return BUCKETINGS[node.id]()  # without parameters
    return read_literal(node, text, AbstractionError)


def _make(call: Call) -> Bucketing:
    if call.word not in BUCKETINGS:
        raise UnknownNameError("bucketing", call.word, BUCKETINGS)
    return make(
        BUCKETINGS[call.word],
        call,
        AbstractionError,
        read=lambda node: _read(node, call.text),
        kinds={Bucketing: "a bucketing"},
    )
