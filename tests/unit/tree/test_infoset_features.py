import pytest

from counterfold.errors import AbstractionError, UnknownNameError
from counterfold.games import Infoset, Leduc
from counterfold.tree import ACTIONS, EVERYTHING, NOTHING, PLAYER, fact, parse_abstraction, reveal

FACTS = frozenset(("card", "board", "history", "pot"))
FIRST = Infoset(0, ("call", "raise"), (("card", "Ks"), ("board", ""), ("history", ""), ("pot", 2)))
LATER = Infoset(
    1, ("fold", "call"), (("card", "Ks"), ("board", "Qh"), ("history", "cc/r"), ("pot", 8))
)


def parse(text):
    return parse_abstraction(text, Leduc(), FACTS)


@pytest.mark.parametrize(
    ("text", "revealed"),
    [
        ("nothing", ()),
        ("player", (1,)),
        ("actions", (("fold", "call"),)),
        ("everything", (LATER,)),
        ("card", ("Ks",)),
        ("rank", ("K",)),  # a feature of the game, not a fact
        ("rank * pot", (8, "K")),  # in the order of the names: pot, rank
        ("pot*rank", (8, "K")),
        ("  rank  *  rank ", ("K",)),
        ("nothing * round", (2,)),
    ],
)
def test_what_is_revealed(text, revealed):
    assert parse(text).reveal(LATER) == revealed


def test_a_fact_that_is_missing_reveals_none():
    assert fact("colour").reveal(FIRST) == (None,)


def test_descriptions_leave_out_what_is_empty():
    assert parse("rank * board_rank * history").describe(FIRST) == "rank=K"
    assert parse("rank * board_rank * history").describe(LATER) == (
        "board_rank=Q history=cc/r rank=K"
    )
    assert EVERYTHING.describe(LATER) == "card=Ks board=Qh history=cc/r pot=8"
    assert NOTHING.describe(LATER) == ""


def test_names_do_not_depend_on_order_or_repetition():
    assert parse("rank * pot * rank").name == "pot * rank"
    assert parse("pot * rank") == parse("rank*pot")
    assert hash(parse("pot * rank")) == hash(parse("rank * pot"))
    assert parse("pot") != parse("rank")
    assert parse("pot") != "pot"


def test_everything_absorbs_and_nothing_is_neutral():
    assert PLAYER * EVERYTHING == EVERYTHING * PLAYER == EVERYTHING
    assert PLAYER * NOTHING == NOTHING * PLAYER == PLAYER
    assert NOTHING * NOTHING == NOTHING
    assert NOTHING.name == "nothing"
    assert (NOTHING * EVERYTHING).name == "everything"


def test_own_features_join_the_product():
    suited = reveal("suit", lambda infoset: infoset["card"][1])
    assert (suited * ACTIONS).reveal(LATER) == (("fold", "call"), "s")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rnk * history", "unknown feature of leduc 'rnk'; did you mean rank"),
        ("", "unknown feature of leduc ''; known: actions, board, board_rank, card, "),
        ("rank *", "unknown feature of leduc ''"),
        ("rank + pot", r"unknown feature of leduc 'rank \+ pot'"),
        ("zzz", "everything, history, nothing, player, pot, raises, rank, round"),
    ],
)
def test_an_unknown_feature_is_answered_with_what_is_known(text, message):
    with pytest.raises(UnknownNameError, match=message):
        parse(text)


def test_two_features_of_one_name_are_refused():
    with pytest.raises(AbstractionError, match="two different features are called 'pot'"):
        reveal("pot", lambda infoset: 1) * reveal("pot", lambda infoset: 2)
