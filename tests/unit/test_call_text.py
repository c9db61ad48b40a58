"""Text like a call: what is read, what is refused, and in which words."""

import ast
from dataclasses import dataclass

import pytest

from counterfold.call_text import make, read_call, read_literal
from counterfold.errors import AbstractionError, GameError


@dataclass(frozen=True)
class Cut:
    n: int
    metric: str = "ehs"
    share: float = 0.5


def read(text):
    return read_call(text, AbstractionError, "cut", "cut(3)")


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("cut(3)", Cut(3)),
        (" cut ( 3 , metric = ehs2 ) ", Cut(3, "ehs2")),
        ("cut(n=3, metric='ehs2')", Cut(3, "ehs2")),
        ("cut(3, share=1)", Cut(3, share=1)),
        ("liars-cut(3,\n share=0.25)", Cut(3, share=0.25)),
    ],
)
def test_parameters_are_literals_and_words(text, made):
    assert make(Cut, read(text), AbstractionError, kinds={}) == made


def test_a_word_alone_is_a_call_without_parameters():
    call = read(" cut ")
    assert (call.word, call.positional, call.named) == ("cut", (), ())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "cannot read the cut ''; write it like cut\\(3\\)"),
        ("cut(3", "cannot read the cut"),
        ("cut(3)(4)", "cannot read the cut"),
        ("cut(3) * cut(4)", "cannot read the cut"),
        ("cut(3,,)", "cannot read the parameters of"),
        ("cut(\0)", "cannot read the parameters of"),
        ("cut()", "missing a required argument: 'n'; parameters of cut: n, metric, share"),
        ("cut(3, m=4)", "unexpected keyword argument 'm'; parameters of cut: n, metric, share"),
        ("cut(many)", "n of cut must be a whole number, not 'many'"),
        ("cut(True)", "n of cut must be a whole number, not True"),
        ("cut(3, 4)", "metric of cut must be a word, not 4"),
        ("cut(3, share=half)", "share of cut must be a number, not 'half'"),
        ("cut(open('x'))", "a parameter must be a number, a word or a tuple"),
        ("cut(*[3])", "a parameter must be a number, a word or a tuple"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(text, message):
    with pytest.raises(AbstractionError, match=message) as caught:
        make(Cut, read(text), AbstractionError, kinds={})
    assert "\n" not in str(caught.value)


def test_the_reader_says_which_error():
    with pytest.raises(GameError, match="cannot read the game"):
        read_call("?", GameError, "game", "leduc")


def test_nodes_may_be_read_in_another_way():
    call = read("cut(f(3))")
    assert make(Cut, call, AbstractionError, read=ast.unparse) == Cut("f(3)")


def test_nothing_is_evaluated():
    node = ast.parse("__import__('os').getcwd()", mode="eval").body
    with pytest.raises(AbstractionError, match="cannot read"):
        read_literal(node, "x", AbstractionError)
