"""Hands of a board by strength and by type, against the deals that they come from."""

import numpy as np
import pytest

from counterfold.errors import UnsupportedGameError
from counterfold.games import parse_game
from counterfold.public.boards import check_hands_stay
from counterfold.public.deals import Dealer
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


def test_hands_types_and_strengths_are_those_of_the_deals(listed):
    dealer, deals, labels, source = listed
    boards, layout = source.boards, dealer.layout
    groups = boards_in_order(dealer, deals)
    assert len(groups) == len(source)
    for i, rows in enumerate(groups):
        assert source.weights[i] == pytest.approx(deals.weights[rows].sum())
        size = layout.board_cards + int(boards.lengths[i]) - layout.last_street
        board = deals.cards[rows[0], 2 * layout.hole_cards :][:size]
        hands = hands_by_place(dealer, boards, i, board)
        assert set(hands) == {hand_of(deals, k, 0) for k in rows}
        place = {hand: at for at, hand in enumerate(hands)}
        group = np.searchsorted(
            boards.ends[i, : boards.n_groups[i]], np.arange(len(hands)), "right"
        )
        for k in rows:
            first, second = place[hand_of(deals, k, 0)], place[hand_of(deals, k, 1)]
            strengths = deals.strengths[k, :, 0]
            assert np.sign(group[first] - group[second]) == np.sign(strengths[0] - strengths[1])
            known = [s for s, row in enumerate(layout.stages) if row[5] <= boards.lengths[i]]
            t = boards.types[i, first]
            found = [boards.buckets[i, s, boards.rows[i, s, t]] for s in known]
            assert found == labels[k, 0, known].tolist()


def test_types_are_as_few_as_can_be_and_counted(listed):
    *_, source = listed
    boards = source.boards
    for i in range(len(source)):
        n, n_types = boards.n_hands[i], boards.n_types[i]
        types = boards.types[i, :n]
        assert np.bincount(types).tolist() == boards.sizes[i, :n_types].tolist()
        stages = np.flatnonzero(boards.n_rows[i])
        tuples = {tuple(boards.rows[i, stages, t]) for t in range(n_types)}
        assert len(tuples) == n_types
        for stage in stages:
            buckets = boards.buckets[i, stage, : boards.n_rows[i, stage]]
            assert (np.diff(buckets) > 0).all()
            same = boards.rows[i, stage, :n_types].tolist() == list(range(buckets.size))
            assert boards.aligned[i, stage] == same


def test_boards_are_drawn_with_their_probabilities():
    *_, source = list_boards("river-of-blood(stack=6, deck='QKA/cd', board=(1,))")
    drawn = source.batch(5, 0, 20_000)
    shares = np.bincount(source.boards.lengths, source.weights)
    for length in np.flatnonzero(shares):
        # five standard deviations of a share
        error = 5 * (shares[length] * (1 - shares[length]) / 20_000) ** 0.5
        assert np.mean(drawn.lengths == length) == pytest.approx(shares[length], abs=error)
    later = source.batch(5, 7, 3)
    np.testing.assert_array_equal(later.types, drawn.types[7:10])


def test_hands_that_change_are_refused():
    with pytest.raises(UnsupportedGameError, match="hole cards that never change"):
        check_hands_stay(Dealer(parse_game("discard")))
