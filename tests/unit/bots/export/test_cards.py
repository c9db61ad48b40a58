"""Packed tables against the card maps that they were packed from, hand by hand."""

import json

import numpy as np
import pytest

from counterfold.abstraction import Source, parse_cards_spec
from counterfold.bots.export import cards as module
from counterfold.bots.export.cards import find_runs, pack_cards
from counterfold.bots.exported.cards import PackedCards
from counterfold.cards import EIGHT_RANGES, Deck, StrengthTables
from counterfold.compiled.card_maps import ExactCards, TabledCards
from counterfold.compiled.deals import Dealer
from counterfold.games import parse_game
from counterfold.kernels.buckets import find_runs as find_runs_kernel

DECK = "'9TJQKA/cd'"
SPECS = [
    "preflop: lossless; flop: percentile(7, metric=ehs2); turn: percentile(7); "
    "river: percentile(9)",
    "preflop: uniform(3); flop: uniform(4); turn: uniform(3); river: uniform(4)",
    "preflop: histogram(4); flop: histogram(5); turn: histogram(5); river: histogram(6)",
    "preflop: lossless; flop: ochs(5); turn: ochs(5); river: ochs(7)",
    "preflop: nested(2, 2); flop: nested(3, 2); turn: nested(3, 2); river: nested(4, 3)",
    "preflop: psopti(4); recall: sequence",
    "preflop: percentile(3); flop: percentile(4); turn: percentile(3); recall: sequence",
    "history(3)",
    "history(2, m=2)",
    "history(2) * ochs(3)",
    "history(2) * history(3, metric=ehs)",
]


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    return Source(StrengthTables(Deck(6, 2), bins=10, clusters=EIGHT_RANGES, folder=folder))


def unpack(card_map):
    content, arrays = pack_cards(card_map)
    return PackedCards(json.loads(json.dumps(content)), arrays)


def check_hands(card_map, n, rng):
    packed = unpack(card_map)
    variant = card_map.dealer.variant
    assert packed.needs_before == card_map.needs_before
    for _ in range(n):
        cards = rng.permutation(variant.deck.cards).tolist()
        before = 0
        for at, stage in enumerate(card_map.dealer.stages):
            hole, board = cards[:2], cards[2 : 2 + variant.board_cards(stage.street)]
            bucket = card_map.bucket(at, hole, board, before)
            assert packed.bucket(at, hole, board, before) == bucket
            before = bucket


@pytest.mark.parametrize("text", SPECS)
def test_packed_buckets_are_those_of_the_card_map(text, source, rng):
    dealer = Dealer(parse_game(f"nolimit(deck={DECK})"))
    check_hands(TabledCards(dealer, parse_cards_spec(text).build(source)), 60, rng)


@pytest.mark.parametrize("text", SPECS)
def test_the_bucket_of_one_hand_is_that_of_a_batch(text, source):
    dealer = Dealer(parse_game(f"nolimit(deck={DECK})"))
    card_map = TabledCards(dealer, parse_cards_spec(text).build(source))
    deals = dealer.sample(1, 0, 20)
    labels = card_map.label(deals)
    for row, holes, found in zip(deals.cards.tolist(), deals.holes, labels, strict=True):
        for seat in range(2):
            before = 0
            for at, stage in enumerate(dealer.stages):
                board = row[4 : 4 + dealer.variant.board_cards(stage.street)]
                before = card_map.bucket(at, holes[seat, at].tolist(), board, before)
                assert before == found[seat, at]


def test_long_boards(source, rng):
    dealer = Dealer(parse_game(f"river-of-blood(deck={DECK})"))
    check_hands(TabledCards(dealer, parse_cards_spec(SPECS[0]).build(source)), 30, rng)


def test_a_river_that_splits_ties_is_packed_as_runs(source):
    buckets = parse_cards_spec(SPECS[0]).build(source)
    keys, labels = find_runs(source, buckets.labels["river"])
    scores = np.asarray(source.strength.street("river").sums)
    assert np.unique(scores).size < keys.size < np.unique(scores).size + 9
    assert (np.diff(keys) > 0).all()
    assert labels.max() == buckets.labels["river"].max()


def test_a_river_with_too_many_runs_is_packed_whole(source, rng, monkeypatch):
    monkeypatch.setattr(module, "MOST_RUNS", 5)
    dealer = Dealer(parse_game(f"nolimit(deck={DECK})"))
    card_map = TabledCards(dealer, parse_cards_spec(SPECS[0]).build(source))
    _, arrays = pack_cards(card_map)
    assert "streets.5.keys" not in arrays
    assert arrays["streets.5.labels"].size == source.n_classes("river")
    check_hands(card_map, 20, rng)


@pytest.mark.kernel
def test_runs_are_where_the_label_of_a_value_changes():
    values = np.array([0, 1, 0, 0, 1, 2], np.uint16)
    labels = np.array([3, 3, 3, 4, 3, 5], np.uint8)
    starts = np.full(6, -7)
    assert find_runs_kernel(values, labels, np.full(3, -1), starts) == 4
    assert starts.tolist() == [0, 1, 3, 5, -7, -7]
    assert find_runs_kernel(values, labels, np.full(3, -1), starts[:2]) == 3


@pytest.mark.parametrize(
    "game",
    [
        "nolimit(deck='JQKA/cd', board=(2, 1))",
        "discard(deck='JQKA/cd', board=(1, 1))",
        "river-of-blood(deck='QKA/cd', board=(1,))",
        "leduc-variant",
    ],
)
def test_exact_cards(game):
    dealer = Dealer(parse_game(game))
    deals = dealer.enumerate()
    card_map = ExactCards(dealer, deals)
    labels = card_map.label(deals)
    packed = unpack(card_map)
    h = dealer.variant.hole_cards
    for i in range(0, len(deals), max(1, len(deals) // 200)):
        cards = deals.cards[i].tolist()
        for seat in range(2):
            before = 0
            for at, stage in enumerate(dealer.stages):
                if stage.street > deals.lengths[i]:
                    break
                cell = int(dealer.layout.stages[at, 2])  # of the hand that is always kept
                hole = deals.holes[i, seat, cell].tolist()
                board = cards[2 * h : 2 * h + dealer.variant.board_cards(stage.street)]
                bucket = card_map.bucket(at, hole, board, before)
                assert bucket == labels[i, seat, cell]
                assert packed.bucket(at, hole, board, before) == bucket
                before = bucket
