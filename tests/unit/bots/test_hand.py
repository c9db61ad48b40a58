from dataclasses import replace

import pytest

from counterfold.bots import Hand, ShuffledDeck, swap_seats
from counterfold.bots.hand_events import (
    ActionTaken,
    AuctionEnded,
    BoardDealt,
    CardDrawn,
    End,
    HandsSwapped,
)
from counterfold.bots.shuffled_deck import STAYS
from counterfold.cards import parse_cards
from counterfold.errors import CardError, IllegalActionError
from counterfold.games.holdem import VARIANTS

DEAL = ShuffledDeck((parse_cards("2cAh"), parse_cards("KsKd")), parse_cards("7d8s4h9c3h5c6cJs"))


def test_events_keep_the_order_of_the_deck():
    hand = Hand(VARIANTS["discard"](), DEAL)
    actions = ["c", "k", "dKs", "s", "k", "k", "s", "s", "k", "k", "k", "k"]
    for action in actions:
        hand.act(action)
    acts = [event for event in hand.events if isinstance(event, ActionTaken)]
    assert [act.action for act in acts] == actions
    assert [act.seat for act in acts] == [0, 1] + [1, 0] * 5
    boards = [event.board for event in hand.events if isinstance(event, BoardDealt)]
    assert boards == [parse_cards("7d8s4h"), parse_cards("7d8s4h3h"), parse_cards("7d8s4h3h5c")]
    assert CardDrawn(1, *parse_cards("Ks9c")) in hand.events
    assert hand.holes[1] == [*parse_cards("9cKd")]
    assert hand.events[-1] == End((2, -2), True)  # a straight to the five
    assert hand.showdown
    assert hand.waits_for is None


def test_a_fold_ends_a_hand_without_a_showdown():
    hand = Hand(VARIANTS["nolimit"](), DEAL)
    hand.act("f")
    assert (hand.chips, hand.showdown, hand.waits_for) == ((-1, 1), False, None)


@pytest.mark.parametrize("asks", [False, True])
def test_checks_when_all_in_are_asked_for_where_the_engine_does(asks):
    hand = Hand(VARIANTS["nolimit"](), DEAL, checks_when_all_in=asks)
    hand.act("r400")
    hand.act("c")
    seats = []
    while hand.waits_for is not None:
        assert hand.forced
        assert hand.passive_action == "k"
        seats.append(hand.waits_for)
        with pytest.raises(IllegalActionError):
            hand.act("r2")
        hand.act("k")
    assert seats == ([1, 0] * 3 if asks else [])
    forced = [event for event in hand.events if isinstance(event, ActionTaken) and event.forced]
    assert len(forced) == len(seats)
    assert hand.chips == (-400, 400)


def test_a_deck_that_ends_is_an_error():
    hand = Hand(VARIANTS["nolimit"](), ShuffledDeck(DEAL.holes, DEAL.rest[:2]))
    hand.act("c")
    with pytest.raises(CardError, match="the deal has too few cards"):
        hand.act("k")


def test_swaps_are_those_of_the_deal():
    jack, queen, ten = parse_cards("JhQhTh")
    swaps = (((STAYS, jack), (STAYS, STAYS)), ((queen, STAYS), (STAYS, ten)))
    deal = ShuffledDeck(DEAL.holes, DEAL.rest, swaps=swaps)
    for seats in (deal, swap_seats(deal)):
        hand = Hand(VARIANTS["swap"](), seats)
        for action in "ckkkkkkk":
            hand.act(action)
        first = seats.holes.index(parse_cards("2cAh"))
        swapped = [event.after for event in hand.events if isinstance(event, HandsSwapped)]
        assert [hands[first] for hands in swapped] == [parse_cards("2cJh"), parse_cards("QhJh")]
        assert [hands[1 - first] for hands in swapped] == [parse_cards("KsKd"), parse_cards("KsTh")]
        assert hand.events[-1].showdown
        assert hand.view(first).draws == "/~Ah~Jh/~2c~Qh"
    short = Hand(VARIANTS["swap"](), DEAL)
    short.act("c")
    with pytest.raises(CardError, match="the deal has too few swaps"):
        short.act("k")


