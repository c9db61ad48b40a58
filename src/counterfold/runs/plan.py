"""From a recipe to what training needs: variant, graph, classes, cards, solver; and its estimate.

A `Plan` is cheap: the public graph is built in moments, card tables are not touched. It knows how
large everything will be. `Plan.cards` then builds the tables and `Plan.solver` the run's tables.
"""

import time
from dataclasses import dataclass
from functools import cached_property
from math import inf, prod

import numpy as np

from counterfold.abstraction import (
    BuildEstimate,
    CardAbstraction,
    CardProduct,
    History,
    Source,
    parse_cards_spec,
    parse_menu,
)
from counterfold.abstraction.estimate import estimate as estimate_cards
from counterfold.abstraction.public import parse_public_abstraction
from counterfold.cards import EIGHT_RANGES, DrawTables, StrengthTables
from counterfold.cards.streets import BOARD_SIZES
from counterfold.cards.table_files import Progress
from counterfold.compiled.card_maps import CardMap, ExactCards, TabledCards
from counterfold.compiled.classes import PublicGame, classify
from counterfold.compiled.deals import ByStrength, Dealer, Deals
from counterfold.compiled.public import PublicGraph, build_graph
from counterfold.compiled.stages import card_stages
from counterfold.compiled.walks import DealSource, ListedDeals, SampledDeals
from counterfold.errors import RecipeError
from counterfold.games import parse_game
from counterfold.games.holdem import Variant
from counterfold.kernels.public_walks import PublicSampling, WalkDeals
from counterfold.runs.recipe import Recipe, SolverRecipe
from counterfold.solvers import variants
from counterfold.solvers.public import PublicSolver

EXACT_CARDS = "exact"
BYTES_PER_SLOT = 8  # regret and average, four bytes each
BYTES_PER_SLOT_OF_A_BOT = 1
_MOST_TIMED_SLOTS = 20_000_000
_TIMED_SECONDS = 0.5  # of walks, for the rate to be expected

DISCOUNTINGS = {
    "cfr": variants.CFR,
    "cfr+": variants.CFR_PLUS,
    "linear": variants.LINEAR,
    "dcfr": variants.DCFR,
    "pcfr+": variants.PCFR_PLUS,
}


@dataclass(frozen=True)
class Estimate:
    """What a recipe will take."""

    nodes: int
    edges: int
    classes: int
    infosets: int
    slots: int
    training_bytes: int  # regrets, averages and the graph
    tables_bytes: int  # card tables that are read while training
    bot_bytes: int  # of the exported strategy, before compression
    iterations_per_second: float  # deals, each walked for both players; NaN where not sampled
    tables: BuildEstimate  # to build the card tables that are not there yet


