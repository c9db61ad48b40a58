"""A river and a turn as an independent solver, postflop-solver, has them: see tests/data."""

import csv
from pathlib import Path

import numpy as np
import pytest

from counterfold.cards import format_cards, parse_cards
from counterfold.ranges.spot import Spot
from counterfold.ranges.spot_node import SpotNode
from counterfold.ranges.spot_view import SpotView

DATA = Path(__file__).parents[1] / "data"
OOP = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
IP = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"
BETS = (
    "bets: 60%, e, allin; raises: 2.5x; river: donk: 50%; "
    "add allin 150%; force allin 15%; merge 10%"
)


def _solve(board: str, iterations: int) -> tuple[SpotNode, float]:
    spot = Spot(board=board, oop=OOP, ip=IP, pot=200, stack=900, bets=BETS)
    solver = spot.solver()
    solver.run(iterations)
    return SpotView(spot, solver).at(), solver.evaluate().exploitability


def _compare(node: SpotNode, name: str) -> tuple[float, float]:
    """The largest difference of equities, and the mean one of EVs in chips."""
    found = {(row["position"], row["hand"]): row for row in node.rows()}
    with (DATA / f"spot_{name}_reference.csv").open() as file:
        wanted = {
            (row["player"], format_cards(sorted(parse_cards(row["hand"]), reverse=True))): row
            for row in csv.DictReader(file)
        }
    assert set(found) == set(wanted)
    equity = max(abs(found[k]["equity"] - float(wanted[k]["equity"])) for k in wanted)
    ev = np.mean([abs(found[k]["ev"] - float(wanted[k]["ev"])) for k in wanted])
    return equity, float(ev)


def test_a_river_hand_by_hand() -> None:
    node, exploitability = _solve("Td9d6hQc7s", 400)
    assert exploitability < 0.02  # 0.01% of the pot, for which the peer needs 380 iterations
    totals = node.totals()
    assert totals["ev"]["oop"] == pytest.approx(93.8290, abs=0.02)
    assert totals["ev"]["oop"] + totals["ev"]["ip"] == pytest.approx(200, abs=1e-3)
    assert totals["equity"]["oop"] == pytest.approx(0.52861, abs=1e-5)
    assert totals["strategy"]["check"] == pytest.approx(0.780, abs=0.005)
    assert totals["strategy"]["bet 120"] == pytest.approx(0.220, abs=0.005)
    equity, ev = _compare(node, "river")
    assert equity < 1e-6
    assert ev < 0.2


@pytest.mark.slow
def test_a_turn_hand_by_hand() -> None:
    node, exploitability = _solve("Td9d6hQc", 700)
    assert exploitability < 0.04
    totals = node.totals()
    assert totals["ev"]["oop"] == pytest.approx(91.9609, abs=0.04)
    assert totals["equity"]["oop"] == pytest.approx(0.53060, abs=1e-5)
    equity, ev = _compare(node, "turn")
    assert equity < 1e-6
    assert ev < 1.0
