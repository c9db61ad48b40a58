"""Which games full-width passes take, and what they need."""

import numpy as np
import pytest

from counterfold.errors import UnsupportedGameError
from counterfold.games.holdem import VARIANTS
from counterfold.ranges.joint.joint_pass import JointPass, find_joint_lines, pass_bytes
from helpers.joint_games import make_game, small_game


def test_games_that_joint_tables_do_not_complete_are_refused():
    leduc = VARIANTS["leduc-variant"]()
    with pytest.raises(UnsupportedGameError, match="merge=False"):
        find_joint_lines(
            make_game(leduc, "min", (6, 30), features="street * pot * cards", merge=True)
        )
    with pytest.raises(UnsupportedGameError, match="feature history"):
        find_joint_lines(make_game(leduc, "min", (6, 30), features="street * pot * cards"))
    discard = VARIANTS["discard"](stack=4)
    with pytest.raises(
        UnsupportedGameError, match=r"discard.* has draws, swaps, auctions, runs or more"
    ):
        find_joint_lines(make_game(discard, "allin", (2,) * 6))


def test_memory_is_at_least_that_of_vectors_and_tables():
    small = small_game("three streets")
    passes = JointPass(small.game, small.joint, np.float64)
    weights = np.ones(small.game.n_slots)
    needed = sum(vectors.nbytes for seat in (0, 1) for vectors in passes.reach(seat, weights))
    needed += sum(8 * n * n for n in small.joint.n_sequences)
    n_sequences = small.joint.n_sequences
    assert needed <= pass_bytes(passes.lines, n_sequences, np.float64) <= 2 * needed
