"""What draws, swaps and deals change in a hand."""

from dataclasses import replace

import pytest

from counterfold.cards import parse_deck
from counterfold.errors import IllegalActionError
from counterfold.games.holdem import VARIANTS, Discard, Street, Swap, Variant
from counterfold.games.holdem import parse_state as at
from counterfold.games.protocol import ListedChance

DISCARD = VARIANTS["discard"]()
SWAP = VARIANTS["swap"]()
BLOOD = VARIANTS["river-of-blood"]()
DEAL = "AhKs QdQc "


def test_a_draw_before_the_betting_of_flop_and_turn():
    flop = at(DISCARD, DEAL + "c k 2c7dTs")
    assert (flop.actor, flop.actions()) == (1, ("s", "dQd", "dQc"))
    drawn = flop.child("dQc")
    assert drawn.chance is not None
    assert drawn.actor == 0  # the dealer decides next
    state = drawn.child("+Td").child("s")
    assert state.actor == 1
    assert state.actions()[:2] == ("k", "r2")
    assert dict(state.infoset.facts) == {
        "cards": "QdTd",
        "draws": "-Qc+Td",
        "board": "Ts7d2c",
        "history": "ck/ds",
    }
    river = at(DISCARD, DEAL + "c k 2c7dTs dQc +Td s k k 9h s dKs +8h k k 3d")
    assert river.actions()[0] == "k"
    assert river.history == "ck/dskk/sdkk/"


def test_all_in_players_still_draw():
    state = at(DISCARD, DEAL + "r200 c 2c7dTs")
    assert (state.actor, state.actions()) == (1, ("s", "dQd", "dQc"))
    last = at(DISCARD, DEAL + "r200 c 2c7dTs dQc +Td dAh +As Ad s s 3h")
    assert last.utilities == (200, -200)  # aces against tens


def test_a_discard_is_seen_but_not_the_card():
    views = {
        at(DISCARD, f"{DEAL}c k 2c7dTs {draw}").infoset
        for draw in ("dQc +Td", "dQd +3d", "dQd +8h")
    }
    assert len(views) == 1
    (view,) = views
    assert (view.player, view["history"], view["cards"]) == (0, "ck/d", "AhKs")


def test_a_shown_discard_is_seen():
    streets = Street(first=0), Street(cards=3, steps=(Discard(shown=True),))
    variant = Variant("", streets, stack=20)
    assert at(variant, DEAL + "c k 2c7dTs dQc +Td").infoset["history"] == "ck/dQc"


def test_discarded_cards_are_dead():
    state = at(DISCARD, DEAL + "c k 2c7dTs dQc +Td s k k")
    with pytest.raises(IllegalActionError):
        state.child("Qc")
    deck = parse_deck("TJQKA/cd")
    variant = VARIANTS["discard"](stack=4, deck="TJQKA/cd", board=(1, 1))
    state = at(variant, "AcKc AdKd c k Tc dKd +Td")
    assert variant.deck == deck
    after = at(variant, "AcKc AdKd c k Tc dKd +Td dKc")
    assert {text for text, _ in after.chance.outcomes()} == {"+Jc", "+Jd", "+Qc", "+Qd"}
    assert state.infoset["cards"] == "AcKc"


def test_swaps_are_by_chance_and_private():
    flop = at(SWAP, DEAL + "c k 2c7dTs")
    outcomes = dict(flop.chance.outcomes())
    assert outcomes["="] == pytest.approx(0.9)
    assert outcomes["~3d"] == pytest.approx(0.1 / 45)  # 52 but for two hands and the flop
    # Four hole cards, those of seat 0 first.
    state = at(SWAP, DEAL + "c k 2c7dTs = ~3d = ~3h")
    assert (state.actor, state.infoset["cards"], state.infoset["draws"]) == (1, "Qd3h", "/~Qc~3h")
    other = state.child("k").infoset
    assert (other["cards"], other["draws"]) == ("Ah3d", "/~Ks~3d")
    same = at(SWAP, DEAL + "c k 2c7dTs = ~3d ~4h = k").infoset
    assert same == other


def test_a_player_remembers_when_a_card_was_swapped():
    early = at(SWAP, DEAL + "c k 2c7dTs ~3d = = = k k 9h = = = = k").infoset
    late = at(SWAP, DEAL + "c k 2c7dTs = = = = k k 9h ~3d = = = k").infoset
    assert early["cards"] == late["cards"] == "Ks3d"
    assert early != late


def test_each_swap_of_a_street_has_a_probability_and_a_sign_of_its_own():
    streets = (SWAP.streets[0], Street(3, steps=(Swap(0.1), Swap(0.4))), *SWAP.streets[2:])
    twice = replace(SWAP, streets=streets)
    first = dict(at(twice, DEAL + "c k 2c7dTs").chance.outcomes())
    again = dict(at(twice, DEAL + "c k 2c7dTs = ~3d = =").chance.outcomes())
    assert (first["="], again["="]) == (pytest.approx(0.9), pytest.approx(0.6))
    last = dict(at(twice, DEAL + "c k 2c7dTs = ~3d = = = = =").chance.outcomes())
    assert last["~3h"] == pytest.approx(0.4 / 44)
    early = at(twice, DEAL + "c k 2c7dTs = = = ~3h = = = =").infoset
    late = at(twice, DEAL + "c k 2c7dTs = = = = = = = ~3h").infoset
    assert (early["draws"], late["draws"]) == ("/~Qc~3h/", "//~Qc~3h")
    assert early["cards"] == late["cards"] == "Qd3h"


def test_swaps_come_when_all_chips_are_in():
    state = at(SWAP, DEAL + "r200 c 2c7dTs = = = = 9h = = = = 3d")
    assert state.utilities == (-200, 200)
    assert isinstance(at(SWAP, DEAL + "r200 c 2c7dTs = = = = 9h = = =").chance, ListedChance)


@pytest.mark.parametrize(
    ("board", "over"),
    [("9s", True), ("9c", True), ("9h", False), ("9d", False), ("9h k k 9d k k 9s", True)],
)
def test_the_river_repeats_while_it_is_red(board, over):
    state = at(BLOOD, f"{DEAL}c k 2c7dTs k k 2d k k {board} k k")
    assert (state.utilities is not None) == over
    assert (state.chance is None) == over


def test_a_run_has_betting_on_every_card():
    state = at(BLOOD, DEAL + "c k 2c7dTs k k 2d k k 9h")
    assert (state.actor, state.raise_bounds()) == (1, (2, 398))
    state = at(BLOOD, DEAL + "c k 2c7dTs k k 2d k k 9h r8 c 9d r30 c 9s")
    assert state.spent == (40, 40)
    assert state.history == "ck/kk/kk/r8c/r30c!"


def test_however_cards_are_written_a_state_is_the_same():
    written = at(DISCARD, "ahks qdqc c k 2c7dts dQc +td s")
    assert written == at(DISCARD, DEAL + "c k Ts7d2c dQc +Td s")
    assert written.infoset["draws"] == "-Qc+Td"
