"""What an action changes in a view, and what the view waits for then."""

import pytest

from counterfold.bots import first_view
from counterfold.bots.view_actions import awaited_by, view_after
from counterfold.cards import format_cards, parse_card, parse_cards
from counterfold.games.holdem import VARIANTS, Discard, Street, Variant
from counterfold.games.holdem.chance import (
    OWED_BOARD,
    OWED_DRAW,
    OWED_HOLE,
    OWED_LOOK,
    OWED_SWAP,
)
from counterfold.games.holdem.street import Auction


def variant(*steps, hole_cards=2):
    streets = (Street(first=0), Street(3, steps=steps))
    return Variant("made", streets, stack=20, hole_cards=hole_cards)


def on_flop(variant, seat, hole="AhKs", board="2c7dTh"):
    """The view of a seat once the flop is dealt after a call and a check."""
    view = first_view(variant, seat, parse_cards(hole))
    for action in ("c", "k"):
        view = view_after(view, action)
    return view.after_board(parse_cards(board))


def test_an_illegal_action_leads_nowhere():
    view = first_view(VARIANTS["nolimit"](), 0, parse_cards("AhKs"))
    assert view_after(view, "k") is None
    assert view_after(view, "r3") is None
    assert view_after(view, "r4").history == "r4"


def test_nobody_acts_while_cards_are_awaited():
    view = on_flop(VARIANTS["discard"](), 1)
    drawing = view_after(view, "dKs")
    assert drawing.awaited == ((OWED_DRAW, view.hole.index(parse_card("Ks"))),)
    assert view_after(drawing, "s") is None
    assert view_after(drawing.after_drawn(parse_card("Qd")), "s") is not None


def test_an_own_discard_is_hidden_from_the_history_and_kept_by_its_owner():
    view = view_after(on_flop(VARIANTS["discard"](), 1), "dKs")
    assert view.history.endswith("d")
    assert view.draws == "-Ks"


def test_only_own_cards_can_be_discarded_and_only_legal_words_be_theirs():
    mine, theirs = on_flop(VARIANTS["discard"](), 1), on_flop(VARIANTS["discard"](), 0)
    assert view_after(mine, "dQd") is None
    assert view_after(mine, "d") is None
    assert view_after(theirs, "d").awaited == ()
    assert view_after(theirs, "dQd") is None  # nobody would tell it the card


def test_a_shown_discard_must_be_a_card_that_can_be_theirs():
    view = on_flop(variant(Discard(shown=True)), 0)
    assert view_after(view, "dQd").history.endswith("dQd")
    assert view_after(view, "dAh") is None  # its own
    assert view_after(view, "d7d") is None  # of the board
    assert view_after(view, "s") is not None


def test_a_forced_discard_cannot_be_declined():
    lay = Discard(forced=True, redraw=False, to_board=True)
    view = on_flop(variant(lay, hole_cards=3), 0, "AhKs2d")
    assert view_after(view, "s") is None
    laid = view_after(view, "dQd")
    assert format_cards(laid.board[-1]) == "Th7d2cQd"
    mine = view_after(laid, "dKs")
    assert format_cards(mine.board[-1]) == "Th7d2cQdKs"
    assert sorted(format_cards([card]) for card in mine.hole) == ["2d", "Ah"]


def test_several_cards_come_together_once_all_are_discarded():
    view = on_flop(variant(Discard(count=2), hole_cards=3), 1, "AhKs2d")
    first = view_after(view, "dAh")
    assert first.awaited == ()
    assert view_after(first, "d2d").awaited == ((OWED_HOLE, 1), (OWED_HOLE, 1))
    assert view_after(first, "s").awaited == ((OWED_HOLE, 1),)
    assert view_after(view, "s").awaited == ()


@pytest.mark.parametrize(("prize", "kind"), [("card", OWED_HOLE), ("look", OWED_LOOK)])
def test_the_winner_of_an_auction_waits_for_its_prize(prize, kind):
    auction = Auction(sealed=False, prize=prize)
    for seat, expected in ((0, ()), (1, ((kind, 1),))):
        view = on_flop(variant(auction), seat)
        settled = view_after(view_after(view, "a5"), "a3")
        assert settled.awaited == expected


def test_debts_are_seen_by_their_owner_and_boards_by_both():
    owed = [(OWED_SWAP, 0, 1), (OWED_HOLE, 1, 1), (OWED_BOARD, 0, 3)]
    assert awaited_by(0, owed) == ((OWED_SWAP, 0), (OWED_BOARD, 3))
    assert awaited_by(1, owed) == ((OWED_HOLE, 1), (OWED_BOARD, 3))
