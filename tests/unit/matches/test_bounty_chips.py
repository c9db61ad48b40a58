"""What kernels pay with bounties, against the rules of exact states."""

import pytest

from counterfold.games import parse_game
from counterfold.matches.hand_histories import read_histories
from counterfold.matches.match_play import play_match
from counterfold.matches.replay import replay_hand

BOUNTY = "bounty(stack=31)"


@pytest.fixture(scope="module")
def hands(tmp_path_factory):
    """A match that was recorded: the states at the end of its hands, and what was paid."""
    file, variant = tmp_path_factory.mktemp("hands") / "hands.jsonl", parse_game(BOUNTY)
    result = play_match("random", "always-call", hands=1200, variant=BOUNTY, seed=3, histories=file)
    assert result.adjusted == 0
    return [(replay_hand(each, variant), each.chips) for _, each in read_histories(file)]


def test_chips_are_those_of_exact_states(hands):
    for state, chips in hands:
        assert state.utilities == chips


def test_bounties_are_hit_by_folders_and_at_showdowns(hands):
    kinds = {
        ("f" in state.history, state.hits_bounty(0), state.hits_bounty(1)) for state, _ in hands
    }
    assert len(kinds) == 8
