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
    FOLDED,
    RAISE,
    after_bid,
    after_call,
    after_deal,
    after_discards,
    after_fold,
    after_raise,
)
from counterfold.games.holdem.card_sets_kernels import FIRST_SETS, SET_BITS, set_size
from counterfold.games.holdem.situation import Situation, choice_of, total_spent, wins_auction
from counterfold.games.holdem.street import Auction
from counterfold.jit.random import stream_key, uniform
from counterfold.public.deals import Deals
from counterfold.public.deals_kernels import NO_CARD, STAGE_CELL
from counterfold.responses.local_choice_kernels import raise_value
from counterfold.responses.stepwise import step_choices
from counterfold.responses.stepwise.column_range import Board, Bot, ColumnRange
from counterfold.responses.stepwise.columns import Columns, all_hands, bits_of, extend, number_hands
from counterfold.responses.stepwise.game import StepGame
from counterfold.responses.stepwise.secret_ranks import rank_bits
from counterfold.responses.stepwise.winnings import Winnings

Chips = NDArray[np.float64]

MOST_ENUMERATED = 4096  # hands that have got a card, all of which are followed
N_DRAWN = 1024  # of more, for decisions
N_PRIVATE = 64  # of more, for results, the bot's own among them

_BOT, _RUN_OUTS, _HANDS = range(3)  # random numbers of a hand in a seat
N_STREAMS = 8  # of a deal

_NOTHING, _NO_MARK = (0, 0), -1


