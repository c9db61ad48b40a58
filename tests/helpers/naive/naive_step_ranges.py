"""Hands of a local best response that are played step by step, looked at from outside.

Ranges are counted once more here deal by deal: of all deals of a small variant those are taken that
fit what the responder has seen, each as often as the bot, with its hand, would have done what it
did. The rules of translation are shared, ranges are not.
"""

from collections import defaultdict

import numpy as np

from counterfold.bots.follow_kernels import find_readings, follow_auction, follow_deal
from counterfold.bots.policy_kernels import NO_EDGE, find_chances, has_choice, perform
from counterfold.cards import format_card
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import BID, CALL, DISCARD, FOLD, RAISE
from counterfold.games.holdem.card_sets_kernels import SET_BITS
from counterfold.public.deals_kernels import NO_CARD, STAGE_CELL, STAGE_CHOICES
from counterfold.public.walk_kernels import NODE_DEGREE
from counterfold.responses.stepwise.step_walk import N_STREAMS, StepWalk

DEALT = -1  # in place of a seat: a street was dealt


class SeenWalk(StepWalk):
    """A hand whose events and decisions are kept; `decides` is called before each decision."""

    decides = staticmethod(lambda walk: None)

    def __post_init__(self):
        super().__post_init__()
        self.events = []  # seat, stage, situation, kind, amount and, of discards, the cards
        self.decisions = []

    def _respond(self):
        self.decides(self)
        self.decisions.append(super()._respond())
        return self.decisions[-1]

    def _deal(self):
        super()._deal()
        self.events.append((DEALT, None, self.situation, None, None, ()))

    def _move(self, kind, amount):
        actor, gone = self.situation[betting.ACTOR], ()
        if kind == DISCARD:
            held = self.hole(actor)
            bits = SET_BITS[held.size, amount]
            gone = tuple(sorted(c for at, c in enumerate(held.tolist()) if bits >> at & 1))
        self.events.append((actor, self.at, self.situation, kind, amount, gone))
        super()._move(kind, amount)

    def words(self, seat):
        """What a seat did, as actions of exact states."""
        found = []
        for actor, _, situation, kind, amount, gone in self.events:
            if actor != seat:
                continue
            free = situation[betting.SPENT_0] == situation[betting.SPENT_1]
            raised = amount - situation[betting.BASE] if kind == RAISE else 0
            word = {FOLD: "f", CALL: "k" if free else "c", RAISE: f"r{raised}", BID: f"a{amount}"}
            real = self.game.dealer.real
            cards = [format_card(int(real[card])) for card in sorted(gone, reverse=True)]
            found += ["d" + card for card in cards] if gone else [word[kind]]
        return found


class KnownWalk(SeenWalk):
    """A hand whose result is that of the hand which the bot holds, as the cards fell."""

    def _ends_betting(self, kind, amount):
        return False

    def find_result(self):
        if self.situation[betting.PHASE] == betting.SHOWDOWN:
            self.look(len(self.game.dealer.stages) - 1)
        found = self.ranges[-1]
        keep = np.zeros(len(found.columns), bool)
        if self.private is not None:
            keep[0] = True
        else:
            # By now the bot has all the cards that it will have.
            bits = sum(1 << int(card) for card in self.hole(1 - self.seat))
            keep = found.bits == bits
            if self.secrets:
                secret = int(self.deals.bounties[self.row, 1 - self.seat])
                ranks = self.game.variant.deck.ranks
                street = self.situation[betting.STREET]
                hit = self.deals.hits[self.row, 1 - self.seat, street]
                k = ranks.index(secret) if self.secrets.by_rank else int(hit)
                keep &= np.arange(keep.size) % self.secrets.columns.n_secrets == k
        found.weights[:, ~keep] = 0.0
        return super().find_result()


class Replayed:
    """A bot that does what it is told."""

    def __init__(self, actions):
        self.actions = iter(actions)

    def begin_hand(self, view):
        """Nothing to do."""

    def act(self, view):
        """The next one."""
        return next(self.actions)


def play_walks(responder, n, seed=5, first=0, walk=SeenWalk, **attributes):
    """The walks of `n` deals in both seats, played, with their results."""
    deals, bot = responder.deal(seed, first, n), responder.make_bot()
    buckets = responder.game.cards.label(deals)
    for row in range(n):
        for seat in (0, 1):
            stream = (first + row) * N_STREAMS
            found = walk(responder.game, bot, deals, buckets, row, seat, stream, seed + 1)
            for name, value in attributes.items():
                setattr(found, name, value)
            yield found, found.play()


