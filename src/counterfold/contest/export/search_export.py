"""The settings of search in an exported bot."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from counterfold.contest.export.targets import Target
from counterfold.errors import ExportError
from counterfold.search.search_bot import check_searchable
from counterfold.search.search_options import SearchOptions
from counterfold.training.train_folder import TrainedRun


def pack_search(run: TrainedRun, options: SearchOptions, target: Target) -> Mapping[str, Any]:
    """What JSON can hold of it; raises for variants and options that an exported bot cannot do."""
    variant = run.plan.variant
    check_searchable(variant)
    if not variant.usual_showdown:
        raise ExportError(
            f"{variant.name} ranks hands in a different order, and exported bots can search only "
            "in that of hold'em; leave out --resolve"
        )
    if variant.hole_cards != 2:
        raise ExportError(
            f"{variant.name} deals {variant.hole_cards} hole cards, and exported bots search with "
            "two; leave out --resolve"
        )
    if options.streets > 1:
        raise ExportError(
            f"exported bots search the last street, not {options.streets}: NumPy alone is too slow "
            "for more; leave out --resolve-streets"
        )
    menu = None if variant.betting == "limit" else run.blueprint.game.graph.menu.name
    return {
        "options": asdict(replace(options, hand_seconds=target.hand_seconds)),
        "n_buckets": max(run.cards.n_buckets),
        "menu": menu,
    }
