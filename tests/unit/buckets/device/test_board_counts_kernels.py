"""Kernels that count boards, on a full deck against plain NumPy and the count by card removal."""

from itertools import combinations

import numpy as np
import pytest

from counterfold.buckets.device import board_counts_kernels
from counterfold.cards import strength_kernels
from counterfold.cards.ranking_kernels import rank_tables
from counterfold.jit.cuda import open_source
from helpers.array_libraries import LIBRARIES, library
from helpers.cuda.emulated_cuda import emulated_cuda
from helpers.hands import meet

DECK = np.arange(52, dtype=np.uint8)
HANDS = np.array(list(combinations(range(47), 2)), np.uint8)
N_HANDS, N_PLACES, N_PAIRS, BLOCK = len(HANDS), 49, 1326, 256
# Two of the boards have a flush in reach, one has none.
BOARDS = np.array([[0, 4, 8, 12, 17], [3, 14, 21, 28, 39], [2, 6, 10, 50, 51]], np.uint8)


@pytest.fixture(params=[*LIBRARIES, "cuda source"])
def xp(request):
    return emulated_cuda() if request.param == "cuda source" else library(request.param)


@pytest.fixture
def launch(xp):
    return open_source(xp, "counterfold.buckets.device", "board_counts.cu", board_counts_kernels)


def to_numpy(array):
    return array if isinstance(array, np.ndarray) else array.get()


def sides(xp):
    return [xp.asarray(np.ascontiguousarray(side)) for side in HANDS.T]


def left_by(board):
    return np.setdiff1d(DECK, board)


def score(board):
    """Ranks and scores by card removal."""
    scratch = strength_kernels.make_scratch(52, 5, 0, np.zeros(0, np.uint8))
    scratch.board[:] = board
    strength_kernels.score_board(DECK, rank_tables(), scratch)
    return scratch.ranks, scratch.scores[0]


def test_ranks_and_scores_are_those_by_card_removal(xp, launch):
    tables = rank_tables()
    rows = tables.keys, tables.low, tables.high[2], tables.unsuited[2], tables.by_mask[4]
    ranks = xp.full((3, N_HANDS), -1, np.int16)
    scores = xp.full((3, N_HANDS), 9999, np.uint16)
    launch(
        "score_boards", 3 * BLOCK, 3, 52, N_HANDS, xp.asarray(DECK), xp.asarray(BOARDS), *sides(xp),
        *[xp.asarray(np.ascontiguousarray(row)) for row in rows], ranks, scores, block=BLOCK,
    )  # fmt: skip
    for n, board in enumerate(BOARDS):
        expected = score(board)
        np.testing.assert_array_equal(to_numpy(ranks)[n], expected[0])
        np.testing.assert_array_equal(to_numpy(scores)[n], expected[1])


@pytest.mark.parametrize("n_buckets", [1, 5])
def test_pairs_and_wins_of_a_full_deck_are_those_of_plain_matrices(xp, launch, n_buckets, rng):
    """Few sequences of many hands, and many of few; turns and cuts are made up."""
    n_turns = 12
    n = n_turns * n_buckets
    turns = rng.integers(0, n_turns, (1, N_PLACES, N_PAIRS)).astype(np.int32)
    cuts = np.sort(rng.integers(0, 1981, (n_turns, n_buckets - 1)), axis=1).astype(np.int32)
    within = np.zeros((n, 0), np.int32)
    places = np.array([[0, 3, 7], [0, 11, 40], [0, 0, 48]], np.int32)
    weights = np.array([1, 4, 12])
    ranks, scores = (np.array(rows) for rows in zip(*map(score, BOARDS), strict=True))
    sums = xp.zeros((n * (n + 1) // 2, 2), np.int64)
    launch(
        "tally_showdowns", 6 * BLOCK, 3, 52, N_HANDS, N_PLACES, N_PAIRS, n_buckets, n_buckets - 1,
        0, n, xp.asarray(DECK), xp.asarray(BOARDS), *sides(xp), xp.asarray(places),
        xp.asarray(weights), xp.asarray(turns), xp.asarray(cuts), xp.asarray(within),
        xp.asarray(ranks.astype(np.int16)), xp.asarray(scores.astype(np.uint16)), sums, block=BLOCK,
    )  # fmt: skip
    packed = xp.zeros((n, n), np.int64)
    launch("pack_sums", n * n, n, sums, packed, block=BLOCK)
    pairs, net = np.zeros((2, n, n))
    disjoint = meet(HANDS).astype(float)  # counts are exact in it, and its products quick
    for k, board in enumerate(BOARDS):
        low, high = left_by(board).astype(int)[HANDS.astype(int)].T
        by = np.sign(ranks[k].astype(int)[:, None] - ranks[k]) * disjoint
        for place in places[k, 1:]:
            before = turns[0, place][high * (high - 1) // 2 + low]
            bucket = (cuts[before] <= scores[k][:, None]).sum(axis=1)
            of = np.eye(n)[before * n_buckets + bucket]
            pairs += weights[k] * (of.T @ (disjoint @ of))
            net += weights[k] * (of.T @ (by @ of))
    np.testing.assert_array_equal(to_numpy(packed), np.triu(pairs) + np.tril(net, -1))
