"""Lines that grow step by step stay lines that can be read."""

import pytest

from counterfold.cards import parse_cards
from counterfold.games.holdem.line_steps import LineStep, extend_by_deal, extend_line, write_line
from counterfold.games.holdem.notation import DEAL, read_line


@pytest.mark.parametrize(("words", "text"), [
    (["c", "k"], "c k"),
    (["r6", "c", "Qd7c2s", "k"], "r6 c | Qd7c2s | k"),
    (["r400", "c", "Qd7c2s", "5h", "9c"], "r400 c | Qd7c2s | 5h | 9c"),  # nobody acts in between
    (["c", "k", "", "k"], "c k | k"),
])  # fmt: skip
def test_a_line_grows_by_actions_and_deals(words, text):
    line = ""
    for word in words:
        dealt = word == "" or word[0] in "Q59"
        line = extend_by_deal(line, parse_cards(word)) if dealt else extend_line(line, word)
    assert line == text
    read = read_line(line)
    assert [word.cards for word in read if word.kind == DEAL] == [
        parse_cards(word) for word in words if word == "" or word[0] in "Q59"
    ]


def test_steps_are_written_as_a_line():
    assert write_line([]) == ""
    assert write_line([LineStep("c", 1, (("check", "k"), ("50%", "r4")), 1)]) == "c r4"
    assert write_line([LineStep("c k", cards=parse_cards("Ac"))]) == "c k | Ac"
