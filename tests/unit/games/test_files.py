"""Games by file, and what is said about files that declare none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfold.cards import parse_deck
from counterfold.errors import GameError, UnknownNameError
from counterfold.games import Kuhn, find_game, format_variant, parse_game, parse_variant, read_game
from counterfold.games.files import rules_of
from counterfold.games.holdem import VARIANTS, Deal, Discard, Street, Swap, Variant

SWAP = """
name = "swap"
stack = 200

[[streets]]
first = 0

[[streets]]
cards = 3
steps = [{ kind = "swap", probability = 0.10 }]

[[streets]]
cards = 1
steps = [{ kind = "swap", probability = 0.05 }]

[[streets]]
cards = 1
"""


def test_swap_holdem_is_the_preset():
    assert parse_variant(SWAP) == VARIANTS["swap"]()


def test_every_key():
    text = """
    deck = "9TJQKA/cd"
    hole_cards = 1
    betting = "limit"
    stack = 50
    blinds = [0, 0]
    ante = 1
    fold_when_free = true
    run_suits = "d"
    first_flush_suit_only = true

    [[streets]]
    first = 0
    bet = 2
    max_bets = 3
    steps = [{ kind = "discard", first = 0, shown = true }]

    [[streets]]
    cards = 1
    bet = 4
    max_bets = 2
    """
    assert parse_variant(text, "mine") == Variant(
        "mine",
        (Street(0, 0, 2, 3, (Discard(0, shown=True),)), Street(1, 1, 4, 2)),
        "limit",
        50,
        (0, 0),
        1,
        deck=parse_deck("9TJQKA/cd"),
        hole_cards=1,
        run_suits="d",
        fold_when_free=True,
        first_flush_suit_only=True,
    )


@pytest.mark.parametrize("name", VARIANTS)
def test_presets_are_read_back(name):
    variant = VARIANTS[name]()
    assert parse_variant(format_variant(variant)) == variant


@given(
    st.builds(
        Variant,
        st.text(st.characters(categories=["L", "N", "P", "Zs"]), min_size=1).filter(str.strip),
        st.just((Street(first=0), Street(2, 0, steps=(Swap(1e-7), Discard())), Street(1))),
        st.just("no-limit"),
        stack=st.integers(20, 10_000),
        ante=st.integers(0, 9),
        min_bet=st.integers(0, 9),
        fold_when_free=st.booleans(),
    ).filter(lambda variant: variant.title.isprintable())
)
def test_variants_are_read_back(variant):
    assert parse_variant(format_variant(variant)) == variant


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("stack", "stak", "unknown key 'stak'; did you mean stack"),
        ("stack", "title", "unknown key 'title'"),
        ("cards", "card", "street 1: unknown key 'card'; did you mean cards"),
        ("stack = 200", "stack = 1", "swap: stack 1 is below the 2 chips of blind and ante"),
        (
            "stack = 200",
            "stack = 'much'",
            "swap: stack must be an integer from 1 to .*, not 'much'",
        ),
        ("stack = 200", "stack = 2e2", "swap: stack must be an integer"),
        ("stack = 200", "stack =", r"not valid TOML: Invalid value \(at line 3, column 8\)"),
        (
            "stack = 200",
            "stack = 200\ndeck = 52",
            "deck must be text such as full or 9TJQKA/cd, not",
        ),
        ("stack = 200", "stack = 200\ndeck = 'JQ'", "cannot read deck 'JQ'"),
        ("stack = 200", "stack = 200\ndeck = '9TJQKA/cd'", "swap: a hand may need 17 cards, more"),
        ("stack = 200", "stack = 200\nblinds = [1]", "swap: blinds must be two numbers of chips"),
        (
            "stack = 200",
            "stack = 200\nbetting = []",
            "swap: betting must be one of limit, no-limit",
        ),
        ("stack = 200", "", "swap: stack must be given if betting is no-limit"),
        ('"swap"', "3", "name must be a line of text, not 3"),
        ('"swap"', '"a\\nb"', r"name must be a line of text, not 'a\\nb'"),
        ("cards = 3", "cards = '3'", "swap: street 1: cards must be an integer from 0 to 52"),
        (
            'steps = [{ kind = "swap", probability = 0.10 }]',
            "steps = true",
            r"street 1: steps must be a list such as \[\{ kind = \"discard\"",
        ),
        (
            "cards = 3",
            "draw = true",
            r"""street 1: unknown key 'draw'; it is a step: steps = \[{ kind = "discard" }\]""",
        ),
        (
            "stack = 200",
            "stack = 200\nhole_cards = [2, 3]",
            r"hole_cards must be one number for both seats, not \[2, 3\]; use hole_cards = 2, and "
            r"on the first street steps = \[{ kind = \"deal\", holes = \[0, 1\] }\]",
        ),
        ("stack = 200", "stack = 200\nhole_cards = [2]", r"hole_cards must be one .*, not \[2\]$"),
        (
            "stack = 200",
            "stack = 200\nbounty = { ranks = '2Z' }",
            "bounty: unknown key 'ranks'; a bounty may be any rank of the deck",
        ),
        (
            "probability = 0.10",
            "often = 1",
            "street 1: swap: unknown key 'often'; known: probability",
        ),
        ('"swap", probability = 0.10', '"toss"', "street 1: a step must be a table whose kind is"),
        ("stack = 200", "stack = 200\nbounty = 3", "bounty: a bounty must be a table, not 3"),
        ("0.05", "5", "swap: street 2: probability of swap must be between 0 and 1, not 5"),
    ],
)
def test_bad_declarations_are_one_sentence_with_the_place(tmp_path, old, new, sentence):
    path = tmp_path / "mine.toml"
    path.write_text(SWAP.replace(old, new, 1))
    with pytest.raises(GameError, match=rf"mine\.toml: {sentence}") as caught:
        find_game(str(path))
    assert "\n" not in str(caught.value)


def test_unequal_hands_are_dealt_as_the_error_says():
    variant = parse_variant(
        "stack = 200\nhole_cards = 2\n[[streets]]\nfirst = 0\n"
        'steps = [{ kind = "deal", holes = [0, 1] }]\n[[streets]]\ncards = 3\n'
    )
    (deal,) = variant.steps
    assert isinstance(deal, Deal)
    assert (variant.hole_cards, deal.holes) == (2, (0, 1))


def test_an_unknown_key_is_the_same_kind_of_error_as_a_wrong_value():
    with pytest.raises(GameError, match="unknown key 'stak'; did you mean stack"):
        parse_variant("stak = 200\n[[streets]]\n")


@pytest.mark.parametrize("text", ["stack = 200", "stack = 200\nstreets = []", "streets = 3"])
def test_no_streets(text):
    with pytest.raises(
        GameError, match=r"there are no streets; a street begins with the line \[\["
    ):
        parse_variant(text)


def test_streets_that_are_no_tables():
    with pytest.raises(GameError, match="street 0: a street must be a table, not 3"):
        parse_variant("streets = [3]")


def test_a_file_without_a_name_is_called_by_its_own(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(SWAP.replace('name = "swap"', ""))
    assert read_game(path).name == "mine"


@pytest.mark.parametrize("name", ["gone.toml", "gone.py"])
def test_files_that_are_not_there(tmp_path, name):
    with pytest.raises(GameError, match=rf"cannot read '.*{name}': No such file"):
        find_game(str(tmp_path / name))


def test_a_file_that_is_no_text(tmp_path):
    (tmp_path / "x.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(GameError, match=r"cannot read .*: it is not text"):
        find_game(str(tmp_path / "x.toml"))


PYTHON = """
from counterfold.games.holdem import Street, Variant

