"""The laws of the algebra, up to renaming: an abstraction is what it merges."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfold.tree import EVERYTHING, NOTHING, parse_abstraction
from helpers.compiled_games import compiled

GAMES = ("leduc", "liars-dice(faces=3)")


@cache
def words(game):
    """All features of the game, beside the two that have laws of their own."""
    tree = compiled(game).tree
    facts = {name for infoset in tree.infosets for name, _ in infoset.facts}
    return sorted({*facts, *tree.game.features, "player", "actions"})


def parse(game, text):
    return parse_abstraction(text, compiled(game).game, frozenset(words(game)))


def partition(game, abstraction):
    """The number of each infoset's class, classes being numbered as they are met.

    Not cached: equal abstractions have equal names, and a cache would answer for them.
    """
    seen = {}
    infosets = compiled(game).tree.infosets
    return tuple(seen.setdefault(abstraction.reveal(infoset), len(seen)) for infoset in infosets)


def refines(fine, coarse):
    """Whether infosets that `fine` merges are merged by `coarse` too."""
    return len(set(zip(fine, coarse, strict=True))) == len(set(fine))


@st.composite
def games_with_abstractions(draw, count):
    game = draw(st.sampled_from(GAMES))
    names = st.sampled_from([*words(game), "nothing", "everything"])
    products = st.lists(names, min_size=1, max_size=3).map(" * ".join)
    return game, *(parse(game, draw(products)) for _ in range(count))


@given(games_with_abstractions(3))
def test_products_are_associative(case):
    game, a, b, c = case
    assert partition(game, (a * b) * c) == partition(game, a * (b * c))
    assert (a * b) * c == a * (b * c)


@given(games_with_abstractions(2))
def test_products_are_commutative(case):
    game, a, b = case
    assert partition(game, a * b) == partition(game, b * a)
    assert a * b == b * a


@given(games_with_abstractions(1))
def test_products_are_idempotent(case):
    game, a = case
    assert partition(game, a * a) == partition(game, a)
    assert a * a == a


@given(games_with_abstractions(1))
def test_nothing_is_the_identity(case):
    game, a = case
    assert partition(game, a * NOTHING) == partition(game, NOTHING * a) == partition(game, a)


@given(games_with_abstractions(1))
def test_everything_absorbs(case):
    game, a = case
    finest = tuple(range(len(compiled(game).tree.infosets)))
    assert partition(game, a * EVERYTHING) == partition(game, EVERYTHING * a) == finest


@given(games_with_abstractions(2))
def test_a_product_is_the_coarsest_that_refines_both(case):
    """It tells two infosets apart exactly when one of its factors does."""
    game, a, b = case
    product, first, second = (partition(game, x) for x in (a * b, a, b))
    assert refines(product, first)
    assert refines(product, second)
    assert len(set(product)) == len(set(zip(first, second, strict=True)))


@given(games_with_abstractions(2))
def test_names_round_trip(case):
    game, a, b = case
    read = parse(game, (a * b).name)
    assert read == a * b
    assert read.name == (a * b).name
    assert partition(game, read) == partition(game, a * b)


@pytest.mark.parametrize("game", GAMES)
def test_the_extremes(game):
    assert set(partition(game, NOTHING)) == {0}
    assert len(set(partition(game, EVERYTHING))) == len(compiled(game).tree.infosets)
