"""Equity of ranges: known figures, plain enumeration, card removal, and what is refused."""

import importlib
import warnings
from itertools import combinations
from math import comb

import numpy as np
import pytest
from phevaluator import _pheval

from counterfold.cards import Deck, Range, parse_cards, parse_range
from counterfold.cards.equity import equity
from counterfold.errors import CardError
from helpers.naive.naive_equity import enumerate_showdowns

module = importlib.import_module("counterfold.cards.equity")  # the package exports its function

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # eval7 calls pyparsing by names it no longer wants
    import eval7

EVAL7_CARDS = [eval7.Card(rank + suit) for rank in "23456789TJQKA" for suit in "cdhs"]


def by_eval7(cards):
    return eval7.evaluate([EVAL7_CARDS[card] for card in cards])


def by_phevaluator(cards):
    return -_pheval.evaluate_7cards(*cards)


def ask(first, second, board="", dead="", **options):
    return equity(
        parse_range(first), parse_range(second), parse_cards(board), parse_cards(dead), **options
    )


def assert_same(found, expected):
    win, tie, lose, n_run_outs, n_matchups, total = expected
    assert (found.win, found.tie, found.lose) == pytest.approx((win, tie, lose), abs=1e-12)
    assert found.equity == pytest.approx(win + tie / 2, abs=1e-12)
    assert (found.n_run_outs, found.n_matchups) == (n_run_outs, n_matchups)
    assert found.total_weight == pytest.approx(total)


# Ganzfried and Sandholm 2014; they give 0.55% ties for aces, and enumeration gives 0.5436%.
@pytest.mark.parametrize(
    ("hand", "share", "win", "tie"),
    [
        ("AA", 0.852, 0.8493, 0.0055),
        pytest.param("KK", 0.824, None, None, marks=pytest.mark.slow),
    ],
)
def test_aces_and_kings_against_a_random_hand(hand, share, win, tie):
    found = ask(hand, "random", threads=2)
    assert found.equity == pytest.approx(share, abs=5e-4)
    assert found.n_run_outs == comb(48, 5)
    assert found.n_matchups == 6 * comb(50, 2)
    if win is not None:
        assert found.win == pytest.approx(win, abs=5e-5)
        assert found.tie == pytest.approx(tie, abs=1e-4)


def test_two_hands_before_the_flop():
    found = ask("AhKh", "QcQd")
    n_boards = found.n_run_outs
    # A slow test counts the same by another evaluator.
    assert (found.win * n_boards, found.tie * n_boards) == pytest.approx((787_966, 6_732), abs=1e-6)
    assert found.n_matchups == found.total_weight == 1


@pytest.mark.slow
def test_two_hands_before_the_flop_by_another_evaluator():
    hand, other = parse_cards("AhKh"), parse_cards("QcQd")
    rest = [card for card in range(52) if card not in (*hand, *other)]
    wins = ties = 0
    for board in combinations(rest, 5):
        a, b = by_phevaluator((*board, *hand)), by_phevaluator((*board, *other))
        wins += a > b
        ties += a == b
    assert (wins, ties) == (787_966, 6_732)


@pytest.mark.parametrize(
    ("first", "second", "board"),
    [
        ("AhKh", "QQ", "2h 7h Tc 3d"),
        ("AhKh,7c7d:0.5", "AQs:0.25,KhQh,22", "2h 7h Tc 3d"),
        ("AhKh", "QQ+,AKs", "2h 7h Tc 3d 3h"),
        ("TT-99,A5s", "KJs+,AcKd:0.1", "9c 8c 7c 6c 2s"),
        ("AA", "KK", "Tc Jc Qc Kc Ac"),
    ],
)
@pytest.mark.parametrize("evaluate", [by_eval7, by_phevaluator])
def test_turn_and_river_by_other_evaluators(first, second, board, evaluate):
    expected = enumerate_showdowns(
        parse_range(first), parse_range(second), parse_cards(board), evaluate=evaluate
    )
    assert_same(ask(first, second, board), expected)


