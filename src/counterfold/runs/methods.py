"""The solver that a recipe asks for, on the game and cards of its plan."""

from pathlib import Path

from counterfold.abstraction import ClassBuckets, build_joint
from counterfold.abstraction.card_abstraction import CardBuckets
from counterfold.abstraction.history import FittedHistory
from counterfold.cards.table_files import Progress
from counterfold.compiled.boards import ListedBoards, SampledBoards
from counterfold.compiled.card_maps import CardMap, TabledCards
from counterfold.compiled.pair_tables import PairTables, pairs_of_joint
from counterfold.errors import RecipeError
from counterfold.runs.checkpoints import TableSolver
from counterfold.runs.plan import DISCOUNTINGS, Plan
from counterfold.solvers.joint_tables import JointSolver
from counterfold.solvers.public_chance import PublicChanceSolver


def make_method(plan: Plan, cards: CardMap, progress: Progress | None = None) -> TableSolver:
    """A run that has not begun, by the recipe's algorithm."""
    recipe = plan.recipe.solver
    if plan.algorithm == "joint-tables":
        return JointSolver(
            plan.game(cards.n_buckets),
            pair_tables(plan, cards, progress),
            DISCOUNTINGS[recipe.discounting],
            threads=recipe.threads,
        )
    if plan.algorithm == "public-chance":
        boards = (
            ListedBoards(plan.dealer, plan.exact[0], cards.label(plan.exact[0]))
            if plan.is_listed
            else SampledBoards(plan.dealer, cards)
        )
        return PublicChanceSolver(
            plan.game(cards.n_buckets),
            plan.dealer,
            boards,
            discounting=DISCOUNTINGS[recipe.discounting],
            epoch=plan.epoch,
            seed=plan.recipe.seed,
            threads=recipe.threads,
        )
    return plan.solver(cards)


def has_pair_tables(plan: Plan, cards: CardMap) -> bool:
    """Whether bucket sequences and betting histories are all that players know."""
    remembers = plan.abstraction.needs_histories and not plan.variant.max_runs
    changes = any(street.draw or street.swap for street in plan.variant.streets)
    return remembers and not changes and isinstance(cards, TabledCards) and cards.recalls


def pair_tables(plan: Plan, cards: CardMap, progress: Progress | None = None) -> PairTables:
    """How often bucket sequences meet and which wins, from the cache or counted now."""
    if not has_pair_tables(plan, cards):
        raise RecipeError(
            "joint-tables needs the feature history and cards that are remembered "
            f"(a history bucketing, or recall: sequence), unlike {plan.recipe.cards!r} "
            f"with {plan.recipe.features!r} on {plan.variant.name}"
        )
    assert isinstance(cards, TabledCards)
    folder: Path = plan.source().strength.folder
    threads = plan.recipe.solver.threads
    if isinstance(cards.buckets, FittedHistory):
        return pairs_of_joint(
            build_joint(cards.buckets, folder, threads=threads, progress=progress)
        )
    if isinstance(cards.buckets, CardBuckets):
        recalled = ClassBuckets(plan.variant.deck, cards.buckets.labels)
        return pairs_of_joint(build_joint(recalled, folder, threads=threads, progress=progress))
    raise RecipeError(f"{cards.name!r} has no joint tables; use a history bucketing alone")
