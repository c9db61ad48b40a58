"""Best responses to a bot by plain recursion: one hand of the responder at a time."""

from itertools import combinations

import numpy as np

from counterfold.bots.follow_kernels import follow, follow_deal
from counterfold.bots.policy_kernels import decide
from counterfold.cards.ranking import showdown_strength
from counterfold.games.holdem import betting_kernels as betting

LAST = float(np.nextafter(1.0, 0.0))


def pieces(outcome):
    """What `outcome` of a number from 0 to 1 may be, and how often.

    It is a step function that never comes back to an earlier step, as actions are chosen in order.
    """
    found, since, last = {}, 0.0, outcome(LAST)
    while (here := outcome(since)) != last:
        low, high = since, LAST
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if outcome(middle) == here else (low, middle)
        found[here] = high - since
        since = high
    return found | {last: 1.0 - since}


class NaiveResponse:
    """What `seat` wins on average over all deals, chip by chip and deal by deal."""

    def __init__(self, variant, cards, policy, seat, totals):
        self.variant, self.cards, self.policy, self.seat = variant, cards, policy, seat
        self.totals = totals  # raises that the responder may choose from, by situation
        self.answers, self.read = {}, {}

    def value(self):
        deck = self.variant.deck.cards.tolist()
        hands = list(combinations(deck, self.variant.hole_cards))
        first = tuple(int(x) for x in betting.first_situation(self.variant.rules))
        total, pairs = 0.0, 0
        for own in hands:
            others = [hand for hand in hands if not set(hand) & set(own)]
            range_ = {(hand, 0): 1.0 for hand in others}
            total += self._value(first, own, (), range_)
            pairs += len(others)
        return total / pairs

    def _value(self, situation, own, board, range_):
        phase = situation[betting.PHASE]
        if phase == betting.FOLDED:
            folder = situation[betting.ACTOR]
            chips = situation[betting.SPENT_0 + folder]
            return (-chips if folder == self.seat else chips) * sum(range_.values())
        if phase == betting.SHOWDOWN:
            return self._show(situation, own, board, range_)
        if phase == betting.DEAL:
            return self._deal(situation, own, board, range_)
        if situation[betting.ACTOR] == self.seat:
            return max(
                self._after(situation, own, board, range_, kind, total)
                for kind, total in self._legal(situation)
            )
        return self._answer(situation, own, board, range_)

    def _legal(self, situation):
        if situation[betting.SPENT_0] != situation[betting.SPENT_1] or self.variant.fold_when_free:
            yield betting.FOLD, 0
        yield betting.CALL, 0
        for total in self.totals(situation):
            yield betting.RAISE, total

    def _after(self, situation, own, board, range_, kind, total):
        """The responder acts, and the bot reads it, at random where its rule says so."""
        after = {}
        for (hand, node), weight in range_.items():
            for there, share in self._readings(node, kind, total, situation).items():
                after[hand, there] = after.get((hand, there), 0.0) + weight * share
        return self._value(self._next(situation, kind, total), own, board, after)

    def _readings(self, node, kind, total, situation):
        stack, key = self.variant.stack, (node, kind, total, situation)
        if key not in self.read:
            self.read[key] = pieces(
                lambda x: int(follow(self.policy, node, kind, total, situation, stack, x))
            )
        return self.read[key]

    def _answer(self, situation, own, board, range_):
        found = {}
        for (hand, node), weight in range_.items():
            for (kind, total, there), share in self._choices(situation, node, hand, board).items():
                after = found.setdefault((kind, total), {})
                after[hand, there] = after.get((hand, there), 0.0) + weight * share
        return sum(
            self._value(self._next(situation, kind, total), own, board, after)
            for (kind, total), after in found.items()
        )

    def _choices(self, situation, node, hand, board):
        bucket, stage = self._bucket(hand, board), situation[betting.STREET]
        key = situation, node, bucket
        if key not in self.answers:

            def outcome(number):
                kind, total, edge, _ = decide(
                    self.policy, self.variant.rules, situation, node, stage, bucket, number
                )
                there = node if edge < 0 else int(self.policy.children[edge])
                return int(kind), int(total) if kind == betting.RAISE else 0, there

            self.answers[key] = pieces(outcome)
        return self.answers[key]

    def _bucket(self, hand, board):
        path = [
            (hand, board[: self.variant.board_cards(street)])
            for street in range(len(self.variant.streets))
            if self.variant.board_cards(street) <= len(board)
        ]
        return self.cards.bucket(path)

    def _next(self, situation, kind, total):
        if kind == betting.FOLD:
            return tuple(betting.after_fold(situation))
        if kind == betting.CALL:
            return tuple(betting.after_call(self.variant.rules, situation))
        return tuple(betting.after_raise(situation, total))

    def _deal(self, situation, own, board, range_):
        street = situation[betting.STREET] + 1
        n = self.variant.streets[street].cards
        after = tuple(betting.after_deal(self.variant.rules, situation, False))
        left = [c for c in self.variant.deck.cards.tolist() if c not in (*own, *board)]
        total = 0.0
        ways = len(list(combinations(range(len(left) - self.variant.hole_cards), n)))
        for dealt in combinations(left, n):
            going = {}
            for (hand, node), weight in range_.items():
                if not set(hand) & set(dealt):
                    there = int(follow_deal(self.policy, node, after))
                    going[hand, there] = going.get((hand, there), 0.0) + weight
            total += self._value(after, own, (*board, *dealt), going) / ways
        return total

    def _show(self, situation, own, board, range_):
        chips, mine = situation[betting.SPENT_0], showdown_strength([*own, *board])
        total = 0.0
        for (hand, _), weight in range_.items():
            theirs = showdown_strength([*hand, *board])
            total += weight * chips * (int(mine > theirs) - int(mine < theirs))
        return total
