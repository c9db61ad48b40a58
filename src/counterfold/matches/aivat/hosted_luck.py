"""AIVAT of matches that an engine hosts: cards and seats are known, and the strategy of a run.

A run that searches is known, too: its solution says what each hand would have done. Programs, bots
of your own and people are unknown: their decisions are never corrected. The value function takes
them for players like the run, which costs variance where they are not, and no bias.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.bots.explain import DecisionTrace
from counterfold.bots.hand import Hand
from counterfold.bots.hand_events import ActionTaken
from counterfold.bots.policy_kernels import NO_EDGE
from counterfold.cards import parse_card
from counterfold.errors import MatchError
from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import KINDS
from counterfold.games.holdem.card_sets_kernels import set_number
from counterfold.matches.aivat import trace_kernels
from counterfold.matches.aivat.corrector import Corrector, check_luck
from counterfold.matches.aivat.search_luck_kernels import SearchedSteps
from counterfold.matches.aivat.searched_decisions import (
    SearchedDecision,
    list_searched,
    read_decisions,
)
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
from counterfold.public.stages import stage_table

_BATCH = 1024

Step = tuple[int, int, int, int, int]  # columns of `Played.steps`
Traces = tuple[Sequence[DecisionTrace], Sequence[DecisionTrace]]


class _PlayedHand(NamedTuple):
    """A hand, and those of its steps that were searched."""

    swapped: bool
    steps: list[Step]
    searched: dict[int, SearchedDecision]


class _Batch(NamedTuple):
    """Deals of the match from `first` on, and those with imagined hands."""

    first: int
    deals: Deals
    imagined: NDArray[np.uint8]

    def imagined_holes(self, row: int, seat: int, corrector: Corrector) -> NDArray[np.uint8]:
        """[imagined hands, hole cards] of a seat, the one that was dealt first."""
        n, h = corrector.n_hands, corrector.dealer.variant.hole_cards
        return self.imagined[row * n : (row + 1) * n, seat * h : (seat + 1) * h]


class HostedLuck:
    """Collects the hands of a hosted match; its value function is fitted when it is made."""

    def __init__(self, variant: Variant, entrants: tuple[Entrant, Entrant], seed: int) -> None:
        check_luck(variant)
        entrants = _with_policy(entrants[0]), _with_policy(entrants[1])
        self.entrants, self.seed = entrants, seed
        dealer = Dealer(variant)
        unknown = unknown_policy(dealer)
        one, two = (each.policy or unknown for each in entrants)
        self.corrector = Corrector(dealer, stage_table_of(dealer), (one, two), seed)
        guide = entrants[self.corrector.guide]
        if self.corrector.known[0]:
            self.fitted = fit_values(variant, (guide, guide), seed)
        else:
            values = checked_down(self.corrector.n_nodes)
            self.fitted = FittedValues(values, 0, fingerprint(values, self.corrector))
        self._hands: list[list[_PlayedHand]] = []  # by match and deal
        self._batch = self._sample(0)

    def begin_match(self) -> None:
        """The hands that follow are played with the same deals from the first one on."""
        self._hands.append([])

    def add(self, hand: Hand, swapped: bool, traces: Traces = ((), ())) -> None:
        """Add a hand, in which player 0 has seat 1 if `swapped`.

        `traces` are those of players that search, by player.
        """
        number = len(self._hands[-1])
        if number // _BATCH * _BATCH != self._batch.first:
            self._batch = self._sample(number // _BATCH * _BATCH)
        batch, row = self._batch, number - self._batch.first
        steps = read_steps(hand, batch.deals, row, self.corrector.dealer)
        searched: dict[int, SearchedDecision] = {}
        for player, known in enumerate(traces):
            policy, seat = self.corrector.policies[player].policy, player ^ int(swapped)
            holes = batch.imagined_holes(row, seat, self.corrector)
            searched.update(read_decisions(hand, seat, known, holes, policy))
        self._hands[-1].append(_PlayedHand(swapped, steps, searched))

    def _sample(self, first: int) -> "_Batch":
        deals = self.corrector.dealer.sample(self.seed, first, _BATCH)
        return _Batch(first, deals, self.corrector.imagine_cards(deals, first))

    def rates(self) -> AivatRates:
        """What player 0 won less luck."""
        won = self.correct() / len(self._hands)
        return aivat_rates(won, self.corrector, self.fitted, self.entrants)

    def correct(self) -> NDArray[np.float64]:
        """[deals] what player 0 won less luck, over all matches."""
        deals = self.corrector.dealer.sample(self.seed, 0, len(self._hands[0]))
        imagined = self.corrector.imagine(deals, 0)
        won = np.zeros(len(deals))
        for match in self._hands:
            swaps = np.array([hand.swapped for hand in match], np.uint8)
            most = max(len(hand.steps) for hand in match)
            table = np.zeros((len(match), max(most, 1), N_STEP_COLUMNS), np.int32)
            for row, hand in zip(table, match, strict=True):
                row[: len(hand.steps)] = hand.steps
            searched = list_searched([hand.searched for hand in match], self.corrector.n_hands)
            for player in range(2):
                self._trace(player, deals, swaps, searched, table)
            values = self.fitted.values
            won += self.corrector.correct(values, imagined, 0, swaps, table, searched)
        return won

    def _trace(
        self,
        player: int,
        deals: Deals,
        swaps: NDArray[np.uint8],
        searched: SearchedSteps,
        table: NDArray[np.int32],
    ) -> None:
        """Fill in the edges of a known player."""
        policy = self.corrector.policies[player]
        if policy.kind != STRATEGY:
            return
        cards = policy.cards(deals)
        tables, lengths, seed = self.corrector.tables, deals.lengths, self.seed + 1
        unlike = trace_kernels.trace_edges(
            tables, policy.policy, cards, player, seed, lengths, swaps, searched, table
        )
        if unlike != trace_kernels.ALL_TRACED:
            raise MatchError(
                f"{self.entrants[player].name} did not act by its strategy in hand {unlike + 1}, "
                "so that its luck is unknown; play without --aivat"
            )


def read_steps(hand: Hand, deals: Deals, row: int, dealer: Dealer) -> list[Step]:
    """The decisions of a hand that was played with a row of `deals`."""
    reader = _StepReader(deals, row, dealer)
    taken = [each for each in hand.events if isinstance(each, ActionTaken) and not each.forced]
    return [reader.read([*group]) for _, group in groupby(taken, _choice_of)]


def _choice_of(event: ActionTaken) -> tuple[int, ...]:
    """The same for the cards of a set that a seat gives away, another one for other actions."""
    before = event.before
    if before[betting.PHASE] != betting.DRAW:
        return (*before, event.seat)
    return before[betting.STREET], before[betting.N_ACTIONS] // betting.TURNS, event.seat


class _StepReader:
    """Follows the hand paths of a hand while its decisions are read."""

    def __init__(self, deals: Deals, row: int, dealer: Dealer) -> None:
        self.deals, self.row, self.dealer = deals, row, dealer
        self._table, self._paths = stage_table(dealer.stages), [0, 0]
        self._first_bid = 0

    def read(self, events: Sequence[ActionTaken]) -> Step:
        """The next decision: one action, or the cards of a set one after another."""
        event = events[0]
        before, kind = event.before, KINDS[event.action[0]]
        street, amount = before[betting.STREET], 0
        if kind in (betting.RAISE, betting.BID):
            amount = int(event.action[1:])
        if kind == betting.BID:
            self._bid(event.seat, amount, before[betting.FIRST_BID] > 0)
        if kind in (betting.KEEP, betting.DISCARD):
            stage = int(self._table[street, 1 + before[betting.N_ACTIONS]])
            gone = [each.action[1:] for each in events if KINDS[each.action[0]] == betting.DISCARD]
            amount = self._discard(stage, event.seat, [parse_card(card) for card in gone])
        return street, event.seat, kind, amount, NO_EDGE

    def _bid(self, seat: int, amount: int, settles: bool) -> None:
        if not settles:
            self._first_bid = amount
            return
        bids = (self._first_bid, amount) if seat == 1 else (amount, self._first_bid)
        won = [bid == max(bids) for bid in bids]
        self._paths = [2 * path + on for path, on in zip(self._paths, won, strict=True)]

    def _discard(self, stage: int, seat: int, gone: Sequence[int]) -> int:
        """The place or the set of the cards that go, 0 for none, as `STEP_AMOUNT` has it."""
        step = self.dealer.stages[stage].choice
        assert step is not None
        cell = int(self.dealer.layout.stages[stage, STAGE_CELL]) + self._paths[seat]
        hole = self.deals.holes[self.row, seat, cell].tolist()
        places = [hole.index(self.dealer.variant.counts_as[card]) for card in gone]
        number, digit = 0, 0
        if step.kind == "give":
            if places:
                number = int(set_number(step.n_held, sum(1 << place for place in places)))
            digit = step.digit(number if places else None)
        elif places:
            number = places[0] ^ int(self.deals.discard_first[self.row, seat, cell])
            digit = 1 + number
        for each in (0, 1) if step.shared else (seat,):
            self._paths[each] = self._paths[each] * step.n_choices + digit
        return number


def _with_policy(entrant: Entrant) -> Entrant:
    """An entrant that searches as one that has the policy which it plays elsewhere."""
    return replace(entrant, policy=entrant.policy or entrant.before_search)
