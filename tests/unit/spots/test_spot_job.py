import pickle

import pytest

from counterfold.errors import TooLargeError
from counterfold.runs.budget import Budget
from counterfold.spots import spot_cost
from counterfold.spots.spot_job import SpotJob, SpotPiece
from counterfold.spots.spot_run import solve_spot
from helpers.toy_games import river, turn


def work(spot, **options):
    """What a worker elsewhere makes of a spot, all of which goes through pickles."""
    job, piece = pickle.loads(
        pickle.dumps((SpotJob(**options), SpotPiece(spot.to_dict(), Budget(iterations=40))))
    )
    return pickle.loads(pickle.dumps(job.prepare()(None, piece)))


@pytest.mark.parametrize("make", [river, turn])
def test_a_row_has_the_figures_of_the_spot(make):
    spot = make()
    found = solve_spot(spot, Budget(iterations=40), threads=1)
    row, figures = work(spot).row, found.to_dict()
    assert row["iterations"] == 40
    assert row["exploitability"] == figures["exploitability"]
    assert {name: row[f"ev_{name}"] for name in ("oop", "ip")} == figures["ev"]
    assert {name: row[f"equity_{name}"] for name in ("oop", "ip")} == figures["equity"]
    shares = {k.removeprefix("plays "): v for k, v in row.items() if k.startswith("plays ")}
    assert shares == figures["strategy"]
    assert row["position"] == "oop"


def test_a_spot_that_does_not_fit_is_refused_rather_than_packed(monkeypatch):
    monkeypatch.setattr(spot_cost, "free_memory_bytes", lambda: 1000)
    monkeypatch.setattr("counterfold.memory.free_memory_bytes", lambda: 1000)
    with pytest.raises(TooLargeError, match="the tables of this spot"):
        work(river())