@dataclass(eq=False)
class HandWalk:
    """A deal that is played with the responder in a seat."""

    game: StepGame
    bot: Bot
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
        self._look()
        while (phase := self.situation[betting.PHASE]) <= DEAL:
            if phase == DEAL:
                self._deal()
            elif self.situation[betting.ACTOR] == self.seat:
                kind, amount = self._respond()
                if self._ends_betting(kind, amount):
                    return self._all_in(amount), self.situation[betting.STREET]
                self._watch(kind, amount)
            else:
                self._ask()
        return self._result(), self.situation[betting.STREET]

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
        return held[held != NO_CARD]

    def cell(self, seat: int, at: int) -> int:
        """The hand cell of a seat at a stage."""
        return int(self.game.dealer.layout.stages[at, STAGE_CELL]) + self.paths[seat]

    def next_key(self) -> np.uint64:
        """Of random numbers for cards to come, a new one at each call."""
        self.n_keys += 1
        return np.uint64(stream_key(self.keys[_RUN_OUTS], self.n_keys))

    def _board(self, at: int, *, shown: bool = False) -> Board:
        """The board of a stage, with the cards that were shown if asked for."""
        row = slice(self.row, self.row + 1)
        deals = self.deals
        dead = deals.shown[row] if shown else None
        boards = self.game.dealer.boards(at, deals.cards[row], deals.laid[row], dead)[0]
        path = self.paths[1 - self.seat] if len(boards) > 1 else 0
        return tuple(boards[path].tolist())

    def _look(self, last: int | None = None) -> None:
        """All stages up to the one of now, or `last`: new cards are seen."""
        street = self.situation[betting.STREET]
        turn = 1 + self.situation[betting.N_ACTIONS] if self.choosing else 0
        stop = int(self.game.stage_table[street, turn]) if last is None else last
        for at in range(self.at + 1, stop + 1):
            self.at = at
            board = tuple(card for card in self._board(at) if card != NO_CARD)
            for found in self.ranges:
                if self.secrets:
                    before = rank_bits(self.board)
                    self.secrets.deal(before, rank_bits(board), found.weights)
            self.board = board
            n_shown = self.game.dealer.stages[at].n_shown
            dead = self.deals.shown[self.row, self.cell(1 - self.seat, at), :n_shown]
            self.seen |= bits_of(board) | bits_of(dead)
            self.seen |= bits_of(self.hole(self.seat))
            for found in self.ranges:
                found.remove(self.seen)
                found.look(at, self._board(at, shown=self.bot.cards.sees_shown))

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
            self._look()

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
            self._narrow(int(amount))
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
            self._look()

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
        self.seen |= bits_of(self.hole(self.seat, self.at + 1))
        for found in self.ranges:
            found.remove(self.seen)
        if won[1 - self.seat]:
            self._extend()

    def _extend(self) -> None:
        """The bot gets a card that the responder does not see."""
        total, columns = self.range.total, self.range.columns
        alive = np.flatnonzero(total)
        deck = np.sort(self.game.variant.deck.cards).astype(np.uint8)
        left = deck[(self.seen >> deck.astype(np.int64)) & 1 == 0]
        if alive.size * (left.size - columns.size) <= MOST_ENUMERATED:
            chosen, new = np.repeat(alive, left.size), np.tile(left, alive.size)
            fits = ~(columns.cards[chosen] == new[:, None]).any(axis=1)
            chosen, new = chosen[fits], new[fits]
            weights = self.range.weights[:, chosen]
            self.range = self.range.replaced(extend(columns, chosen, new), chosen, weights)
            return
        rng = np.random.default_rng([int(self.keys[_HANDS])])
        own = number_hands(
            self.game.variant.deck, np.sort(self.hole(1 - self.seat, self.at))[None]
        )
        held, won = self.hole(1 - self.seat, self.at), self.hole(1 - self.seat, self.at + 1)
        real = own, np.setdiff1d(won, held)
        decided = _draw(rng, columns, total, left, N_DRAWN)
        drawn = _draw(rng, columns, total, left, N_PRIVATE - 1)
        self.private = self._follow(
            np.concatenate([real[0], drawn[0]]), np.concatenate([real[1], drawn[1]])
        )
        self.range = self._follow(*decided)

    def _follow(self, chosen: NDArray[np.int64], new: NDArray[np.uint8]) -> ColumnRange:
        """The range of hands that were drawn by their weights and have a card more each."""
        weights = self.range.weights[:, chosen] / self.range.total[chosen]
        return self.range.replaced(extend(self.range.columns, chosen, new), chosen, weights)

    def _narrow(self, number: int) -> None:
        """The bot gives away the set `number` of its cards, which all see."""
        game, other = self.game, 1 - self.seat
        step = game.dealer.stages[self.at].choice
        assert step is not None
        held = self.hole(other)
        size = int(set_size(step.n_held, number))
        places = [at for at in range(held.size) if SET_BITS[step.n_held, number] >> at & 1]
        gone = held[places]
        bits = bits_of(gone)
        found = self.range
        chosen = np.flatnonzero((found.bits & bits == bits) & found.weights.any(axis=0))
        sets = game.sets_of(self.at, found.columns.cards[chosen], self._board(self.at), gone)
        kept = found.columns.cards[chosen]
        kept = kept[~np.isin(kept, gone)].reshape(chosen.size, held.size - size)
        after = all_hands(game.variant.deck, held.size - size)
        into = after, number_hands(game.variant.deck, kept)
        first = int(FIRST_SETS[step.n_held, size]), int(FIRST_SETS[step.n_held, size + 1])
        usual = first[0] if not step.may_keep else _NO_MARK
        self.range = found.give(self.situation, chosen, sets, first, usual, into)

    def _ends_betting(self, kind: int, amount: int) -> bool:
        """Whether the bot can but fold or call, and nothing else is chosen after that."""
        situation = self.situation
        most = self.stack - max(situation[betting.PAID_0], situation[betting.PAID_1])
        last = situation[betting.STREET] >= self.game.last_choice
        return kind == RAISE and amount == most and last

    def _showdown(self, found: ColumnRange) -> tuple[Chips, bool, NDArray[np.bool_]]:
        """[J] results on the last board; whether the responder's bounty is hit, and the bot's."""
        margins = step_choices.find_margins(self, found.columns, ends=True)
        hits = np.zeros(len(found.columns), bool)
        if self.secrets:
            hits = self.secrets.find_hits(rank_bits(self.board))
        return margins, self.own_hit, hits

    @property
    def own_hit(self) -> bool:
        """Whether the responder's bounty is hit, as far as it has seen."""
        if not self.secrets:
            return False
        bounty = int(self.deals.bounties[self.row, self.seat])
        ranks = rank_bits([*self.hole(self.seat).tolist(), *self.board])
        return bool(ranks >> bounty & 1)

    def _result(self) -> float:
        """Chips at the end, the mean over all that the bot may hold."""
        found = self.ranges[-1]
        spent = total_spent(self.situation)
        if self.situation[betting.PHASE] == FOLDED:
            won = self.situation[betting.ACTOR] != self.seat
            signs = np.full(len(found.columns), 1.0 if won else -1.0)
            own, hits = self.own_hit, np.zeros(signs.size, bool)
            if self.secrets:
                hits = self.secrets.find_hits(rank_bits(self.board))
        else:
            self._look(len(self.game.dealer.stages) - 1)
            signs, own, hits = self._showdown(found)
        chips = self.winnings.chips_of_all(spent, signs, own, hits, self.history)
        total = found.total
        return float(total @ chips / total.sum())

    def _all_in(self, to: int) -> float:
        """Chips if the responder goes all-in by a raise to `to`, over all replies of the bot."""
        street, stage = self.situation[betting.STREET], self.at
        raised = tuple(after_raise(self.situation, to))
        spent_before = total_spent(raised)
        labels = [self.find_labels(found) for found in self.ranges][-1]
        folded = self.winnings.chips(spent_before, 1, (self.own_hit, False), self.history + "rf")
        situation = self.situation
        called = [n + to - raised[betting.SPENT_0 + at] for at, n in enumerate(spent_before)]
        before = rank_bits(self.board)
        now = self.secrets.find_hits(before) if self.secrets else np.zeros(0, bool)
        keeps = self.secrets
        self.secrets = None  # the bot replies by what is hit now
        self._look(len(self.game.dealer.stages) - 1)
        self.secrets = keeps
        found = self.ranges[-1]
        signs, own, hits = self._showdown(found)
        history = self.history + "rc" + "/" * (len(self.game.variant.streets) - 1 - street)
        spent = called[0], called[1]
        if self.secrets and not self.secrets.by_rank:
            by_hit = [
                self.winnings.chips_of_all(spent, signs, own, np.full(now.size, hit), history)
                for hit in (False, True)
            ]
            chance = found.columns.spread(
                self.secrets.chance_of(before, rank_bits(self.board))
            )
            chance = np.where(now, 1.0, chance)
            chips = by_hit[0] * (1 - chance) + by_hit[1] * chance
        else:
            chips = self.winnings.chips_of_all(spent, signs, own, hits, history)
        won = raise_value(
            self.game.known, situation, to, folded, stage, labels, found.held,
            np.ascontiguousarray(chips / to), found.scratch
        )  # fmt: skip
        return float(won / found.total.sum())


def _draw(
    rng: np.random.Generator,
    columns: Columns,
    total: Chips,
    left: NDArray[np.uint8],
    n: int,
) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """`n` hands by their weights, and a card of `left` for each that it does not have."""
    limits = np.cumsum(total)
    chosen = np.searchsorted(limits, rng.random(n) * limits[-1], side="right")
    chosen = np.minimum(chosen, total.size - 1)
    new = left[rng.integers(left.size, size=n)]
    while (again := (columns.cards[chosen] == new[:, None]).any(axis=1)).any():
        new[again] = left[rng.integers(left.size, size=int(again.sum()))]
    return chosen.astype(np.int64), new


