import pytest

from counterfold.bots import BASELINES, Deal, first_view
from counterfold.bots.table_words import choices
from counterfold.bots.terminal import LeaveError, TerminalTable, read_answer
from counterfold.cards import parse_cards
from counterfold.games.holdem import VARIANTS

DEAL = Deal((parse_cards("2cAh"), parse_cards("KsKd")), parse_cards("7d8s4h9c3h5c6cJs"))


class Script:
    """A person who has made up its mind, and what it saw."""

    def __init__(self, *answers):
        self.answers = [*answers]
        self.lines = []

    def read(self, prompt):
        if not self.answers:
            raise EOFError
        return self.answers.pop(0)

    @property
    def text(self):
        return "\n".join(self.lines)


def sit(variant, bot, *answers, **options):
    script = Script(*answers)
    return TerminalTable(variant, bot, script.read, script.lines.append, **options), script


def test_keys_of_a_draw_name_the_cards():
    view = first_view(VARIANTS["discard"](), 1, DEAL.holes[1]).after("c").after("k")
    view = view.after_board(parse_cards("7d8s4h"))
    shown = [(choice.key, choice.text) for choice in choices(view)]
    assert shown == [("s", "keep"), ("1", "discard K♠"), ("2", "discard K♦")]
    answers = {text: read_answer(text, view, choices(view)) for text in ("keep", "dK♦", "dAh")}
    assert answers == {"keep": "s", "dK♦": "dKd", "dAh": None}


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ("c", "c"),
        ("C", "c"),
        ("r 12", "r12"),
        ("r12", "r12"),
        ("1", "r4"),
        ("2", "r6"),
        ("a", "r400"),
        ("b50%", "r4"),
        ("raise to 12", "r12"),
        ("bet 12", "r12"),
        ("b2.5x", "r5"),
        ("call", "c"),
        ("all-in", "r400"),
        ("min", "r4"),
    ],
)
def test_answers(answer, action):
    view = first_view(VARIANTS["nolimit"](), 0, DEAL.holes[0])
    assert read_answer(answer, view, choices(view)) == action


@pytest.mark.parametrize(
    "answer",
    ["", "k", "r", "r 3", "r 401", "r 4-400", "raise", "x", "3", "h", "?", "help", "c c", "|"],
)
def test_answers_that_mean_nothing(answer):
    view = first_view(VARIANTS["nolimit"](), 0, DEAL.holes[0])
    assert read_answer(answer, view, choices(view)) is None


def test_a_hand_is_told_from_one_side_of_the_table():
    table, script = sit(VARIANTS["nolimit"](), BASELINES["always-call"](), *"ckkk", "?", "")
    table.play(DEAL)
    assert "the bot checks" in script.text
    assert "flop: 7♦ 8♠ 4♥" in script.text
    assert "you hold A♥ 2♣" in script.text
    assert script.text.index("the bot shows K♠ K♦") > script.text.index("river:")
    assert "K♠" not in script.text[: script.text.index("the bot shows")]
    assert "this bot does not explain itself" in script.text
    assert (table.hands, table.chips) == (1, -2)
    assert table.score == "-2 chips in 1 hand, -1,000 mb/g, -100 bb/100"


def test_seats_alternate_and_wrong_keys_are_asked_again():
    table, script = sit(
        VARIANTS["nolimit"](), BASELINES["check-fold"](), "x", "?", "h", "a", "", ""
    )
    table.play(DEAL)
    assert "'x' is not one of the keys above" in script.text
    assert script.text.count("bot explains itself when") == 2
    table.play(DEAL)  # the bot folds its small blind
    assert "hand 2: the bot deals" in script.text
    assert "the bot folds" in script.text
    assert (table.hands, table.chips) == (2, 3)


def test_discards_are_told():
    table, script = sit(VARIANTS["discard"](), BASELINES["always-call"](), *"c2kskk", "")
    table.play(DEAL)
    assert "the bot keeps its cards" in script.text
    assert "you get 9♣ for 2♣" in script.text


@pytest.mark.parametrize("answers", [("q",), ("c", "Q"), ("f", "q")])
def test_a_person_may_leave(answers):
    table, _ = sit(VARIANTS["nolimit"](), BASELINES["always-call"](), *answers)
    with pytest.raises(LeaveError):
        table.play(DEAL)


def test_the_end_of_input_is_the_callers():
    table, _ = sit(VARIANTS["nolimit"](), BASELINES["always-call"]())
    with pytest.raises(EOFError):
        table.play(DEAL)
    assert table.score == "no hand played"
