"""Kernels of history bucketing against plain Python, with random levels and cuts."""

from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfold.buckets.histories import history_kernels
from counterfold.buckets.histories.flop_walks import bucket_pairs, list_flops
from counterfold.buckets.histories.history_streets import make_street
from counterfold.cards import Deck, Isomorphism, index_pair, rank
from counterfold.cards.ranking_kernels import rank_tables
from counterfold.cards.strength_kernels import make_scratch

DECK = Deck(5, 2)
CARDS = [int(card) for card in DECK.cards]
ROUNDS = {"preflop": (2,), "flop": (2, 3), "turn": (2, 4)}
N_LEVELS = 50


def isomorphism(street, deck=DECK):
    return Isomorphism(ROUNDS[street], deck)


def random_cuts(rng, n_rows, n):
    return np.sort(rng.integers(0, N_LEVELS, (n_rows, n - 1)), axis=1).astype(np.int32)


def make_streets(n=2, m=2, deck=DECK):
    """Random buckets before the flop and on it, random levels and cuts on the turn."""
    rng = np.random.default_rng(n)
    n_buckets = n * m
    sizes = {street: isomorphism(street, deck).size for street in ROUNDS}
    preflop, flop = (rng.integers(0, n_buckets, sizes[s]) for s in ("preflop", "flop"))
    levels, within = rng.integers(0, N_LEVELS, (2, sizes["turn"])).astype(np.uint16)
    cuts = random_cuts(rng, n_buckets**2, n)
    within_cuts = random_cuts(rng, n_buckets**2 * n, m)
    return (
        make_street(n_buckets, isomorphism("preflop", deck).tables, preflop),
        make_street(n_buckets, isomorphism("flop", deck).tables, flop),
        make_street(n_buckets, isomorphism("turn", deck).tables, levels, cuts, within, within_cuts),
    )


def list_turns(deck=DECK):
    cards = deck.cards.tolist()
    for hole in combinations(cards, 2):
        rest = [card for card in cards if card not in hole]
        for flop in combinations(rest, 3):
            for turn in rest:
                if turn not in flop:
                    yield (*hole, *flop, turn)


TURNS = np.array(list(list_turns()), np.uint8)


def follow(streets, deals, deck=DECK):
    """The sequence on each street of every deal, by the definition."""
    before = np.zeros(len(deals), int)
    for street, name in zip(streets, ROUNDS, strict=True):
        classes = isomorphism(name, deck).index_many(deals[:, : sum(ROUNDS[name])])
        bucket = street.levels[classes].astype(int)
        if name == "turn":
            n = street.cuts.shape[1] + 1
            part = (street.cuts[before] <= bucket[:, None]).sum(axis=1)
            other = street.within[classes]
            inner = (street.within_cuts[before * n + part] <= other[:, None]).sum(axis=1)
            bucket = part * (street.within_cuts.shape[1] + 1) + inner
        before = before * street.n_buckets + bucket
        yield before


@given(
    st.lists(st.integers(0, 9), min_size=0, max_size=6),
    st.lists(st.integers(0, 9), min_size=0, max_size=3),
    st.integers(0, 9),
    st.integers(0, 9),
)
def test_a_bucket_is_the_number_of_cuts_reached(cuts, inner, level, other):
    cuts, inner = sorted(cuts), sorted(inner)
    n, m = len(cuts) + 1, len(inner) + 1
    rows = np.tile(np.array([cuts], np.int32), (3, 1))
    inner_rows = np.tile(np.array([inner], np.int32), (3 * n, 1))
    first = np.searchsorted(cuts, level, side="right")
    second = np.searchsorted(inner, other, side="right")
    found = history_kernels.find_bucket(2, level, other, rows, inner_rows)
    assert found == first * m + second
    assert 0 <= found < n * m
    assert history_kernels.find_bucket(2, level, other, rows[:0, :0], inner_rows[:0, :0]) == level


@pytest.mark.parametrize(("n", "m"), [(1, 1), (3, 1), (2, 2)])
def test_buckets_of_deals_follow_the_definition(n, m):
    streets = make_streets(n, m)
    numbers = np.zeros(len(TURNS), np.int32)
    buckets = np.zeros(len(TURNS), np.int64)
    for street, expected in zip(streets, follow(streets, TURNS), strict=True):
        history_kernels.bucket_deals(TURNS, street, numbers, buckets)
        np.testing.assert_array_equal(numbers, expected)
        np.testing.assert_array_equal(buckets, expected % (n * m))


def walk_over_flop(streets, flops, f):
    walk = history_kernels.make_flop_scratch()
    preflop = bucket_pairs(DECK, streets[0].levels)
    n_left = history_kernels.start_flop(f, flops, preflop, streets[1], walk)
    return walk, n_left


