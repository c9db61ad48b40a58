"""Packed tables against the card maps that they were packed from, hand by hand."""

import json
from dataclasses import replace

import numpy as np
import pytest

from counterfold.buckets import StrengthLookup, parse_card_abstraction
from counterfold.buckets.clustering.clustered import Histogram
from counterfold.buckets.label_numbers_kernels import find_runs as find_runs_kernel
from counterfold.buckets.long_board_buckets import LongBoardBuckets
from counterfold.buckets.run_histograms.run_clusters import RunClusters, sample_runs
from counterfold.cards import EIGHT_RANGES, FULL, Deck, StrengthTables, parse_cards
from counterfold.cards.long_boards_kernels import bucket_long_boards
from counterfold.cards.ranking_kernels import STANDARD, rank_tables
from counterfold.contest.export import card_export as module
from counterfold.contest.export.card_export import find_runs, pack_cards
from counterfold.contest.exported.exported_cards import RUNS, STREETS, PackedCards
from counterfold.games import parse_game
from counterfold.games.holdem import Street, Variant
from counterfold.public.card_maps import ExactCards, TabledCards
from counterfold.public.deals import Dealer
from counterfold.public.deals_kernels import STAGE_CELL
from counterfold.public.enumerated_cards import EnumeratedPercentile, PercentileCards

NO_TABLES = {
    "kind": STREETS,
    "deck": [*range(52)],
    "ranking": STANDARD,
    "counts": {},
    "histories": [],
}

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
    return StrengthLookup(StrengthTables(Deck(6, 2), bins=10, clusters=EIGHT_RANGES, folder=folder))


def unpack(card_map):
    content, arrays = pack_cards(card_map)
    return PackedCards(json.loads(json.dumps(content)), arrays)


def check_hands(card_map, n, rng, held=2):
    packed = unpack(card_map)
    variant = card_map.dealer.variant
    for _ in range(n):
        cards = rng.permutation(variant.deck.cards).tolist()
        path = []
        for stage in card_map.dealer.stages:
            board = cards[held : held + variant.board_cards(stage.street)]
            path.append((cards[:held], board))
            assert packed.bucket(path) == card_map.bucket(path)


@pytest.mark.parametrize("text", SPECS)
def test_packed_buckets_are_those_of_the_card_map(text, source, rng):
    dealer = Dealer(parse_game(f"nolimit(deck={DECK})"))
    check_hands(TabledCards(dealer, parse_card_abstraction(text).build(source)), 60, rng)


@pytest.mark.parametrize("turn", ["percentile(4)", "nested(2, 2)"])
@pytest.mark.parametrize("held", [4, 3])
def test_packed_buckets_of_many_hole_cards_are_those_of_the_card_map(held, turn, source, rng):
    text = f"preflop: percentile(5); flop: percentile(9, metric=ehs2); turn: {turn}; river: ochs(3)"
    streets = (Street(first=0), Street(3), Street(1))
    variant = Variant("many", streets, stack=20, deck=source.strength.deck, hole_cards=held)
    buckets = parse_card_abstraction(text).build(source)
    check_hands(TabledCards(Dealer(variant), buckets), 40, rng, held)


@pytest.mark.parametrize("text", SPECS)
def test_the_bucket_of_one_hand_is_that_of_a_batch(text, source):
    dealer = Dealer(parse_game(f"nolimit(deck={DECK})"))
    card_map = TabledCards(dealer, parse_card_abstraction(text).build(source))
    deals = dealer.sample(1, 0, 20)
    labels = card_map.label(deals)
    for row, holes, found in zip(deals.cards.tolist(), deals.holes, labels, strict=True):
        for seat in range(2):
            path = []
            for at, stage in enumerate(dealer.stages):
                board = row[4 : 4 + dealer.variant.board_cards(stage.street)]
                path.append((holes[seat, at].tolist(), board))
                assert card_map.bucket(path) == found[seat, at]


