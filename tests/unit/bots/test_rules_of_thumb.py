import time

import numpy as np
import pytest

from counterfold.bots import PROTOCOLS, MatchInfo, first_view, host_match
from counterfold.bots.baselines import AllIn, AlwaysCall, CheckFold, Random
from counterfold.bots.discards import discard_by_outs, discard_by_rank, rank_share, unseen
from counterfold.bots.rules_of_thumb import (
    CountsOuts,
    HandRank,
    PotOdds,
    expected_hand_strength,
    half_pot,
)
from counterfold.cards import hand_strength, parse_cards
from counterfold.errors import UnsupportedGameError
from counterfold.games.holdem import VARIANTS


def view_of_hand(variant, hole, *events, seat=1):
    view = first_view(variant, seat, parse_cards(hole))
    for event in events:
        dealt = event[0] in "23456789TJQKA"
        view = view.after_board(parse_cards(event)) if dealt else view.after(event)
    return view


def drawing(hole, flop):
    return view_of_hand(VARIANTS["discard"](), hole, "c", "k", flop)


@pytest.mark.parametrize(
    ("hole", "flop", "by_rank", "by_outs"),
    [
        ("AhAd", "AcKs7d", "s", "s"),  # three of a kind
        ("2hKd", "Kc9s7d", "d2h", "d2h"),  # a pair and a card of no use
        ("KdKh", "2c7s9d", "s", "s"),
        ("5h4h", "6h7h8h", "s", "s"),  # a straight flush
    ],
)
def test_discards(hole, flop, by_rank, by_outs):
    view = drawing(hole, flop)
    assert discard_by_rank(view) == by_rank
    assert discard_by_outs(view) == by_outs
    assert view.is_legal(by_rank)


def test_cards_that_were_discarded_are_seen():
    view = drawing("2hKd", "Kc9s7d").after("d2h").after_drawn(*parse_cards("Qs"))
    assert {*parse_cards("2hKdQsKc9s7d")} == set(range(52)) - set(unseen(view).tolist())


def test_it_is_the_share_of_ranks_below():
    assert rank_share([*parse_cards("2c3d4h5s7c")]) == 0.0
    assert rank_share([*parse_cards("AcKcQcJcTc")]) == 7461 / 7462


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
    found = expected_hand_strength(view, n_samples=20_000)
    assert found == pytest.approx(expected, abs=0.02 if variant == "river-of-blood" else 0.01)
    assert found == expected_hand_strength(view, n_samples=20_000)


def test_expected_strength_on_a_complete_board_is_exact():
    events = ["c", "k", "2c7dTs", "k", "k", "9h", "k", "k", "3s"]
    for name in ("nolimit", "river-of-blood"):
        view = view_of_hand(VARIANTS[name](), "AhTd", *events)
        board = parse_cards("2c7dTs9h3s")
        assert expected_hand_strength(view) == hand_strength(parse_cards("AhTd"), board)


@pytest.mark.parametrize(
    ("hole", "events", "action"),
    [
        ("AhAd", ["c"], "r4"),  # bets
        ("7h2d", ["c"], "k"),
        ("AhAd", ["r6"], "r12"),
        ("7h2d", ["r200"], "f"),
        ("KhQd", ["r6"], "c"),  # neither
        ("AhAd", ["r400"], "c"),  # no raise is left
    ],
)
def test_pot_odds(hole, events, action):
    assert PotOdds().act(view_of_hand(VARIANTS["nolimit"](), hole, *events)) == action


def test_half_a_pot_is_kept_within_bounds():
    view = view_of_hand(VARIANTS["nolimit"](), "AhAd", "r300")
    assert half_pot(view) == "r400"
    limit = view_of_hand(VARIANTS["limit"](), "AhAd", "c", "k", "2c3c4c", "r2")
    assert half_pot(limit.after("r4").after("r6")) == "r8"
    assert half_pot(limit.after("r4").after("r6").after("r8")) is None


def test_hand_rank():
    bot, variant = HandRank(), VARIANTS["nolimit"]()
    assert bot.act(view_of_hand(variant, "AhAd", "r10")) == "c"
    assert bot.act(view_of_hand(variant, "7h2d", "r10")) == "f"
    assert bot.act(view_of_hand(variant, "7h2d", "c")) == "k"
    assert bot.act(view_of_hand(variant, "AhAd", "c", "k", "As2d7c")) == "r2"


@pytest.mark.parametrize("bot", [PotOdds, CountsOuts, HandRank])
def test_one_card_is_no_hand(bot):
    with pytest.raises(UnsupportedGameError):
        bot().begin_match(MatchInfo(VARIANTS["leduc-variant"]()))


@pytest.mark.parametrize("bot", [PotOdds, CountsOuts, HandRank])
@pytest.mark.parametrize("protocol", ["mit-2017", "mit-2023", "acpc"])
def test_rules_of_thumb_beat_folding_and_answer_quickly(bot, protocol):
    begin = time.monotonic()
    results = [
        host_match((bot(), other()), PROTOCOLS[protocol], n_hands=20, seed=1)
        for other in (CheckFold, AlwaysCall, AllIn, Random)
    ]
    assert all(result.n_faults == (0, 0) for result in results)
    assert results[0].chips[0] > 0
    thought = np.sum([30.0 - result.seconds_left[0] for result in results])
    assert thought / 80 < 0.03  # a hand has a few decisions of a millisecond
    assert time.monotonic() - begin < 10.0


def test_reduced_decks_are_sampled():
    variant = VARIANTS["river-of-blood"](deck="6789TJQKA/cdhs")
    view = view_of_hand(variant, "AhAd")
    assert 0.6 < expected_hand_strength(view) < 0.95
