from dataclasses import replace

import pytest

from counterfold.bots import BASELINES, ShuffledDeck, first_view
from counterfold.bots.play import play_session
from counterfold.bots.play.play_session import PlaySession
from counterfold.bots.play.table_words import choices
from counterfold.bots.play.terminal import LeaveError, TerminalTable, lay_out_keys, read_answer
from counterfold.bots.trained_bot import TrainedBot
from counterfold.cards import parse_cards
from counterfold.games.holdem import VARIANTS

DEAL = ShuffledDeck((parse_cards("2cAh"), parse_cards("KsKd")), parse_cards("7d8s4h9c3h5c6cJs"))


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


@pytest.fixture(autouse=True)
def one_deal(monkeypatch):
    """Every hand of a real variant has the cards of `DEAL`."""
    monkeypatch.setattr(play_session, "deal_hand", lambda variant, seed, number: DEAL)


def sit(variant, bot, *answers, **options):
    script = Script(*answers)
    session = PlaySession(variant, bot, None, 0)
    return TerminalTable(session, script.read, script.lines.append, **options), script


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
    table, script = sit(VARIANTS["nolimit"](), BASELINES["always-call"](), *"ckkk", "e", "")
    table.play()
    assert "the bot checks" in script.text
    assert "flop: 7♦ 8♠ 4♥" in script.text
    assert "you hold A♥ 2♣" in script.text
    assert script.text.index("the bot shows K♠ K♦") > script.text.index("river:")
    assert "K♠" not in script.text[: script.text.index("the bot shows")]
    assert "this bot does not explain itself" in script.text
    assert "the bot shows K♠ K♦ (pair of kings with 987)" in script.text
    assert "you have A♥ 2♣ (ace high with 9874)" in script.text
    assert table.chips == [-2]
    assert table.score == "-2 chips in 1 hand, -1,000 mb/hand, -100 bb/100"


@pytest.mark.parametrize(("name", "has_stacks"), [("nolimit", True), ("limit", False)])
def test_chips_behind_are_told_where_they_can_run_out(name, has_stacks):
    table, script = sit(VARIANTS[name](), BASELINES["always-call"](), *"ckkk", "")
    table.play()
    assert ("behind: you" in script.text) == has_stacks


def test_seats_alternate_and_wrong_keys_are_asked_again():
    table, script = sit(
        VARIANTS["nolimit"](), BASELINES["check-fold"](), "x", "?", "help", "a", "", "", ""
    )
    table.play()
    assert "'x' is not one of the keys above" in script.text
    assert script.text.count("q leaves the table.") == 2
    table.play()  # the bot folds its small blind
    assert "hand 2: the bot deals" in script.text
    assert "the bot folds" in script.text
    assert table.chips == [2, 1]
    assert table.score == "+3 chips in 2 hands, +750 ± 490 mb/hand, +75 ± 49 bb/100"


def test_discards_are_told():
    table, script = sit(VARIANTS["discard"](), BASELINES["always-call"](), *"c2kskk", "")
    table.play()
    assert "the bot keeps its cards" in script.text
    assert "you get 9♣ for 2♣" in script.text


@pytest.mark.parametrize("answers", [("q",), ("c", "Q"), ("f", "q")])
def test_a_person_may_leave(answers):
    table, _ = sit(VARIANTS["nolimit"](), BASELINES["always-call"](), *answers)
    with pytest.raises(LeaveError):
        table.play()


def test_the_end_of_input_is_the_callers():
    table, _ = sit(VARIANTS["nolimit"](), BASELINES["always-call"]())
    with pytest.raises(EOFError):
        table.play()
    assert table.score == "no hand played"


def test_an_all_in_can_be_taken_back_before_the_bot_answers():
    prompts = []
    script = Script("a", "u", "c", "k", "k", "k", "")
    session = PlaySession(VARIANTS["nolimit"](), BASELINES["always-call"](), None, 0)

    def read(prompt):
        prompts.append(prompt)
        return script.read(prompt)

    TerminalTable(session, read, script.lines.append).play()
    assert prompts[1] == "raise to 400, all-in? Enter, or u takes it back > "
    assert session.actions == ["c", "k"] * 1 + ["k", "k"] * 3
    assert session.chips == -2


def test_what_keys_stand_for_may_be_written_out():
    table, script = sit(
        VARIANTS["nolimit"](), BASELINES["always-call"](), "hint", "allin", "undo", "quit"
    )
    with pytest.raises(LeaveError):
        table.play()
    assert "this bot gives no hints" in script.lines
    assert script.text.count("you hold") == 2  # asked again
    assert not script.answers


def test_every_action_is_asked_about_if_wanted():
    table, script = sit(
        VARIANTS["nolimit"](), BASELINES["always-call"](), "f", "u", "f", "", "", confirms=True
    )
    table.play()
    assert table.chips == [-1]
    assert script.answers == []


def test_a_fold_can_be_taken_back_until_the_bot_has_shown_its_reasons():
    table, _ = sit(VARIANTS["nolimit"](), BASELINES["always-call"](), *"fu", *"ckkk", "")
    table.play()
    assert table.chips == [-2]
    table, script = sit(VARIANTS["nolimit"](), BASELINES["always-call"](), "f", "e", "u")
    table.play()
    assert table.chips == [-1]
    assert script.answers == []


@pytest.mark.parametrize("width", [20, 40, 60, 80, 200])
def test_keys_are_never_divided(width):
    options = choices(first_view(VARIANTS["nolimit"](), 0, DEAL.holes[0]))
    lines = lay_out_keys(options, width)
    keys = [f"[{choice.key}] {choice.text}" for choice in options]
    assert "  ".join(lines) == "  ".join(keys)
    assert all(len(line) <= max(width, *map(len, keys)) for line in lines)
    for line in lines:
        assert set(line.split("  ")) <= set(keys)


def test_a_hint_is_what_the_bot_would_do(small_runs, monkeypatch):
    monkeypatch.undo()
    bot = TrainedBot(small_runs["nolimit"])
    script = Script("h", "q")
    session = PlaySession(bot.variant, bot.player(1), bot.player(2), 0)
    table = TerminalTable(session, script.read, script.lines.append)
    with pytest.raises(LeaveError):
        table.play()
    shares = session.hint().probabilities
    told = ", ".join(f"{name} {share:.0%}" for name, share in shares)
    assert script.lines[-1] == f"in your place the bot would {told}"


def test_baselines_give_no_hints():
    table, script = sit(VARIANTS["nolimit"](), BASELINES["always-call"](), "h", "q")
    with pytest.raises(LeaveError):
        table.play()
    assert script.lines[-1] == "this bot gives no hints"


def test_an_auction_is_played_by_typing_a_bid():
    table, script = sit(
        VARIANTS["auction"](), BASELINES["always-call"](), *"c", "bid 12", *"kkk", ""
    )
    table.play()
    assert "[a 0-398] bid any amount" in script.text
    assert "you get 9♣" in script.text
    assert "bids: you 12, the bot 0" in script.text
    assert table.chips == [2]  # a wheel


def test_a_bounty_is_shown_with_the_hand(monkeypatch):
    deal = replace(DEAL, bounties=(10, 0))
    monkeypatch.setattr(play_session, "deal_hand", lambda variant, seed, number: deal)
    table, script = sit(VARIANTS["bounty"](), BASELINES["always-call"](), "f", "")
    table.play()
    assert "you hold A♥ 2♣   bounty Q   board -" in script.text
