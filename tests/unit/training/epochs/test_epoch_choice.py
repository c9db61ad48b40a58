from importlib import import_module

import pytest

from counterfold.cluster.workers import LocalWorkers
from counterfold.training.epochs.epoch_choice import choose_epoch
from counterfold.training.epochs.epoch_solver import share_epochs
from counterfold.training.solver_factory import build_solver, find_chance
from counterfold.training.train_run import train
from helpers.small_recipes import plan

choice = import_module("counterfold.training.epochs.epoch_choice")


def solver_of(how):
    cards = how.cards()
    solver = build_solver(how, how.game(cards.n_buckets), find_chance(how, cards))
    return share_epochs(how, solver, LocalWorkers(2))


@pytest.mark.parametrize(("enough", "epoch"), [(500, 500), (2000, 2000), (1001, 2000)])
def test_an_epoch_is_doubled_until_the_exchange_is_small(monkeypatch, enough, epoch):
    how = plan(shares=2)
    solver = solver_of(how)
    monkeypatch.setattr(
        "counterfold.training.epochs.epoch_solver.Exchange.share",
        property(lambda _: 0.05 if solver.epoch >= enough else 0.2),
    )
    tried = []
    found = choose_epoch(how, solver, lambda n, exchange: tried.append((n, exchange.epochs)))
    assert found.recipe.solver.epoch == found.epoch == solver.epoch == epoch
    assert tried == [(500 * 2**k, 1) for k in range(len(tried))]
    assert how.epoch == 500


def test_trials_leave_nothing_behind():
    solver = solver_of(plan(shares=2))
    choose_epoch(plan(shares=2), solver)
    assert solver.iterations == solver.visited == solver.exchange.epochs == 0
    assert not any(table.any() for table in solver.tables.values())


def test_a_long_epoch_is_not_doubled(monkeypatch):
    monkeypatch.setattr(choice, "MOST_EXCHANGE", 0.0)
    monkeypatch.setattr(choice, "_LONGEST_TRIAL", 0.0)
    assert choose_epoch(plan(shares=2), solver_of(plan(shares=2))).epoch == 500


def test_a_run_keeps_its_epoch_when_it_is_resumed(tmp_path, monkeypatch):
    options = {"workers": LocalWorkers(2), "fixed_epoch": False}
    monkeypatch.setattr(choice, "MOST_EXCHANGE", 2.0)  # as if this machine were a fast one
    how = plan(shares=2).with_epoch(800)
    assert train(how, tmp_path, iterations=1, **options).metrics.iterations == 800
    result = train(plan(shares=2), tmp_path, iterations=801, resume=True, **options)
    assert result.metrics.iterations == 1600
    assert result.recipe.solver.epoch == 800
