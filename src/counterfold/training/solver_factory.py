"""The solver that a recipe asks for, on the game and cards of its plan."""

from pathlib import Path

from counterfold.buckets.card_abstraction import CardBuckets
from counterfold.buckets.history import FittedHistory
from counterfold.buckets.joint_tables import build_joint
from counterfold.buckets.perfect_recall import ClassBuckets
from counterfold.cards.table_files import Progress
from counterfold.errors import RecipeError
from counterfold.public.boards import EnumeratedBoards, SampledBoards
from counterfold.public.card_maps import CardMap, TabledCards
from counterfold.public.infosets import PublicGame
from counterfold.ranges.pair_tables import PairTables, pairs_of_joint
from counterfold.training.checkpoints import TableSolver
from counterfold.training.joint_cfr import JointSolver
from counterfold.training.plan import DISCOUNTINGS, Plan
from counterfold.training.public_chance import BoardSource, PublicChanceSolver


def build_solver(plan: Plan, cards: CardMap, progress: Progress | None = None) -> TableSolver:
    """A run that has not begun, by the recipe's algorithm."""
    game = plan.game(cards.n_buckets)
    if plan.algorithm == "joint-tables":
        return joint_solver(plan, game, pair_tables(plan, cards, progress))
    if plan.algorithm == "public-chance":
        if plan.is_enumerated:
            listed = plan.exact[0]
            return boards_solver(
                plan, game, EnumeratedBoards(plan.dealer, listed, cards.label(listed))
            )
        return boards_solver(plan, game, SampledBoards(plan.dealer, cards))
    return plan.solver(cards)


def joint_solver(plan: Plan, game: PublicGame, pairs: PairTables) -> JointSolver:
    """Full-width training with tables of pairs."""
    recipe = plan.recipe.solver
    return JointSolver(game, pairs, DISCOUNTINGS[recipe.discounting], threads=recipe.threads)


def boards_solver(plan: Plan, game: PublicGame, boards: BoardSource) -> PublicChanceSolver:
    """Public chance sampling over boards of a source."""
    recipe = plan.recipe.solver
    return PublicChanceSolver(
        game,
        plan.dealer,
        boards,
        discounting=DISCOUNTINGS[recipe.discounting],
        epoch=plan.epoch,
        seed=plan.recipe.seed,
        threads=recipe.threads,
    )


def has_pair_tables(plan: Plan, cards: CardMap) -> bool:
    """Whether bucket sequences and betting histories are all that players know."""
    remembers = plan.abstraction.needs_histories and not plan.variant.max_runs
    changes = plan.variant.hands_change
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
