import pytest

from counterfold.errors import GameError, UnknownNameError
from counterfold.games import (
    GAMES,
    Goofspiel,
    Kuhn,
    Leduc,
    LiarsDice,
    Matrix,
    NashBargaining,
    RockPaperScissors,
    parse_game,
)


def test_the_table_uses_the_words_of_the_games():
    for word, make in GAMES.items():
        assert make.word == word if isinstance(make, type) else make().name == word


@pytest.mark.parametrize(
    "game",
    [
        Kuhn(),
        Kuhn(5),
        Leduc(),
        Leduc(ranks=4, bets=(1, 3), raises=1),
        LiarsDice(faces=3),
        Goofspiel(5, "random"),
        NashBargaining(3),
        RockPaperScissors(),
        Matrix(((1, -0.5), (0, 2))),
        Matrix(((3, 0), (5, 1)), ((3, 5), (0, 1)), rows=("stay", "go")),
    ],
    ids=lambda game: game.name,
)
def test_names_are_read_back(game):
    assert parse_game(game.name) == game


@pytest.mark.parametrize(
    ("text", "game"),
    [
        (" leduc ", Leduc()),
        ("leduc()", Leduc()),
        ("goofspiel(5)", Goofspiel(5)),
        ("goofspiel(3, random)", Goofspiel(3, "random")),  # words need no quotes
        ("leduc(ranks=4, suits=2)", Leduc(4, 2)),
        ("leduc(bets=[1, 2])", Leduc(bets=(1, 2))),
        ("matrix([[1, -1], [-1, 1]])", Matrix(((1, -1), (-1, 1)))),
    ],
)
def test_text(text, game):
    assert parse_game(text) == game


def test_defaults_are_left_out_of_names():
    assert Leduc().name == "leduc"
    assert Goofspiel(5).name == "goofspiel(cards=5)"


@pytest.mark.parametrize(
    ("text", "hint"),
    [("leduk", "did you mean leduc"), ("chess", "known: auction, bounty, discard, goofspiel")],
)
def test_unknown_games(text, hint):
    with pytest.raises(UnknownNameError, match=hint):
        parse_game(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "cannot read the game ''; write it like leduc"),
        ("kuhn(", "cannot read the game"),
        ("kuhn(3)+f(4)", "cannot read the game"),
        ("kuhn(3)(4)", "cannot read the game"),
        ("kuhn(3,,)", "cannot read the parameters of"),
        ("kuhn(\0)", "cannot read the parameters of"),
        ("kuhn(ranks=__import__('os'))", "must be a number, a word or a tuple"),
        ("kuhn(*[3])", "must be a number, a word or a tuple"),
        ("kuhn(**{})", "parameters of kuhn: ranks"),
        ("kuhn(1 + 'a')", "must be a number, a word or a tuple"),
        ("kuhn(rank=3)", "unexpected keyword argument 'rank'; parameters of kuhn: ranks"),
        ("kuhn(3, 4)", "too many positional arguments; parameters of kuhn: ranks"),
        ("kuhn(3, ranks=4)", "multiple values for argument 'ranks'"),
        ("matrix", "missing a required argument: 'payoffs'"),
        ("rps(3)", "parameters of rps: none"),
        ("kuhn(three)", "ranks must be an integer from 2 to 12, not 'three'"),
    ],
)
def test_bad_input_is_one_sentence(text, sentence):
    with pytest.raises(GameError, match=sentence) as caught:
        parse_game(text)
    assert "\n" not in str(caught.value)
