"""How often actions of a solution are played."""

import numpy as np
import pytest

from counterfold.search.played_shares import draw_action, play_shares


def test_rare_actions_are_not_played():
    shares = np.array([0.1, 0.6, 0.3])
    assert [draw_action(shares, number, 0.0, False) for number in (0.05, 0.5, 0.95)] == [0, 1, 2]
    assert [draw_action(shares, number, 0.2, False) for number in (0.0, 0.7, 0.999)] == [1, 2, 2]
    assert draw_action(shares, 0.99, 0.9, False) == 1
    assert draw_action(shares, 0.99, 0.0, True) == 1


@pytest.mark.parametrize(
    ("threshold", "purify"), [(0.0, False), (0.2, False), (0.9, False), (0.0, True)]
)
def test_shares_are_how_often_actions_are_drawn(threshold, purify):
    shares = np.array([[0.1, 0.25, 0.0], [0.6, 0.25, 0.0], [0.3, 0.5, 0.0]])
    played = play_shares(shares, threshold, purify)
    numbers = (np.arange(4000) + 0.5) / 4000
    for hand in range(3):
        drawn = [draw_action(shares[:, hand], number, threshold, purify) for number in numbers]
        counts = np.bincount(drawn, minlength=3) / numbers.size
        assert played[:, hand] == pytest.approx(counts, abs=1e-3)
        assert played[:, hand] == pytest.approx(play_shares(shares[:, hand], threshold, purify))
