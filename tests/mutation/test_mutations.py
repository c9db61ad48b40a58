"""Mutations are programs that differ from their module in one place, and never in a text alone."""

import ast
from pathlib import Path

import pytest

from counterfold.bets import translation
from counterfold.bots import policy_kernels
from mutation.mutations import mutations


def changes(source):
    return [(one.kind, one.before, one.after) for one in mutations(source)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a < b", ("comparison", "a < b", "a <= b")),
        ("x = a + b", ("arithmetic", "a + b", "a - b")),
        ("x = a and b", ("and/or", "a and b", "a or b")),
        ("x = not a", ("not", "not a", "a")),
        ("x = -a", ("sign", "-a", "a")),
        ("x = True", ("constant", "True", "False")),
        ("x = 7", ("constant", "7", "6")),
        ("x = np.minimum(a, b)", ("opposite", "np.minimum(a, b)", "np.maximum(a, b)")),
        ("x = f(a, b, c)", ("arguments", "f(a, b, c)", "f(b, a, c)")),
        ("x = a if b else c", ("if", "a if b else c", "c if b else a")),
        ("a[b] = c", ("deleted", "a[b] = c", "pass")),
    ],
)
def test_every_kind_of_change_is_made(source, expected):
    assert expected in changes(source)


@pytest.mark.parametrize(
    "source",
    [
        '"""A docstring."""',
        "x: int | None = y",
        "from a import b",
        "x = f'{a + 1} chips'",
        "def f(a: int | str) -> int | None: return a",
        "@cached(size=4)\ndef f(): return a",
    ],
)
def test_texts_stay_as_they_are(source):
    assert changes(source) == []


def test_errors_can_vanish_but_not_change_their_words():
    assert changes("if a: raise ValueError(a + 1)") == [
        ("deleted", "raise ValueError(a + 1)", "pass")
    ]


def test_constants_outside_functions_may_be_left_alone():
    source = "COLUMN = 1\ndef f(a): return a + COLUMN\n"
    assert [one.line for one in mutations(source, in_functions=True)] == [2]
    assert {one.line for one in mutations(source)} == {1, 2}


@pytest.mark.parametrize(
    "module", [translation, pytest.param(policy_kernels, marks=pytest.mark.slow)]
)
def test_each_mutation_is_another_program_with_the_same_lines(module):
    source = Path(module.__file__).read_text(encoding="utf-8")
    found, original = mutations(source), ast.dump(ast.parse(source))
    assert len(found) > 50
    for one in found:
        assert ast.dump(ast.parse(one.text)) != original, one
    texts = [one.text for one in found]
    assert len(set(texts)) == len(texts)
