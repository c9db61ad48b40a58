"""One hand of a local best response, played step by step.

As in `responses.local_response_kernels` the bot holds a hand of the deal and acts by it, and the
responder carries its range. What was won is the mean over all that the bot might hold at the end.
Where a bot may have got a card unseen, there are too many hands to follow: the responder then
follows hands drawn from the range, and the mean is over others, the bot's own among them. All of
these are drawn alike, so that each is as likely to be the bot's as what the bot does from then on
is likely with it; the responder does not see them.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from counterfold.bots.follow_kernels import follow, follow_auction, follow_deal
from counterfold.bots.policy_kernels import NO_EDGE, decide
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import (
    BET,
    BID,
    CALL,
    DEAL,
    DISCARD,
    DRAW,
    FOLD,
    RAISE,
    after_bid,
    after_call,
    after_deal,
    after_discards,
    after_fold,
    after_raise,
)
from counterfold.games.holdem.card_sets_kernels import set_size
from counterfold.games.holdem.situation import Situation, choice_of, wins_auction
from counterfold.games.holdem.street import Auction
from counterfold.jit.random import stream_key, uniform
from counterfold.public.deals import Deals
from counterfold.public.deals_kernels import NO_CARD, STAGE_CELL
from counterfold.responses.stepwise import hand_results, hidden_cards, step_choices
from counterfold.responses.stepwise.column_range import Board, ColumnRange, FollowedBot
from counterfold.responses.stepwise.columns import all_hands, bits_of
from counterfold.responses.stepwise.game import StepGame
from counterfold.responses.stepwise.secret_ranks import rank_bits
from counterfold.responses.stepwise.winnings import Winnings

Chips = NDArray[np.float64]

_BOT, _RUN_OUTS, _HANDS = range(3)  # random numbers of a hand in a seat
N_STREAMS = 8  # of a deal


@dataclass(eq=False)
class StepWalk:
    """A deal that is played with the responder in a seat."""

    game: StepGame
    bot: FollowedBot
    deals: Deals
    buckets: NDArray[np.int32]  # [n, 2, hand cells]
    row: int
    seat: int
    stream: int  # number of the first stream of the deal
    seed: int
    situation: Situation = field(init=False)
    node: int = 0
    step: int = 0  # random numbers that the bot has used
    paths: list[int] = field(default_factory=lambda: [0, 0])
    at: int = -1  # the stage of the last look at the cards
    board: Board = ()
    seen: int = 0  # cards that the responder has seen, as bits
    history: str = ""
    pending: tuple[Situation, int] | None = None  # a sealed bid, not told yet

    def __post_init__(self) -> None:
        self.situation = self.game.first
        self.keys = [
            np.uint64(stream_key(self.seed, self.stream + 4 * self.seat + use)) for use in range(3)
        ]
        self.n_keys = 0
        self.winnings = Winnings(self.game.variant, self.seat)
        hands = all_hands(self.game.variant.deck, self.game.variant.hole_cards)
        self.secrets = self.game.secrets
        self.range = ColumnRange(self.bot, self.secrets.columns if self.secrets else hands)
        self.private: ColumnRange | None = None  # for results, if not the range itself
        if self.secrets:
            self.secrets.begin(self.range.weights)

    def play(self) -> tuple[float, int]:
        """Chips that the responder wins, and the street on which the betting ended."""
        self.look()
        while (phase := self.situation[betting.PHASE]) <= DEAL:
            if phase == DEAL:
                self._deal()
            elif self.situation[betting.ACTOR] == self.seat:
                kind, amount = self._respond()
                if self._ends_betting(kind, amount):
                    return hand_results.find_all_in(self, amount), self.situation[betting.STREET]
                self._watch(kind, amount)
            else:
                self._ask()
        return self.find_result(), self.situation[betting.STREET]

    @property
    def ranges(self) -> list[ColumnRange]:
        """The range, and that for results if it is another."""
        return [self.range] if self.private is None else [self.range, self.private]

    @property
    def choosing(self) -> bool:
        """Whether players choose something before the betting."""
        return self.situation[betting.PHASE] < BET

    @property
    def stack(self) -> int:
        """The chips of a player."""
        return self.game.variant.stack

    def hole(self, seat: int, at: int | None = None) -> NDArray[np.uint8]:
        """The cards of a seat, in the order by which it names those that it gives away."""
        cell = self.cell(seat, self.at if at is None else at)
        held = self.deals.holes[self.row, seat, cell]
        return np.asarray(held[held != NO_CARD])

    def cell(self, seat: int, at: int) -> int:
        """The hand cell of a seat at a stage."""
        return int(self.game.dealer.layout.stages[at, STAGE_CELL]) + self.paths[seat]

    def next_key(self) -> np.uint64:
        """Of random numbers for cards to come, a new one at each call."""
        self.n_keys += 1
        return np.uint64(stream_key(self.keys[_RUN_OUTS], self.n_keys))

    def find_board(self, at: int, *, shown: bool = False) -> Board:
        """The board of a stage, with the cards that were shown if asked for."""
        row = slice(self.row, self.row + 1)
        deals = self.deals
        dead = deals.shown[row] if shown else None
        boards = self.game.dealer.boards(at, deals.cards[row], deals.laid[row], dead)[0]
        path = self.paths[1 - self.seat] if len(boards) > 1 else 0
        return tuple(boards[path].tolist())

    def look(self, last: int | None = None, *, reveals: bool = True) -> None:
        """All stages up to the one of now, or `last`: new cards are seen.

        With `reveals` off bounties stay as they were before these cards.
        """
        street = self.situation[betting.STREET]
        turn = 1 + self.situation[betting.N_ACTIONS] if self.choosing else 0
        stop = int(self.game.stage_table[street, turn]) if last is None else last
        for at in range(self.at + 1, stop + 1):
            self.at = at
            board = tuple(card for card in self.find_board(at) if card != NO_CARD)
            for found in self.ranges:
                if self.secrets and reveals:
                    before = rank_bits(self.board)
                    self.secrets.deal(before, rank_bits(board), found.weights)
            self.board = board
            n_shown = self.game.dealer.stages[at].n_shown
            dead = self.deals.shown[self.row, self.cell(1 - self.seat, at), :n_shown]
            self.seen |= bits_of(board) | bits_of(dead.tolist())
            self.seen |= bits_of(self.hole(self.seat).tolist())
            for found in self.ranges:
                found.remove(self.seen)
                found.look(at, self.find_board(at, shown=self.bot.cards.sees_shown))

    def _deal(self) -> None:
        """The next street."""
        variant = self.game.variant
        last = self.situation[betting.STREET] + 2 >= len(variant.streets)
        self.situation = tuple(after_deal(variant.rules, self.situation, not last))
        self.history += "/"
        for found in self.ranges:
            found.deal(self.situation)
        self.node = int(follow_deal(self.bot.policy, self.node, self.situation))
        if self.situation[betting.PHASE] <= BET:
            self.look()

    def _respond(self) -> tuple[int, int]:
        """What the responder does."""
        phase = self.situation[betting.PHASE]
        if phase == BET:
            return step_choices.choose_bet(self)
        return step_choices.choose_cards(self) if phase == DRAW else step_choices.choose_bid(self)

    def _watch(self, kind: int, amount: int) -> None:
        """The responder has acted, and the bot sees it."""
        for found in self.ranges:
            found.watch(kind, amount, self.situation, self.stack)
        number = self._bot_number()
        self.node = int(
            follow(self.bot.policy, self.node, kind, amount, self.situation, self.stack, number)
        )
        self._move(kind, amount)

    def _bot_number(self) -> float:
        self.step += 1
        return float(uniform(self.keys[_BOT], self.step - 1))

    def _ask(self) -> None:
        """The bot acts."""
        other, policy = 1 - self.seat, self.bot.policy
        bucket = self.buckets[self.row, other, self.cell(other, self.at)]
        kind, amount, edge, _ = decide(
            policy, self.bot.rules, self.situation, self.node, self.at, bucket, self._bot_number()
        )
        settles = kind == BID and self.situation[betting.FIRST_BID] > 0
        choice = choice_of(self.game.variant, self.situation) if self.choosing else None
        if kind == BID and not settles and isinstance(choice, Auction) and choice.sealed:
            self.pending = self.situation, int(amount)
        elif kind == DISCARD:
            self.range = hidden_cards.give_cards(self, int(amount))
        elif kind != FOLD:
            self._weigh(int(kind), int(amount), self.situation)
        if edge != NO_EDGE and not settles:
            self.node = int(policy.children[edge])
        self._move(int(kind), int(amount))

    def _weigh(self, kind: int, amount: int, situation: Situation) -> None:
        """What the bot did tells of its hand."""
        for found in self.ranges:
            found.act(kind, amount, situation, self.find_labels(found))

    def find_labels(self, found: ColumnRange) -> NDArray[np.int32]:
        """The buckets of a range, as the bot looks itself up."""
        return found.find_labels(self.secrets.find_known() if self.secrets else None)

    def _move(self, kind: int, amount: int) -> None:
        """The situation after an action, and what everybody then sees."""
        rules, before = self.game.variant.rules, self.situation
        actor = before[betting.ACTOR]
        if kind == FOLD:
            self.history += "f"
            self.situation = tuple(after_fold(before))
        elif kind == CALL:
            free = before[betting.SPENT_0] == before[betting.SPENT_1]
            self.history += "k" if free else "c"
            self.situation = tuple(after_call(rules, before))
        elif kind == RAISE:
            self.history += f"r{amount - before[betting.BASE]}"
            self.situation = tuple(after_raise(before, amount))
        elif kind == BID:
            self.situation = tuple(after_bid(rules, before, amount))
            if before[betting.FIRST_BID] > 0:
                self._settle(before)
        else:
            step = self.game.dealer.stages[self.at].choice
            assert step is not None
            digit = step.digit(amount if kind == DISCARD else None)
            for seat in (0, 1) if step.shared else (actor,):
                self.paths[seat] = self.paths[seat] * step.n_choices + digit
            n_gone = 0
            if kind == DISCARD:
                n_gone = int(set_size(step.n_held, amount))
            self.situation = tuple(after_discards(rules, before, n_gone))
        if self.situation[betting.PHASE] <= BET:
            self.look()

    def _settle(self, before: Situation) -> None:
        """An auction is over, and both bids are known."""
        if self.pending is not None:
            situation, bid = self.pending
            self._weigh(BID, bid, situation)
            self.pending = None
        won = [wins_auction(before, self.situation, seat) for seat in (0, 1)]
        self.paths = [2 * path + int(won[seat]) for seat, path in enumerate(self.paths)]
        for found in self.ranges:
            found.settle(self.situation)
        self.node = int(follow_auction(self.bot.policy, self.node, self.situation))
        self.seen |= bits_of(self.hole(self.seat, self.at + 1).tolist())
        for found in self.ranges:
            found.remove(self.seen)
        if won[1 - self.seat]:
            rng = np.random.default_rng(int(self.keys[_HANDS]))
            self.range, self.private = hidden_cards.get_card(self, rng)

    def _ends_betting(self, kind: int, amount: int) -> bool:
        """Whether the bot can but fold or call, and nothing else is chosen after that."""
        situation = self.situation
        most = self.stack - max(situation[betting.PAID_0], situation[betting.PAID_1])
        last = situation[betting.STREET] >= self.game.last_choice
        return kind == RAISE and amount == most and last

    def find_result(self) -> float:
        """Chips at the end."""
        return hand_results.find_result(self)

    @property
    def own_hit(self) -> bool:
        """Whether the responder's bounty is hit, as far as it has seen."""
        if not self.secrets:
            return False
        bounty = int(self.deals.bounties[self.row, self.seat])
        ranks = rank_bits([*self.hole(self.seat).tolist(), *self.board])
        return bool(ranks >> bounty & 1)
