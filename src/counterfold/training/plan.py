"""From a recipe to what training needs: variant, graph, classes, cards, solver.

A `Plan` is cheap: the public graph is built in moments, card tables are not touched. `Plan.cards`
then builds the tables and `Plan.solver` the run's tables. How large everything will be, and how
fast, is for `training.cost` to say.
"""

from dataclasses import dataclass
from functools import cached_property
from math import prod

from counterfold import discounting
from counterfold.bets.menu_text import parse_menu
from counterfold.buckets.abstraction_text import parse_cards_spec
from counterfold.buckets.card_abstraction import CardAbstraction
from counterfold.buckets.card_product import CardProduct
from counterfold.buckets.history import History
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards import EIGHT_RANGES, DrawTables, StrengthTables
from counterfold.cards.streets import BOARD_SIZES
from counterfold.cards.table_files import Progress
from counterfold.errors import RecipeError
from counterfold.games import Game, parse_game
from counterfold.games.files import parse_variant
from counterfold.games.holdem import Variant
from counterfold.public.card_maps import CardLabels, CardMap, ExactCards, NoCards, TabledCards
from counterfold.public.deals import ByStrength, Dealer, Deals
from counterfold.public.enumerated_cards import (
    EnumeratedPercentile,
    PercentileCards,
    parse_enumerated,
)
from counterfold.public.graph import PublicGraph, build_graph
from counterfold.public.infosets import PublicGame, classify
from counterfold.public.situation_features import PublicAbstraction, parse_public_abstraction
from counterfold.public.stages import card_stages
from counterfold.public.walk_kernels import PublicSampling
from counterfold.public.walk_order import DealSource, EnumeratedDeals, SampledDeals
from counterfold.training.deal_sampling import DealSamplingSolver
from counterfold.training.public_chance import prefers_public_chance
from counterfold.training.recipe import Recipe, SolverRecipe

EXACT_CARDS = "exact"
_DEALS_PER_EPOCH, _BOARDS_PER_EPOCH = 100_000, 100

DISCOUNTINGS = {
    "cfr": discounting.CFR,
    "cfr+": discounting.CFR_PLUS,
    "linear": discounting.LINEAR,
    "dcfr": discounting.DCFR,
    "pcfr+": discounting.PCFR_PLUS,
}


