"""How good a trained strategy is: coverage, and exact figures where all deals can be listed."""

from dataclasses import dataclass

from counterfold.compiled.walks import walk_graph
from counterfold.errors import TooLargeError, UnsupportedGameError
from counterfold.evaluation import Evaluation
from counterfold.evaluation.coverage import Coverage, measure_coverage
from counterfold.evaluation.reduced import evaluate_listed
from counterfold.runs.trained import TrainedRun

DEFAULT_HANDS = 200_000
_OTHER_SEED = 0x5EED  # hands that training has not seen


@dataclass(frozen=True)
class Measures:
    """Coverage, and exact figures inside the abstraction and in the exact game, or why none."""

    coverage: Coverage
    inside: Evaluation | None
    exact: Evaluation | None
    why_not: str = ""


def measure(run: TrainedRun, hands: int = DEFAULT_HANDS) -> Measures:
    """Play `hands` hands of self-play; then best responses if the deck is small enough."""
    plan, blueprint = run.plan, run.blueprint
    coverage = measure_coverage(
        blueprint,
        walk_graph(blueprint.game, plan.dealer),
        plan.deals(run.cards),
        hands=hands,
        seed=plan.recipe.seed ^ _OTHER_SEED,
    )
    try:
        deals, exact = plan.exact
        inside, lifted = evaluate_listed(blueprint, run.cards, deals, exact)
    except (TooLargeError, UnsupportedGameError) as error:
        return Measures(coverage, None, None, str(error))
    return Measures(coverage, inside, lifted)
