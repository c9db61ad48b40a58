"""Folds and showdowns in vector form, against sums over pairs of hands."""

import numpy as np
import pytest

from counterfold.training.boards import board_ends_kernels
from counterfold.training.boards.public_chance import hand_work
from helpers.listed_boards import (
    VARIANTS,
    boards_in_order,
    hand_of,
    hands_by_place,
    list_boards,
)


@pytest.fixture(params=VARIANTS)
def listed(request):
    return list_boards(request.param)


def test_ends_are_sums_over_disjoint_pairs(listed, rng):
    dealer, deals, _, source = listed
    boards = source.boards
    work = hand_work(dealer)
    for i, rows in list(enumerate(boards_in_order(dealer, deals)))[:12]:
        size = dealer.layout.board_cards + int(boards.lengths[i]) - dealer.layout.last_street
        board = deals.cards[rows[0], 2 * dealer.layout.hole_cards :][:size]
        place = {h: at for at, h in enumerate(hands_by_place(dealer, boards, i, board))}
        n = boards.n_types[i]
        reach = rng.random(n).astype(np.float32)
        disjoint, beaten = np.zeros((2, n), np.float32)
        board_ends_kernels.count_disjoint(boards, i, reach, work, disjoint)
        board_ends_kernels.count_beaten(boards, i, reach, work, beaten)
        # Every pair of disjoint hands is a deal.
        apart, net = np.zeros((2, n, n))
        for k in rows:
            own, other = (boards.types[i, place[hand_of(deals, k, seat)]] for seat in (0, 1))
            apart[other, own] += 1
            net[other, own] += np.sign(deals.strengths[k, 0, 0] - deals.strengths[k, 1, 0])
        assert disjoint == pytest.approx(reach @ apart, abs=1e-4)
        assert beaten == pytest.approx(reach @ net, abs=1e-4)
        matrices = np.zeros((2, n, n), np.float32)
        board_ends_kernels.fill_matrices(boards, i, reach, work, *matrices)
        assert matrices[0] == pytest.approx(apart)
        assert matrices[1] == pytest.approx(net)
