import pytest

from counterfold.public.deals import Dealer
from counterfold.training import rates
from counterfold.training.rates import expected_rate
from helpers.small_recipes import DISCARD, plan


class Clock:
    """Stands for the module `time`; a solver makes it go on."""

    now = 0.0

    def perf_counter(self):
        return self.now


@pytest.fixture
def timed(monkeypatch):
    """The solvers that are timed: their own runs are left out, an iteration takes a millisecond."""
    clock, solvers = Clock(), []
    original = rates.build_solver
    monkeypatch.setattr(rates, "time", clock)

    def build(*args, **options):
        solver = original(*args, **options)
        ran = []

        def run(n):
            ran.append(n)
            solver.iterations += n
            clock.now += 0.001 * n

        solver.run, solver.ran = run, ran
        solvers.append(solver)
        return solver

    monkeypatch.setattr(rates, "build_solver", build)
    return solvers


@pytest.mark.parametrize(("algorithm", "fewest"), [("external", 256), ("public-chance", 1)])
def test_the_rate_is_that_of_the_last_and_longest_time(timed, algorithm, fewest):
    made = plan(algorithm=algorithm)
    rate = expected_rate(made, made.cards().n_buckets, built=True)
    assert rate == pytest.approx(1000.0)
    (solver,) = timed
    assert solver.ran[:2] == [1, fewest]
    assert 0.001 * solver.ran[-1] >= rates._TIMED_SECONDS / 2


def test_a_solver_of_the_full_size_is_timed_without_warming_up(timed):
    made = plan(variant=DISCARD, warm_up=1000)
    cards = made.cards()
    expected_rate(made, cards.n_buckets, built=True)
    (solver,) = timed
    assert solver.game.n_slots == made.game(cards.n_buckets).n_slots
    assert solver.sampling.warm_up == 0


def test_tables_that_are_too_large_are_folded(timed, monkeypatch):
    made = plan(variant=DISCARD)
    cards = made.cards()
    full = made.game(cards.n_buckets).n_slots
    monkeypatch.setattr(rates, "_MOST_TIMED_SLOTS", full // 3)
    expected_rate(made, cards.n_buckets, built=True)
    (solver,) = timed
    assert 0 < solver.game.n_slots <= full // 3
    batch = solver.source.batch(0, 0, 500)
    stages = made.dealer.layout.stages
    assert batch.buckets.max() < max(solver.game.n_buckets)
    assert len(stages) == len(cards.n_buckets)


def test_cards_that_are_not_there_yet_are_not_built(timed, monkeypatch, tmp_path):
    monkeypatch.setenv("COUNTERFOLD_HOME", str(tmp_path))
    keys = {"variant": "discard(stack=6, deck='89TJQKA/cd')", "cards": "uniform(2)"}
    made = plan(**keys)
    made = type(made)(made.recipe.model_copy(update={"discards": "by-strength"}), "test")
    assert expected_rate(made, made.most_buckets(), built=False) == pytest.approx(1000.0)
    (solver,) = timed
    solver.source.batch(0, 0, 10)
    assert type(solver.source.dealer.order) is type(Dealer(made.variant).order)
    assert not any(tmp_path.iterdir())
