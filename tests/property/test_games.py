"""Whatever is played, a game keeps its promises."""

import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfold.errors import IllegalActionError
from counterfold.games import (
    Goofspiel,
    Kuhn,
    Leduc,
    LiarsDice,
    Matrix,
    NashBargaining,
    RockPaperScissors,
    parse_game,
)
from helpers.game_plays import choices

numbers = st.floats(-1e6, 1e6)
shapes = st.tuples(st.integers(1, 4), st.integers(1, 4))


def grids(shape):
    rows, columns = shape
    row = st.tuples(*[numbers] * columns)
    return st.tuples(*[row] * rows)


matrices = shapes.flatmap(lambda shape: st.builds(Matrix, grids(shape), st.none() | grids(shape)))

games = st.one_of(
    st.builds(Kuhn, st.integers(2, 12)),
    st.builds(
        Leduc,
        ranks=st.integers(3, 12),
        suits=st.integers(1, 4),
        ante=st.integers(1, 9),
        bets=st.tuples(st.integers(1, 9), st.integers(1, 9)),
        raises=st.integers(1, 4),
    ),
    st.builds(LiarsDice, faces=st.integers(2, 9), dice=st.integers(1, 5)),
    st.builds(
        Goofspiel, st.integers(2, 13), st.sampled_from(["descending", "ascending", "random"])
    ),
    st.builds(NashBargaining, st.integers(1, 30)),
    st.just(RockPaperScissors()),
    matrices,
)


def playout(game, data):
    """The states of one play, chosen by hypothesis."""
    state = game.root()
    yield state
    while options := choices(state):
        state = state.child(data.draw(st.sampled_from([action for action, _ in options])))
        yield state


@given(games)
def test_names_are_read_back(game):
    assert parse_game(game.name) == game


@given(games, st.data())
def test_a_state_is_of_one_kind_and_play_ends(game, data):
    states = list(playout(game, data))
    for state in states[:-1]:
        assert state.utilities is None
        if state.chance is not None:
            outcomes = [outcome for outcome, _ in state.chance.outcomes()]
            odds = [probability for _, probability in state.chance.outcomes()]
            assert len(set(outcomes)) == len(outcomes)
            assert min(odds) > 0
            assert math.fsum(odds) == pytest.approx(1, abs=1e-12)
        else:
            infoset = state.infoset
            assert infoset.player in range(game.n_players)
            assert len(set(infoset.actions)) == len(infoset.actions) > 0
            assert all(isinstance(action, str) for action in infoset.actions)
    assert states[-1].chance is None


@given(games, st.data())
def test_utilities(game, data):
    *_, last = playout(game, data)
    assert len(last.utilities) == game.n_players
    assert all(isinstance(won, float) and math.isfinite(won) for won in last.utilities)
    if game.zero_sum:
        assert sum(last.utilities) == 0


@given(games, st.data())
def test_states_are_values(game, data):
    for state in playout(game, data):
        copy = pickle.loads(pickle.dumps(state))
        assert (copy, hash(copy), repr(copy)) == (state, hash(state), repr(state))


@given(games, st.data())
def test_a_player_recalls_what_it_knew(game, data):
    """The betting, bids and prizes that a player knows only grow."""
    before = {}
    for state in playout(game, data):
        if state.utilities is not None or state.chance is not None:
            continue
        infoset = state.infoset
        for name in ("history", "bids", "wins", "prizes"):
            if name in dict(infoset.facts):
                known = infoset[name]
                assert known.startswith(before.get((infoset.player, name), ""))
                before[infoset.player, name] = known


@given(games, st.data(), st.one_of(st.none(), st.integers(), st.text(max_size=4)))
def test_illegal_actions_are_refused(game, data, action):
    for state in playout(game, data):
        if action not in [legal for legal, _ in choices(state)]:
            with pytest.raises(IllegalActionError):
                state.child(action)


@given(st.builds(Leduc, raises=st.integers(1, 4)), st.data())
def test_chips_on_the_table_are_what_the_loser_pays(game, data):
    *_, last = playout(game, data)
    won = max(last.utilities)
    assert won in (0, *last.paid)
    assert won <= game.ante + game.raises * sum(game.bets)


@given(st.builds(Goofspiel, st.integers(2, 8)), st.data())
def test_all_cards_are_played(game, data):
    *_, last = playout(game, data)
    deck = {str(card) for card in range(1, game.cards + 1)}
    assert set(last.prizes) == set(last.bids[0]) == set(last.bids[1]) == deck
