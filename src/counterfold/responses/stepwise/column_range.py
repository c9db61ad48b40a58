"""The range of a bot over columns, followed step by step through a hand.

It knows the stage at which cards were last looked at. Buckets are looked up when the bot is asked,
of the columns that are left; a card map whose buckets follow from those of the stage before is
asked at every stage.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from counterfold.bots.policy_kernels import Policy
from counterfold.bots.tracking.range_room import empty_range, range_room
from counterfold.bots.tracking.range_tracking_kernels import (
    RangeScratch,
    TrackedRange,
    range_after_bot,
    range_after_deal,
    range_after_opponent,
)
from counterfold.games.holdem.betting_kernels import BID, Rules
from counterfold.games.holdem.situation import Situation
from counterfold.public.card_maps import CardMap
from counterfold.responses.run_out_kernels import RunOutScratch
from counterfold.responses.stepwise.columns import Columns, Indices
from counterfold.responses.stepwise.step_range_kernels import (
    range_after_auction,
    range_after_bid,
    range_after_give,
)

Board = tuple[int, ...]
Weights = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FollowedBot:
    """A bot, and memory for ranges of it by how many columns they have."""

    rules: Rules
    policy: Policy
    cards: CardMap  # that knows nothing of bounties
    n_known: int  # things that a bucket says of a bounty
    run_outs: RunOutScratch
    first: list[NDArray[np.int32]] = field(default_factory=list)  # buckets at the first stage
    rooms: dict[tuple[int, int], tuple[TrackedRange, RangeScratch]] = field(default_factory=dict)

    def room(self, columns: Columns) -> tuple[TrackedRange, RangeScratch]:
        """A range of `columns` and work space, one for all of as many and as large hands."""
        key = len(columns), columns.size
        if key not in self.rooms:
            most = max(self.cards.n_buckets) * self.n_known
            n = len(columns)
            self.rooms[key] = empty_range(n), range_room(n, self.policy, most)
        return self.rooms[key]


class ColumnRange:
    """Readings of a bot with a weight for each column."""

    def __init__(self, bot: FollowedBot, columns: Columns) -> None:
        self.bot, self.columns = bot, columns
        self.held, self.scratch = bot.room(columns)
        self.bits: NDArray[np.int64] = columns.spread(columns.bits)
        self.labels = np.zeros(len(columns.cards), np.int32)  # of the cards alone
        self.at = self.labeled = -1
        self.board: Board = ()
        self.held.n[0] = 1
        self.held.nodes[0] = 0
        self.held.weights[0] = 1.0

    @property
    def weights(self) -> Weights:
        """[readings, J] not to be kept: it is written over."""
        return self.held.weights[: self.held.n[0]]

    @property
    def total(self) -> Weights:
        """[J] over all readings."""
        return np.asarray(self.weights.sum(axis=0))

    def remove(self, seen: int) -> None:
        """Take out the columns that have a card in `seen`, as bits."""
        self.weights[:, self.bits & seen != 0] = 0.0

    def look(self, at: int, board: Board) -> None:
        """The bot may look at its cards at a stage, on a board."""
        self.at, self.board = at, board
        if self.bot.cards.chained:
            self._label(at, self._alive())

    def _alive(self) -> Indices:
        """The hands that are possible in any column."""
        alive = self.weights.any(axis=0).reshape(-1, self.columns.n_secrets).any(axis=1)
        return np.flatnonzero(alive)

    def _label(self, at: int, chosen: Indices) -> None:
        """Look up the buckets of some hands."""
        cards, first = self.bot.cards, self.bot.first
        if at == 0 and not (self.board or cards.chained or cards.skips(at)):  # alike in all hands
            if not first:
                dealt = np.zeros((1, 0), np.uint8)
                first.append(cards.label_stage(at, self.columns.cards[None], dealt, None)[0])
            self.labels[:] = first[0]
        elif not cards.skips(at) and chosen.size:
            board = np.array([self.board], np.uint8).reshape(1, len(self.board))
            before = self.labels[chosen][None] if cards.chained and at > 0 else None
            found = cards.label_stage(at, self.columns.cards[chosen][None], board, before)
            self.labels[chosen] = found[0]
        self.labeled = at

    def find_labels(self, known: NDArray[np.int32] | None = None) -> NDArray[np.int32]:
        """[J] buckets at the stage of now, joined with what the bot knows of its bounty."""
        if self.labeled != self.at:
            self._label(self.at, self._alive())
        labels = self.columns.spread(self.labels)
        return labels if known is None else labels * np.int32(self.bot.n_known) + known

    def deal(self, situation: Situation) -> None:
        """A street was dealt; `situation` is the one after it."""
        range_after_deal(self.bot.policy, situation, self.held, self.scratch)

    def watch(self, kind: int, amount: int, situation: Situation, stack: int) -> None:
        """The responder has acted at `situation`."""
        range_after_opponent(
            self.bot.policy, kind, amount, situation, stack, self.held, self.scratch
        )

    def act(self, kind: int, amount: int, situation: Situation, labels: NDArray[np.int32]) -> None:
        """The bot has acted at `situation`."""
        bot = self.bot
        if kind == BID:
            range_after_bid(
                bot.policy, bot.rules, situation, self.at, labels, amount, self.held, self.scratch
            )
            return
        range_after_bot(
            bot.policy, bot.rules, situation, self.at, labels, kind, amount, self.held,
            self.scratch
        )  # fmt: skip

    def settle(self, situation: Situation) -> None:
        """An auction was settled; `situation` is the one after it."""
        range_after_auction(self.bot.policy, situation, self.held, self.scratch)

    def give(
        self,
        situation: Situation,
        chosen: Indices,
        numbers: Indices,
        sets: tuple[int, int],
        usual: int,
        into: tuple[Columns, Indices],
    ) -> "ColumnRange":
        """The range once the bot has given away cards that all see; see `range_after_give`.

        `into` are the hands that remain, and which of them each of the `chosen` becomes.
        """
        if self.labeled != self.at:
            self._label(self.at, chosen)
        columns, places = into
        found = ColumnRange(self.bot, columns)
        range_after_give(
            self.bot.policy, self.bot.rules, situation, self.at, self.labels, chosen, numbers,
            places, sets, usual, self.held, self.scratch, found.held
        )  # fmt: skip
        found.labels[places] = self.labels[chosen]
        found.at = found.labeled = self.at
        return found

    def replaced(self, columns: Columns, origin: Indices, weights: Weights) -> "ColumnRange":
        """The range once hands have become others: `origin` of each, `weights` [readings, J]."""
        found = ColumnRange(self.bot, columns)
        n = int(self.held.n[0])
        found.held.n[0] = n
        found.held.nodes[:n] = self.held.nodes[:n]
        found.held.weights[:n] = weights
        found.labels[:] = self.labels[origin]
        found.at = found.labeled = self.at
        return found
