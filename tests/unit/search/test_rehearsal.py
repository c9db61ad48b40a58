"""What is measured before a match."""

from dataclasses import replace
from itertools import count

import pytest

from counterfold.bots import MatchInfo
from counterfold.bots.trained_bot import TrainedBot
from counterfold.search import street_solver
from counterfold.search.search_options import COMBINED, MAXMARGIN
from counterfold.search.searching_bot import with_search
from counterfold.search.street_solver import StreetSolver


def begun(run, mode, streets, clock_seconds, *, tick=1e-4, **options):
    """A bot whose clock ticks each time it is looked at."""
    ticks = count(0.0, tick)
    searching = with_search(TrainedBot(run), mode, streets=streets, **options)
    bot = searching.player(3, now=lambda: next(ticks))
    bot.begin_match(MatchInfo(run.plan.variant, n_hands=1000, clock_seconds=clock_seconds))
    return bot


@pytest.mark.parametrize("streets", [1, 2, 3])
def test_every_street_that_is_searched_is_measured(small_runs, streets):
    bot = begun(small_runs["short-deck"], COMBINED, streets, 30.0)
    assert sorted(bot.solver.speed.rates) == [*range(1, streets + 1)]
    for rates in bot.solver.speed.rates.values():
        assert min(rates.setup, rates.iteration, rates.rest) > 0


def test_streets_that_no_search_may_take_are_left_out(small_runs):
    """A flop takes as long as a turn for its size, and no search more than 2.4 of 30 seconds."""
    run = small_runs["short-deck"]
    assert sorted(begun(run, COMBINED, 3, 30.0).solver.speed.rates) == [1, 2, 3]
    assert sorted(begun(run, COMBINED, 3, 30.0, tick=0.1).solver.speed.rates) == [1, 2]


def test_nothing_is_measured_without_a_clock(small_runs):
    assert begun(small_runs["short-deck"], COMBINED, 2, None).solver.speed.rates == {}


@pytest.mark.parametrize("limit", [{"seconds": 2.0}, {"hand_seconds": 7.0}])
def test_limits_are_clocks(small_runs, limit):
    assert begun(small_runs["short-deck"], COMBINED, 1, None, **limit).solver.speed.rates


def test_only_the_last_time_counts(small_runs):
    """A bot that measures twice knows what the second time took, however slow the first was."""
    bot = begun(small_runs["short-deck"], COMBINED, 1, 30.0)
    known = bot.solver.speed.rates[1].setup
    bot.solver.speed.note(1, 1.0, 1e9, 1e9, 1e9)
    bot.begin_match(MatchInfo(bot.variant, n_hands=1000, clock_seconds=30.0))
    assert bot.solver.speed.rates[1].setup == pytest.approx(known)


def test_nothing_is_measured_where_nobody_can_bet(small_runs):
    """A stack of one big blind is all-in before any board."""
    run = small_runs["short-deck"]
    bot = with_search(TrainedBot(run), COMBINED).player(3)
    variant = replace(run.plan.variant, stack=run.plan.variant.big_blind)
    bot.begin_match(MatchInfo(variant, n_hands=1000, clock_seconds=30.0))
    assert bot.solver.speed.rates == {}


def test_a_street_that_fails_is_left_out(small_runs, monkeypatch):
    solve = StreetSolver.solve

    def fail(solver, spot, *rest):
        if spot.n_streets == 2:
            raise MemoryError
        return solve(solver, spot, *rest)

    monkeypatch.setattr(StreetSolver, "solve", fail)
    bot = begun(small_runs["short-deck"], COMBINED, 3, 30.0)
    assert sorted(bot.solver.speed.rates) == [1, 3]


def test_streets_that_take_too_much_memory_are_left_out(small_runs, monkeypatch):
    monkeypatch.setattr(street_solver, "_MOST_BYTES", 1 << 21)
    bot = begun(small_runs["short-deck"], MAXMARGIN, 3, 30.0)
    assert 3 not in bot.solver.speed.rates
