"""How batches of deals are played: dealing, playing, adjusting, recording."""

from functools import partial
from time import thread_time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.ranking_kernels import rank_tables
from counterfold.errors import MatchError
from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.matches import all_in_kernels, policy_match_kernels
from counterfold.matches.aivat.corrector import Corrector
from counterfold.matches.aivat.worth_kernels import ValueFunction
from counterfold.matches.bounty_chips import pay_bounties
from counterfold.matches.entrants import Entrant
from counterfold.matches.hand_histories import HandHistory
from counterfold.matches.match_policies import MatchPolicy
from counterfold.matches.recorder import Recorder
from counterfold.public import deals_kernels
from counterfold.public.deals import Dealer, Deals
from counterfold.public.stages import CardStage, stage_table

_FIRST_STEPS = 64  # initial room for the decisions of a hand


class Batch(NamedTuple):
    """What came of a batch of deals, each played once or in both seats: plays × deals."""

    plain: NDArray[np.float64]  # [plays, n] chips of player 0 as the cards fell
    chips: NDArray[np.float64]  # [plays, n] the same, adjusted if asked for
    aivat: NDArray[np.float64] | None  # [plays, n] the same less luck, if asked for
    n_adjusted: int
    counts: NDArray[np.int64]  # [2, N_COUNTS]
    seconds: float  # processor time for looking at the cards and deciding
    histories: list[HandHistory]  # none unless asked for


