"""From a recipe to what training needs: variant, graph, classes, cards.

A `Plan` is data, and cheap: the public graph is built in moments, card tables only by `Plan.cards`.
`solver_factory` makes a solver from it; `cost` estimates how large and how fast everything will be.
"""

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

from counterfold.bets.menu_text import parse_menu
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards import EIGHT_RANGES, DrawTables, StrengthTables
from counterfold.cards.table_files import Progress
from counterfold.devices import choose_device
from counterfold.errors import RecipeError
from counterfold.games import Game, parse_game
from counterfold.games.files import parse_variant
from counterfold.games.holdem import Variant
from counterfold.public.card_maps import CardMap, ExactCards, NoCards, with_secrets
from counterfold.public.card_spec import CardSpec
from counterfold.public.card_spec_text import parse_card_spec
from counterfold.public.deals import Dealer, Deals
from counterfold.public.discard_orders import ByStrength
from counterfold.public.graph import PublicGraph, build_graph
from counterfold.public.infosets import PublicGame, classify
from counterfold.public.lay_orders import BatchLayOrder, is_ordered_by_strength, lay_order
from counterfold.public.public_variants import check_pot
from counterfold.public.situation_features import PublicAbstraction, parse_public_abstraction
from counterfold.public.stages import LowestFirst, card_stages
from counterfold.ranges.device.board_pass import walks_in_batches
from counterfold.training.boards.public_chance import prefers_public_chance
from counterfold.training.recipe import Recipe, change_recipe, load_recipe

WALK_BOARDS = ("public-chance", "cfr-br")  # algorithms
_DEALS_PER_EPOCH, _BOARDS_PER_EPOCH = 100_000, 100


