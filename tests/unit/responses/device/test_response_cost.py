"""What a response is said to take of a GPU, against what it takes with NumPy in its place."""

import tracemalloc

import numpy as np
import pytest

from counterfold.responses.device.device_responder import _list_boards
from counterfold.responses.device.response_cost import estimate_device
from counterfold.responses.device.street_pass import StreetPass, place_streets
from counterfold.responses.exact_response import ExactResponder
from helpers.random_bots import random_bot, random_policy

THREE_DEALS = "limit(bets=2, deck='QKA/cdh', board=(2, 1, 1))"


def responder_to(variant, rng):
    found, card_map, blueprint = random_bot(variant, rng)
    return ExactResponder(found.variant, card_map, random_policy(found, card_map, blueprint))


def test_memory_is_within_a_tenth_of_what_is_taken(rng):
    responder = responder_to(THREE_DEALS, rng)
    cost = estimate_device(responder, responder.boards)
    listed = _list_boards(responder, responder.boards[0])
    arrays = [a for street in listed.streets for a in (street.hands, street.ends, street.down)]
    taken = []
    for side in responder.sides:
        passes = StreetPass(side, np)
        streets = place_streets(np, listed.streets)
        passes.respond(streets, listed.root, listed.chance)  # what is kept is made now
        tracemalloc.start()
        passes.respond(streets, listed.root, listed.chance)
        taken.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        arrays += [passes._answers, passes._last.chances, passes._last.weights]
    assert cost.vector_bytes == pytest.approx(max(taken), rel=0.1)
    assert cost.table_bytes == pytest.approx(sum(array.nbytes for array in arrays), rel=0.1)
    assert cost.total_bytes == cost.vector_bytes + cost.table_bytes


def test_twice_the_boards_take_twice_the_time(rng):
    responder = responder_to("leduc-variant", rng)
    one, two = (estimate_device(responder, responder.boards[:n]) for n in (1, 2))
    assert two.seconds == pytest.approx(2 * one.seconds)
    assert two.total_bytes == one.total_bytes
