"""AIVAT of batches of hands: whose strategies are known, and which hands are imagined."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.ranking_kernels import rank_tables
from counterfold.errors import UnsupportedGameError
from counterfold.games.holdem import Auction, Deal, Discard, Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.matches.aivat import imagined_kernels, luck_kernels, worth_kernels
from counterfold.matches.aivat.draw_luck_kernels import MOST_OTHERS
from counterfold.matches.aivat.hand_comparison_kernels import Ranking, RunOuts
from counterfold.matches.aivat.search_luck_kernels import SearchedSteps
from counterfold.matches.aivat.searched_decisions import list_searched
from counterfold.matches.aivat.worth_kernels import ValueFunction
from counterfold.matches.match_policies import MatchPolicy
from counterfold.matches.policy_match_kernels import (
    NO_STREET,
    STRATEGY,
    Cards,
    Played,
    StageTable,
)
from counterfold.public import deals_kernels
from counterfold.public.deals import Dealer, Deals
from counterfold.public.stages import CardStage
from counterfold.public.walk_kernels import NODE_DEGREE

N_SAMPLES = 32  # of boards that are too many to be enumerated
MOST_HANDS = 6  # that are imagined for a seat; more narrow down which cards are left for the board
MOST_NODES = 512  # that are looked ahead on a street

_IMAGINED, _SAMPLES = 2, 3  # seeds beyond that of a match; the players' numbers have 1


@dataclass(frozen=True, eq=False)
class ImaginedDeals:
    """Deals with imagined hands, as both players would see them."""

    deals: Deals  # row `i * n_hands` is deal `i` itself
    cards: tuple[Cards, Cards]


class Corrector:
    """Takes luck from hands of two policies, of which one at least is asked for its strategy.

    The *guide* is the player whose graph the value function is for: the first that has a strategy.
    """

    def __init__(
        self,
        dealer: Dealer,
        stage_table: StageTable,
        policies: tuple[MatchPolicy, MatchPolicy],
        seed: int,
        n_hands: int | None = None,
    ) -> None:
        self.dealer, self.policies, self.seed = dealer, policies, seed
        variant = dealer.variant
        has_strategy = [each.kind == STRATEGY for each in policies]
        self.guide = 1 if has_strategy == [False, True] else 0
        self.known = has_strategy[self.guide], has_strategy[1 - self.guide]
        self.alike = all(self.known) and _same_graph(*policies)
        self.n_hands = n_hands or min(MOST_HANDS, most_hands(dealer))
        self.n_weighted = self.n_hands if hides_hands(variant) else 1
        self.tables = worth_kernels.GameTables(
            variant.rules,
            stage_table,
            dealer.layout,
            Ranking(
                _fewest_held(dealer.stages[-1], variant.hole_cards),
                variant.first_flush_suit_only,
                rank_tables(variant.ranking).by_mask,
                0.0 if variant.bounty is None else variant.bounty.factor - 1.0,
            ),
            betting.first_situation(variant.rules),
            _held_cells(dealer),
            variant.last_change,
            dealer.stages[-1].grown[0] == dealer.stages[-1].grown[1],
            1.0 if variant.bounty is None else float(variant.bounty.factor),
            0.0 if variant.bounty is None else float(variant.bounty.extra),
            N_SAMPLES,
        )

    @property
    def n_nodes(self) -> int:
        """Nodes that a value function has rows for."""
        return len(self.policies[self.guide].policy.nodes)

    def imagine(self, deals: Deals, first: int) -> ImaginedDeals:
        """Imagine hands beside those of `deals`, which begin with deal `first` of the match."""
        rows = self.imagine_cards(deals, first)
        lengths, bounties, looks = (
            np.repeat(each, self.n_hands, axis=0)
            for each in (deals.lengths, deals.bounties, deals.looks)
        )
        return self.look(self.dealer.complete(rows, lengths, np.ones(len(rows)), bounties, looks))

    def imagine_cards(self, deals: Deals, first: int) -> NDArray[np.uint8]:
        """[n * n_hands, columns] the cards of `imagine`."""
        layout = self.dealer.layout
        rows = np.empty((len(deals) * self.n_hands, layout.n_columns), np.uint8)
        imagined_kernels.imagine_hands(
            layout,
            deals.cards,
            deals.lengths,
            self.n_hands,
            self.seed + _IMAGINED,
            first,
            np.empty(layout.deck.size, np.uint8),
            rows,
        )
        return rows

    def look(self, deals: Deals) -> ImaginedDeals:
        """Deals with imagined hands, once both players have looked at them."""
        return ImaginedDeals(deals, (self.policies[0].cards(deals), self.policies[1].cards(deals)))

    def correct(
        self,
        values: ValueFunction,
        imagined: ImaginedDeals,
        first: int,
        swaps: NDArray[np.uint8],
        steps: NDArray[np.int32],
        searched: SearchedSteps | None = None,
    ) -> NDArray[np.float64]:
        """[n] the winnings of player 0 less luck."""
        none = np.empty((swaps.size, 0, luck_kernels.N_VISIT_COLUMNS)), np.empty(0, np.int64)
        return self._run(values, imagined, first, swaps, steps, self.n_weighted, none, searched)

    def visit(
        self,
        values: ValueFunction,
        imagined: ImaginedDeals,
        first: int,
        swaps: NDArray[np.uint8],
        played: Played,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What the value function was asked for, `N_VISIT_COLUMNS` each, and what seat 0 won from
        there on, less luck; for the hands that were dealt alone.
        """
        most = played.steps.shape[1] + len(self.tables.stage_table.stages) + 1
        visits = np.empty((swaps.size, most, luck_kernels.N_VISIT_COLUMNS))
        counts = np.empty(swaps.size, np.int64)
        won = self._run(values, imagined, first, swaps, played.steps, 1, (visits, counts))
        won[swaps == 1] *= -1.0
        rows = visits[np.arange(most) < counts[:, np.newaxis]]
        return rows, np.repeat(won, counts) - rows[:, luck_kernels.VISIT_LUCK]

    def _run(
        self,
        values: ValueFunction,
        imagined: ImaginedDeals,
        first: int,
        swaps: NDArray[np.uint8],
        steps: NDArray[np.int32],
        n_weighted: int,
        visits: tuple[NDArray[np.float64], NDArray[np.int64]],
        searched: SearchedSteps | None = None,
    ) -> NDArray[np.float64]:
        guide, other = self.guide, 1 - self.guide
        results = np.empty(swaps.size)
        luck_kernels.correct_hands(
            self.tables,
            values,
            worth_kernels.Seats(
                guide,
                *self.known,
                n_weighted if self.known[0] else 1,
                n_weighted if self.known[1] else 1,
                self.alike,
            ),
            worth_kernels.Imagined(
                self.n_hands,
                np.ascontiguousarray(imagined.deals.lengths[:: self.n_hands]),
                imagined.deals.cards,
                imagined.deals.holes,
                imagined.deals.laid,
                imagined.deals.bounties,
            ),
            self.policies[guide].policy,
            self.policies[other].policy,
            imagined.cards[guide],
            imagined.cards[other],
            self.seed + 1,
            self.seed + _SAMPLES,
            first,
            swaps,
            steps,
            searched or list_searched([], self.n_hands),
            self._work(),
            *visits,
            results,
        )
        return results

    def _work(self) -> worth_kernels.WorthScratch:
        n, layout = self.n_hands, self.dealer.layout
        width = max(int(each.policy.nodes[:, NODE_DEGREE].max()) for each in self.policies)
        looked = min(MOST_NODES, self.n_nodes)
        has_bounties = self.dealer.variant.bounty is not None
        paid = (n, n) if has_bounties else (0, 0)
        return worth_kernels.WorthScratch(
            runs=RunOuts(
                left=np.empty(layout.deck.size, np.uint8),
                chosen=np.empty(layout.board_cards + 1, np.int64),
                ranks=np.empty((2, n), np.int64),
                sums=np.empty((2, n, n)),
                counts=np.empty(2),
                bounties=np.zeros(2, np.int64),
                hits=np.empty((2, paid[0]), np.int64),
                extras=np.empty(paid),
            ),
            masks=np.empty((2, n), np.int64),
            paths=np.empty((2, n), np.int64),
            weights=np.empty((2, n)),
            after=np.empty(n),
            buckets=np.empty((2, n), np.int64),
            pairs=np.empty((n, n)),
            means=np.empty((2, n)),
            extras=np.empty(paid),
            hits=np.zeros((2, n)),
            shares=np.empty((n, max(width, layout.most_held + 1))),
            chances=np.empty(width),
            by_edge=np.empty((width, n)),
            leaf=np.empty((n, n)),
            draws=np.empty((n, layout.most_held + 1, 2, 2)),
            prized=np.empty((2, n), np.int64),
            won_pairs=np.empty((worth_kernels.N_WINNERS, n, n)),
            others=np.empty(MOST_OTHERS, np.uint8),
            places=np.full(self.n_nodes, worth_kernels.NO_PLACE, np.int32),
            found=np.empty(looked, np.int64),
            stack=np.empty(looked, np.int64),
            worths=np.empty((looked, n, n)),
            looked=np.array([0, NO_STREET]),
            has_bounties=has_bounties,
        )


