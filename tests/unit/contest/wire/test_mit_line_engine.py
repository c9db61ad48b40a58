import pytest

from counterfold.bots import Hand, ShuffledDeck
from counterfold.cards import parse_cards
from counterfold.contest.wire import PROTOCOLS
from counterfold.contest.wire.mit_line_engine import LineEngineSession
from counterfold.errors import IllegalActionError
from counterfold.games.holdem import VARIANTS, Auction, Street, Variant

ROB = VARIANTS["river-of-blood"]()
DEAL = ShuffledDeck((parse_cards("2c2h"), parse_cards("KsKd")), parse_cards("7d8s4h9c3cJs"))


def sit(name, hand):
    """The sessions of both seats."""
    sessions = [PROTOCOLS[name].engine_session() for _ in range(2)]
    for seat, session in enumerate(sessions):
        session.begin_hand(hand, seat, 30.0)
    return sessions


def test_an_engine_reads_only_legal_answers():
    deal = ShuffledDeck((parse_cards("2c2h"), parse_cards("KsKd")), parse_cards("7d8s4h9c3c"))
    hand, engine = Hand(ROB, deal, checks_when_all_in=True), LineEngineSession()
    engine.begin_hand(hand, 0, 30.0)
    assert engine.prompt(hand, 0, 29.9994) == ("T29.999 P0 H2c,2h",)
    assert engine.read("R400", hand, 0) == "r400"
    for line, name in [("K", "CheckAction"), ("R3", "RaiseAction"), ("R401", "RaiseAction")]:
        with pytest.raises(IllegalActionError, match=name):
            engine.read(line, hand, 0)
    hand.act("r400")
    hand.act("c")
    hand.act("k")
    assert engine.prompt(hand, 0, 1.0) == ("T1.000 R400 C B7d,8s,4h K",)
    with pytest.raises(IllegalActionError, match="CallAction"):
        engine.read("C", hand, 0)
    assert engine.read("K", hand, 0) == "k"


@pytest.mark.parametrize("sealed", [False, True])
def test_a_sealed_bid_is_told_with_the_result(sealed):
    hand = Hand(VARIANTS["auction"](sealed=sealed), DEAL, checks_when_all_in=True)
    first, second = sit("mit-2024", hand)
    assert first.prompt(hand, 0, 1.0) == ("T1.000 P0 H2c,2h",)
    for action in ("c", "k", "a7"):
        hand.act(action)
    early, late = ("", " A7") if sealed else (" A7", "")
    assert first.prompt(hand, 0, 1.0) == (f"T1.000 C K B7d,8s,4h{early}",)
    assert first.read("A3", hand, 0) == "a3"
    for line in ("A399", "K"):
        with pytest.raises(IllegalActionError):
            first.read(line, hand, 0)
    hand.act("a3")
    hand.act("k")
    assert first.prompt(hand, 0, 1.0) == (f"T1.000{late} A3 P0 N398,395_3,7_2c,2h B7d,8s,4h K",)
    told = "T1.000 P1 HKs,Kd C K B7d,8s,4h A7 A3 P1 N398,395_3,7_Ks,Kd,9c B7d,8s,4h K"
    assert second.prompt(hand, 1, 1.0) == (told,)


def test_no_board_is_told_again_before_there_is_one():
    streets = Street(first=0, steps=(Auction(sealed=False),)), Street(3), Street(1), Street(1)
    hand = Hand(Variant("bids first", streets, stack=400), DEAL, checks_when_all_in=True)
    first, _ = sit("mit-2024", hand)
    for action in ("a7", "a0"):
        hand.act(action)
    assert first.prompt(hand, 0, 1.0) == ("T1.000 P0 H2c,2h A7 A0 P0 N399,398_0,7_2c,2h",)


def test_cards_are_tossed_by_their_place_in_the_hand():
    deal = ShuffledDeck((parse_cards("2cAh3d"), parse_cards("KsKd4d")), parse_cards("7d8s4h9c"))
    hand = Hand(VARIANTS["toss"](), deal, checks_when_all_in=True)
    first, second = sit("mit-2026", hand)
    for action in ("c", "k"):
        hand.act(action)
    assert second.prompt(hand, 1, 1.0) == ("T1.000 P1 HKs,Kd,4d G C K B7d,8s",)
    assert [second.read(f"D{place}", hand, 1) for place in range(3)] == ["dKs", "dKd", "d4d"]
    with pytest.raises(IllegalActionError, match="CheckAction"):
        second.read("K", hand, 1)
    hand.act("dKd")
    assert first.prompt(hand, 0, 1.0) == ("T1.000 P0 H2c,Ah,3d G C K B7d,8s D1",)
    for line in ("D0", "F"):
        with pytest.raises(IllegalActionError):
            first.read(line, hand, 0)
    hand.act(first.read("K", hand, 0))
    assert first.prompt(hand, 0, 1.0) == ("T1.000 K B7d,8s,Kd",)
    with pytest.raises(IllegalActionError):
        second.read("D2", hand, 1)  # two cards are left


def test_games_without_bounties_tell_no_hits():
    hand = Hand(VARIANTS["nolimit"](), DEAL, checks_when_all_in=True)
    first, _ = sit("mit-2025", hand)
    hand.act("f")
    assert first.end_hand(hand, 0, 1.0) == ("T1.000 P0 H2c,2h F D-1",)