@dataclass(eq=False)
class Plan:
    """A recipe with its parts read and checked; each is made once, when it is first needed."""

    recipe: Recipe
    name: str = ""  # of the recipe or of its run
    _cards: CardMap | None = field(default=None, init=False, repr=False)

    @cached_property
    def variant(self) -> Variant:
        """The rules."""
        rules, name = self.recipe.rules, self.recipe.variant
        game: Game = parse_variant(rules, name) if rules else parse_game(name)
        if not isinstance(game, Variant):
            raise RecipeError(
                f"{game.name} is not a hold'em variant; solve it with counterfold solve"
            )
        return game

    @cached_property
    def dealer(self) -> Dealer:
        """Deals of the variant."""
        if self.variant.gives_cards:
            return Dealer(self.variant, lay_order=self._lay_order)
        if self.discards_by_strength and self.variant.n_draws:
            return Dealer(self.variant, ByStrength(DrawTables(self.variant.deck)))
        return Dealer(self.variant)

    @property
    def _lay_order(self) -> BatchLayOrder:
        if not self.discards_by_strength:
            return LowestFirst()
        return lay_order(self.variant, self.strength_lookup().strength)

    @property
    def discards_by_strength(self) -> bool:
        """Whether the recipe orders discards by strength, or leaves it open where card tables know
        hands by what is left of them, so that an order by rank would hide the better choice.
        """
        if self.recipe.discards != "auto":
            return self.recipe.discards == "by-strength"
        tabled = self.abstraction.cards and not self.is_enumerated
        return tabled and is_ordered_by_strength(self.variant)

    @cached_property
    def graph(self) -> PublicGraph:
        """All public situations."""
        menu = parse_menu(self.recipe.bets)
        return build_graph(self.variant, menu, merge=not self.abstraction.needs_histories)

    @cached_property
    def abstraction(self) -> PublicAbstraction:
        """What players may tell apart."""
        return parse_public_abstraction(self.recipe.features)

    @cached_property
    def spec(self) -> CardSpec:
        """How the cards are to be known."""
        return parse_card_spec(self.recipe.cards)

    @property
    def is_enumerated(self) -> bool:
        """Whether training draws from the list of all deals."""
        return self.spec.lists_deals

    def strength_lookup(self, progress: Progress | None = None) -> StrengthLookup:
        """The strength tables that cards are put into buckets by."""
        variant, bins = self.variant, self.recipe.bins
        strength = StrengthTables(variant.deck, bins, EIGHT_RANGES, ranking=variant.ranking)
        return StrengthLookup(strength, None, progress, self.recipe.solver.device)

    @cached_property
    def exact(self) -> tuple[Deals, CardMap]:
        """All deals of a small deck, and what is exactly known of them."""
        deals = self.dealer.enumerate()
        return deals, with_secrets(ExactCards(self.dealer, deals), exactly=True)

    def cards(self, progress: Progress | None = None) -> CardMap:
        """The buckets, opened once; tables that the cache lacks are built now."""
        if self._cards is None:
            self._cards = self._open_cards(progress)
        return self._cards

    def _open_cards(self, progress: Progress | None) -> CardMap:
        if not self.abstraction.cards:
            return NoCards(self.dealer)
        return self.spec.card_map(self, progress)

    @cached_property
    def _classified(self) -> PublicGame:
        """Classes of nodes do not depend on how many buckets there are."""
        return classify(self.graph, self.abstraction, [1] * len(card_stages(self.variant)))

    def game(self, n_buckets: Sequence[int]) -> PublicGame:
        """The graph's nodes in classes, with `n_buckets` at each stage."""
        return self._classified.with_buckets(n_buckets)

    @cached_property
    def algorithm(self) -> str:
        """The algorithm the recipe names, or the better choice for `auto`."""
        named = self.recipe.solver.algorithm
        if named in WALK_BOARDS:
            check_pot(self.variant, named)
        if named != "auto":
            return named
        recalls = self.spec.recalls or not self.abstraction.cards
        return "public-chance" if prefers_public_chance(self.graph, recalls) else "external"

    @cached_property
    def device(self) -> Literal["cpu", "gpu"]:
        """Where the algorithm runs; raises `DeviceError` if it cannot run where it is asked to."""
        has_path = self.algorithm == "joint-tables" or self.walks_in_batches
        return choose_device(self.recipe.solver.device, self.algorithm, has_path=has_path)

    @property
    def walks_in_batches(self) -> bool:
        """Whether a GPU may walk many boards at once."""
        return self.walks_boards and walks_in_batches(self._classified)

    @property
    def unit(self) -> str:
        """What an iteration is: a deal, a board, or a pass over everything."""
        if self.algorithm == "joint-tables":
            return "iterations"
        return "boards" if self.walks_boards else "deals"

    @property
    def walks_boards(self) -> bool:
        """Whether a sample is a board with all hands, not a deal."""
        return self.algorithm in WALK_BOARDS

    @property
    def epoch(self) -> int:
        """Deals or boards between two discounts."""
        usual = _BOARDS_PER_EPOCH if self.walks_boards else _DEALS_PER_EPOCH
        return self.recipe.solver.epoch or usual

    def on_processor(self) -> "Plan":
        """The same plan, with all parts that are made, whatever GPU there is."""
        other = copy.copy(self)
        other.recipe = change_recipe(self.recipe, ["solver.device=cpu"])
        other.device = "cpu"
        return other

    def with_epoch(self, epoch: int) -> "Plan":
        """The same plan, with all parts that are made, but for its epoch."""
        return self.with_recipe(change_recipe(self.recipe, [f"solver.epoch={epoch}"]), self.name)

    def with_recipe(self, recipe: Recipe, name: str) -> "Plan":
        """The same plan, with all parts that are made, but for its seed, its solver and its play.

        The recipes must not differ in anything else.
        """
        other = copy.copy(self)
        other.recipe, other.name = recipe, name
        for chosen in ("algorithm", "device"):
            vars(other).pop(chosen, None)
        return other

    def most_buckets(self) -> tuple[int, ...]:
        """Upper bounds on the buckets of every stage, without building card tables."""
        tabled = self.abstraction.cards and not self.is_enumerated
        return self.spec.max_buckets(self) if tabled else self.cards().n_buckets


def make_plan(
    recipe: str | Path | Recipe | Plan, overrides: Sequence[str] = (), name: str = ""
) -> Plan:
    """The plan of a recipe that is given by name, as a file, or itself.

    `overrides` change keys of it; `name` is for a recipe that has none of its own.
    """
    if isinstance(recipe, Plan):
        if not overrides:
            return recipe
        name, recipe = recipe.name or name, recipe.recipe
    if isinstance(recipe, Recipe):
        return Plan(change_recipe(recipe, overrides), name)
    name, recipe = load_recipe(str(recipe), overrides)
    return Plan(recipe, name)
