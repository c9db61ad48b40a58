import pytest

from counterfold.bots import Deal, Hand, shuffle, swap_seats
from counterfold.bots.hand import Act, BoardDealt, CardDrawn, End
from counterfold.cards import parse_cards
from counterfold.errors import CardError, GameError, IllegalActionError
from counterfold.games.holdem import VARIANTS

DEAL = Deal((parse_cards("2cAh"), parse_cards("KsKd")), parse_cards("7d8s4h9c3h5c6cJs"))


def test_events_keep_the_order_of_the_deck():
    hand = Hand(VARIANTS["discard"](), DEAL)
    for action in ["c", "k", "dKs", "s", "k", "k", "s", "s", "k", "k", "k", "k"]:
        hand.act(action)
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
    forced = [event for event in hand.events if isinstance(event, Act) and event.forced]
    assert len(forced) == len(seats)
    assert hand.chips == (-400, 400)


def test_a_deck_that_ends_is_an_error():
    hand = Hand(VARIANTS["nolimit"](), Deal(DEAL.holes, DEAL.rest[:2]))
    hand.act("c")
    with pytest.raises(CardError, match="the deck of the deal ends"):
        hand.act("k")


def test_swaps_cannot_be_dealt():
    with pytest.raises(GameError, match="cannot deal swaps"):
        Hand(VARIANTS["swap"](), DEAL)


def test_decks_are_shuffled_by_seed_and_number():
    variant = VARIANTS["nolimit"]()
    deals = [shuffle(variant, seed, number) for seed in (0, 1) for number in (0, 1)]
    assert len(set(deals)) == 4
    assert deals[0] == shuffle(variant, 0, 0)
    for deal in deals:
        assert sorted((*deal.holes[0], *deal.holes[1], *deal.rest)) == [*range(52)]
    assert swap_seats(deals[0]).holes == deals[0].holes[::-1]
