"""What spots are said to cost, against what they take."""

import numpy as np
import pytest

from counterfold.errors import TooLargeError
from counterfold.ranges.spot import Spot
from counterfold.ranges.spot_view import SpotView
from counterfold.runs import Budget
from counterfold.spots.spot_cost import check_cost, estimate_spot
from helpers.toy_games import river, turn

OOP = "66+,A8s+,AJo+,K9s+,KQo,QTs+,JTs,96s+"
IP = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+"


def nbytes(value: object) -> int:
    if isinstance(value, np.ndarray):
        return value.nbytes
    return sum(map(nbytes, value)) if isinstance(value, tuple | list) else 0


def taken(spot: Spot, threads: int) -> int:
    """Bytes of all arrays of a solver and of the view of its result, which share the boards."""
    solver = spot.solver(threads=threads)
    view = SpotView(spot, solver)
    arrays = [*solver.tables.values(), solver.passes.boards]
    for passes in (solver.passes, view.passes):
        arrays += [*passes.works, passes.found, passes.steps, passes.slots]
    return nbytes(arrays)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "spot",
    [
        Spot("Td9d6hQc7s", "random", "random", 200, 900),
        Spot("Td9d6hQc", OOP, IP, 200, 900),
        Spot("Td9d6h", "AA,KQs,76s", "QQ,AKo,T9s", 200, 900),
        Spot("Td9d6h", "AA,KQs,76s", "QQ,AKo,T9s", 200, 900, "70%"),
        Spot("Td9d6hQc", "AA", "KK", 20, 900, "33%, 100%, allin; cap 3"),
    ],
    ids=["river", "turn", "flop", "flop without all-ins", "many lines"],
)
def test_memory_is_within_a_tenth_of_what_is_taken(spot, threads):
    assert estimate_spot(spot, threads).total_bytes == pytest.approx(taken(spot, threads), rel=0.1)


@pytest.mark.parametrize("spot", [river(), turn(), turn(board="Kd7c2s")], ids=["1", "2", "3"])
def test_counts_are_those_of_the_solver(spot):
    cost, passes = estimate_spot(spot), spot.solver().passes
    assert cost.boards == passes.boards.street.size
    assert cost.nodes == spot.tree.n_nodes
    assert cost.table_bytes == 8 * passes.n_slots.sum()
    assert cost.hands == tuple(spot.cards.hands[seat].size for seat in spot.positions)


def test_a_spot_before_the_flop_is_counted_without_listing_its_boards():
    cost = estimate_spot(Spot("", "AA", "KK", 3, 100, "allin"))
    assert cost.boards >= 2_000_000  # 1,755 + 63,193 + 2,554,656 if no suit were told apart
    assert cost.boards <= 2_619_604


@pytest.fixture
def free(monkeypatch):
    """Sets how much memory is free."""

    def set_free(n_bytes):
        for module in ("memory", "spots.spot_cost"):
            monkeypatch.setattr(f"counterfold.{module}.free_memory_bytes", lambda: n_bytes)

    return set_free


def test_what_does_not_fit_is_refused_with_a_figure(free):
    check_cost(estimate_spot(turn()))
    free(1000)
    with pytest.raises(TooLargeError, match=r"GB of memory are free; offer fewer sizes than"):
        check_cost(estimate_spot(turn()))


def test_tables_are_packed_where_others_do_not_fit(free):
    whole = estimate_spot(Spot("Td9d6hQc", OOP, IP, 200, 900))
    assert not whole.packed
    free(whole.total_bytes - 1)
    cost = estimate_spot(Spot("Td9d6hQc", OOP, IP, 200, 900))
    check_cost(cost)
    assert cost.packed
    solver = Spot("Td9d6hQc", OOP, IP, 200, 900).solver(packed=True)
    assert cost.table_bytes == sum(table.nbytes for table in solver.tables.values())


def test_the_expected_time_ends_with_the_nearest_limit():
    cost = estimate_spot(turn())
    each = cost.iteration_seconds
    assert cost.expected_seconds(Budget(iterations=10)) == pytest.approx(10 * each)
    assert cost.expected_seconds(Budget(iterations=10, seconds=each)) == pytest.approx(each)
    to_half, to_tenth = (cost.expected_seconds(Budget(until=x * 20)) for x in (0.005, 0.001))
    assert to_half == pytest.approx(80 * each)
    assert to_tenth == pytest.approx(210 * each, rel=0.01)
