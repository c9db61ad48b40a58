"""Rows of a device against those of the processor; with NumPy the twins go the same way."""

import numpy as np
import pytest

from counterfold.bets.spot_menu_text import parse_spot_menu
from counterfold.errors import DeviceError
from counterfold.responses.device import response_tables, street_pass
from counterfold.responses.device.device_responder import (
    find_library,
    respond_on_device,
    walks_on_device,
)
from counterfold.responses.device.response_tables import find_last
from counterfold.responses.exact_response import ExactResponder
from helpers.array_libraries import LIBRARIES, library
from helpers.cuda.emulated_cuda import pretend_gpu
from helpers.random_bots import random_bot, random_policy

LIMIT = "limit(bets=2, deck='QKA/cd', board=(1, 1))"
THREE_DEALS = "limit(bets=1, deck='QKA/cdh', board=(2, 1, 1))"
GAMES = ["leduc-variant", LIMIT, THREE_DEALS, "limit(bets=3, deck='JQKA/cd', board=(1, 2))"]


@pytest.fixture(params=LIBRARIES)
def xp(request):
    return library(request.param)


def assert_same_rows(responder, boards, xp, bound):
    expected = list(responder.respond(boards, threads=1))
    found = list(respond_on_device(responder, boards, xp, threads=1))
    assert [row.board for row in found] == boards
    for ours, theirs in zip(found, expected, strict=True):
        for one, other in zip(ours.worth, theirs.worth, strict=True):
            np.testing.assert_allclose(one, other, atol=bound)
            assert other.any()


# Chances of the bot are of 32 bits whatever the vectors are; the device takes their sum to be 1.
@pytest.mark.parametrize(("dtype", "bound"), [(np.float64, 5e-6), (np.float32, 2e-4)])
@pytest.mark.parametrize("variant", GAMES)
def test_rows_are_those_of_the_processor(variant, dtype, bound, xp, rng):
    found, card_map, blueprint = random_bot(variant, rng)
    policy = random_policy(found, card_map, blueprint)
    responder = ExactResponder(found.variant, card_map, policy, dtype=dtype)
    assert walks_on_device(responder)
    assert_same_rows(responder, responder.boards[:6], xp, bound)


def responder_to(variant, rng, *, spares=False, **options):
    found, card_map, blueprint = random_bot(variant, rng)
    if spares:
        spare_last(blueprint, rng)
    policy = random_policy(found, card_map, blueprint)
    return ExactResponder(found.variant, card_map, policy, **options)


def spare_last(blueprint, rng):
    """Let half of the decisions never do what is last, which is to raise where one may."""
    graph, game = blueprint.game.graph, blueprint.game
    for node in graph.decisions:
        width = int(graph.starts[node + 1] - graph.starts[node])
        if rng.random() < 0.5:
            at, n = int(game.node_offsets[node]), int(game.n_buckets[game.classes[node]])
            rows = blueprint.quantized[at : at + n * width].reshape(n, width)
            rows[:, -1] = 0
            rows[:, 0] = np.maximum(rows[:, 0], 1)


@pytest.mark.parametrize(
    ("variant", "spares", "dtype", "bound"),
    [(LIMIT, True, np.float64, 5e-6), (THREE_DEALS, False, np.float32, 2e-4)],
)
def test_the_cuda_source_gives_the_same_rows(variant, spares, dtype, bound, rng, monkeypatch):
    """Run by a C++ compiler on a processor."""
    responder = responder_to(variant, rng, spares=spares, dtype=dtype)
    assert_same_rows(responder, responder.boards[:3], pretend_gpu(monkeypatch), bound)


def test_starts_of_all_shapes_are_valued(xp, rng):
    responder = responder_to(LIMIT, rng, spares=True)
    last = find_last(responder.sides[0])
    assert 0 < last.n_common < len(last.members)
    assert_same_rows(responder, responder.boards[:3], xp, 2e-4)


def test_a_bot_that_is_not_valued_by_street_is_valued(xp, rng):
    responder = responder_to(LIMIT, rng, by_street=False)
    assert_same_rows(responder, responder.boards[:3], xp, 2e-4)


def test_chances_that_do_not_add_up_get_slots_of_their_own(xp, rng, monkeypatch):
    responder = responder_to(LIMIT, rng)
    narrow = find_last(responder.sides[0]).width
    monkeypatch.setattr(response_tables._LastStreet, "_is_certain", lambda self, line: False)
    assert find_last(responder.sides[0]).width > narrow
    assert_same_rows(responder, responder.boards[:3], xp, 2e-4)


def test_boards_above_in_parts_are_worth_the_same(xp, rng, monkeypatch):
    responder = responder_to(THREE_DEALS, rng)
    monkeypatch.setattr(street_pass, "MOST_BYTES", 1)
    assert_same_rows(responder, responder.boards[:2], xp, 2e-4)


def test_boards_of_later_streets_are_those_of_the_processor(xp, rng):
    responder = responder_to(THREE_DEALS, rng)
    for street in (2, 3):
        assert_same_rows(responder, responder.sample(3, 0, street), xp, 2e-3)


def test_work_ends_when_it_is_told_to(rng):
    responder = responder_to("leduc-variant", rng)
    calls = iter([False] * 2)
    boards = responder.boards
    rows = list(respond_on_device(responder, boards, np, 1, lambda: next(calls, True)))
    assert [row.board for row in rows] == boards[:2]


def test_free_bets_stay_on_the_processor(rng):
    found, card_map, blueprint = random_bot(
        "nolimit(stack=7, deck='QKA/cd', board=(1,))", rng, bets="100%, allin; cap 2"
    )
    policy = random_policy(found, card_map, blueprint)
    responder = ExactResponder(found.variant, card_map, policy, parse_spot_menu("50%; cap 2"))
    assert not walks_on_device(responder)
    assert find_library(responder, "auto") is None
    with pytest.raises(DeviceError, match=r"a response in nolimit.* cannot use a GPU yet"):
        find_library(responder, "gpu")
