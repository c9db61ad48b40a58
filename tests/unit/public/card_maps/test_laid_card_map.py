"""Buckets and orders of hands that lay a card, on a small deck with tables of its own."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from counterfold.buckets import StrengthLookup, parse_card_abstraction
from counterfold.cards import StrengthTables, parse_cards, parse_deck
from counterfold.errors import AbstractionError
from counterfold.games import parse_game
from counterfold.games.files import format_variant
from counterfold.games.holdem import Bounty
from counterfold.public.card_maps.laid_card_map import LaidCards
from counterfold.public.card_spec_text import parse_card_spec
from counterfold.public.deals import Dealer
from counterfold.public.deals_kernels import STAGE_CELL
from counterfold.public.lay_levels import N_COSTS, join_costs, sort_levels
from counterfold.public.lay_orders import ByStrengthLeft, lay_order, lays_trios
from counterfold.training.plan import make_plan
from counterfold.training.recipe import Recipe
from helpers.small_recipes import recipe

VARIANT = parse_game("toss(stack=20, deck='9TJQKA/cd', board=(2,))")
CARDS = "preflop: lossless; flop: percentile(5); turn: percentile(6); river: percentile(4)"


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    return StrengthLookup(StrengthTables(parse_deck("9TJQKA/cd"), bins=10, folder=folder))


@pytest.fixture(scope="module")
def cards(source):
    order = ByStrengthLeft(source.strength)
    dealer = Dealer(VARIANT, lay_order=order)
    return LaidCards(dealer, parse_card_abstraction(CARDS).build(source), order)


def hands_of(rng, n, board):
    deck = VARIANT.deck.cards
    return np.array([rng.permutation(deck)[: 3 + board] for _ in range(n)], np.uint8)


def test_the_first_card_leaves_the_strongest_hand(source, rng):
    order = ByStrengthLeft(source.strength)
    table = source.strength.street("flop")
    for hand in hands_of(rng, 50, 2).tolist():
        hole, board = hand[:3], hand[3:]
        left = [
            table.mean(table.isomorphism.index([*hole[:k], *hole[k + 1 :], *board, hole[k]]))
            for k in range(3)
        ]
        places = order.sort(hole, board)
        assert sorted(places) == [0, 1, 2]
        in_order = [left[place] for place in places]
        assert all(a >= b - 1 / 255 for a, b in pairwise(in_order))


def test_orders_and_buckets_do_not_depend_on_the_names_of_suits(cards, rng):
    for board in (2, 3):
        hands = hands_of(rng, 200, board)
        renamed = hands ^ 1  # clubs and diamonds change places
        levels, _ = cards.lays.after_each(hands, 3)
        others, _ = cards.lays.after_each(renamed, 3)
        ours, same = (cards.lays.sort_many(each, 3) for each in (hands, renamed))
        assert (np.take_along_axis(levels, ours, 1) == np.take_along_axis(others, same, 1)).all()
        at = board - 1
        ours, same = (
            cards.label_stage(at, each[:, None, :3], each[:, 3:], None) for each in (hands, renamed)
        )
        assert (ours == same).all()


def test_a_bucket_tells_what_the_best_card_leaves_and_what_the_next_costs():
    levels = np.array([[200, 199, 10], [10, 100, 90], [10, 20, 250]])
    order = sort_levels(levels, np.zeros_like(levels))
    assert order.tolist() == [[0, 1, 2], [1, 2, 0], [2, 1, 0]]
    assert join_costs(np.array([7, 7, 7]), levels, order).tolist() == [21, 22, 23]


def test_labels_of_deals_are_the_buckets_of_what_was_seen(cards):
    dealer = cards.dealer
    deals = dealer.sample(3, 0, 20)
    labels = cards.label(deals)
    assert cards.n_buckets == (cards.trios.size, N_COSTS * 5, N_COSTS * 6, 6)
    for at, stage in enumerate(dealer.stages):
        boards = dealer.boards(at, deals.cards, deals.laid)
        first = int(dealer.layout.stages[at, STAGE_CELL])
        for seat in stage.givers or (0, 1):
            held = stage.n_held(seat, 3)
            for i in range(len(deals)):
                for path in range(stage.n_paths):
                    hole = deals.holes[i, seat, first + path, :held].tolist()
                    board = boards[i, path if len(boards[i]) > 1 else 0].tolist()
                    sight = [(hole, board)] * (at + 1)
                    assert labels[i, seat, first + path] == cards.bucket(sight)


def test_what_is_known_of_a_bounty_is_joined_with_the_buckets(tmp_path, monkeypatch):
    monkeypatch.setenv("COUNTERFOLD_HOME", str(tmp_path))
    plain, secret = (
        make_plan(
            Recipe(variant=each.name, rules=format_variant(each), cards=CARDS, bets="100%, allin")
        )
        for each in (VARIANT, replace(VARIANT, title="toss-bounty", bounty=Bounty()))
    )
    assert secret.cards().n_buckets == tuple(2 * n for n in plain.cards().n_buckets)
    assert secret.spec.max_buckets(secret) == tuple(2 * n for n in plain.spec.max_buckets(plain))
    deals = secret.dealer.sample(5, 0, 40)
    labels, cards = secret.cards().label(deals), secret.cards().without_bounty
    assert isinstance(cards, LaidCards)
    assert (labels // 2 == cards.label(deals)).all()
    assert 0 < (labels % 2).mean() < 1


def test_stronger_trios_have_higher_buckets(cards):
    weak, strong = (cards.bucket([(parse_cards(hand), ())]) for hand in ("9cTdJc", "AcAdKc"))
    assert weak < strong


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("history(3)", "remembers earlier buckets"),
        ("preflop: percentile(3); recall: sequence", "remembers earlier buckets"),
        ("preflop: histogram(4)", "lossless or percentile"),
    ],
)
def test_other_buckets_are_refused_before_they_are_built(text, words):
    plan = make_plan(recipe(variant=VARIANT.name, cards=text))
    with pytest.raises(AbstractionError, match=words):
        parse_card_spec(text).max_buckets(plan)


@pytest.mark.parametrize(
    ("name", "is_trio"),
    [("toss", True), ("toss(hole_cards=4)", False), ("toss(deck='9TJQKA/cd', board=(3,))", False)],
)
def test_three_cards_of_which_one_is_laid_onto_two_have_a_map_of_their_own(name, is_trio):
    variant = parse_game(name)
    order = lay_order(variant, StrengthTables(variant.deck))
    assert isinstance(order, ByStrengthLeft) == lays_trios(variant) == is_trio


def test_an_order_by_strength_needs_boards_that_tables_know():
    variant = parse_game("toss(stack=20, deck='9TJQKA/cd', board=(1, 1))")
    with pytest.raises(AbstractionError, match=r"keep two or more.*use by-rank"):
        lay_order(variant, StrengthTables(variant.deck))