class Bayes:
    """What a responder may know of a bot, counted over all deals of a variant."""

    def __init__(self, responder):
        self.game = responder.game
        self.dealer, self.policy = self.game.dealer, self.game.policy
        self.deals = self.dealer.enumerate()
        self.buckets = self.game.cards.label(self.deals)

    def posterior(self, walk):
        """How likely each hand, with its bounty if it has one, is the bot's at a decision."""
        found = defaultdict(float)
        events = walk.events
        waits = walk.pending is not None
        if waits:  # what was bid is not known yet
            events = events[:-1]
        for d in np.flatnonzero(self._may_fit(walk)):
            paths = self._paths(walk.events, d)
            if paths is None or not self._fits(walk, paths, d):
                continue
            chance = self._likelihood(walk, events, paths, d)
            if chance > 0.0:
                found[self._hand(walk, paths, d)] += chance * self.deals.weights[d]
        total = sum(found.values())
        return {hand: weight / total for hand, weight in found.items()}

    def _cell(self, at, path):
        return int(self.dealer.layout.stages[at, STAGE_CELL]) + path

    def _may_fit(self, walk):
        """Which deals have the responder's first hand and its bounty."""
        deals, seat = self.deals, walk.seat
        own = np.sort(deals.holes[:, seat, 0], axis=1)
        fits = (own == np.sort(walk.deals.holes[walk.row, seat, 0])).all(axis=1)
        if deals.bounties.shape[1]:
            fits &= deals.bounties[:, seat] == walk.deals.bounties[walk.row, seat]
        return fits

    def _paths(self, events, d):
        """Hand paths of the seats of a deal at all stages so far, if it allows what was done."""
        found = [(0, 0)]
        for seat, at, situation, kind, amount, gone in events:
            if seat == DEALT:
                continue
            while len(found) <= at:
                found.append(found[-1])
            first, second = found[at]
            if kind == BID and situation[betting.FIRST_BID] > 0:
                settled = betting.after_bid(self.game.variant.rules, situation, amount)
                won = settled[betting.DREW] ^ situation[betting.DREW]
                found.append((2 * first + (won & 1), 2 * second + (won >> 1 & 1)))
            elif kind == DISCARD:
                step = self.dealer.stages[at].choice
                cell = self._cell(at, found[at][seat])
                number = self.number_of(self.deals.holes[d, seat, cell], gone)
                if number is None:
                    return None
                digit = step.digit(number)
                n = step.n_choices
                found.append((first * n + digit, second * n + digit))
        return found

    def _fits(self, walk, paths, d):
        """Whether a deal has what the responder has seen: its own cards, and those that all see."""
        own, deals = [*walk.paths], self.deals
        for at in range(walk.at, -1, -1):
            path = paths[min(at, len(paths) - 1)][walk.seat]
            mine = deals.holes[d, walk.seat, self._cell(at, path)]
            theirs = walk.deals.holes[walk.row, walk.seat, self._cell(at, own[walk.seat])]
            if {*mine.tolist()} != {*theirs.tolist()}:
                return False
            boards = []
            for row, each, dealt in ((d, path, deals), (walk.row, own[walk.seat], walk.deals)):
                row = slice(row, row + 1)
                board = self.dealer.boards(at, dealt.cards[row], dealt.laid[row], dealt.shown[row])
                boards.append({*board[0, each if board.shape[1] > 1 else 0].tolist()})
            if boards[0] != boards[1]:
                return False
            choices = int(self.dealer.layout.stages[at, STAGE_CHOICES])
            own = [each // choices for each in own]
        return True

    def _hand(self, walk, paths, d):
        other = 1 - walk.seat
        path = paths[min(walk.at, len(paths) - 1)][other]
        cards = self.deals.holes[d, other, self._cell(walk.at, path)]
        hand = tuple(sorted(cards[cards != NO_CARD].tolist()))
        if not walk.secrets:
            return hand
        rank = int(self.deals.bounties[d, other])
        if walk.secrets.by_rank:
            return (*hand, walk.game.variant.deck.ranks.index(rank))
        return (*hand, int(any(card // 4 == rank for card in (*hand, *walk.board))))

    def _likelihood(self, walk, events, paths, d):
        """How likely the bot is to do what it did, with the cards of a deal."""
        nodes = {0: 1.0}
        for seat, at, situation, kind, amount, gone in events:
            after = defaultdict(float)
            for node, chance in nodes.items():
                if seat == DEALT:
                    after[int(follow_deal(self.policy, node, situation))] += chance
                elif seat == walk.seat:
                    low, high, share = find_readings(
                        self.policy, node, kind, amount, situation, walk.stack
                    )
                    after[int(low)] += chance * share
                    after[int(high)] += chance * (1.0 - share)
                else:
                    cell = self._cell(at, paths[at][seat])
                    bucket = int(self.buckets[d, seat, cell])
                    held = self.deals.holes[d, seat, cell]
                    did = kind, amount, gone
                    for following, share in self._moves(node, situation, at, bucket, held, did):
                        after[following] += chance * share
            if kind == BID and situation[betting.FIRST_BID] > 0:
                settled = tuple(betting.after_bid(walk.bot.rules, situation, amount))
                nodes, after = after, defaultdict(float)
                for node, chance in nodes.items():
                    after[int(follow_auction(self.policy, node, settled))] += chance
            nodes = {node: chance for node, chance in after.items() if chance > 0.0}
        return sum(nodes.values())

    @staticmethod
    def number_of(held, gone):
        """The number of the set of cards `gone` in a hand, None if it lacks one."""
        held = held[held != NO_CARD].tolist()
        if not {*gone} <= {*held}:
            return None
        bits = sum(1 << held.index(card) for card in gone)
        return next((k for k in range(SET_BITS.shape[1]) if SET_BITS[len(held), k] == bits), None)

    def _moves(self, node, situation, at, bucket, held, did):
        """Where the bot is after what it did, and how often it does that."""
        kind, amount, gone = did
        policy, rules = self.policy, self.game.variant.rules
        settles = kind == BID and situation[betting.FIRST_BID] > 0
        if kind == DISCARD:
            amount = self.number_of(held, gone)
        ways = [(NO_EDGE, 1.0)]
        if has_choice(policy, situation, node):
            chances = np.zeros(int(policy.nodes[node, NODE_DEGREE]))
            assert find_chances(policy, node, bucket, chances)
            ways = [*enumerate(chances.tolist())]
        for k, chance in ways:
            does, size, edge, _ = perform(policy, rules, situation, node, at, bucket, k)
            if does == kind and (kind not in (RAISE, BID, DISCARD) or size == amount):
                stays = settles or edge == NO_EDGE
                yield (node if stays else int(policy.children[edge])), chance
