"""The order of tables against that of the slots of a game."""

import numpy as np
import pytest

from counterfold.games.holdem import betting_kernels as betting
from counterfold.public import infosets_kernels
from counterfold.ranges.joint.joint_pass import find_joint_lines
from counterfold.ranges.joint.joint_slots import JointSlots
from helpers.joint_games import SMALL, small_game


@pytest.fixture(params=SMALL)
def small(request):
    return small_game(request.param)


@pytest.fixture
def slots(small):
    return JointSlots(small.game, find_joint_lines(small.game), small.joint.n_sequences)


def test_every_slot_of_the_game_has_its_place(small, slots):
    game, table = small.game, np.arange(small.game.n_slots)
    moved = slots.from_classes(game, table)
    assert slots.n_slots == game.n_slots
    assert sorted(moved) == list(table)
    back = np.empty_like(table)
    infosets_kernels.by_class(moved, slots.layout, game.offsets, game.n_actions, back)
    assert (back == table).all()


def test_the_slots_of_a_seat_are_contiguous(small, slots):
    game = small.game
    actor = np.zeros(game.n_slots, int)
    nodes = game.graph.decisions
    for node, seat in zip(nodes, game.graph.field(betting.ACTOR)[nodes], strict=True):
        c = game.classes[node]
        actor[game.offsets[c] : game.offsets[c + 1]] = seat
    moved = slots.from_classes(game, actor)
    for seat, part in enumerate(slots.seats):
        assert (moved[part] == seat).all()
    assert slots.seats[0].stop == slots.seats[1].start
