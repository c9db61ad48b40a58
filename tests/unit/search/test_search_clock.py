"""Time is shared out; no test looks at a real clock."""

import pytest

from counterfold.bots import MatchInfo
from counterfold.games.holdem import VARIANTS
from counterfold.search.search_clock import SearchClock


def clock_of(seconds=None, hands=1000, match_seconds=30.0):
    clock = SearchClock(seconds)
    clock.begin_match(MatchInfo(VARIANTS["limit"](), n_hands=hands, clock_seconds=match_seconds))
    return clock


def test_without_a_clock_there_is_no_limit():
    clock = SearchClock()
    assert clock.allow(None) == float("inf")
    assert clock.allow(1e8) == float("inf")
    assert SearchClock(0.5).allow(None) == 0.5


@pytest.mark.parametrize("taken", [0.004, 0.02, 0.1, 1.0])
@pytest.mark.parametrize("every", [1, 3])
def test_a_match_never_runs_out_of_time(taken, every):
    """Each search takes as long as it may, or `taken`, and a fixed time beside that."""
    clock, left, n_searched = clock_of(), 30.0, 0
    clock.least_seconds = 0.003
    for hand in range(1000):
        clock.begin_hand()
        left -= 0.001  # its other decisions
        if hand % every:
            continue
        allowed = clock.allow(left)
        if allowed is not None:
            spent = min(taken, allowed) + 0.002
            left -= spent
            clock.note(spent, 50)
            n_searched += 1
        assert left > 1.0
    assert n_searched > 100


def test_a_search_that_would_not_be_finished_is_not_begun():
    clock = clock_of()
    clock.note(1.0, 10)  # ten iterations took a second
    assert clock.allow(29.0) is None
    assert clock.allow(2e7) == float("inf")


def test_a_slow_moment_is_forgotten():
    clock = clock_of()
    clock.note(0.05, 10)
    for _ in range(400):
        if clock.allow(29.0) is not None:
            return
    raise AssertionError("never searched again")
