"""Buckets and orders of hands that must give cards away, on a small deck with tables of its own."""

import json
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from counterfold.buckets import StrengthLookup, parse_card_abstraction
from counterfold.cards import StrengthTables, hand_strength, parse_deck
from counterfold.cards.long_boards import hand_score
from counterfold.contest.export.card_export import pack_cards, pack_lays
from counterfold.contest.exported.exported_lays import PackedGivenCards, PackedSetLays
from counterfold.errors import AbstractionError
from counterfold.games import parse_game
from counterfold.games.holdem import Auction, Discard, Street, Variant
from counterfold.public.card_maps import TabledCards
from counterfold.public.card_maps.given_card_map import GivenCards
from counterfold.public.card_spec import _made_for
from counterfold.public.deals import Dealer
from counterfold.public.deals_kernels import STAGE_CELL
from counterfold.public.lay_levels import N_COSTS, N_LEVELS, given_steps
from counterfold.public.lay_orders import SetsByStrengthLeft, lay_order
from counterfold.public.stages import card_stages

DECK = parse_deck("789TJQKA/cd")
CARDS = "preflop: percentile(6); flop: percentile(5); turn: percentile(6); river: percentile(4)"
LAY = Discard(forced=True, redraw=False, to_board=True)
SHOW = Discard(forced=True, redraw=False, shown=True)
DROP = Discard(forced=True, redraw=False)


def game(held, flop, *steps, later=(1,), deck=DECK):
    streets = Street(first=0), Street(flop, steps=steps), *(Street(n) for n in later)
    return Variant("given", streets, stack=20, deck=deck, hole_cards=held)


GAMES = {
    "lay one of four": game(4, 2, LAY, later=(1, 1)),
    "lay two of four": game(4, 2, replace(LAY, count=2)),
    "lay on a flop": game(3, 3, LAY, later=(1, 1)),
    "show two of four": game(4, 3, replace(SHOW, count=2)),
    "drop before the flop": Variant(
        "pineapple",
        (Street(first=0, steps=(DROP,)), Street(3), Street(1)),
        stack=20,
        deck=DECK,
        hole_cards=3,
    ),
}


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    return StrengthLookup(StrengthTables(DECK, bins=10, folder=folder))


def make_map(variant, source):
    order = lay_order(variant, source.strength)
    assert isinstance(order, SetsByStrengthLeft)
    dealer = Dealer(variant, lay_order=order)
    return GivenCards(dealer, parse_card_abstraction(CARDS).build(source))


@pytest.mark.parametrize("name", GAMES)
def test_labels_of_deals_are_the_buckets_of_what_was_seen_also_exported(name, source):
    cards = make_map(GAMES[name], source)
    dealer, held = cards.dealer, GAMES[name].hole_cards
    content, arrays = pack_cards(cards)
    packed = PackedGivenCards(dealer.variant, json.loads(json.dumps(content)), arrays)
    kind, order_arrays = pack_lays(dealer.lay_order)
    lays = PackedSetLays(dealer.variant, order_arrays)
    assert kind == "by-sets"
    deals = dealer.sample(3, 0, 12)
    labels = cards.label(deals)
    for at, stage in enumerate(dealer.stages):
        assert labels[:, :, dealer.layout.stages[at, STAGE_CELL] :].max() < max(cards.n_buckets)
        boards = dealer.boards(at, deals.cards, deals.laid)
        first = int(dealer.layout.stages[at, STAGE_CELL])
        for seat in stage.givers or (0, 1):
            n_held = stage.n_held(seat, held)
            for i in range(len(deals)):
                path = i % stage.n_paths
                hole = deals.holes[i, seat, first + path, :n_held].tolist()
                board = boards[i, path if len(boards[i]) > 1 else 0].tolist()
                sight = [(hole, board)] * (at + 1)
                bucket = labels[i, seat, first + path]
                assert bucket < cards.n_buckets[at]
                assert cards.bucket(sight) == packed.bucket(sight) == bucket
                if stage.givers:  # the hand lies in the order in which it names what it gives away
                    assert sorted(lays.sort(sorted(hole), board)) == [*range(n_held)]
                    ordered = [sorted(hole)[k] for k in lays.sort(sorted(hole), board)]
                    assert ordered == hole


