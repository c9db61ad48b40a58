"""What menus of spots offer; `tests/unit/ranges/test_betting_tree.py` has whole trees."""

import pytest

from counterfold.bets import PublicPlace, parse_menu
from counterfold.bets.spot_menu import SPOT_STREETS, SeatBets, SpotMenu, SpotStreet
from counterfold.bets.spot_menu_text import parse_spot_menu
from counterfold.errors import AbstractionError
from counterfold.games import parse_game
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.bet_size import CHIPS, POT, TIMES, BetSize
from counterfold.games.holdem.situation import before_deal


def river(pot, stack, name="nolimit"):
    """A river of an even pot with the stack behind."""
    variant = parse_game(f"{name}(stack={pot // 2 + stack})")
    return variant, betting.after_deal(variant.rules, before_deal(3, pot // 2), False)


def offered(text, pot=100, stack=900, bets=(), **options):
    """Chips on the street that are offered after these bets."""
    variant, situation = river(pot, stack)
    for bet in bets:
        situation = betting.after_raise(situation, pot // 2 + bet)
    totals = parse_spot_menu(text).totals(variant, situation, **options)
    return [total - pot // 2 for total in totals]


@pytest.mark.parametrize(
    ("text", "stack", "chips"),
    [
        ("50%; add allin 150%", 150, [50, 150]),
        ("50%; add allin 150%", 151, [50]),
        ("none; add allin 150%", 150, [150]),
        # A bet of 50 leaves at most 15% of a pot of 200: 30 chips.
        ("50%; force allin 15%", 80, [80]),
        ("50%; force allin 15%", 81, [50]),
        # A pot of 200 after the larger bet, and at most a tenth less after the other.
        ("100%, 81%; merge 10%", 900, [81, 100]),  # 200 / 181 is more than 1.1
        ("100%, 82%; merge 10%", 900, [100]),
        ("100%, 70%; merge 10%", 900, [70, 100]),
        # From the largest down: 90 goes, and 80 is compared with 100.
        ("100%, 90%, 80%; merge 6%", 900, [80, 100]),
    ],
)
def test_options_add_force_and_merge(text, stack, chips):
    assert offered(text, stack=stack) == chips


def test_thresholds_of_raises_count_beyond_the_call():
    assert offered("bets: 50%; raises: none; add allin 150%", stack=350, bets=[50]) == [350]
    assert offered("bets: 50%; raises: none; add allin 150%", stack=351, bets=[50]) == []


def test_caps_count_bets_of_the_street():
    text = "bets: 50%; raises: 3x; cap 2"
    assert offered(text) == [50]
    assert offered(text, bets=[50]) == [150]
    assert offered(text, bets=[50, 150]) == []


def test_raises_have_rows_by_their_number():
    text = "bets: 50%; raises: 3x; raise 2: 2x"
    assert offered(text, bets=[50]) == [150]
    assert offered(text, bets=[50, 150]) == [300]
    assert offered(text, bets=[50, 150, 300]) == [600]


def test_donk_sizes_are_for_donk_bets():
    assert offered("50%; donk: 25%", donk=True) == [25]
    assert offered("50%; donk: none", donk=True) == []
    assert offered("50%", donk=True) == [50]


def test_pot_limit_offers_all_in_only_where_it_is_legal():
    variant, situation = river(100, 900, "potlimit")
    menu = parse_spot_menu("50%, allin; add allin 1000%; force allin 1000%")
    assert [total - 50 for total in menu.totals(variant, situation)] == [50, 100]


@pytest.mark.parametrize("text", ["33%, 75%, allin", "min, 100%; cap 1", "bets: 50%; raises: 75%"])
@pytest.mark.parametrize("bets", [(), (20,), (20, 55)])
def test_both_menus_offer_the_same_where_both_can_say_it(text, bets):
    variant, situation = river(40, 300)
    for bet in bets:
        situation = betting.after_raise(situation, 20 + bet)
    known = [total for _, total in parse_menu(text).bets(PublicPlace(variant, situation))]
    assert list(parse_spot_menu(text).totals(variant, situation)) == known


def test_data_is_checked():
    with pytest.raises(AbstractionError, match=r"a bet cannot be 2\.5x the bet before it"):
        SeatBets(((BetSize(TIMES, 2500),),))
    with pytest.raises(AbstractionError, match="a bet cannot be 3x"):
        SeatBets(donk=(BetSize(TIMES, 3000),))
    with pytest.raises(AbstractionError, match="cap must be 1 to 1000, not -1"):
        SpotStreet(cap=-1)
    with pytest.raises(AbstractionError, match="bets for preflop, flop, turn, river"):
        SpotMenu((SpotStreet(),))
    with pytest.raises(AbstractionError, match="merge must be 0 to 100000 per mille, not -5"):
        SpotMenu((SpotStreet(),) * len(SPOT_STREETS), merge=-5)


def test_sizes_are_put_in_order():
    sizes = (BetSize(POT, 500), BetSize(CHIPS, 7), BetSize(POT, 500))
    assert SeatBets((sizes,)) == SeatBets(((BetSize(CHIPS, 7), BetSize(POT, 500)),))