def most_hands(dealer: Dealer) -> int:
    """Hands of a seat that every deal leaves cards for, including the one that was dealt."""
    layout = dealer.layout
    longest = layout.board_cards + layout.max_runs
    n = (layout.deck.size - longest) // (2 * layout.hole_cards + layout.swaps.size)
    return max(int(n), 1)


def check_luck(variant: Variant) -> None:
    """Raise `UnsupportedGameError` for a variant whose luck cannot be computed."""
    deals = any(isinstance(step, Deal) and any(step.holes) for step in variant.steps)
    if variant.gives_cards and deals:
        raise UnsupportedGameError(
            "AIVAT of discards, unless one of two hole cards is discarded unseen, needs hands that "
            f"are dealt all at once, unlike those of {variant.name}"
        )
    if variant.bounty is not None and _gets_unseen(variant):
        raise UnsupportedGameError(
            "AIVAT with bounties needs hands without swaps, without auctions for a card, and "
            f"without unseen exchanges of one of two cards, unlike those of {variant.name}"
        )


def _gets_unseen(variant: Variant) -> bool:
    """Whether a hand may get cards of which the correction knows nothing but their strength."""
    return variant.has_swaps or any(
        (isinstance(step, Discard) and not variant.gives_cards)
        or (isinstance(step, Auction) and step.prize == "card")
        for step in variant.steps
    )


