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
    assert clock.allow(None, 6.0) == float("inf")
    assert clock.allow(1e8, 6.0) == float("inf")
    assert SearchClock(0.5).allow(None, 6.0) == 0.5
    assert clock.longest == float("inf")


@pytest.mark.parametrize("taken", [0.004, 0.02, 0.1, 1.0])
@pytest.mark.parametrize("every", [1, 3])
def test_a_match_never_runs_out_of_time(taken, every):
    """Each search takes as long as it may, or `taken`, and a fixed time beside that."""
    clock, left, n_searched = clock_of(), 30.0, 0
    for hand in range(1000):
        clock.begin_hand()
        left -= 0.001  # its other decisions
        if hand % every:
            continue
        pot = (2.0, 5.0, 40.0)[hand % 7 % 3]
        clock.meet(pot)
        allowed = clock.allow(left, pot)
        if allowed > 0.003:
            left -= min(taken, allowed) + 0.002
            n_searched += 1
        assert left > 1.0
    assert n_searched > 100


@pytest.mark.parametrize("beside", [0.0, 0.005, 0.02, 0.028])
def test_time_beside_searches_is_left_for_the_hands_to_come(beside):
    """On a busy machine messages take most of the clock."""
    clock, left = clock_of(), 30.0
    for _ in range(1000):
        clock.begin_hand()
        left -= beside
        clock.meet(6.0)
        allowed = clock.allow(left, 6.0)
        left -= allowed
        clock.search(allowed)
        assert left > 0.0


@pytest.mark.parametrize("left", [30.0, 12.0, 1.0])
@pytest.mark.parametrize("seconds", [None, 1.0])
def test_no_search_may_take_longer_than_the_longest(left, seconds):
    clock = clock_of(seconds)
    assert clock.longest == pytest.approx(2.4 if seconds is None else 1.0)
    assert clock.allow(left, 1e6) <= clock.longest
    assert clock_of(seconds, match_seconds=1e8).longest == (seconds or float("inf"))


def test_large_pots_get_more_time():
    """One in ten is large: it gets what is left for those that are, the others what is for all."""
    clock = clock_of()
    for hand in range(100):
        clock.begin_hand()
        clock.meet(40.0 if hand % 10 == 0 else 4.0)
    shares = [clock.allow(28.0, pot) for pot in (4.0, 40.0)]
    assert shares[1] == pytest.approx(10 * shares[0], rel=0.2)
    assert clock.allow(28.0, 1e6) < 2.3  # a tenth of what is left, at most


@pytest.mark.parametrize("hands", [3, 3000])
def test_a_mean_time_of_hands_is_never_exceeded(hands):
    """As in the contests of the ACPC: nobody tells how many hands there are."""
    clock, spent = SearchClock(hand_seconds=7.0), 0.0
    clock.begin_match(MatchInfo(VARIANTS["limit"]()))
    assert clock.longest == 5.0
    for hand in range(hands):
        clock.begin_hand()
        for _ in range(4):
            seconds = clock.allow(None, 6.0)
            clock.spend(seconds)
            spent += seconds
            assert spent <= 7.0 * (hand + 1)
    assert spent > 4.0 * hands