@dataclass(frozen=True)
class Plan:
    """A recipe with its parts read and checked."""

    recipe: Recipe

    @cached_property
    def variant(self) -> Variant:
        """The rules."""
        rules, name = self.recipe.rules, self.recipe.variant
        game: Game = parse_variant(rules, name) if rules else parse_game(name)
        if not isinstance(game, Variant):
            raise RecipeError(
                f"{game.name} is no variant of hold'em; solve it with counterfold solve"
            )
        return game

    @cached_property
    def dealer(self) -> Dealer:
        """Deals of the variant."""
        if self.recipe.discards == "by-strength" and self.variant.n_draws:
            return Dealer(self.variant, ByStrength(DrawTables(self.variant.deck)))
        return Dealer(self.variant)

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
    def spec(self) -> CardAbstraction | History | CardProduct | EnumeratedPercentile | None:
        """The card abstraction, None for exact cards."""
        if self.recipe.cards.strip() == EXACT_CARDS:
            return None
        return parse_enumerated(self.recipe.cards) or parse_cards_spec(self.recipe.cards)

    @property
    def is_enumerated(self) -> bool:
        """Whether training draws from the list of all deals."""
        return self.spec is None or isinstance(self.spec, EnumeratedPercentile)

    def source(self, progress: Progress | None = None) -> StrengthLookup:
        """The strength tables that cards are put into buckets by."""
        strength = StrengthTables(self.variant.deck, bins=self.recipe.bins, clusters=EIGHT_RANGES)
        return StrengthLookup(strength, self.recipe.solver.threads, progress)

    @cached_property
    def exact(self) -> tuple[Deals, ExactCards]:
        """All deals of a small deck."""
        deals = self.dealer.enumerate()
        return deals, ExactCards(self.dealer, deals)

    def cards(self, progress: Progress | None = None) -> CardMap:
        """The buckets, built now if they are not in the cache."""
        if not self.abstraction.cards:
            return NoCards(self.dealer)
        if self.spec is None:
            return self.exact[1]
        if isinstance(self.spec, EnumeratedPercentile):
            deals, exact = self.exact
            return PercentileCards(self.spec, exact, deals)
        return TabledCards(self.dealer, self.spec.build(self.source(progress)))

    def game(self, n_buckets: tuple[int, ...]) -> PublicGame:
        """The graph's nodes in classes, with so many buckets at each stage."""
        return classify(self.graph, self.abstraction, n_buckets)

    def deals(self, cards: CardLabels) -> DealSource:
        """Labelled deals without end."""
        if self.is_enumerated:
            listed = self.exact[0]
            return EnumeratedDeals(listed, cards.label(listed))
        return SampledDeals(self.dealer, cards)

    def solver(self, cards: CardMap) -> DealSamplingSolver:
        """A run that has not begun."""
        return self.make_solver(self.game(cards.n_buckets), self.deals(cards))

    @cached_property
    def algorithm(self) -> str:
        """What the recipe names, or what is the better choice."""
        named = self.recipe.solver.algorithm
        if named != "auto":
            return named
        return "public-chance" if prefers_public_chance(self.graph) else "external"

    @property
    def unit(self) -> str:
        """What an iteration walks one of."""
        return {"joint-tables": "iterations", "public-chance": "boards"}.get(
            self.algorithm, "deals"
        )

    @property
    def epoch(self) -> int:
        """Deals or boards between two discounts."""
        usual = _BOARDS_PER_EPOCH if self.algorithm == "public-chance" else _DEALS_PER_EPOCH
        return self.recipe.solver.epoch or usual

    def make_solver(self, game: PublicGame, deals: DealSource) -> DealSamplingSolver:
        """The recipe's method on a game and a source of deals."""
        solver = self.recipe.solver
        return DealSamplingSolver(
            game,
            self.dealer,
            deals,
            _sampling(solver),
            DISCOUNTINGS[solver.discounting],
            self.epoch,
            self.recipe.seed,
            solver.threads,
        )

    def most_buckets(self) -> tuple[int, ...]:
        """Buckets of every stage, at most, without building any."""
        if self.is_enumerated or not self.abstraction.cards:
            return self.cards().n_buckets
        assert isinstance(self.spec, CardAbstraction | History | CardProduct)
        streets = []
        for stage in card_stages(self.variant):
            board = self.variant.board_cards(stage.street)
            streets.append(next((s for s, n in BOARD_SIZES.items() if n == board), "river"))
        if isinstance(self.spec, CardAbstraction):
            return self._most_by_street(self.spec, streets)
        histories = [self.spec] if isinstance(self.spec, History) else self.spec.histories
        counts = [prod(h.n_sequences(street) for h in histories) for street in streets]
        if isinstance(self.spec, CardProduct) and self.spec.cards is not None:
            others = self._most_by_street(self.spec.cards, streets)
            counts = [n * other for n, other in zip(counts, others, strict=True)]
        return tuple(counts)

    def _most_by_street(self, cards: CardAbstraction, streets: list[str]) -> tuple[int, ...]:
        source = self.source()
        counts: list[int] = []
        for street in streets:
            bucketing = cards.streets[list(BOARD_SIZES).index(street)]
            n = bucketing.most_buckets(source.n_classes(street))
            before = counts[-1] if counts and cards.recall == "sequence" else 1
            counts.append(n * before)
        return tuple(counts)


def _sampling(solver: SolverRecipe) -> PublicSampling:
    if solver.algorithm == "chance":
        return PublicSampling(expand=True)
    if solver.algorithm == "outcome":
        return PublicSampling(single=True, epsilon=solver.epsilon)
    if solver.algorithm == "average-strategy":
        return PublicSampling(
            epsilon=solver.epsilon, tau=solver.tau, beta=solver.beta, warm_up=solver.warm_up
        )
    return PublicSampling(prune_below=solver.prune_below, warm_up=solver.warm_up)
