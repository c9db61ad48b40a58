"""SeatSequences of public trees, counted and followed."""

import numpy as np
import pytest

from counterfold.errors import UnsupportedGameError
from counterfold.games.holdem import VARIANTS
from counterfold.ranges.seat_sequences import NONE, find_seat_sequences
from helpers.joint_games import SMALL, make_game, small_game


@pytest.fixture(scope="module")
def limit():
    return find_seat_sequences(make_game(VARIANTS["limit"](), "limit-4", (5, 25, 125, 625)))


def test_limit_holdem_by_count(limit):
    # Decisions 8, 70, 630, 5670; folds 7, 56, 504, 4536; showdowns 5103 (computed; the thesis).
    decisions = [sum(lines.slot.size for lines in street.seats) for street in limit]
    assert decisions == [8, 70, 630, 5670]
    for seat in (0, 1):
        folds = [(street.seats[seat].fold != NONE).sum() for street in limit]
        shows = [(street.seats[seat].show != NONE).sum() for street in limit]
        assert folds == [7, 56, 504, 4536]
        assert shows == [0, 0, 0, 5103]
        for street, n_folds, n_shows in zip(limit, folds, shows, strict=True):
            for block, n in ((street.folds[seat], n_folds), (street.shows[seat], n_shows)):
                assert block.stop - block.start == n


def test_stakes_of_limit_holdem(limit):
    # Before the flop bets go 2, 4, 6, 8: a seat that folds has put in one bet less than the other,
    # the small blind 1 if it folds at once. At most 4 bets of 2, 2, 4 and 4 chips go in.
    preflop, river = limit[0].seats, limit[-1].seats
    won = sorted(preflop[0].fold_stake[preflop[0].fold != NONE].tolist())
    assert won == [-6, -4, -2, -1, 2, 4, 6]
    assert river[0].show_stake.max() == -river[1].show_stake.min() == 48.0


@pytest.mark.parametrize("name", SMALL)
def test_lines_lie_start_by_start_with_parents_first(name):
    for street in find_seat_sequences(small_game(name).game):
        for lines in street.seats:
            n = lines.row.size
            assert sorted(lines.row) == list(range(n))
            assert (lines.parent < lines.first).all()
            owned = [lines.starts[:-1]]
            owned += [f + np.arange(a) for f, a in zip(lines.first, lines.n_actions, strict=True)]
            assert sorted(np.concatenate(owned)) == list(range(n))
            start = np.repeat(np.arange(lines.source.size), np.diff(lines.points))
            for line in (lines.parent, lines.first):
                assert (lines.starts[start] <= line).all()
                assert (line < lines.starts[start + 1]).all()


@pytest.mark.parametrize("name", SMALL)
def test_what_one_seat_wins_at_an_end_the_other_loses(name):
    for street in find_seat_sequences(small_game(name).game):
        one, other = street.seats
        for end, stake in (("fold", "fold_stake"), ("show", "show_stake")):
            won = [getattr(lines, stake)[getattr(lines, end) != NONE] for lines in (one, other)]
            assert sorted(won[0]) == sorted(-won[1])


@pytest.mark.parametrize("name", SMALL)
def test_every_slot_is_owned_once(name):
    game = small_game(name).game
    owned = np.zeros(game.n_slots, int)
    for street, n in zip(
        find_seat_sequences(game), small_game(name).joint.n_sequences, strict=True
    ):
        for lines in street.seats:
            for slot, n_actions in zip(lines.slot, lines.n_actions, strict=True):
                owned[slot : slot + n * n_actions] += 1
    assert (owned == 1).all()


def test_what_has_no_lines_is_refused():
    leduc = VARIANTS["leduc-variant"]()
    with pytest.raises(UnsupportedGameError, match="merge=False"):
        find_seat_sequences(
            make_game(leduc, "min", (6, 30), features="street * pot * cards", merge=True)
        )
    with pytest.raises(UnsupportedGameError, match="feature history"):
        find_seat_sequences(make_game(leduc, "min", (6, 30), features="street * pot * cards"))
    discard = VARIANTS["discard"](stack=4)
    with pytest.raises(UnsupportedGameError, match=r"discard.* has draws, swaps or runs"):
        find_seat_sequences(make_game(discard, "allin", (2,) * 6))
