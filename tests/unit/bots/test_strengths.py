import numpy as np
import pytest

from counterfold.bots import first_view
from counterfold.bots.strengths import SampledStrength, TabledStrength, check_ranks_hands
from counterfold.cards import StrengthTables, hand_strength, parse_cards
from counterfold.errors import UnsupportedGameError
from counterfold.games import parse_game
from counterfold.games.holdem import VARIANTS


def view_of_hand(variant, hole, *events, seat=1):
    view = first_view(variant, seat, parse_cards(hole))
    for event in events:
        dealt = event[0] in "23456789TJQKA"
        view = view.after_board(parse_cards(event)) if dealt else view.after(event)
    return view


@pytest.mark.parametrize(
    ("variant", "hole", "expected"),
    [
        ("nolimit", "AhAd", 0.852),  # Ganzfried and Sandholm 2014
        ("nolimit", "KhKd", 0.824),
        ("river-of-blood", "AhAd", 0.83),
    ],
)
def test_expected_strength_before_the_flop(variant, hole, expected):
    view = view_of_hand(VARIANTS[variant](), hole)
    # 20,000 draws of a win or loss have a standard error of 0.0025.
    strength = SampledStrength(n_samples=20_000)
    assert strength(view) == pytest.approx(
        expected, abs=0.02 if variant == "river-of-blood" else 0.01
    )
    assert strength(view) == strength(view)


def test_expected_strength_on_a_complete_board_is_exact():
    events = ["c", "k", "2c7dTs", "k", "k", "9h", "k", "k", "3s"]
    for name in ("nolimit", "river-of-blood"):
        view = view_of_hand(VARIANTS[name](), "AhTd", *events)
        board = parse_cards("2c7dTs9h3s")
        assert SampledStrength()(view) == hand_strength(parse_cards("AhTd"), board)


def test_reduced_decks_are_sampled():
    variant = VARIANTS["river-of-blood"](deck="6789TJQKA/cdhs")
    assert 0.6 < SampledStrength()(view_of_hand(variant, "AhAd")) < 0.95


def test_samples_come_near_the_tables(tmp_path):
    variant = parse_game("nolimit(deck='89TJQKA/cd')")
    strength = TabledStrength(lambda: StrengthTables(variant.deck, folder=tmp_path))
    for events in ([], ["c", "k", "8cTdJc"], ["c", "k", "8cTdJc", "k", "k", "9d"]):
        view = view_of_hand(variant, "AcQd", *events)
        # 5,000 draws of a win or loss have a standard error of 0.007 at most.
        assert SampledStrength(n_samples=5000)(view) == pytest.approx(strength(view), abs=0.03)


def test_a_long_board_is_told_in_thousandths_without_tables(tmp_path):
    variant = VARIANTS["river-of-blood"]()
    events = ["c", "k", "2c7dTs", "k", "k", "9h", "k", "k", "3h", "k", "k", "Kd"]
    view = view_of_hand(variant, "AhTd", *events)
    exact = hand_strength(view.hole, view.board_cards, variant.first_flush_suit_only)
    strength = TabledStrength(lambda: StrengthTables(variant.deck, folder=tmp_path))
    assert strength(view) == pytest.approx(exact, abs=0.0005)
    assert not any(tmp_path.iterdir())


def test_variants_without_such_hands_are_refused():
    for name in ("leduc-variant", "kuhn-variant", "nolimit(deck='QKA/cd', board=(1,))"):
        with pytest.raises(UnsupportedGameError, match="two hole cards"):
            check_ranks_hands(parse_game(name))
    for name in ("limit", "discard", "river-of-blood"):
        check_ranks_hands(parse_game(name))


def test_hands_come_in_rows(tmp_path):
    variant = parse_game("nolimit(deck='89TJQKA/cd')")
    strength = TabledStrength(lambda: StrengthTables(variant.deck, folder=tmp_path))
    hands = np.array([parse_cards("AcAd"), parse_cards("8c9d")], np.uint8)
    best, worst = strength.on_board(hands)
    assert best > 0.5 > worst
