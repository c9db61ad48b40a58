"""A trained run as it travels to workers: its recipe and its strategy, without the card tables."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from numpy.typing import NDArray

from counterfold.blueprints.blueprint import Blueprint
from counterfold.errors import ClusterError
from counterfold.public.card_maps import CardMap
from counterfold.training.plan import Plan
from counterfold.training.recipe import Recipe
from counterfold.training.train_folder import TrainedRun
from counterfold.training.train_metrics import Metrics


@dataclass(frozen=True, eq=False)
class RunParcel:
    """What it takes to open a run where its folder is not."""

    name: str
    recipe: Recipe
    quantized: NDArray[Any]
    n_trained: int
    visits: NDArray[Any] | None
    metrics: Metrics
    digests: Mapping[str, str]  # of the card tables

    @classmethod
    def of(cls, run: TrainedRun) -> Self:
        """The parcel of a run."""
        made = run.blueprint
        return cls(
            run.name,
            run.plan.recipe,
            made.quantized,
            made.n_trained,
            made.visits,
            run.metrics,
            run.cards.digests(),
        )

    def open(self) -> TrainedRun:
        """The run; card tables are built if the cache does not have them."""
        plan = Plan(self.recipe, self.name)
        cards = plan.cards()
        check_digests(cards, self.digests)
        game = plan.game(cards.n_buckets)
        blueprint = Blueprint(game, self.quantized, self.n_trained, self.visits)
        return TrainedRun(self.name, plan, cards, blueprint, self.metrics)


def check_digests(cards: CardMap, expected: Mapping[str, str]) -> None:
    """Raise `ClusterError` if a worker has other card tables than its head."""
    found = cards.digests()
    if found != expected:
        names = sorted({name for name, _ in found.items() ^ expected.items()})
        raise ClusterError(
            f"the card tables {', '.join(names)} of a worker are not those of the head; copy its "
            "cache folder to all machines"
        )
