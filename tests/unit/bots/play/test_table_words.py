"""Keys with real sizes, and events as one side of the table sees them."""

from dataclasses import replace

from counterfold.bots import ShuffledDeck, first_view
from counterfold.bots.hand import Hand
from counterfold.bots.hand_events import HandsSwapped
from counterfold.bots.play.table_words import choices, describe_event, name_held, show_cards
from counterfold.bots.shuffled_deck import STAYS
from counterfold.cards import parse_cards
from counterfold.games.holdem import VARIANTS

DEAL = ShuffledDeck((parse_cards("2cAh"), parse_cards("KsKd")), parse_cards("7d8s4h9c3h5c6cJs"))


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


def told(hand, seat):
    return [line for event in hand.events if (line := describe_event(event, hand, seat))]


def test_an_auction_is_told_as_it_goes():
    hand = Hand(VARIANTS["auction"](sealed=True), DEAL)
    for action in ("c", "k", "a7", "a3", "k", "k"):
        hand.act(action)
    assert told(hand, 0)[1:6] == [
        "flop: 7♦ 8♠ 4♥",
        "the bot has bid",
        "the bot gets a card",
        "bids: you 3, the bot 7",
        "the bot checks",
    ]
    assert told(hand, 1)[2:5] == ["the bot bids 3", "you get 9♣", "bids: you 7, the bot 3"]
    open_hand = Hand(VARIANTS["auction"](), DEAL)
    for action in ("c", "k", "a7"):
        open_hand.act(action)
    assert told(open_hand, 0)[-1] == "the bot bids 7"
    keys = {choice.key: choice.action for choice in choices(open_hand.view(0))}
    assert keys == {"0": "a0", "1": "a2", "2": "a4", "a": "a398", "a 0-398": ""}


def test_a_bounty_is_told_when_it_pays():
    for bounty, words in ((11, "the bot wins 13 with its bounty"), (10, "the bot wins 2")):
        hand = Hand(VARIANTS["bounty"](), replace(DEAL, bounties=(3, bounty)))
        for action in ("c", "k", "r2", "f"):
            hand.act(action)
        assert told(hand, 0)[-1] == words


def test_a_toss_is_told_with_its_card():
    deal = ShuffledDeck((parse_cards("2cAh3d"), parse_cards("KsKd4d")), parse_cards("7d8s4h9c"))
    hand = Hand(VARIANTS["toss"](), deal)
    for action in ("c", "k"):
        hand.act(action)
    shown = [(choice.key, choice.text) for choice in choices(hand.view(1))]
    assert shown == [("1", "lay down K♠"), ("2", "lay down K♦"), ("3", "lay down 4♦")]
    for action in ("dKs", "d2c", "k", "k", "k", "k"):
        hand.act(action)
    assert told(hand, 0)[1:6] == [
        "flop: 7♦ 8♠",
        "the bot lays down K♠",
        "board: 7♦ 8♠ K♠",
        "board: 7♦ 8♠ K♠ 2♣",
        "the bot checks",
    ]
    assert "turn: 7♦ 8♠ K♠ 2♣ 4♥" in told(hand, 0)
    assert "river: 7♦ 8♠ K♠ 2♣ 4♥ 9♣" in told(hand, 0)


def test_what_is_held_is_named_once_there_are_five_cards():
    hand = Hand(VARIANTS["nolimit"](), DEAL)
    assert name_held(hand, 1) == "K♠ K♦"
    for action in ("c", "k"):
        hand.act(action)
    assert name_held(hand, 1) == "K♠ K♦ (pair of kings with 874)"


def test_hands_are_named_by_the_ranks_and_the_order_of_their_game():
    hand = Hand(VARIANTS["permuted"](order="K8A2Q4J37T965"), DEAL)
    for action in ("c", "k"):
        hand.act(action)
    assert name_held(hand, 1) == "K♠ K♦ (pair of kings with 748)"
