"""Keys with real sizes, and events as one side of the table sees them."""

from dataclasses import replace

from counterfold.bots import Deal, first_view
from counterfold.bots.hand import STAYS, Hand, HandsSwapped
from counterfold.bots.table_words import choices, describe_event, name_held, show_cards
from counterfold.cards import parse_cards
from counterfold.games.holdem import VARIANTS

DEAL = Deal((parse_cards("2cAh"), parse_cards("KsKd")), parse_cards("7d8s4h9c3h5c6cJs"))


def test_cards_have_the_signs_of_their_suits():
    assert show_cards(parse_cards("AhTs2c9d")) == "A♥ T♠ 2♣ 9♦"


def test_keys_of_a_no_limit_decision():
    view = first_view(VARIANTS["nolimit"](), 0, DEAL.holes[0])
    actions = {choice.key: choice.action for choice in choices(view)}
    assert actions == {"f": "f", "c": "c", "1": "r4", "2": "r6", "a": "r400", "r 4-400": ""}


def test_keys_of_a_limit_decision_name_one_raise():
    view = first_view(VARIANTS["limit"](), 0, DEAL.holes[0])
    assert [choice.key for choice in choices(view)] == ["f", "c", "r"]
    assert choices(view)[-1].action == "r4"


def test_a_hand_is_told_from_one_side():
    hand = Hand(VARIANTS["discard"](), DEAL)
    for action in ("c", "k", "dKs", "s", "k", "r2", "f"):
        hand.act(action)
    told = [
        [line for event in hand.events if (line := describe_event(event, hand, seat))]
        for seat in (0, 1)
    ]
    assert told[0] == [
        "the bot checks",
        "flop: 7♦ 8♠ 4♥",
        "the bot discards a card",
        "the bot checks",
        "the bot folds",
        "you win 2",
    ]
    assert told[1] == [
        "the bot calls",
        "flop: 7♦ 8♠ 4♥",
        "you get 9♣ for K♠",
        "the bot keeps its cards",
        "the bot bets 2",
        "the bot wins 2",
    ]


def test_a_swap_is_told_to_its_owner_only():
    swaps = (((STAYS, *parse_cards("Jh")), (STAYS, STAYS)),)
    hand = Hand(VARIANTS["swap"](), replace(DEAL, swaps=swaps))
    for action in ("c", "k"):
        hand.act(action)
    (swapped,) = (event for event in hand.events if isinstance(event, HandsSwapped))
    assert describe_event(swapped, hand, 0) == "your A♥ is swapped for J♥"
    assert describe_event(swapped, hand, 1) == ""


def test_what_is_held_is_named_once_there_are_five_cards():
    hand = Hand(VARIANTS["nolimit"](), DEAL)
    assert name_held(hand, 1) == "K♠ K♦"
    for action in ("c", "k"):
        hand.act(action)
    assert name_held(hand, 1) == "K♠ K♦ (pair of kings with 874)"
