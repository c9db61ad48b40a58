"""Gadgets against what their hands should come to choose."""

import numpy as np
import pytest

from counterfold.ranges.root_gadgets import MarginGadget, ResolveGadget, meets_enough

KEEP_ALL = np.array([1.0, 1.0, 1.0])


def test_hands_enter_where_they_gain():
    gadget = ResolveGadget(0, np.array([1.0, 1.0, 1.0]))
    assert gadget.weights() == pytest.approx([0.5, 0.5, 0.5])
    for _ in range(10):
        gadget.learn(np.array([2.0, 1.0, 0.0]), KEEP_ALL)
    assert gadget.weights() == pytest.approx([1.0, 0.5, 0.0])


def test_a_share_of_the_range_enters_whatever_it_wins():
    always = np.array([0.0, 3.0])
    gadget = ResolveGadget(1, np.zeros(2), always, 0.5)
    gadget.learn(np.array([-1.0, -1.0]), KEEP_ALL)
    assert gadget.weights() == pytest.approx([0.0, 1.5])


def test_the_hand_that_gains_most_enters():
    met = np.array([2.0, 1.0, 0.0])
    gadget = MarginGadget(0, np.array([2.0, 1.0, 5.0]), met)
    first = gadget.weights()
    assert first[0] * met[0] == pytest.approx(first[1] * met[1])
    assert first[2] == 0.0
    for _ in range(10):  # gains of one half and of one chip from each hand met
        gadget.learn(np.array([3.0, 2.0, 9.0]), KEEP_ALL)
    weights = gadget.weights()
    assert weights[0] == weights[2] == 0.0
    assert weights[1] > 0.0


def test_hands_that_meet_next_to_nothing_never_enter():
    """What they win on average is rounding, and would outweigh all others."""
    met = np.array([1.0, 0.5, 1e-9])
    assert meets_enough(met).tolist() == [True, True, False]
    assert not meets_enough(np.zeros(2)).any()
    gadget = MarginGadget(0, np.zeros(3), met)
    for _ in range(10):
        gadget.learn(np.array([0.1, 0.2, 1e-6]), KEEP_ALL)
        assert gadget.weights()[2] == 0.0
    assert gadget.weights()[1] == gadget.weights().max() < 100.0


def test_regrets_fade():
    gadget = ResolveGadget(0, np.array([1.0]))
    gadget.learn(np.array([3.0]), KEEP_ALL)
    assert gadget.regrets[:, 0] == pytest.approx([1.0, -1.0])
    gadget.learn(np.array([1.0]), np.array([0.5, 0.25, 1.0]))
    assert gadget.regrets[:, 0] == pytest.approx([0.5, -0.25])
