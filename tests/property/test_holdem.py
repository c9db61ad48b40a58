"""Whatever is played, hands of variants keep their chips and are read back."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from counterfold.errors import IllegalActionError
from counterfold.games.holdem import VARIANTS, Street, Variant, parse_state
from counterfold.games.holdem import betting_kernels as betting

streets = st.builds(
    lambda first, later: (Street(first=first), *later),
    st.just(0),
    st.lists(st.builds(Street, st.integers(1, 3), st.integers(0, 1)), max_size=3),
)
plain = st.builds(
    Variant,
    st.just("plain"),
    streets,
    st.sampled_from(["no-limit", "pot-limit"]),
    stack=st.integers(10, 300),
    blinds=st.sampled_from([(1, 2), (0, 3), (2, 2)]),
    ante=st.integers(0, 3),
    min_bet=st.integers(0, 8),
    fold_when_free=st.booleans(),
)
variants = st.one_of(plain, st.sampled_from([make() for make in VARIANTS.values()]))


def playout(variant, seed):
    """The states of one play; small bets are as likely as large ones."""
    rng = np.random.default_rng(seed)
    state = variant.root()
    yield state
    while state.utilities is None:
        if (chance := state.chance) is not None:
            action = chance.sample(rng)
        else:
            actions = state.actions()
            low = rng.integers(len(actions))
            action = actions[int(rng.integers(low + 1))]
        state = state.child(action)
        yield state


@given(variants, st.integers(0, 2**32))
def test_notation_is_read_back(variant, seed):
    for state in playout(variant, seed):
        again = parse_state(variant, state.notation)
        assert again == state
        assert again.situation == state.situation
        assert again.history == state.history


@given(variants, st.integers(0, 2**32))
def test_chips_are_neither_made_nor_lost(variant, seed):
    before = (0, 0)
    for state in playout(variant, seed):
        assert all(type(chips) is int for chips in state.situation)
        assert max(state.spent) <= variant.stack
        assert all(now >= then for now, then in zip(state.spent, before, strict=True))
        before = state.spent
    won, lost = state.utilities
    assert won == -lost
    assert won == int(won)
    stakes = {abs(state.spent[1] - state.spent[0]) / 2, *state.spent}
    if variant.bounty is not None:
        stakes |= {1.5 * chips + 10 for chips in state.spent}
        stakes |= {chips / 4 + 10 for chips in state.spent}
    elif not variant.has_auctions:
        stakes = {0, min(state.spent)}
    assert min(abs(abs(won) - stake) for stake in stakes) < 1


@given(variants, st.integers(0, 2**32))
@example(VARIANTS["auction"](), 13)  # in which one seat has paid three chips more
def test_bounds_are_legal_and_nothing_beyond_them(variant, seed):
    for state in playout(variant, seed):
        if state.situation[betting.PHASE] != betting.BET or state.chance or state.owed:
            continue
        assert state.actor in (0, 1)
        # What was paid at auctions need not be matched.
        bets = state.situation[betting.SPENT_0], state.situation[betting.SPENT_1]
        other = bets[1 - state.actor]
        assert other - bets[state.actor] == state.to_call
        bounds = state.raise_bounds()
        raises = [action for action in state.actions() if action[0] == "r"]
        if bounds is None:
            assert not raises
            continue
        low, high = bounds
        assert raises == [f"r{total}" for total in range(low, high + 1)]
        for total in {low, high}:
            raised = state.child(f"r{total}").situation
            assert max(raised[betting.SPENT_0], raised[betting.SPENT_1]) > other
        for total in (low - 1, high + 1):
            with pytest.raises(IllegalActionError):
                state.child(f"r{total}")


@given(variants, st.integers(0, 2**32))
def test_cards_are_dealt_once(variant, seed):
    *_, last = playout(variant, seed)
    cards = [*last.dead, *(card for group in (*last.holes, *last.board) for card in group)]
    assert len(set(cards)) == len(cards)
    assert set(cards) <= set(variant.deck.cards.tolist())
