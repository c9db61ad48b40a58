"""The solver that a recipe asks for: the cards it needs, and the one function that builds it."""

from collections.abc import Mapping
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.joint_tables import JointTables
from counterfold.cards.ranking_kernels import STANDARD
from counterfold.cards.table_files import Progress
from counterfold.devices import gpu_library
from counterfold.errors import RecipeError
from counterfold.public.boards import EnumeratedBoards, SampledBoards
from counterfold.public.card_maps import CardLabels, CardMap
from counterfold.public.deals import Dealer
from counterfold.public.infosets import PublicGame, SlotLayout
from counterfold.public.walk_order import DealSource, EnumeratedDeals, SampledDeals
from counterfold.ranges.device.device_pass import DevicePass
from counterfold.sampling import Sampling
from counterfold.training.boards.best_response import BestResponseSolver
from counterfold.training.boards.device_chance import DeviceChanceSolver
from counterfold.training.boards.device_response import DeviceResponseSolver
from counterfold.training.boards.public_chance import BoardSource, PublicChanceSolver
from counterfold.training.deal_sampling import DealSamplingSolver
from counterfold.training.joint_cfr import JointSolver
from counterfold.training.plan import Plan
from counterfold.training.recipe import SolverRecipe

Chance = DealSource | BoardSource | JointTables


class TableSolver(Protocol):
    """A run of CFR whose tables have the slots of a public game, in the order of `layout`."""

    game: PublicGame
    layout: SlotLayout
    iterations: int
    visited: int  # nodes

    @property
    def tables(self) -> Mapping[str, NDArray[np.floating]]:
        """All that the next iteration depends on; `regrets` and `averages`.

        Live arrays, or copies if a GPU has them.
        """
        ...

    def take_tables(self, tables: Mapping[str, NDArray[np.floating]]) -> None:
        """Continue from these, which `tables` gave and which were changed since."""
        ...

    def peek(self, name: str, slots: slice | NDArray[np.int64]) -> NDArray[np.floating]:
        """A few numbers of a table."""
        ...

    def run(self, n: int, /) -> None:
        """Run `n` more iterations."""
        ...


def build_solver(
    plan: Plan, game: PublicGame, chance: Chance, *, warm_up: bool = True
) -> TableSolver:
    """A solver that has not begun, by the plan's algorithm, on a game and what its cards do.

    Without `warm_up` the first deals are walked like all others, for timing.
    """
    recipe = plan.recipe.solver
    if plan.algorithm == "joint-tables":
        joint = cast(JointTables, chance)
        passes = DevicePass(game, joint, gpu_library()) if plan.device == "gpu" else None
        return JointSolver(game, joint, recipe.fading, threads=recipe.threads, passes=passes)
    if plan.walks_boards:
        return _board_solver(plan, game, cast(BoardSource, chance))
    return DealSamplingSolver(
        game,
        plan.dealer,
        cast(DealSource, chance),
        sampling_of(
            recipe if warm_up else recipe.model_copy(update={"warm_up": 0}), plan.variant.big_blind
        ),
        recipe.fading,
        plan.epoch,
        plan.recipe.seed,
        recipe.threads,
    )


def _board_solver(plan: Plan, game: PublicGame, boards: BoardSource) -> TableSolver:
    """A solver that walks boards: in batches on a GPU, against responders for CFR-BR."""
    recipe, responds = plan.recipe.solver, plan.algorithm == "cfr-br"
    options: dict[str, Any] = {
        "discounting": recipe.fading,
        "epoch": plan.epoch,
        "seed": plan.recipe.seed,
        "threads": recipe.threads,
    }
    if responds:
        options["self_play"] = recipe.self_play
    if plan.device == "gpu":
        batched = DeviceResponseSolver if responds else DeviceChanceSolver
        return batched(game, plan.dealer, boards, gpu_library(), **options)
    by_board = BestResponseSolver if responds else PublicChanceSolver
    return by_board(game, plan.dealer, boards, **options)


def find_chance(plan: Plan, cards: CardMap, progress: Progress | None = None) -> Chance:
    """What the plan's algorithm needs from the cards: deals, boards, or joint tables."""
    if plan.algorithm == "joint-tables":
        return joint_tables(plan, cards, progress)
    return sampled_chance(plan, cards)


def sampled_chance(
    plan: Plan, cards: CardLabels, dealer: Dealer | None = None
) -> DealSource | BoardSource:
    """An endless source of labeled boards or deals, from another dealer if one is given."""
    if not plan.walks_boards:
        return labeled_deals(plan, cards, dealer)
    by_hand = plan.algorithm == "cfr-br" or plan.device == "gpu"
    if plan.is_enumerated:
        listed = plan.exact[0]
        return EnumeratedBoards(plan.dealer, listed, cards.label(listed), by_hand=by_hand)
    return SampledBoards(dealer or plan.dealer, cards, by_hand)


def labeled_deals(plan: Plan, cards: CardLabels, dealer: Dealer | None = None) -> DealSource:
    """An endless source of labeled deals."""
    if plan.is_enumerated:
        listed = plan.exact[0]
        return EnumeratedDeals(listed, cards.label(listed))
    return SampledDeals(dealer or plan.dealer, cards)


def sampling_of(solver: SolverRecipe, big_blind: int) -> Sampling:
    """How much of the game a walk of the recipe's algorithm visits; `big_blind` in chips."""
    if solver.algorithm == "chance":
        return Sampling(expand=True)
    if solver.algorithm == "outcome":
        return Sampling(single=True, epsilon=solver.epsilon)
    if solver.algorithm == "average-strategy":
        return Sampling(
            epsilon=solver.epsilon, tau=solver.tau, beta=solver.beta, warm_up=solver.warm_up
        )
    return Sampling(prune_below=solver.prune_below_blinds * big_blind, warm_up=solver.warm_up)


def has_joint_tables(plan: Plan, cards: CardMap) -> bool:
    """Whether bucket sequences and betting histories are all that players know."""
    remembers = plan.abstraction.needs_histories and not plan.variant.max_runs
    variant = plan.variant
    usual = variant.ranking == STANDARD and variant.bounty is None
    return remembers and usual and variant.has_small_hands and cards.recalls


def joint_tables(plan: Plan, cards: CardMap, progress: Progress | None = None) -> JointTables:
    """How often bucket sequences meet and which wins, from the cache or counted now."""
    if not has_joint_tables(plan, cards):
        raise RecipeError(
            "joint-tables needs the feature history and cards with perfect recall (a history "
            f"bucketing, or recall: sequence) and a usual showdown, unlike {plan.recipe.cards!r} "
            f"with {plan.recipe.features!r} on {plan.variant.name}"
        )
    return cards.joint_tables(progress=progress)  # counts, the same on any number of threads