@dataclass(frozen=True)
class Plan:
    """A recipe with its parts read and checked."""

    recipe: Recipe

    @cached_property
    def variant(self) -> Variant:
        """The rules."""
        game = parse_game(self.recipe.variant)
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
        abstraction = parse_public_abstraction(self.recipe.features)
        menu = parse_menu(self.recipe.bets)
        return build_graph(self.variant, menu, merge=not abstraction.needs_histories)

    @cached_property
    def spec(self) -> CardAbstraction | History | CardProduct | None:
        """The card abstraction, None for exact cards."""
        if self.recipe.cards.strip() == EXACT_CARDS:
            return None
        return parse_cards_spec(self.recipe.cards)

    def source(self, progress: Progress | None = None) -> Source:
        """The strength tables that cards are put into buckets by."""
        strength = StrengthTables(self.variant.deck, bins=self.recipe.bins, clusters=EIGHT_RANGES)
        return Source(strength, self.recipe.solver.threads, progress)

    @cached_property
    def exact(self) -> tuple[Deals, ExactCards]:
        """All deals of a small deck."""
        deals = self.dealer.enumerate()
        return deals, ExactCards(self.dealer, deals)

    def cards(self, progress: Progress | None = None) -> CardMap:
        """The buckets, built now if they are not in the cache."""
        if self.spec is None:
            return self.exact[1]
        return TabledCards(self.dealer, self.spec.build(self.source(progress)))

    def game(self, n_buckets: tuple[int, ...]) -> PublicGame:
        """The graph's nodes in classes, with so many buckets at each stage."""
        return classify(self.graph, parse_public_abstraction(self.recipe.features), n_buckets)

    def deals(self, cards: CardMap) -> DealSource:
        """Labelled deals without end."""
        if isinstance(cards, ExactCards):
            listed = self.exact[0]
            return ListedDeals(listed, cards.label(listed))
        return SampledDeals(self.dealer, cards)

    def solver(self, cards: CardMap) -> PublicSolver:
        """A run that has not begun."""
        return self._make(self.game(cards.n_buckets), self.deals(cards))

    def estimate(self) -> Estimate:
        """Sizes, times and rates before anything large is built."""
        counts = self._most_buckets()
        game = self.game(counts)
        graph = self.graph
        source = self.source()
        if self.spec is None:
            needs = BuildEstimate(0.0, 0, 0)
            tables = 0
        else:
            needs = estimate_cards(self.spec, source)
            width = 1 if isinstance(self.spec, CardAbstraction) else 2  # bytes of a river class
            tables = width * sum(source.n_classes(street) for street in BOARD_SIZES)
        n_bytes = BYTES_PER_SLOT * game.n_slots + 64 * graph.n_nodes + 60 * graph.n_nodes
        return Estimate(
            graph.n_nodes,
            graph.n_edges,
            game.n_classes,
            game.n_infosets,
            game.n_slots,
            n_bytes,
            tables,
            BYTES_PER_SLOT_OF_A_BOT * game.n_slots,
            self._rate(game, counts),
            needs,
        )

    def _make(self, game: PublicGame, deals: DealSource) -> PublicSolver:
        solver = self.recipe.solver
        return PublicSolver(
            game,
            self.dealer,
            deals,
            _sampling(solver),
            DISCOUNTINGS[solver.discounting],
            solver.epoch,
            self.recipe.seed,
            solver.threads,
        )

    def _most_buckets(self) -> tuple[int, ...]:
        """Buckets of every stage, at most, without building any."""
        if self.spec is None:
            return self.exact[1].n_buckets
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

    def _rate(self, game: PublicGame, counts: tuple[int, ...]) -> float:
        """Deals per second of walks with made-up buckets: cards that cost nothing to look up."""
        if self.recipe.solver.algorithm in ("joint-tables",):
            return float("nan")
        if game.n_slots > _MOST_TIMED_SLOTS:  # first touches of memory would be all one sees
            counts = tuple(min(n, 200) for n in counts)
            game = self.game(counts)
        solver = self._make(game, _MadeUpDeals(self.dealer, counts))
        solver.run(1)  # loads or compiles the kernels
        done, best = 1, inf
        started = time.perf_counter()
        while time.perf_counter() - started < _TIMED_SECONDS:
            before = time.perf_counter()
            solver.run(done)
            best = (time.perf_counter() - before) / done
            done *= 2
        return 1.0 / best


@dataclass(frozen=True, eq=False)
class _MadeUpDeals:
    """Random buckets, as many as there will be, to time walks before the cards are known."""

    dealer: Dealer
    counts: tuple[int, ...]

    def batch(self, seed: int, first: int, n: int) -> WalkDeals:
        deals = self.dealer.sample(seed, first, n)
        rng = np.random.default_rng((abs(seed), first))
        buckets = np.empty((n, 2, self.dealer.n_cells), np.int32)
        cell = 0
        for stage, most in zip(self.dealer.layout.stages, self.counts, strict=True):
            versions = int(stage[1])
            buckets[:, :, cell : cell + versions] = rng.integers(0, most, (n, 2, versions))
            cell += versions
        return WalkDeals(deals.lengths, buckets, deals.strengths)


def _sampling(solver: SolverRecipe) -> PublicSampling:
    if solver.algorithm == "chance":
        return PublicSampling(expand=True)
    if solver.algorithm == "outcome":
        return PublicSampling(single=True, epsilon=solver.epsilon)
    if solver.algorithm == "average-strategy":
        return PublicSampling(epsilon=solver.epsilon, tau=solver.tau, beta=solver.beta)
    return PublicSampling(prune_below=solver.prune_below)