game = Variant("short", (Street(first=0), Street(cards=3)), stack=20)
"""


def test_a_python_file(tmp_path):
    path = tmp_path / "short.py"
    path.write_text(PYTHON)
    assert find_game(f" {path} ") == Variant("short", (Street(first=0), Street(cards=3)), stack=20)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x = 3", "game must be set to a Game, such as a Variant"),
        ("game = 3", "game must be set to a Game"),
        ("game = = 3", "line 1: invalid syntax"),
        ("x = 1\ngame = nothing", "line 2: NameError: name 'nothing' is not defined"),
        (PYTHON.replace("20", "1"), "short: stack 1 is below the 2 chips"),
    ],
)
def test_bad_python_files(tmp_path, text, sentence):
    path = tmp_path / "bad.py"
    path.write_text(text)
    with pytest.raises(GameError, match=rf"bad\.py: {sentence}") as caught:
        find_game(str(path))
    assert "\n" not in str(caught.value)


def test_names_are_still_names():
    assert find_game("kuhn") == Kuhn()
    with pytest.raises(UnknownNameError, match="unknown game 'kunh'"):
        find_game("kunh")


def test_rules_are_kept_only_where_the_name_does_not_say_them():
    assert rules_of(Kuhn()) == ""
    assert rules_of(parse_game("nolimit(stack=50)")) == ""
    for variant in (parse_variant(SWAP.replace("200", "50")), parse_variant(SWAP, "other")):
        kept = rules_of(variant)
        assert kept == "" if variant == VARIANTS["swap"]() else parse_variant(kept) == variant
