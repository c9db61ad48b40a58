"""AIVAT of matches that an engine hosts: cards and seats are known, and the strategy of a run.

Programs, bots of your own and people are unknown: their decisions are never corrected. The value
function takes them for players like the run, which costs variance where they are not, and no bias.
"""

import numpy as np
from numpy.typing import NDArray

from counterfold.bots.hand import Act, Hand
from counterfold.bots.policy_kernels import NO_EDGE
from counterfold.cards import parse_card
from counterfold.errors import MatchError
from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import KINDS
from counterfold.matches.aivat import trace_kernels
from counterfold.matches.aivat.corrector import Corrector
from counterfold.matches.aivat.value_fit import (
    FittedValues,
    aivat_rates,
    checked_down,
    fingerprint,
    fit_values,
)
from counterfold.matches.batch import stage_table_of
from counterfold.matches.entrants import Entrant
from counterfold.matches.match_policies import unknown_policy
from counterfold.matches.match_result import AivatRates
from counterfold.matches.policy_match_kernels import N_STEP_COLUMNS, STRATEGY
from counterfold.public.deals import Dealer, Deals
from counterfold.public.deals_kernels import STAGE_CELL
from counterfold.public.public_variants import check_pairs, check_pot

_BATCH = 1024

Step = tuple[int, int, int, int, int]  # columns of `Played.steps`


class HostedLuck:
    """Collects the hands of a hosted match; its value function is fitted when it is made."""

    def __init__(self, variant: Variant, entrants: tuple[Entrant, Entrant], seed: int) -> None:
        check_pairs(variant, "AIVAT")
        check_pot(variant, "AIVAT")
        self.entrants, self.seed = entrants, seed
        dealer = Dealer(variant)
        self._batch = 0, dealer.sample(seed, 0, _BATCH)  # the first of its deals, and those
        unknown = unknown_policy(dealer)
        one, two = (each.policy or unknown for each in entrants)
        self.corrector = Corrector(dealer, stage_table_of(dealer), (one, two), seed)
        guide = entrants[self.corrector.guide]
        if self.corrector.known[0]:
            self.fitted = fit_values(variant, (guide, guide), seed)
        else:
            values = checked_down(self.corrector.n_nodes)
            self.fitted = FittedValues(values, 0, fingerprint(values, self.corrector))
        self._hands: list[list[tuple[bool, list[Step]]]] = []  # by match and deal

    def begin_match(self) -> None:
        """The hands that follow are played with the same deals from the first one on."""
        self._hands.append([])

    def add(self, hand: Hand, swapped: bool) -> None:
        """Add a hand, in which player 0 has seat 1 if `swapped`."""
        number, dealer = len(self._hands[-1]), self.corrector.dealer
        first, deals = self._batch
        if number // _BATCH * _BATCH != first:
            first = number // _BATCH * _BATCH
            deals = dealer.sample(self.seed, first, _BATCH)
            self._batch = first, deals
        self._hands[-1].append((swapped, read_steps(hand, deals, number - first, dealer)))

    def rates(self) -> AivatRates:
        """What player 0 won less luck."""
        deals = self.corrector.dealer.sample(self.seed, 0, len(self._hands[0]))
        imagined = self.corrector.imagine(deals, 0)
        won = np.zeros(len(deals))
        for match in self._hands:
            swaps = np.array([swapped for swapped, _ in match], np.uint8)
            most = max(len(steps) for _, steps in match)
            table = np.zeros((len(match), max(most, 1), N_STEP_COLUMNS), np.int32)
            for row, (_, steps) in zip(table, match, strict=True):
                row[: len(steps)] = steps
            for player in range(2):
                self._trace(player, deals, swaps, table)
            won += self.corrector.correct(self.fitted.values, imagined, 0, swaps, table)
        return aivat_rates(won / len(self._hands), self.corrector, self.fitted, self.entrants)

    def _trace(
        self, player: int, deals: Deals, swaps: NDArray[np.uint8], table: NDArray[np.int32]
    ) -> None:
        """Fill in the edges of a known player."""
        policy = self.corrector.policies[player]
        if policy.kind != STRATEGY:
            return
        cards = policy.cards(deals)
        tables, lengths, seed = self.corrector.tables, deals.lengths, self.seed + 1
        unlike = trace_kernels.trace_edges(
            tables, policy.policy, cards, player, seed, lengths, swaps, table
        )
        if unlike != trace_kernels.ALL_TRACED:
            raise MatchError(
                f"{self.entrants[player].name} did not act by its strategy in hand {unlike + 1}, "
                "so that its luck is unknown; play without --aivat"
            )


def read_steps(hand: Hand, deals: Deals, row: int, dealer: Dealer) -> list[Step]:
    """The decisions of a hand that was played with a row of `deals`."""
    steps: list[Step] = []
    paths = [0, 0]
    for event in hand.events:
        if not isinstance(event, Act) or event.forced:
            continue
        kind, street = KINDS[event.action[0]], event.before[betting.STREET]
        amount = 0
        if kind == betting.RAISE:
            amount = int(event.action[1:])
        if kind in (betting.KEEP, betting.DISCARD):
            cell = _draw_cell(dealer, street) + paths[event.seat]
            if kind == betting.DISCARD:
                hole = deals.holes[row, event.seat, cell].tolist()
                card = dealer.variant.counts_as[parse_card(event.action[1:])]
                place = hole.index(card)
                amount = place ^ int(deals.discard_first[row, event.seat, cell])
            choice = 1 + amount if kind == betting.DISCARD else 0
            paths[event.seat] = paths[event.seat] * (dealer.variant.hole_cards + 1) + choice
        steps.append((street, event.seat, kind, amount, NO_EDGE))
    return steps


def _draw_cell(dealer: Dealer, street: int) -> int:
    """The first hand cell before the draw of a street."""
    at = next(
        at for at, each in enumerate(dealer.stages) if each.street == street and each.before_draw
    )
    return int(dealer.layout.stages[at, STAGE_CELL])