def test_sequences_of_all_hands_on_a_board():
    streets, flops = make_streets(), list_flops(DECK)
    _, on_flop, on_turn = follow(streets, TURNS)
    by_deal = {tuple(d): (a, b) for d, a, b in zip(TURNS.tolist(), on_flop, on_turn, strict=True)}
    for f in range(0, len(flops.boards), 5):
        walk, n_left = walk_over_flop(streets, flops, f)
        history_kernels.extend_turns(n_left, streets[2], walk)
        board = flops.boards[f].tolist()
        left = walk.left[:n_left].tolist()
        assert left == [card for card in CARDS if card not in board]
        for t, turn in enumerate(left):
            for hole in combinations([card for card in left if card != turn], 2):
                pair = index_pair(*hole)
                found = walk.flop[pair], walk.turns[t, pair]
                assert found == by_deal[(*hole, *sorted(board), turn)]


def test_a_card_is_dropped():
    rest = np.zeros(3, np.uint8)
    for place, expected in enumerate([[6, 7, 8], [5, 7, 8], [5, 6, 8], [5, 6, 7]]):
        history_kernels.drop_card(np.array([5, 6, 7, 8], np.uint8), 4, place, rest)
        assert rest.tolist() == expected


@pytest.mark.parametrize("deck", [DECK, Deck(4, 3)])
def test_flops_stand_for_all(deck):
    flops = list_flops(deck)
    cards = deck.cards.tolist()
    assert flops.weights.sum() == len(list(combinations(cards, 3)))
    for board, likes in zip(flops.boards.tolist(), flops.likes, strict=True):
        left = [card for card in cards if card not in board]
        for n in (1, 2):
            copies = [
                history_kernels.count_copies(
                    sum(int(history_kernels.card_bit(c)) for c in chosen), likes
                )
                for chosen in combinations(left, n)
            ]
            assert sum(copies) == len(copies)


@pytest.mark.parametrize("deck", [DECK, Deck(3, 4)])
@pytest.mark.parametrize("nested", [False, True])
def test_levels_of_the_turn_are_counted_by_sequence(nested, deck):
    streets, flops = make_streets(2, 2, deck), list_flops(deck)
    deals = np.array(list(list_turns(deck)), np.uint8)
    _, on_flop, _ = follow(streets, deals, deck)
    classes = isomorphism("turn", deck).index_many(deals)
    turn = streets[2]
    rows, levels = on_flop, turn.levels
    if nested:
        rows = on_flop * 2 + (turn.cuts[on_flop] <= turn.levels[classes][:, None]).sum(axis=1)
        levels = turn.within
    expected = np.zeros((32 if nested else 16, N_LEVELS), np.uint32)
    np.add.at(expected, (rows, levels[classes]), 1)

    counts = np.zeros_like(expected)
    known = turn if nested else turn._replace(cuts=turn.cuts[:0, :0])
    preflop = bucket_pairs(deck, streets[0].levels)
    for first, last in ((0, 3), (3, len(flops.boards))):
        history_kernels.count_turn_levels(
            first,
            last,
            flops,
            preflop,
            streets[1],
            known,
            levels,
            history_kernels.make_flop_scratch(),
            counts,
        )
    np.testing.assert_array_equal(counts, expected)


def test_scores_of_the_river_are_counted_by_sequence():
    streets, flops = make_streets(), list_flops(DECK)
    *_, on_turn = follow(streets, TURNS)
    score_of = {}
    for board in combinations(CARDS, 5):
        hands = list(combinations([card for card in CARDS if card not in board], 2))
        ranks = {hand: rank([*hand, *board]) for hand in hands}
        for hand in hands:
            others = [ranks[other] for other in hands if not {*hand} & {*other}]
            own = ranks[hand]
            score_of[hand, board] = sum(2 * (own > other) + (own == other) for other in others)
    expected = Counter()
    for deal, sequence in zip(TURNS.tolist(), on_turn.tolist(), strict=True):
        for river in CARDS:
            if river not in deal:
                board = tuple(sorted([*deal[2:], river]))
                expected[sequence, score_of[tuple(deal[:2]), board]] += 1

    counts = np.zeros((64, 7), np.int64)
    history_kernels.count_river_scores(
        0,
        len(flops.boards),
        flops,
        bucket_pairs(DECK, streets[0].levels),
        streets[1],
        streets[2],
        rank_tables(),
        history_kernels.make_flop_scratch(),
        make_scratch(DECK.n_cards, 5, 0, np.zeros(0, np.uint8)),
        counts,
    )
    assert {(a, b): int(counts[a, b]) for a, b in np.argwhere(counts)} == dict(expected)
    assert counts.sum() == len(list(permutations(range(5), 2))) * 45 * 56
