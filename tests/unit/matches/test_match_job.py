import pytest

from counterfold.errors import MatchError
from counterfold.matches import enter, let_search, play_tournament
from counterfold.matches.match_job import send_entrants
from counterfold.search.search_options import SearchOptions
from helpers.processes.cluster_jobs import Traveling


def test_workers_play_the_same_matches(small_runs):
    given = [small_runs["nolimit-listed"], "random", "always-call"]
    told = []
    options = {"hands": 200, "seed": 4}
    here = play_tournament(given, **options)
    there = play_tournament(
        given, **options, workers=Traveling(2), progress=lambda *done: told.append(done)
    )
    assert there.matches == here.matches
    assert str(there) == str(here)
    assert len(told) == 3
    assert told[-1] == ("random – always-call", 200, 200)


def test_a_run_that_searches_cannot_be_sent(small_runs):
    _, (run, _) = enter([small_runs["nolimit-listed"], "random"])
    with pytest.raises(MatchError, match="cannot be sent to a cluster"):
        send_entrants([let_search(run, SearchOptions("unsafe"))])