class BatchRunner:
    """Plays batches of deals between two entrants with policies."""

    def __init__(
        self,
        variant: Variant,
        entrants: tuple[Entrant, Entrant],
        seed: int,
        *,
        duplicate: bool = True,
        adjust: bool = True,
        histories: bool = False,
        values: ValueFunction | None = None,
        keeps_steps: bool = False,
    ) -> None:
        self.variant, self.seed, self.duplicate = variant, seed, duplicate
        self.names = entrants[0].name, entrants[1].name
        self.policies = _policy(entrants[0]), _policy(entrants[1])
        self.dealer = Dealer(variant)
        self.recorder = Recorder(self.dealer) if histories else None
        has_bounties = variant.bounty is not None
        self.adjust = adjust and not has_bounties  # what an all-in pays would depend on the board
        self.keeps_steps = keeps_steps or histories or has_bounties or values is not None
        self.values = values
        self.stage_table = stage_table_of(self.dealer)
        self.first = betting.first_situation(variant.rules)
        self.corrector = Corrector(self.dealer, self.stage_table, self.policies, seed)

    def play(self, first: int, n: int) -> Batch:
        """Play the deals from `first` on."""
        deals = self.dealer.sample(self.seed, first, n)
        swaps = self.swaps(first, n)
        counts = np.zeros((2, policy_match_kernels.N_COUNTS), np.int64)
        plays, seconds = self.play_deals(deals, first, swaps, counts)
        plain = np.array([play.winnings for play in plays])
        chips = plain.copy()
        adjusted = np.zeros(plain.shape, np.uint8)
        if self.adjust:
            for p, play in enumerate(plays):
                self.adjust_hands(deals, first, play.ends, swaps[p], chips[p], adjusted[p])
        histories = []
        if self.recorder is not None:
            histories = self.recorder.write(deals, first, self.names, swaps, plays, chips, adjusted)
        aivat = None
        if self.values is not None:
            imagined = self.corrector.imagine(deals, first)
            correct = partial(self.corrector.correct, self.values, imagined, first)
            rows = zip(swaps, plays, strict=True)
            aivat = np.array([correct(row, play.steps) for row, play in rows])
        return Batch(plain, chips, aivat, int(adjusted.sum()), counts, seconds, histories)

    def play_deals(
        self, deals: Deals, first: int, swaps: NDArray[np.uint8], counts: NDArray[np.int64]
    ) -> tuple[list[policy_match_kernels.Played], float]:
        """Play deals once for each row of `swaps`; also the processor time that took."""
        started = thread_time()
        cards = self.policies[0].cards(deals), self.policies[1].cards(deals)
        plays = [self.play_once(deals, cards, first, row, counts) for row in swaps]
        return plays, thread_time() - started

    def swaps(self, first: int, n: int) -> NDArray[np.uint8]:
        """[plays, n] 1 where player 0 has seat 1."""
        if self.duplicate:
            return np.repeat(np.array([[0], [1]], np.uint8), n, axis=1)
        # Without duplicates the seats alternate from deal to deal, as in the contests.
        return (np.arange(first, first + n) % 2).astype(np.uint8)[None]

    def play_once(
        self,
        deals: Deals,
        cards: tuple[policy_match_kernels.Cards, policy_match_kernels.Cards],
        first: int,
        swaps: NDArray[np.uint8],
        counts: NDArray[np.int64],
    ) -> policy_match_kernels.Played:
        """Play each deal in one seat; add to `counts`. Steps are kept if hands are recorded."""
        most = _FIRST_STEPS if self.keeps_steps else 0
        while True:
            played = policy_match_kernels.Played(
                np.empty(len(deals)),
                np.empty((len(deals), policy_match_kernels.N_END_COLUMNS), np.int64),
                np.empty((len(deals), most, policy_match_kernels.N_STEP_COLUMNS), np.int32),
            )
            found = np.zeros_like(counts)
            one, two = self.policies
            policy_match_kernels.play_hands(
                self.variant.rules,
                self.stage_table,
                self.first,
                deals.lengths,
                deals.strengths,
                (one.kind, two.kind),
                (one.policy, two.policy),
                cards,
                self.seed + 1,
                first,
                swaps,
                found,
                played,
            )
            longest = int(played.ends[:, policy_match_kernels.N_STEPS].max())
            if most == 0 or longest <= most:
                counts += found
                pay_bounties(self.dealer, self.stage_table.stages, deals, swaps, played)
                return played
            most = longest  # the same hands once more, with room for all their steps

    def adjust_hands(
        self,
        deals: Deals,
        first: int,
        ends: NDArray[np.int64],
        swaps: NDArray[np.uint8],
        chips: NDArray[np.float64],
        adjusted: NDArray[np.uint8],
    ) -> None:
        """Replace `chips` by expectations where the stacks were in, and say so in `adjusted`."""
        layout = self.dealer.layout
        room = all_in_kernels.AllInScratch(
            np.empty(layout.deck.size, np.uint8),
            np.empty(layout.board_cards, np.int64),
            np.empty(layout.board_cards + 1, np.int64),
        )
        all_in_kernels.adjust_all_ins(
            layout,
            np.ascontiguousarray(self.stage_table.stages[:, 0]),
            deals.cards,
            deals.lengths,
            deals.holes,
            deals.laid,
            ends,
            swaps,
            self.seed,
            first,
            self.variant.first_flush_suit_only,
            rank_tables(self.variant.ranking).by_mask,
            room,
            chips,
            adjusted,
        )


def stage_table_of(dealer: Dealer) -> policy_match_kernels.StageTable:
    """When players of a variant look at their cards."""
    variant = dealer.variant
    hand_cells = np.ascontiguousarray(dealer.layout.stages[:, deals_kernels.STAGE_CELL])
    return policy_match_kernels.StageTable(
        stage_table(dealer.stages),
        hand_cells,
        variant.hole_cards + 1,
        variant.last_change,
        np.array([_give_row(stage) for stage in dealer.stages], np.int64),
        np.array([_draw_choices(stage) for stage in dealer.stages], np.int64),
    )


def _draw_choices(stage: CardStage) -> int:
    """How many choices a seat has at a draw; 0 elsewhere."""
    step = stage.choice
    return step.n_choices if step is not None and step.kind == "draw" else 0


def _give_row(stage: CardStage) -> list[int]:
    """A row of `StageTable.gives`."""
    step = stage.choice
    if step is None or not stage.gives:
        return [0] * policy_match_kernels.N_GIVE_COLUMNS
    return [step.n_choices, int(step.may_keep), step.first_set, int(step.shared)]


def _policy(entrant: Entrant) -> MatchPolicy:
    if entrant.policy is None:
        raise MatchError(f"kernels cannot play {entrant.name}; let an engine host the match")
    return entrant.policy