@pytest.mark.parametrize(
    ("first", "second", "board", "dead"),
    [
        ("AcKd", "QcQd", "", ""),
        ("AcKd", "QQ", "", "Ad"),
        ("AcKd", "QcJd", "Ad", ""),
        ("AhKh,QQ", "KJs:0.3,AcKd", "Tc Jc", "Ac"),
        ("AK,QQ", "random", "Tc Jc Ah", ""),
        ("random", "AhKh:0.7,QQ:0.1,JcTd:2", "Ts Js Qs", "Kc"),
    ],
)
def test_small_decks_by_plain_enumeration(first, second, board, dead):
    deck = Deck(5, 4) if board else Deck(4, 4)
    expected = enumerate_showdowns(
        parse_range(first), parse_range(second), parse_cards(board), parse_cards(dead), deck
    )
    assert_same(ask(first, second, board, dead, deck=deck), expected)


@pytest.mark.parametrize("suits", [1, 2, 3])
def test_decks_of_few_suits(suits):
    deck = Deck(12 // suits, suits)
    first, second = parse_range("AK,KQ"), parse_range("random")
    expected = enumerate_showdowns(first, second, deck=deck)
    assert_same(equity(first, second, deck=deck), expected)


@pytest.mark.parametrize("n_board", [6, 7, 9, 12, 31])
def test_longer_boards_are_complete(n_board):
    rng = np.random.default_rng(n_board)
    board = rng.permutation(52)[:n_board].tolist()
    weights = np.where(rng.random((2, 1326)) < 0.03, rng.random((2, 1326)), 0.0)
    first, second = Range(weights[0]), Range(weights[1])
    found = equity(first, second, board)
    assert found.n_run_outs == 1
    assert_same(found, enumerate_showdowns(first, second, board))


def test_every_plan_gives_the_same(monkeypatch):
    monkeypatch.setattr(module, "_COST_OF_PLANNING", 0.0)
    first, second = parse_range("AhKh,AcQd:0.3"), parse_range("99+:0.7,A9+")
    deck = Deck(6, 4)
    for board, n_renamings in (("", 24), ("9h", 6), ("9h Tc Jc", 2)):
        board = parse_cards(board)
        known = module._check_cards(board, [], deck)
        weights, others = (module._leave(r, "", known) for r in (first, second))
        plans = module._list_plans(weights, others, known, 5 - len(board))
        assert [plan.n_mixed for plan in plans] == [1, n_renamings, 1]  # nothing like h, c and d
        plans += [plan._replace(sweeps=not plan.sweeps) for plan in plans]
        shares = []
        for plan in plans:
            wins, ties, meeting = module._play(plan, known.board, 5 - len(board), 1)
            shares.append((wins / meeting, ties / meeting))
        for share in shares[1:]:
            assert share == pytest.approx(shares[0], rel=1e-12)


def test_sums_do_not_depend_on_the_number_of_threads(monkeypatch):
    monkeypatch.setattr(module, "_COST_OF_THREADS", 0.0)
    rng = np.random.default_rng(0)
    board = parse_cards("2h7hTc")
    first, second = Range(rng.random(1326)), Range(rng.random(1326))
    assert equity(first, second, board) == equity(first, second, board, threads=3)
    hand = parse_range("AhKh")
    assert equity(hand, second, board) == equity(hand, second, board, threads=2)


def test_both_sides_add_up_to_one():
    for board in ("", "2h7hTc", "2h7hTc3d3h"):
        first, second = ask("AhKh", "QQ+,AKs", board), ask("QQ+,AKs", "AhKh", board)
        assert first.equity + second.equity == pytest.approx(1, abs=1e-14)
        assert first.win == pytest.approx(second.lose, abs=1e-14)
        assert first.tie == pytest.approx(second.tie, abs=1e-14)
        assert first.n_matchups == second.n_matchups


def test_weights_scale():
    one = ask("AhKh,QQ:0.5", "random:0.1,TT:0.7", "2h7hTc")
    for factor in (2.0**-1000, 1e-300, 3.7, 1e300):
        weights = parse_range("AhKh,QQ:0.5").weights * factor
        other = equity(
            Range(weights), parse_range("random:0.1,TT:0.7"), parse_cards("2h7hTc"), threads=1
        )
        assert (other.win, other.tie) == pytest.approx((one.win, one.tie), rel=1e-12)
        assert other.total_weight == pytest.approx(one.total_weight * factor)


def test_a_hand_of_no_use_does_not_matter():
    # AhQd meets nobody, and its weight must not drown the others by rounding.
    found = ask("AhKh", "AhQd:1e20,22:1e-20", "2h7hTc")
    assert found == ask("AhKh", "22:1e-20", "2h7hTc")
    assert found.n_matchups == 3


def test_card_removal():
    # With both aces of the opponent's range gone, the only hand left is KcKd.
    found = ask("AhAs", "AcAd,KcKd", "2c3d7h9sJc", "Ac")
    assert (found.win, found.n_matchups) == (1.0, 1)
    # On the river AhKh leaves 3 of 6 aces and 3 of 4 suited AK.
    assert ask("AhKh", "AA,AKs", "2c3d7h9sJc").n_matchups == 6


def test_dead_cards_do_not_come():
    # Only a jack of the two that are left saves the hand.
    assert ask("JcJd", "AcAd", "2c3d7h9s").equity == pytest.approx(2 / 44)
    assert ask("JcJd", "AcAd", "2c3d7h9s", "Jh").equity == pytest.approx(1 / 43)
    assert ask("JcJd", "AcAd", "2c3d7h9s", "JhJs").equity == 0


@pytest.mark.parametrize(
    ("first", "second", "board", "dead", "message"),
    [
        ("AhKh", "QQ", "2c3cAh", "", "Ah of every hand of the first range AhKh is number 3 of the"),
        ("QQ", "AhKh", "2c3c4c", "5cKh", "Kh .* second range AhKh is number 2 of the dead cards"),
        ("AhKh", "QQ", "2c3c4c", "5c3c", "3c, number 2 of the dead cards 5c3c, is also number 2"),
        ("AhKh", "AhQd", "", "", "Ah is in every hand of the first range AhKh and the second"),
        ("AhKh", "AhQd,KhQd", "", "", "no two hands of the first range AhKh and the second"),
        ("QQ", "KK", "QcQdQh", "", "no hand of the first range QQ is left beside QcQdQh$"),
        ("none", "KK", "", "", "first range none has no hand"),
    ],
)
def test_says_which_card_is_in_the_way(first, second, board, dead, message):
    with pytest.raises(CardError, match=message):
        ask(first, second, board, dead)


def test_refuses_what_cannot_be_dealt():
    with pytest.raises(CardError, match="Ah twice, as number 3"):
        equity(parse_range("QQ"), parse_range("KK"), parse_cards("Ah2c") + parse_cards("Ah"))
    with pytest.raises(CardError, match="at most 31 cards, not 32"):
        equity(parse_range("AA"), parse_range("KK"), range(32))
    with pytest.raises(CardError, match="8 cards of the deck QKA/cdh are left, too few for two"):
        ask("AcKc", "AdKd", "", "Qc", deck=Deck(3, 3))
    with pytest.raises(CardError, match=r"2c of every hand .* 2d2c is not in the deck 9TJQKA/cd"):
        ask("2c2d", "AK", deck=Deck(6, 2))
    with pytest.raises(CardError, match=r"22 is left in the deck 9TJQKA/cd$"):
        ask("22", "AK", deck=Deck(6, 2))


def test_ranges_and_cards_may_be_text():
    found = equity("AhKh", "QQ+,AKs", "2h7hTc", dead="3c")
    cards = parse_cards("2h7hTc"), parse_cards("3c")
    assert found == equity(parse_range("AhKh"), parse_range("QQ+,AKs"), *cards)
    assert str(found).startswith(f"equity {found.equity:.2%} (win ")
    assert found.to_dict()["equity"] == found.equity
