import json

import numpy as np
import pytest

from counterfold import artifacts
from counterfold.cluster.workers import LocalWorkers
from counterfold.errors import AlgorithmError
from counterfold.runs.run_folder import CHECKPOINT
from counterfold.training.epochs.epoch_solver import add_regrets, cut_shares, share_epochs
from counterfold.training.solver_factory import build_solver, find_chance
from counterfold.training.train_folder import METRICS
from counterfold.training.train_run import train
from helpers.small_recipes import DISCARD, RIVER_OF_BLOOD, plan

METHODS = [
    {"algorithm": "external", "prune_below_blinds": -5.0, "warm_up": 3, "variant": DISCARD},
    {"algorithm": "chance"},
    {"algorithm": "outcome", "variant": RIVER_OF_BLOOD},
    {"algorithm": "average-strategy", "tau": 1.0, "beta": 10.0, "epsilon": 0.1},
    {"algorithm": "public-chance", "epoch": 20},
    {"algorithm": "cfr-br", "epoch": 20},
]


def solver_of(how):
    cards = how.cards()
    return build_solver(how, how.game(cards.n_buckets), find_chance(how, cards))


def tables_after(epochs, n_workers, **keys):
    how = plan(**{"shares": 5, "epoch": 60, **keys})
    solver = share_epochs(how, solver_of(how), LocalWorkers(n_workers))
    for _ in range(epochs):
        solver.run(1)
    assert solver.iterations == epochs * how.epoch
    return {name: table.copy() for name, table in solver.tables.items()}, solver


def assert_equal(ours, theirs):
    assert ours.keys() == theirs.keys()
    for name, table in ours.items():
        np.testing.assert_array_equal(table, theirs[name])


@pytest.mark.parametrize("keys", METHODS, ids=lambda keys: keys["algorithm"])
def test_the_number_of_workers_changes_no_bit(keys):
    alone, solver = tables_after(3, 1, **keys)
    assert solver.visited > 0
    assert all(table.any() for table in alone.values())
    for n in (2, 7):
        others, same = tables_after(3, n, **keys)
        assert_equal(alone, others)
        assert same.visited == solver.visited


@pytest.mark.parametrize("keys", METHODS, ids=lambda keys: keys["algorithm"])
def test_one_share_is_an_epoch_of_one_machine(keys):
    """Sums of regrets are rounded once more, averages with another noise."""
    how = plan(**{"epoch": 60, **keys})
    alone = solver_of(how)
    alone.run(how.epoch)
    shared, _ = tables_after(1, 1, **keys, shares=1)
    for name, table in alone.tables.items():
        np.testing.assert_allclose(shared[name], table, rtol=1e-6, atol=1e-6)


def test_shares_know_which_epochs_are_self_play():
    """The second of two: responders learn nothing there, on one machine and in shares."""
    keys = {"algorithm": "cfr-br", "epoch": 20, "self_play": 0.5, "discounting": "cfr"}
    alone = solver_of(plan(**keys))
    alone.run(40)
    before, _ = tables_after(1, 1, **keys)
    for n_workers, n_shares in ((1, 1), (2, 5)):
        shared, _ = tables_after(2, n_workers, **keys, shares=n_shares)
        assert (shared["regrets"] != before["regrets"]).any()
        if n_shares == 1:
            for name, table in alone.tables.items():
                np.testing.assert_allclose(shared[name], table, rtol=1e-4, atol=1e-4)
        else:
            np.testing.assert_array_equal(shared["responding"], before["responding"])


@pytest.mark.parametrize("n_shares", [1, 20])
def test_large_averages_notice_on_average_what_shares_added(n_shares):
    """All together, for each slot gains a gap between numbers of 32 bits or nothing."""
    gained = []
    for visits in (0.0, 2.0**26):
        how = plan(shares=n_shares, epoch=2_000, discounting="cfr", algorithm="chance")
        solver = share_epochs(how, solver_of(how), LocalWorkers(1))
        solver.tables["averages"][:] = visits
        solver.run(1)
        gained.append((solver.tables["averages"].astype(float) - visits).sum())
    gap = 8.0
    # A share adds to a slot once: its variance is at most the gap times what it adds.
    assert gained[1] == pytest.approx(gained[0], abs=6 * (gap * gained[0]) ** 0.5)
    assert gained[1] > 0.5 * gained[0] > 1_000


