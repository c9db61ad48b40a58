"""Lines of betting trees and public graphs, counted and followed."""

import numpy as np
import pytest

from counterfold.games.holdem import VARIANTS
from counterfold.ranges.line_tree import NONE, find_lines
from helpers.joint_games import SMALL, make_game, small_game


@pytest.fixture(scope="module")
def limit():
    return find_lines(make_game(VARIANTS["limit"](), "limit-4", (5, 25, 125, 625)).graph)


@pytest.fixture(params=SMALL)
def small(request):
    return find_lines(small_game(request.param).game.graph)


def by_street(tree, seat, lines):
    """How many of `lines`, given as booleans, each street has."""
    return np.add.reduceat(lines, tree.first_lines[:-1, seat]).tolist()


def test_limit_holdem_by_count(limit):
    # Decisions 8, 70, 630, 5670; folds 7, 56, 504, 4536; showdowns 5103 (computed; the thesis).
    assert np.diff(limit.streets).tolist() == [1, 7, 63, 567]
    decisions = sum(np.diff(seat.points[limit.streets]) for seat in limit.seats)
    assert decisions.tolist() == [8, 70, 630, 5670]
    for p, seat in enumerate(limit.seats):
        assert by_street(limit, p, seat.fold != NONE) == [7, 56, 504, 4536]
        assert by_street(limit, p, seat.show != NONE) == [0, 0, 0, 5103]
        assert by_street(limit, p, seat.later != NONE) == [7, 63, 567, 0]
    assert limit.shows.tolist() == [False, False, False, True]


def test_every_river_of_limit_holdem_is_alike(limit):
    # 10 decisions with 26 actions, 8 folds and 9 showdowns.
    rivers = slice(limit.streets[-2], None)
    assert {*sum(np.diff(seat.points[rivers]) for seat in limit.seats)} == {10}
    assert {*sum(np.diff(seat.starts[rivers]) - 1 for seat in limit.seats)} == {26}
    for seat in limit.seats:
        starts = seat.starts[rivers][:-1]
        assert {*np.add.reduceat(seat.fold != NONE, starts)} == {8}
        assert {*np.add.reduceat(seat.show != NONE, starts)} == {9}


def test_stakes_of_limit_holdem(limit):
    # Before the flop bets go 2, 4, 6, 8: a seat that folds has put in one bet less than the other,
    # the small blind 1 if it folds at once. At most 4 bets of 2, 2, 4 and 4 chips go in.
    dealer = limit.seats[0]
    preflop = slice(0, limit.first_lines[1, 0])
    won = sorted(dealer.fold_stake[preflop][dealer.fold[preflop] != NONE].tolist())
    assert won == [-6, -4, -2, -1, 2, 4, 6]
    for seat in limit.seats:
        assert seat.show_stake.max() == 48.0
        assert not seat.show_cost.any()


def test_lines_lie_start_by_start_with_parents_first(small):
    for lines in small.seats:
        n = lines.starts[-1]
        assert (lines.parent < lines.first).all()
        owned = [lines.starts[:-1]]
        owned += [f + np.arange(a) for f, a in zip(lines.first, lines.n_actions, strict=True)]
        assert sorted(np.concatenate(owned)) == list(range(n))
        start = np.repeat(np.arange(lines.source.size), np.diff(lines.points))
        for line in (lines.parent, lines.first):
            assert (lines.starts[start] <= line).all()
            assert (line < lines.starts[start + 1]).all()


def test_starts_continue_the_lines_that_lead_to_them(small):
    for lines in small.seats:
        leading = np.flatnonzero(lines.later != NONE)
        assert (lines.source[lines.later[leading]] == leading).all()
        assert lines.source[0] == NONE
        assert leading.size == lines.source.size - 1


def test_ends_are_those_of_both_seats(small):
    one, other = small.seats
    for end in ("fold", "show"):
        ending = np.flatnonzero(getattr(one, end) != NONE)
        theirs = getattr(one, end)[ending]
        assert (getattr(other, end)[theirs] == ending).all()
        assert ending.size == (getattr(other, end) != NONE).sum()
    folding = np.flatnonzero(one.fold != NONE)
    assert (one.fold_stake[folding] == -other.fold_stake[one.fold[folding]]).all()
    showing = np.flatnonzero(one.show != NONE)
    assert (one.show_stake[showing] == other.show_stake[one.show[showing]]).all()


@pytest.mark.parametrize("name", SMALL)
def test_every_row_of_a_street_is_owned_once(name):
    tree = find_lines(small_game(name).game.graph)
    for p, lines in enumerate(tree.seats):
        for k in range(tree.n_streets):
            begin, end = lines.points[tree.streets[k]], lines.points[tree.streets[k + 1]]
            owned = [
                row + np.arange(n)
                for row, n in zip(lines.row[begin:end], lines.n_actions[begin:end], strict=True)
            ]
            rows = np.concatenate([np.zeros(0, int), *owned])
            assert sorted(rows) == list(range(tree.n_rows[k, p]))