def test_first_come_the_cards_without_which_the_hand_is_strongest(source, rng):
    cards = make_map(GAMES["show two of four"], source)
    table = source.strength.street("flop")
    for _ in range(40):
        dealt = rng.permutation(DECK.cards).tolist()
        hole, board = dealt[:4], dealt[4:7]
        left = {
            pair: table.mean(table.isomorphism.index([*pair, *board]))
            for pair in combinations(hole, 2)
        }
        places = cards.gives.sort(hole, board)
        kept = {hole[place] for place in places[2:]}
        assert sorted(places) == [0, 1, 2, 3]
        best = next(share for pair, share in left.items() if set(pair) == kept)
        assert best >= max(left.values()) - 1 / N_LEVELS


def test_single_cards_are_all_in_order_on_boards_without_tables_too(source, rng):
    cards = make_map(GAMES["lay on a flop"], source)
    for _ in range(20):
        dealt = rng.permutation(DECK.cards).tolist()
        hole, board = dealt[:3], dealt[3:7]  # five cards on the board once one is laid
        left = []
        for place in cards.gives.sort(hole, board):
            others = [card for card in hole if card != hole[place]]
            score, most = hand_score(others, [*board, hole[place]], deck=DECK)
            left.append(score * N_LEVELS // most)
        assert left == sorted(left, reverse=True)


def test_a_bucket_tells_what_is_left_and_what_the_next_choice_costs(source):
    cards = make_map(GAMES["show two of four"], source)
    deals = cards.dealer.sample(5, 0, 60)
    at = next(at for at, stage in enumerate(cards.dealer.stages) if stage.gives)
    seat, cell = cards.dealer.stages[at].givers[0], int(cards.dealer.layout.stages[at, STAGE_CELL])
    found = cards.label(deals)[:, seat, cell]
    hands = np.concatenate([deals.holes[:, seat, cell, 2:4], deals.cards[:, 8:11]], axis=1)
    np.testing.assert_array_equal(found // N_COSTS, cards.buckets.label(hands))
    assert len(set((found % N_COSTS).tolist())) == N_COSTS


def test_three_cards_on_a_long_board_are_those_of_a_pair_as_strong(source, rng):
    cards = make_map(GAMES["lay one of four"], source)
    n = cards.long_boards.n
    at = len(cards.dealer.stages) - 1
    for _ in range(30):
        dealt = rng.permutation(DECK.cards).tolist()
        hole, board = dealt[:3], dealt[3:9]
        pairs = [cards.long_boards.bucket(pair, board) for pair in combinations(hole, 2)]
        bucket = cards.bucket([(hole, board)] * (at + 1))
        assert max(pairs) <= bucket < n
    assert hand_strength([0, 1], [2, 3, 4, 5, 6, 7]) >= 0  # the boards are of this kind


@pytest.mark.parametrize(
    "variant",
    [
        parse_game("auction"),
        game(3, 3, replace(LAY, forced=False)),
        game(3, 3, Discard()),
        game(2, 4, LAY),  # one card is left
        game(4, 1, LAY, later=(3,)),  # two cards lie on the board
        game(3, 3, Auction(prize="look"), replace(SHOW, forced=False)),
    ],
)
def test_other_hands_are_not_known_by_what_is_left(variant):
    assert given_steps(card_stages(variant)) is None
    assert _made_for(Dealer(variant)) is TabledCards


@pytest.mark.parametrize("variant", [game(3, 3, replace(LAY, forced=False)), game(2, 4, LAY)])
def test_what_has_no_order_by_strength_is_told_so(variant, source):
    with pytest.raises(AbstractionError, match=r"must give some away.*unlike given; use by-rank"):
        lay_order(variant, source.strength)


@pytest.mark.parametrize(
    ("variant", "words"),
    [
        (game(3, 3, LAY), "which hands that give cards away as in given do not have"),
        (game(3, 3, replace(LAY, forced=False)), "boards onto which players may lay cards"),
    ],
)
def test_earlier_buckets_are_not_remembered(variant, words, source):
    buckets = parse_card_abstraction("percentile(3); recall: sequence").build(source)
    with pytest.raises(AbstractionError, match=words):
        _made_for(Dealer(variant))(Dealer(variant), buckets)