def test_a_discard_brings_the_card_of_its_round_and_seat():
    cards = parse_cards("AhKs QcJd 2c3c4c 5d 6h 7s8s9sTs")
    deal = ShuffledDeck(
        (cards[:2], cards[2:4]),
        cards[4:9],
        ((cards[9:10], cards[10:11]), (cards[11:12], cards[12:13])),
    )
    for discards in ([], [0], [1], [0, 1]):
        hand = Hand(VARIANTS["discard"](), deal)
        for action in "ck":
            hand.act(action)
        for seat in (1, 0):  # the big blind draws first
            hand.act("s" if seat not in discards else "d" + ("Ks", "Jd")[seat])
        for seat in discards:
            assert (hand.holes[seat][1],) == deal.draws[0][seat]
        for action in "kk":
            hand.act(action)
        assert hand.board == [*cards[4:8]]
        for seat in (1, 0):
            hand.act("d" + ("Ah", "Qc")[seat])
        assert tuple((hole[0],) for hole in hand.holes) == deal.draws[1]
    swapped = swap_seats(deal)
    assert swapped.draws == tuple(seats[::-1] for seats in deal.draws)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_sees_its_own_cards(seat):
    hand = Hand(VARIANTS["nolimit"](), DEAL)
    hand.act("r6")
    view = hand.view(seat, clock_seconds=2.5)
    assert view.seat == seat
    assert sorted(view.hole) == sorted(DEAL.holes[seat])
    assert view.history == hand.state.history
    assert view.clock_seconds == 2.5


def test_players_who_are_all_in_bid_and_check():
    hand = Hand(VARIANTS["auction"](), DEAL, checks_when_all_in=True)
    for action in ("r400", "c"):
        hand.act(action)
    assert hand.view(1).actions() == ("a0",)
    for action in ("a0", "a0"):
        hand.act(action)
    ended = [event for event in hand.events if isinstance(event, AuctionEnded)]
    assert [event.bids for event in ended] == [(0, 0)]
    assert [len(each) for each in ended[0].hands] == [3, 3]
    seats = []
    while hand.waits_for is not None:
        assert hand.forced
        seats.append(hand.waits_for)
        hand.act("k")
    assert seats == [1, 0] * 3


def test_a_toss_is_answered_with_a_check_before_the_board_is_told():
    deal = ShuffledDeck((parse_cards("2cAh3d"), parse_cards("KsKd4d")), parse_cards("7d8s4h9c"))
    hand = Hand(VARIANTS["toss"](), deal, checks_when_all_in=True)
    for action in ("c", "k", "dKs"):
        hand.act(action)
    assert (hand.waits_for, hand.forced, hand.board) == (0, True, [*parse_cards("7d8sKs")])
    assert not hand.takes_forced("f")
    assert isinstance(hand.events[-1], ActionTaken)
    hand.act("k")
    assert hand.events[-1] == BoardDealt(parse_cards("7d8sKs"), 1, (2, 2))
    assert (hand.waits_for, hand.forced) == (0, False)
    assert hand.holes[1] == [*parse_cards("Kd4d")]


@pytest.mark.parametrize(("name", "takes"), [("nolimit", False), ("bounty", True)])
def test_a_player_who_is_all_in_may_fold_where_folding_is_free(name, takes):
    bounties = (3, 4) if name == "bounty" else None
    hand = Hand(VARIANTS[name](), replace(DEAL, bounties=bounties), checks_when_all_in=True)
    for action in ("r400", "c", "k"):
        hand.act(action)
    assert hand.takes_forced("f") == takes
    if not takes:
        with pytest.raises(IllegalActionError, match="'f' is not a check"):
            hand.act("f")
        return
    hand.act("f")
    assert (hand.waits_for, hand.showdown, hand.chips) == (None, False, (-400, 400))
