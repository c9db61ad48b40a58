"""Spots on a GPU, for which NumPy stands in: the same results, folders that move, refusals."""

import sys

import numpy as np
import pytest

from counterfold import artifacts, devices
from counterfold.errors import DeviceError, TooLargeError
from counterfold.ranges.device.spot_pass import SpotPass
from counterfold.ranges.locks import parse_lock
from counterfold.ranges.range_pass import RangePass
from counterfold.runs import Budget
from counterfold.runs.run_folder import CHECKPOINT
from counterfold.spots import spot_cost, spot_device
from counterfold.spots.spot_cost import estimate_spot
from counterfold.spots.spot_device import choose_spot_device
from counterfold.spots.spot_folder import load_spot
from counterfold.spots.spot_run import solve_spot
from helpers.toy_games import river, turn


@pytest.fixture
def on_numpy(monkeypatch):
    """A machine with a GPU, which NumPy plays; the memory of the GPU is in its list."""
    room = [1 << 40]
    monkeypatch.setattr(devices, "_find_library", lambda: (np, ""))
    monkeypatch.setattr(spot_device, "free_gpu_bytes", lambda: room[0])
    monkeypatch.setattr(spot_cost, "gpu_name", lambda: "a GPU")
    return room


def assert_worth_the_same(solved, other):
    """Rounding decides between equal actions; values of solutions differ by what these lose."""
    evaluations = solved.evaluation, other.evaluation
    bound = 2 * sum(evaluation.exploitability for evaluation in evaluations)
    assert bound < 0.01 * solved.spot.pot
    assert solved.evs == pytest.approx(other.evs, abs=bound)


def test_a_spot_is_worth_the_same_on_both(on_numpy):
    here, there = (
        solve_spot(turn(), Budget(iterations=100), device=device) for device in ("cpu", "gpu")
    )
    assert_worth_the_same(there, here)
    # The same strategy, valued on both.
    again = turn().solver(threads=1)
    again.adopt(there.solver.learned, 100)
    assert there.evaluation.values == pytest.approx(again.evaluate().values, abs=1e-4)
    assert there.evaluation.responses == pytest.approx(again.evaluate().responses, abs=1e-4)


def test_a_run_moves_from_one_device_to_another(on_numpy, tmp_path):
    for iterations, device in ((30, "gpu"), (60, "cpu"), (90, "gpu")):
        solved = solve_spot(
            turn(), Budget(iterations=iterations), folder=tmp_path / "moved", resume=True,
            device=device,
        )  # fmt: skip
    whole = solve_spot(turn(), Budget(iterations=90), device="cpu")
    assert [p.iterations for p in solved.progress.points] == list(range(10, 91, 10))
    assert_worth_the_same(solved, whole)
    assert load_spot(tmp_path / "moved").evs == pytest.approx(solved.evs, abs=1e-4)


def test_a_run_that_is_resumed_on_a_gpu_ends_with_the_same_bits(on_numpy, tmp_path):
    for name, stops in (("whole", (60,)), ("parts", (20, 60))):
        for stop in stops:
            budget = Budget(iterations=stop)
            solve_spot(river(), budget, folder=tmp_path / name, resume=True, device="gpu")
    whole, parts = (artifacts.load(tmp_path / name / CHECKPOINT)[1] for name in ("whole", "parts"))
    for name, table in whole.items():
        np.testing.assert_array_equal(parts[name], table)


def test_auto_takes_a_gpu_for_flops_that_fit(on_numpy):
    flop = turn(board="Kd7c2s")
    assert choose_spot_device(flop, "auto") is np
    assert choose_spot_device(turn(), "auto") is None
    assert choose_spot_device(turn(), "gpu") is np
    assert choose_spot_device(flop, "cpu") is None
    assert choose_spot_device(flop, "auto", packed=True) is None
    assert estimate_spot(flop, device="auto").device == "a GPU"
    assert estimate_spot(flop, device="cpu").device == "processor"
    on_numpy[0] = 1_000
    assert estimate_spot(flop, device="auto").device == "processor"
    assert estimate_spot(flop, device="gpu").device == "a GPU"  # which the run itself refuses


def test_auto_goes_back_to_the_processor_where_a_gpu_has_no_room(on_numpy, monkeypatch):
    def refuse(passes):
        raise TooLargeError("this spot needs more")

    monkeypatch.setattr(SpotPass, "_check_fits", refuse)
    spot = turn(board="Kd7c2s", bets="allin")
    solved = solve_spot(spot, Budget(iterations=1), device="auto")
    assert type(solved.solver.passes) is RangePass
    with pytest.raises(TooLargeError, match="needs more"):
        solve_spot(spot, Budget(iterations=1), device="gpu")


def test_what_has_no_path_is_refused(on_numpy):
    locked = turn(locks=(parse_lock("k : k=1"),))
    assert choose_spot_device(locked, "auto") is None
    with pytest.raises(DeviceError, match="a spot with locks cannot use a GPU yet"):
        estimate_spot(locked, device="gpu")
    with pytest.raises(DeviceError, match="a spot with tables of 16 bits cannot use a GPU yet"):
        solve_spot(river(), Budget(iterations=10), packed=True, device="gpu")


def test_a_machine_without_a_gpu_says_so(monkeypatch):
    devices._find_library.cache_clear()
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(DeviceError, match="needs CuPy"):
        estimate_spot(river(), device="gpu")
    assert estimate_spot(turn(board="Kd7c2s"), device="auto").device_bytes == 0
    devices._find_library.cache_clear()


@pytest.mark.parametrize("spot", [river(), turn(), turn(board="Kd7c2s")], ids=["1", "2", "3"])
def test_memory_and_time_of_a_gpu_follow_what_is_taken(spot, on_numpy):
    passes = spot.solver(xp=np, threads=1).passes
    arrays = [passes._values, passes._folds, passes._shows]
    for kept in (passes._regrets, passes._averages):
        arrays += [table for parts in kept for tables in parts for table in tables]
    arrays += [vectors for both in passes._reach for vectors in both]
    arrays += [part.matrices for parts in passes._parts for part in parts]
    taken = sum(array.nbytes for array in arrays)
    assert estimate_spot(spot, device="gpu").device_bytes == pytest.approx(taken, rel=0.1)
    n_slots = sum(table.size for parts in passes._regrets for tables in parts for table in tables)
    seconds = n_slots * spot_cost._DEVICE_SLOT_SECONDS
    assert estimate_spot(spot, device="gpu").iteration_seconds == pytest.approx(seconds, rel=0.1)
