"""The sorted sweep against all pairs of hands, on cards of any number and on whole boards."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfold.cards import FULL, Deck, parse_cards, rank_hands, strength_kernels
from counterfold.cards.clusters import EIGHT_RANGES
from counterfold.cards.isomorphism import Isomorphism
from counterfold.cards.pairs import PAIR_CARDS, PAIR_HAND_CLASSES
from counterfold.cards.ranking_kernels import N_HAND_RANKS, rank_tables
from counterfold.cards.strength import StrengthTables

TOP_RANK = N_HAND_RANKS - 1
NO_CLUSTERS = np.zeros(0, np.uint8)
BOARDS = ["2c7dJhQsAc", "2c2d2h2sAc", "TcJcQcKcAc", "3c4c5c6d7d", "8d8hKcKsAh"]


def sort_hands(ranks):
    """Order and groups of `ranks`, the memory of the sort checked and thrown away."""
    ranks = np.asarray(ranks, np.int16)
    counts = np.zeros(N_HAND_RANKS, np.int16)
    marks = np.zeros(N_HAND_RANKS // 64 + 1, np.uint64)
    order, ends = np.zeros((2, ranks.size), np.uint16)
    n_groups = strength_kernels.order_by_rank(ranks, counts, marks, order, ends)
    assert not counts.any()
    assert not marks.any()
    return order, ends, n_groups


def score(ranks, weights, n_cards):
    """Scores of all pairs of `n_cards` cards, in lexicographic order."""
    order, ends, n_groups = sort_hands(ranks)
    firsts, seconds = np.array(list(combinations(range(n_cards), 2)), np.uint8).T.copy()
    scores = np.full(order.size, -1)
    taken = np.full(n_cards, -1)  # what an earlier call left
    weights = np.asarray(weights, np.int64)
    strength_kernels.score_hands(n_groups, order, ends, firsts, seconds, weights, taken, scores)
    return scores


def score_pairs(ranks, weights, hands):
    """The same, hand against hand; `hands` are pairs of cards."""
    scores = [
        sum(
            weight * (2 * (own > theirs) + (own == theirs))
            for other, theirs, weight in zip(hands, ranks, weights, strict=True)
            if not set(hand) & set(other)
        )
        for hand, own in zip(hands, ranks, strict=True)
    ]
    return np.array(scores)


def make_board(cards, deck, cluster_of=NO_CLUSTERS, bins=0):
    """Scratch memory with all hands scored on a complete board."""
    s = strength_kernels.make_scratch(deck.n_cards, 5, bins, cluster_of)
    s.board[:] = cards
    strength_kernels.score_board(deck.cards, rank_tables(), s)
    return s


def hands_of(s):
    return [tuple(s.cards[[i, j]].tolist()) for i, j in zip(s.firsts, s.seconds, strict=True)]


def clusters_by_class(n_clusters):
    """Some clusters that do not tell suits apart."""
    return (PAIR_HAND_CLASSES.astype(int) * 7 % 13 % n_clusters).astype(np.uint8)


@given(st.lists(st.integers(0, TOP_RANK) | st.sampled_from([0, 63, 64, TOP_RANK]), min_size=1))
def test_the_order_is_that_of_a_stable_sort(ranks):
    order, ends, n_groups = sort_hands(ranks)
    assert order.tolist() == np.argsort(ranks, kind="stable").tolist()
    _, sizes = np.unique(ranks, return_counts=True)
    assert ends[:n_groups].tolist() == np.cumsum(sizes).tolist()


def test_every_rank_can_be_sorted():
    ranks = np.random.default_rng(0).permutation(N_HAND_RANKS)
    order, ends, n_groups = sort_hands(ranks)
    assert np.array_equal(ranks[order], np.arange(N_HAND_RANKS))
    assert n_groups == N_HAND_RANKS
    assert np.array_equal(ends, np.arange(1, N_HAND_RANKS + 1))


@st.composite
def ranked_pairs(draw):
    """A number of cards, and for each pair of them a rank (few, so that many tie) and a weight."""
    n_cards = draw(st.integers(2, 9))
    n_hands = n_cards * (n_cards - 1) // 2
    ranks = st.integers(0, draw(st.sampled_from([0, 2, 10, TOP_RANK])))
    weights = st.integers(0, 5)
    lists = (draw(st.lists(of, min_size=n_hands, max_size=n_hands)) for of in (ranks, weights))
    return n_cards, *lists


@given(ranked_pairs())
def test_scores_are_those_of_all_pairs_of_hands(case):
    n_cards, ranks, weights = case
    hands = list(combinations(range(n_cards), 2))
    for each in (weights, [1] * len(hands)):
        expected = score_pairs(ranks, each, hands)
        assert score(ranks, each, n_cards).tolist() == expected.tolist()


@given(ranked_pairs())
def test_scores_of_all_hands_add_up_to_one_point_per_showdown_and_side(case):
    n_cards, ranks, _ = case
    n_hands = n_cards * (n_cards - 1) // 2
    n_others = (n_cards - 2) * (n_cards - 3) // 2
    assert score(ranks, [1] * n_hands, n_cards).sum() == n_hands * n_others


@pytest.mark.parametrize(
    "deck", [Deck(6, 2), Deck((0, 3, 5, 7, 12), 3), Deck((2, 7, 12), 4)], ids=str
)
@pytest.mark.parametrize("n_clusters", [1, 4, 7])
def test_boards_of_small_decks_are_scored_as_pair_by_pair(deck, n_clusters):
    rng = np.random.default_rng(n_clusters)
    cluster_of = clusters_by_class(n_clusters)
    for _ in range(5):
        board = rng.permutation(deck.cards)[:5]
        s = make_board(board, deck, cluster_of)
        hands = hands_of(s)
        ranks = rank_hands(np.array([[*hand, *board] for hand in hands])).tolist()
        assert s.scores[0].tolist() == score_pairs(ranks, [1] * len(hands), hands).tolist()
        clusters = [cluster_of[high * (high - 1) // 2 + low] for low, high in hands]
        for x in range(n_clusters):
            expected = score_pairs(ranks, [int(of == x) for of in clusters], hands)
            found = [strength_kernels.read_score(s.scores, x, h) for h in range(len(hands))]
            assert found == expected.tolist()


@pytest.mark.parametrize("cards", BOARDS)
def test_full_boards_are_scored_as_in_one_large_comparison(cards):
    """1,081 hands on a board, each against the 990 that it shares no card with."""
    s = make_board(parse_cards(cards), FULL, EIGHT_RANGES.cluster_of)
    hands = np.array(hands_of(s))
    ranks = rank_hands(np.hstack([hands, np.tile(parse_cards(cards), (len(hands), 1))])).astype(int)
    disjoint = (hands[:, None, :, None] != hands[None, :, None, :]).all(axis=(2, 3))
    assert (disjoint.sum(axis=1) == 990).all()
    points = np.where(disjoint, np.sign(ranks[:, None] - ranks) + 1, 0)
    assert np.array_equal(s.scores[0], points.sum(axis=1))
    clusters = EIGHT_RANGES.cluster_of[hands[:, 1] * (hands[:, 1] - 1) // 2 + hands[:, 0]]
    total = 0
    for x in range(EIGHT_RANGES.n_clusters):
        found = np.array([strength_kernels.read_score(s.scores, x, h) for h in range(len(hands))])
        assert np.array_equal(found, points[:, clusters == x].sum(axis=1))
        total += found
    assert np.array_equal(total, s.scores[0])


def test_a_lane_holds_the_highest_score_of_a_full_deck():
    """A royal flush in hand beats all 990 others; every cluster but one is empty there."""
    cluster_of = np.zeros(1326, np.uint8)
    cluster_of[0] = 4  # the pair 2c2d, which is on the board
    s = make_board([0, 1, 40, 44, 48], FULL, cluster_of)  # 2c 2d Qc Kc Ac
    best = hands_of(s).index((32, 36))  # Tc Jc
    scores = [strength_kernels.read_score(s.scores, x, best) for x in range(8)]
    assert scores == [2 * 990, 0, 0, 0, 0, 0, 0, 0]


def test_scratch_memory_can_be_used_again_and_again():
    """The second board on the same memory gets what it gets on fresh memory."""
    rng = np.random.default_rng(0)
    s = strength_kernels.make_scratch(52, 5, 0, EIGHT_RANGES.cluster_of)
    for _ in range(20):
        board = rng.permutation(52)[:5]
        s.board[:] = board
        strength_kernels.score_board(FULL.cards, rank_tables(), s)
        assert not s.counts.any()
        assert not s.marks.any()
        fresh = make_board(board, FULL, EIGHT_RANGES.cluster_of)
        for name in ("cards", "ranks", "order", "weights", "scores"):
            assert np.array_equal(getattr(s, name), getattr(fresh, name))


def test_pairs_have_the_numbers_that_the_rest_of_the_package_gives_them():
    pairs = [strength_kernels.pair_of(low, high) for low, high in PAIR_CARDS]
    assert pairs == list(range(1326))


def tabulate(street, boards, bins=50, clusters=EIGHT_RANGES):
    """Sums, squares, histograms and OCHS of all classes; those of other boards stay zero."""
    tables = StrengthTables(bins=bins, clusters=clusters)
    spec = tables.spec(street)
    arrays = {name: np.zeros(c.shape, c.dtype) for name, c in spec.columns.items()}
    s = strength_kernels.make_scratch(52, 5, bins, clusters.cluster_of)
    strength_kernels.tabulate_boards(
        np.array(boards, np.uint8),
        0,
        len(boards),
        FULL.cards,
        rank_tables(),
        tables.isomorphism(street).tables,
        tables.bin_of,
        clusters.cluster_of,
        s,
        *arrays.values(),
    )
    return arrays


def points_of(hole, board):
    """[run-outs, opponents] 2, 1 or 0, and the numbers of the opponents' pairs."""
    left = np.setdiff1d(np.arange(52), [*hole, *board])
    n_more = 5 - len(board)
    pairs = np.array(list(combinations(range(len(left) - n_more), 2)))
    points, others = [], []
    for more in combinations(range(len(left)), n_more):
        hands = np.empty((1 + len(pairs), 7), np.uint8)
        hands[0, :2], hands[1:, :2] = hole, np.delete(left, more)[pairs]
        hands[:, 2:] = [*board, *left[list(more)]]
        ranks = rank_hands(hands).astype(int)
        points.append(np.sign(ranks[0] - ranks[1:]) + 1)
        low, high = hands[1:, :2].astype(int).T
        others.append(high * (high - 1) // 2 + low)
    return np.array(points), np.array(others)


FLOPS = {"2c7dJh": ["AcAd", "8h9h", "2d7c"], "TcJcQc": ["KcAc", "9d8d", "2h2s"]}
TURNS = {"2c7dJhQs": ["AcAd", "8h9h"], "5c5d5h5s": ["2c3d", "KcAc"]}


@pytest.mark.parametrize(("street", "cases"), [("flop", FLOPS), ("turn", TURNS)])
def test_hands_of_a_full_deck_against_all_run_outs_and_opponents(street, cases):
    boards = [parse_cards(board) for board in cases]
    arrays = tabulate(street, boards)
    classes = StrengthTables().isomorphism(street)
    for board, hands in zip(boards, cases.values(), strict=True):
        for hand in hands:
            points, others = points_of(parse_cards(hand), board)
            assert points.size == {"flop": 1081, "turn": 46}[street] * 990
            c = classes.index([*parse_cards(hand), *board])
            scores = points.sum(axis=1)
            assert arrays["sums"][c] == scores.sum()
            assert arrays["squares"][c] == (scores**2).sum()
            bins = np.minimum(scores * 50 // 1980, 49)
            assert arrays["histograms"][c].tolist() == np.bincount(bins, minlength=50).tolist()
            clusters = EIGHT_RANGES.cluster_of[others]
            for x in range(8):
                equity = points[clusters == x].mean() / 2
                assert arrays["ochs"][c, x] == pytest.approx(equity, rel=1e-6)


def test_every_hand_on_a_flop_together_wins_half_of_all_showdowns():
    board = parse_cards("2c7dJh")
    arrays = tabulate("flop", [board])
    classes = Isomorphism((2, 3))
    left = np.setdiff1d(np.arange(52), board)
    hands = np.array([[*pair, *board] for pair in combinations(left, 2)], np.uint8)
    of_hand = classes.index_many(hands)
    n_run_outs, n_opponents = 1081, 990
    total = arrays["sums"][of_hand].sum(dtype=np.int64)
    assert total == len(hands) * n_run_outs * n_opponents
    assert (arrays["histograms"][of_hand].sum(axis=1) == n_run_outs).all()
    assert set(np.flatnonzero(arrays["sums"])) <= set(of_hand.tolist())  # no other class touched


@pytest.mark.parametrize("kind", [np.int64, np.float64])
def test_rows_are_added_one_after_another(kind):
    rng = np.random.default_rng(4)
    of, rows = rng.integers(0, 5, 60), (1e3 * rng.random((60, 3))).astype(kind)
    totals = np.ones((5, 3), kind)
    expected = totals.copy()
    np.add.at(expected, of, rows)
    strength_kernels.add_rows(of, rows, totals)
    assert totals.tolist() == expected.tolist()  # to the bit: the order of sums is the same