@pytest.mark.parametrize("first_flush_suit_only", [False, True])
def test_long_boards_are_those_of_the_kernel(first_flush_suit_only, rng):
    content = {
        "kind": STREETS,
        "deck": [*range(52)],
        "ranking": STANDARD,
        "counts": {},
        "histories": [],
    }
    packed = PackedCards({**content, "long_n": 37, "long_quirk": first_flush_suit_only}, {})
    out = np.empty((1, 2), np.int64)
    work = np.empty(52, np.uint8), np.empty(1326, np.int16)
    for n_board in (6, 7, 8, 12, 20):
        for _ in range(10):
            cards = rng.choice(52, 4 + n_board, replace=False).astype(np.uint8)
            holes = cards[:4].reshape(1, 2, 2)
            bucket_long_boards(
                cards[np.newaxis, 4:],
                holes,
                37,
                first_flush_suit_only,
                rank_tables(),
                FULL.cards,
                *work,
                out,
            )
            for seat in range(2):
                path = [(holes[0, seat].tolist(), cards[4:].tolist())]
                assert packed.bucket(path) == out[0, seat]


@pytest.mark.parametrize("first_flush_suit_only", [False, True])
def test_clusters_of_runs_are_those_of_the_kernel(first_flush_suit_only, rng):
    centers = np.sort(rng.integers(0, 2**14, (5, 20, 49)), axis=2).astype(np.uint16)
    clusters = RunClusters(Histogram(20), centers)
    content = {
        "kind": STREETS,
        "deck": [*range(52)],
        "ranking": STANDARD,
        "counts": {},
        "histories": [],
    }
    content |= {"long_n": 37, "long_quirk": first_flush_suit_only}
    packed = PackedCards(content, {RUNS: centers})
    seen = set()
    for n_board in (5, 6, 7, 8, 9, 10, 14, 20):
        holes, boards = sample_runs(n_board, 15, 1, 4)
        labels = clusters.label(holes, boards, first_flush_suit_only)[:, 0]
        for hole, board, label in zip(holes[:, 0], boards, labels, strict=True):
            assert packed.bucket([(hole.tolist(), board.tolist())]) == label
            seen.add(int(label))
    assert len(seen) > 8


def test_a_board_that_is_over_is_not_looked_up_among_runs():
    centers = np.full((5, 2, 49), 9, np.uint16)
    content = {
        "kind": STREETS,
        "deck": [*range(52)],
        "ranking": STANDARD,
        "counts": {},
        "histories": [],
    }
    packed = PackedCards({**content, "long_n": 10, "long_quirk": True}, {RUNS: centers})
    hole, board = parse_cards("AhAd"), parse_cards("2c7cTs9d3h4s")
    assert packed.bucket([(hole, board)]) == LongBoardBuckets(10).bucket(hole, board) > 1


def test_a_river_that_splits_ties_is_packed_as_runs(source):
    buckets = parse_card_abstraction(SPECS[0]).build(source)
    keys, labels = find_runs(source, buckets.labels["river"])
    scores = np.asarray(source.strength.street("river").sums)
    assert np.unique(scores).size < keys.size < np.unique(scores).size + 9
    assert (np.diff(keys) > 0).all()
    assert labels.max() == buckets.labels["river"].max()


def test_a_river_with_too_many_runs_is_packed_whole(source, rng, monkeypatch):
    monkeypatch.setattr(module, "MOST_RUNS", 5)
    dealer = Dealer(parse_game(f"nolimit(deck={DECK})"))
    card_map = TabledCards(dealer, parse_card_abstraction(SPECS[0]).build(source))
    _, arrays = pack_cards(card_map)
    assert "streets.5.keys" not in arrays
    assert arrays["streets.5.labels"].size == source.n_classes("river")
    check_hands(card_map, 20, rng)


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
    exact = ExactCards(dealer, deals)
    check_listed(exact, dealer, deals)
    for recall in ("current", "sequence"):
        check_listed(PercentileCards(EnumeratedPercentile(3, recall), exact, deals), dealer, deals)


def check_listed(card_map, dealer, deals):
    """One hand, a batch of others and packed tables tell the same."""
    copies = replace(deals)  # for all that a card map knows, other deals
    labels = card_map.label(copies)
    packed = unpack(card_map)
    h = dealer.variant.hole_cards
    for i in range(0, len(deals), max(1, len(deals) // 100)):
        cards = deals.cards[i].tolist()
        for seat in range(2):
            path = []
            for at, stage in enumerate(dealer.stages):
                if stage.street > deals.lengths[i]:
                    break
                hand_cell = int(
                    dealer.layout.stages[at, STAGE_CELL]
                )  # of the hand that is always kept
                board = cards[2 * h : 2 * h + dealer.variant.board_cards(stage.street)]
                path.append((deals.holes[i, seat, hand_cell].tolist(), board))
                assert card_map.bucket(path) == labels[i, seat, hand_cell]
                assert packed.bucket(path) == labels[i, seat, hand_cell]
