import numpy as np
import pytest

from counterfold.discounting import Discounting
from counterfold.errors import UnknownNameError
from counterfold.tree import ALGORITHMS, Sampling, find_algorithm, make_solver, uniform_strategy
from helpers.compiled_games import compiled

ITERATIVE = [name for name, algorithm in ALGORITHMS.items() if algorithm.method is not None]
SAMPLED = [name for name in ITERATIVE if isinstance(ALGORITHMS[name].method, Sampling)]


@pytest.fixture(params=ITERATIVE)
def method(request):
    return ALGORITHMS[request.param].method


def test_the_family_is_complete():
    # What the brief of the project names, and the linear program.
    full_width = {"cfr", "cfr+", "linear", "dcfr", "pcfr+"}
    sampled = {"chance", "external", "outcome", "average"}
    assert full_width | sampled | {"lp"} <= set(ALGORITHMS)


def test_no_two_algorithms_are_the_same():
    methods = [algorithm.method for algorithm in ALGORITHMS.values()]
    assert len(set(methods)) == len(methods)
    assert all(isinstance(m, Discounting | Sampling) for m in methods if m is not None)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("cfr++", r"unknown algorithm 'cfr\+\+'; did you mean .*cfr\+"),
        ("externl", "unknown algorithm 'externl'; did you mean external"),
        ("qqqq", "unknown algorithm 'qqqq'; known: average, cfr, "),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest(name, hint):
    with pytest.raises(UnknownNameError, match=hint):
        find_algorithm(name)


def test_every_known_name_is_found():
    for name, algorithm in ALGORITHMS.items():
        assert find_algorithm(name) is algorithm


def test_a_fresh_solver_has_done_nothing_and_plays_uniformly(method):
    solver = make_solver(compiled("kuhn"), method)
    assert solver.iterations == 0
    assert all(not table.any() for table in solver.tables.values())
    uniform = uniform_strategy(compiled("kuhn")).probabilities
    np.testing.assert_array_equal(solver.average_strategy().probabilities, uniform)


def test_no_iterations_change_nothing(method):
    solver = make_solver(compiled("kuhn"), method)
    solver.run(10)
    before = {name: table.copy() for name, table in solver.tables.items()}
    solver.run(0)
    assert solver.iterations == 10
    for name, table in solver.tables.items():
        np.testing.assert_array_equal(table, before[name])


def test_tables_are_all_that_a_solver_needs_to_go_on(method):
    """Copying them into a fresh solver continues the run exactly."""
    first, second = (make_solver(compiled("leduc"), method, seed=1) for _ in range(2))
    first.run(50)
    for name, table in second.tables.items():
        table[:] = first.tables[name]
    second.iterations = first.iterations
    first.run(50)
    second.run(50)
    for name, table in first.tables.items():
        np.testing.assert_array_equal(second.tables[name], table)


@pytest.mark.parametrize("name", SAMPLED)
def test_seeds_fix_sampled_runs(name):
    runs = [make_solver(compiled("kuhn"), ALGORITHMS[name].method, seed=s) for s in (7, 7, 8)]
    for solver in runs:
        solver.run(200)
    np.testing.assert_array_equal(runs[0].regrets, runs[1].regrets)
    assert (runs[0].regrets != runs[2].regrets).any()


@pytest.mark.parametrize("name", ["hs-dcfr", "hs-pcfr+"])
def test_the_horizon_matters_to_schedules(name):
    short, long = (
        make_solver(compiled("kuhn"), ALGORITHMS[name].method, horizon=h) for h in (10, 1000)
    )
    short.run(20)
    long.run(20)
    assert (short.averages != long.averages).any()
