"""What `auto` chooses, against the other choice after as much work; builds card tables."""

import pytest

from counterfold.blueprints.blueprint import quantize
from counterfold.matches.entrants import run_entrant
from counterfold.matches.policy_match import play_policies
from counterfold.training.plan import Plan, make_plan
from counterfold.training.recipe import load_recipe, parse_recipe
from counterfold.training.solver_factory import build_solver, find_chance
from counterfold.training.train_folder import TrainedRun
from counterfold.training.train_metrics import MetricsGauge

# Deals and boards that took equal seconds of one processor core when both were measured.
SAMPLES = {"external": 440_000, "public-chance": 8}


def trained(plan):
    cards = plan.cards()
    solver = build_solver(plan, plan.game(cards.n_buckets), find_chance(plan, cards))
    solver.run(SAMPLES[plan.algorithm])
    blueprint, _ = quantize(solver.game, solver.tables["averages"], 8, solver.layout)
    metrics = MetricsGauge(plan.recipe, solver).read(1.0, 1.0, 1.0)
    return TrainedRun(plan.algorithm, plan, cards, blueprint, metrics)


@pytest.mark.slow
def test_a_recipe_without_a_solver_is_trained_by_the_better_one():
    """With the cards, bets and features of nolimit-quick; 3,890 mb/hand were seen."""
    _, shipped = load_recipe("nolimit-quick")
    keys = shipped.model_dump(include={"variant", "cards", "bets", "features", "seed"})
    chosen = Plan(parse_recipe(keys, "a recipe without a solver"))
    (other,) = set(SAMPLES) - {chosen.algorithm}
    rival = make_plan(chosen, [f"solver.algorithm={other}"])
    entrants = tuple(run_entrant(trained(plan)) for plan in (chosen, rival))
    result = play_policies(chosen.variant, entrants, 20_000, seed=1)
    assert result.mb - result.mb_interval > 1000.0
