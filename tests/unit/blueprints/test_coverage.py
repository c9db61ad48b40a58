"""Coverage of strategies that know nothing, everything, or one seat, and the value of self-play."""

import numpy as np
import pytest

from counterfold.blueprints.blueprint import quantize
from counterfold.blueprints.coverage import measure_coverage
from counterfold.blueprints.enumerated import evaluate_enumerated
from counterfold.games.holdem import betting_kernels as betting
from counterfold.public.walk_order import walk_graph
from counterfold.training.solver_factory import labeled_deals
from helpers.small_recipes import plan

HANDS = 20_000


@pytest.fixture(scope="module")
def made():
    return plan()


def measure(made, averages, hands=HANDS, seed=1):
    blueprint, _ = quantize(game(made), averages)
    graph, source = walk_graph(game(made), made.dealer), labeled_deals(made, made.cards())
    return blueprint, measure_coverage(blueprint, graph, source, hands=hands, seed=seed)


def game(made):
    return made.game(made.cards().n_buckets)


def test_a_uniform_strategy_knows_everything_and_has_its_exact_value(made):
    blueprint, found = measure(made, np.ones(game(made).n_slots))
    assert (found.trained, found.untrained_decisions, found.hands) == (1.0, 0.0, HANDS)
    assert found.decisions > 2 * HANDS
    inside, _ = evaluate_enumerated(blueprint, made.cards(), *made.exact)
    # Half of the interval is 1.96 standard errors: four of them are passed once in 16,000 seeds.
    assert abs(found.value - inside.values[0]) < 4 / 1.96 * found.value_interval
    assert 0.0 < found.value_interval < 0.1


def test_an_empty_strategy_knows_nothing(made):
    _, found = measure(made, np.zeros(game(made).n_slots))
    assert (found.trained, found.untrained_decisions) == (0.0, 1.0)


def test_decisions_count_as_often_as_they_are_met(made):
    """One seat alone is trained: half of the information sets or so, and half of the decisions."""
    public = game(made)
    actors = public.graph.field(betting.ACTOR)
    of_slot = np.zeros(public.n_slots)
    for node in public.graph.decisions[actors[public.graph.decisions] == 0]:
        start = public.node_offsets[node]
        n_actions = public.graph.starts[node + 1] - public.graph.starts[node]
        of_slot[start : start + n_actions * public.n_buckets[public.classes[node]]] = 1.0
    blueprint, found = measure(made, of_slot)
    assert found.trained == blueprint.coverage
    assert 0.0 < found.trained < 1.0
    _, whole = measure(made, np.ones(public.n_slots))
    assert found.decisions == pytest.approx(whole.decisions, rel=0.02)  # the rest is played evenly
    assert 0.3 < found.untrained_decisions < 0.7


def test_a_seed_repeats_its_hands(made):
    averages = np.ones(game(made).n_slots)
    assert measure(made, averages, 5000)[1] == measure(made, averages, 5000)[1]
    assert measure(made, averages, 5000)[1] != measure(made, averages, 5000, seed=2)[1]
