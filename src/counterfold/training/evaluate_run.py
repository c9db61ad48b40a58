"""How good a trained strategy is: coverage, and exact figures where all deals can be listed."""

from dataclasses import dataclass
from typing import Any

from counterfold.blueprints.coverage import Coverage, measure_coverage
from counterfold.blueprints.enumerated import evaluate_enumerated
from counterfold.cards.table_files import Progress
from counterfold.errors import TooLargeError, UnsupportedGameError
from counterfold.frames import NamedFigures
from counterfold.public.walk_order import walk_graph
from counterfold.ranges.joint.joint_values import JointEvaluation, evaluate_joint
from counterfold.training.solver_factory import has_joint_tables, joint_tables, labeled_deals
from counterfold.training.train_folder import TrainedRun
from counterfold.tree.exact_evaluation import Evaluation

DEFAULT_HANDS = 200_000
_OTHER_SEED = 0x5EED  # hands that training has not seen


@dataclass(frozen=True)
class Measures(NamedFigures):
    """Coverage, and exact figures inside the abstraction and in the exact game, or why not."""

    coverage: Coverage
    inside: Evaluation | None
    exact: Evaluation | None
    why_not: str = ""
    joint: JointEvaluation | None = None  # of the abstract game, by its joint tables

    def to_dict(self) -> dict[str, Any]:
        """All figures by name; those inside the abstraction stand alone."""
        content: dict[str, Any] = {"coverage": vars(self.coverage)}
        if self.joint is not None:
            return {**content, "abstract_game": self.joint.to_dict()}
        if self.inside is None or self.exact is None:
            return {**content, "why_not_exact": self.why_not}
        return {**content, **self.inside.to_dict(), "exact": self.exact.to_dict()}

    def __str__(self) -> str:
        known = (
            f"{self.coverage.trained:.2%} of the information sets trained, "
            f"{self.coverage.untrained_decisions:.4%} of the decisions in self-play untrained"
        )
        if self.joint is not None:
            mb = self.joint.exploitability_mb
            return f"{known}; exploitability inside the abstraction {mb:,.3f} mb/g"
        if self.inside is None or self.exact is None:
            return f"{known}; exploitability not computed: {self.why_not}"
        return f"{known}; inside the abstraction: {self.inside}; in the exact game: {self.exact}"


def measure(
    run: TrainedRun,
    hands: int = DEFAULT_HANDS,
    *,
    joint: bool = False,
    progress: Progress | None = None,
) -> Measures:
    """Play `hands` hands of self-play; then best responses if the deck is small enough.

    With `joint`, best responses of an abstract game with perfect recall from its joint tables,
    which are counted if necessary.
    """
    plan, blueprint = run.plan, run.blueprint
    coverage = measure_coverage(
        blueprint,
        walk_graph(blueprint.game, plan.dealer),
        labeled_deals(plan, run.cards),
        hands=hands,
        seed=plan.recipe.seed ^ _OTHER_SEED,
    )
    if joint or (
        plan.recipe.solver.algorithm == "joint-tables" and has_joint_tables(plan, run.cards)
    ):
        tables = joint_tables(plan, run.cards, progress)
        threads = plan.recipe.solver.threads
        found = evaluate_joint(blueprint.game, tables, blueprint.quantized, threads=threads)
        return Measures(coverage, None, None, "", found)
    try:
        deals, exact = plan.exact
        inside, lifted = evaluate_enumerated(blueprint, run.cards, deals, exact)
    except (TooLargeError, UnsupportedGameError) as error:
        return Measures(coverage, None, None, str(error))
    return Measures(coverage, inside, lifted)