def test_shares_begin_with_the_tables_of_the_epoch_and_not_with_each_other():
    """Two shares of 30 deals are two runs of 30 deals, added up."""
    keys = {"algorithm": "chance", "discounting": "cfr"}
    shared, _ = tables_after(1, 1, **keys, shares=2)
    totals = 0.0
    for first in (0, 30):
        solver = solver_of(plan(epoch=60, **keys))
        solver.walk(first, first + 30)
        totals = totals + solver.regrets.astype(np.float64)
    np.testing.assert_allclose(shared["regrets"], totals, rtol=1e-6, atol=1e-6)


def test_a_run_that_stopped_within_an_epoch_goes_on_to_its_end():
    how = plan(epoch=60, shares=5)
    solver = solver_of(how)
    solver.run(45)
    shared = share_epochs(how, solver, LocalWorkers(2))
    shared.run(1)
    assert shared.iterations == 60
    shared.run(61)
    assert shared.iterations == 180


def test_the_exchange_is_counted():
    tables, solver = tables_after(2, 3)
    exchange = solver.exchange
    assert exchange.epochs == 2
    assert 0.0 < exchange.share < 1.0
    assert exchange.nbytes > 2 * 3 * tables["regrets"].nbytes
    assert exchange.bytes_per_epoch == exchange.nbytes / 2


def test_shares_are_cut_evenly_and_never_empty():
    assert cut_shares(10, 17, 3) == [(10, 12), (12, 14), (14, 17)]
    assert cut_shares(0, 2, 5) == [(0, 1), (1, 2)]


def test_regrets_are_rounded_once_and_stop_at_the_floor():
    table = np.array([1.0, 1.0], np.float32)
    add_regrets(table, np.array([2.0**-30, -9.0]), -3.0)
    assert table.tolist() == [1.0, -3.0]


def test_full_passes_have_no_shares(tmp_path):
    how = plan(algorithm="joint-tables", discounting="dcfr", epoch=None)
    with pytest.raises(AlgorithmError, match="leave out --cluster"):
        train(how, tmp_path / "run", iterations=1, workers=LocalWorkers())


def test_training_with_workers_ends_with_an_epoch_and_can_be_resumed(tmp_path):
    def run(folder, deals, n_workers, **options):
        workers = LocalWorkers(n_workers)
        return train(
            plan(shares=4), tmp_path / folder, iterations=deals, workers=workers, **options
        )

    whole = run("whole", 2000, 1)
    assert whole.metrics.iterations == 2000
    assert whole.exchange is not None
    assert run("parts", 700, 3).metrics.iterations == 1000
    run("parts", 2000, 2, resume=True)
    one, other = (artifacts.load(tmp_path / name / CHECKPOINT)[1] for name in ("whole", "parts"))
    assert_equal(one, other)


@pytest.mark.parametrize(
    ("share", "saved"), [(1e9, [1000, 1500, 2000, 2000]), (1e-9, [1000, 2000])]
)
def test_each_epoch_is_saved_unless_that_takes_too_long(tmp_path, monkeypatch, share, saved):
    """After the first, which compiles kernels; and at the end."""
    monkeypatch.setattr("counterfold.training.train_run._SAVING_SHARE", share)
    monkeypatch.setattr("counterfold.training.metered_loop._CHUNK_SECONDS", 0.0)

    def run(**options):
        train(plan(shares=4), tmp_path, workers=LocalWorkers(2), **options)
        lines = (tmp_path / METRICS).read_text("utf-8").splitlines()
        return [json.loads(line)["iterations"] for line in lines]

    assert run(iterations=2000) == saved
    assert run(iterations=4000, resume=True, checkpoint_seconds=900.0) == [*saved, 4000]


def test_a_folder_moves_between_one_machine_and_workers(tmp_path):
    train(plan(), tmp_path / "run", iterations=750)
    result = train(plan(), tmp_path / "run", iterations=1000, resume=True, workers=LocalWorkers(2))
    assert result.metrics.iterations == 1000
    assert train(plan(), tmp_path / "run", iterations=1200, resume=True).exchange is None
