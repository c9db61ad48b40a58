"""Lines through betting trees, both ways."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfold.bets.spot_menu_text import parse_spot_menu
from counterfold.cards import parse_cards
from counterfold.errors import IllegalActionError
from counterfold.games import parse_game
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.line_steps import NOBODY, write_line
from counterfold.ranges.betting_tree import build_betting_tree, spot_root
from counterfold.ranges.tree_lines import follow_line, format_line, list_offers, list_steps


def tree_of(cards, variant="nolimit", menu="50%, allin", pot=200, stack=900):
    game, root, dead = spot_root(parse_game(variant), cards, pot, stack)
    return build_betting_tree(game, root, parse_spot_menu(menu), dead=dead)


TURN = tree_of(4)
FLOP = tree_of(3, menu="bets: 50%; raises: allin", pot=101, stack=300)
LIMIT = tree_of(4, "limit", pot=12, stack=1000)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("k b50% c", "x, bet 100, call"),
        ("k b50% c", "k b100 c"),
        ("k b50% c |", "k b100 c /"),
        ("k b50% c | k", "kb50%c/k"),
        ("k b50% c | k", "k b50% c k"),
        ("k allin f", "k all-in fold"),
        ("k allin", "k b900"),
        ("k allin", "k allin 900"),
        ("k b50% r50%", "k b100 r300"),
    ],
)
def test_lines_that_lead_to_the_same_node(text, same):
    assert follow_line(TURN, text).node == follow_line(TURN, same).node


def test_where_lines_lead():
    assert follow_line(TURN, "") == (0, ())
    ends = follow_line(TURN, "k k")
    assert TURN.phase[ends.node] == betting.DEAL
    assert ends.dealt == ()
    river = follow_line(TURN, "k k |")
    assert river.node == TURN.children[TURN.starts[ends.node]]
    assert river.dealt == ((),)
    assert follow_line(TURN, "k k | 7♥") == (river.node, (parse_cards("7h"),))
    assert follow_line(TURN, "k k | 7h | k").dealt == (parse_cards("7h"),)
    assert follow_line(FLOP, "k k | 7h | k k k").dealt == (parse_cards("7h"), ())


def test_with_fixed_limits_sizes_may_be_left_out():
    assert (
        follow_line(LIMIT, "b r r r c | b c").node
        == follow_line(LIMIT, "b4 r8 r12 r16 c | 7h | b4 c").node
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("k b33%", "word 2 of 'k b33%': 'b33%' does not fit; offered are check, bet 100, allin"),
        ("c", "'c' does not fit; offered are check, bet 100, allin 900"),
        ("b50% r200", "'r200' does not fit; offered are fold, call, raise 300, allin 900"),
        ("k | k", r"word 2 of 'k \| k': no street is dealt here; offered are check"),
        ("k k | 7h8h", "word 4 of .*: 1 card is dealt here, not '7h8h'"),
        ("7h k", "word 1 of '7h k': no street is dealt here"),
        ("k f", "'f' does not fit; offered are check"),
        ("allin c | 7h", "word 4 of .*: no street is dealt here; the hand is over"),
        ("allin c k", "'k' does not fit; the hand is over"),
        ("k k s", "'s' does not fit"),
        ("k q", "word 2 of 'k q': 'q' is not an action or cards"),
    ],
)
def test_words_that_do_not_fit_are_refused_with_what_is_offered(text, message):
    with pytest.raises(IllegalActionError, match=message) as caught:
        follow_line(TURN, text)
    assert "\n" not in str(caught.value)


def test_no_card_is_dealt_twice():
    with pytest.raises(IllegalActionError, match=r"word 9 of .*: card 7h is dealt twice"):
        follow_line(FLOP, "k k | 7h | k k | 7h")


@given(st.sampled_from([TURN, FLOP, LIMIT]), st.data())
def test_lines_read_back(tree, data):
    node = data.draw(st.integers(0, tree.n_nodes - 1))
    line = follow_line(tree, format_line(tree, node))
    assert line.node == node
    cards = data.draw(st.permutations(range(52)))
    dealt = tuple((card,) for card in cards[: len(line.dealt)])
    text = format_line(tree, node, dealt)
    assert follow_line(tree, text) == (node, dealt)
    assert format_line(tree, node, dealt) == text


def test_lines_look_as_people_write_them():
    node = follow_line(TURN, "k b50% c | 7h | k b50% allin").node
    assert format_line(TURN, node, [parse_cards("7h")]) == "k b100 c | 7h | k b200 r800"
    assert format_line(TURN, node) == "k b100 c | k b200 r800"
    assert format_line(TURN, 0) == ""
    assert format_line(TURN, follow_line(TURN, "k k |").node, [parse_cards("7h")]) == "k k | 7h"


@pytest.mark.parametrize(
    "text", ["", "k b50%", "k b50% c", "k b50% c | 7h | k", "k k | 7h | allin f"]
)
def test_steps_are_the_line_again(text):
    at = follow_line(TURN, text)
    steps = list_steps(TURN, *at)
    assert follow_line(TURN, write_line(steps)) == at
    for before, step in enumerate(steps):
        node = follow_line(TURN, step.line).node
        assert step.line == write_line(steps[:before])
        if step.seat == NOBODY:
            assert TURN.phase[node] == betting.DEAL
        else:
            assert step.seat == TURN.situations[node, betting.ACTOR]
            assert step.offered == list_offers(TURN, node)


def test_offers_have_the_words_that_lines_are_written_in():
    assert list_offers(TURN, 0) == (("check", "k"), ("bet 100", "b100"), ("allin 900", "b900"))
