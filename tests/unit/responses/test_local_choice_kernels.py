"""What a local responder knows of its hand: a table before the flop, run-outs from then on."""

import numpy as np
import pytest

from counterfold.bots.played_run import policy_of
from counterfold.jit.random import stream_key
from counterfold.responses.local_choice_kernels import find_own_margins
from counterfold.responses.responder import Responder


@pytest.fixture(scope="module")
def responder(small_runs):
    run = small_runs["nolimit"]
    return Responder(run.plan.dealer, policy_of(run), run.cards)


def margins(responder, table, size, n_draws=0):
    """The margins of a hand on a board of so many cards, with a table for hands before the flop."""
    deck = responder.opponent.hands.deck
    hole, board = deck[[2, 5]][: 2 - n_draws], deck[[1, 4, 7, 3, 6]]
    seen = np.int64(sum(1 << int(card) for card in (*deck[[2, 5]], *board[:size])))
    room, key = responder._room(), np.uint64(stream_key(1, 0))
    opponent = responder.opponent._replace(first_margins=table)
    find_own_margins(opponent, board, size, hole, n_draws, seen, key, room)
    return room.margins.copy()


def test_a_table_is_read_before_the_flop_alone(responder, rng):
    cards = responder.opponent.hands.cards.tolist()
    table = rng.random((len(cards), len(cards))).astype(np.float32)
    none = np.zeros((0, 0), np.float32)
    deck = responder.opponent.hands.deck
    row = table[cards.index(deck[[2, 5]].tolist())]
    assert np.array_equal(margins(responder, table, 0), row)
    for size, n_draws in ((1, 0), (2, 0), (0, 1), (1, 1)):
        known = margins(responder, none, size, n_draws)
        assert np.array_equal(margins(responder, table, size, n_draws), known)
        assert known.any()
        assert not np.array_equal(known, row)
    assert np.abs(margins(responder, none, 0)).max() <= 1.0
