"""A variant as plain content, such as TOML and JSON have: numbers, texts, lists and tables.

The keys are the fields of `Variant`, `Street`, `Bounty` and the steps of a street, except that
`title` is called `name` and a step has its `kind`. What is left out has the default of the field.
"""

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, fields
from typing import Any

from counterfold.cards import Deck, parse_deck
from counterfold.errors import GameError, UnknownNameError
from counterfold.games.holdem.payoff import Bounty
from counterfold.games.holdem.street import STEPS, Step, Street
from counterfold.games.holdem.variant import Variant
from counterfold.games.holdem.variant_checks import in_place

_NAME, _TITLE, _KIND = "name", "title", "kind"
_STEPS_EXAMPLE = '[{ kind = "discard", first = 1 }]'
_STEP_WORDS = {**{kind: kind for kind in STEPS}, "draw": "discard", "toss": "discard"}

_NO_HINTS: Mapping[str, str] = {}
_STEP_HINTS = {
    word: f'it is a step: steps = [{{ kind = "{kind}" }}]' for word, kind in _STEP_WORDS.items()
}
_BOUNTY_HINTS = dict.fromkeys(("rank", "ranks"), "a bounty may be any rank of the deck")


def read_variant(content: Mapping[str, Any], name: str = "variant") -> Variant:
    """The variant that `content` declares, called `name` if it does not name itself."""
    content = dict(content)
    _check_keys(content, {_NAME, *_known(Variant)} - {_TITLE})
    title = content.pop(_NAME, name)
    if not isinstance(title, str) or not title.isprintable() or not title.strip():
        raise GameError(f"name must be a line of text, not {title!r}")
    streets = content.pop("streets", None)
    if not isinstance(streets, list) or not streets:
        raise GameError("there are no streets; a street begins with the line [[streets]]")
    if "deck" in content:
        content["deck"] = _parse_deck(content["deck"])
    if isinstance(content.get("hole_cards"), list):
        raise GameError(_explain_unequal(content["hole_cards"]))
    if "bounty" in content:
        with in_place("bounty"):
            table = _check_table("a bounty", content["bounty"], _known(Bounty), _BOUNTY_HINTS)
            content["bounty"] = Bounty(**table)
    return Variant(
        title, tuple(_parse_street(at, street) for at, street in enumerate(streets)), **content
    )


def write_variant(variant: Variant) -> dict[str, Any]:
    """The content that `read_variant` reads back."""
    content = _differing_fields(variant)
    title, streets = content.pop(_TITLE), content.pop("streets")
    return {_NAME: title, **content, "streets": streets}


def _parse_street(at: int, content: object) -> Street:
    with in_place(f"street {at}"):
        table = _check_table("a street", content, _known(Street), _STEP_HINTS)
        steps = table.get("steps", [])
        if not isinstance(steps, list):
            raise GameError(f"steps must be a list such as {_STEPS_EXAMPLE}, not {steps!r}")
        return Street(**{**table, "steps": tuple(_parse_step(step) for step in steps)})


def _parse_step(content: object) -> Step:
    if not isinstance(content, dict) or content.get(_KIND) not in STEPS:
        raise GameError(
            f"a step must be a table whose kind is one of {', '.join(STEPS)}, "
            f"such as {_STEPS_EXAMPLE}, not {content!r}"
        )
    kind = STEPS[content[_KIND]]
    with in_place(content[_KIND]):
        values = {key: value for key, value in content.items() if key != _KIND}
        return kind(**_check_table("a step", values, _known(kind)))


def _explain_unequal(held: list[Any]) -> str:
    """Why a list of hole cards is refused, and how to deal each seat its number."""
    sentence = f"hole_cards must be one number for both seats, not {held!r}"
    if len(held) != 2 or not all(isinstance(n, int) for n in held):
        return sentence
    holes = [n - min(held) for n in held]
    step = f'{{ kind = "deal", holes = {holes} }}'
    return f"{sentence}; use hole_cards = {min(held)}, and on the first street steps = [{step}]"


def _check_table(
    what: str, content: object, known: set[str], hints: Mapping[str, str] = _NO_HINTS
) -> dict[str, Any]:
    if not isinstance(content, dict):
        raise GameError(f"{what} must be a table, not {content!r}")
    _check_keys(content, known, hints)
    return content


def _parse_deck(text: object) -> Deck:
    if not isinstance(text, str):
        raise GameError(f"deck must be text such as full or 9TJQKA/cd, not {text!r}")
    return parse_deck(text)


def _known(kind: type) -> set[str]:
    return {field.name for field in fields(kind)}


def _check_keys(
    content: Mapping[str, Any], known: Iterable[str], hints: Mapping[str, str] = _NO_HINTS
) -> None:
    for key in content:
        if key not in known and key in hints:
            raise GameError(f"unknown key {key!r}; {hints[key]}")
        if key not in known:
            raise GameError(str(UnknownNameError("key", key, known)))


def _differing_fields(value: Any) -> dict[str, Any]:
    """The fields that differ from their defaults, as content."""
    return {
        field.name: _as_content(getattr(value, field.name))
        for field in fields(value)
        if getattr(value, field.name) != _default(field)
    }


def _default(field: Field[Any]) -> Any:
    return None if field.default is MISSING else field.default


def _as_content(value: Any) -> Any:
    if isinstance(value, Deck):
        return value.name
    if isinstance(value, tuple(STEPS.values())):
        kind = next(word for word, step in STEPS.items() if isinstance(value, step))
        return {_KIND: kind, **_differing_fields(value)}
    if isinstance(value, Street | Bounty):
        return _differing_fields(value)
    return [_as_content(item) for item in value] if isinstance(value, tuple) else value