def hides_hands(variant: Variant) -> bool:
    """Whether all that players see of a hand is how many of its cards were exchanged.

    Only then may it have been another one: one that shares no card with it.
    """
    looks = any(isinstance(step, Auction) and step.prize == "look" for step in variant.steps)
    return not variant.gives_cards and not looks


def _held_cells(dealer: Dealer) -> NDArray[np.int64]:
    """See `GameTables.held_cells`."""
    stages = dealer.layout.stages
    cells, n_choices = stages[:, deals_kernels.STAGE_CELL], stages[:, deals_kernels.STAGE_CHOICES]
    if dealer.variant.gives_cards:  # without a choice of theirs, hands have yet to lose cards
        return np.column_stack([cells, np.ones_like(cells)])
    later = [int(np.prod(n_choices[at + 1 :])) for at in range(len(stages))]
    return np.column_stack([np.full_like(cells, cells[-1]), np.array(later, np.int64)])


def _fewest_held(last: CardStage, hole_cards: int) -> int:
    """The fewest cards of a hand at a showdown."""
    lost = [step.discard for step in last.steps if step.kind == "give"]
    gone = sum(each.count for each in lost if not each.redraw)
    return max(hole_cards + min(last.grown) - gone, 0)


def _same_graph(one: MatchPolicy, two: MatchPolicy) -> bool:
    names = ("nodes", "children", "kinds", "amounts")
    return all(
        np.array_equal(getattr(one.policy, name), getattr(two.policy, name)) for name in names
    )
