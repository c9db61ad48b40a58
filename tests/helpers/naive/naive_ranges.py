"""Ranges through a hand in plain Python: one hand of cards at a time, one reading at a time."""

from itertools import combinations

from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import CALL, RAISE
from counterfold.games.holdem.situation import split_history
from counterfold.search.hand_ranges import after_act, read_act


class NaiveRanges:
    """Weights by hand at the start of the last street of a history; `bot` is a `NaiveBot`."""

    def __init__(self, bot, dealer):
        self.bot, self.dealer = bot, dealer
        self.variant = dealer.variant
        deck = sorted(self.variant.deck.cards.tolist())
        self.hands = list(combinations(deck, self.variant.hole_cards))

    def weights(self, board, history, seat):
        """[2] dictionaries from hands to weights; `seat` plays the strategy for certain."""
        return [
            {hand: self._weigh(hand, board, history, who, who == seat) for hand in self.hands}
            for who in (0, 1)
        ]

    def _weigh(self, hand, board, history, who, certain):
        """How likely a hand is to act as `who` did, over all readings of the other's bets."""
        readings = {0: 1.0}
        situation = betting.first_situation(self.variant.rules)
        dealt = []
        for event in split_history(history):
            street = situation[betting.STREET]
            if event in "/!":
                situation = betting.after_deal(self.variant.rules, situation, event == "/")
                dealt = [card for cards in board[: street + 1] for card in cards]
                if {*hand} & {*dealt}:
                    return 0.0
                readings = _moved(readings, lambda at: {self.bot.after_deal(at, situation): 1.0})  # noqa: B023
                continue
            act = read_act(event, situation)
            if street < len(board):
                if situation[betting.ACTOR] != who:
                    step = self._read
                else:
                    step = self._plays if certain else self._seems
                bucket = self._bucket(hand, board, street)
                readings = _moved(readings, lambda at: step(at, situation, street, bucket, act))  # noqa: B023
            situation = after_act(self.variant, situation, act)
        return sum(readings.values())

    def _bucket(self, hand, board, street):
        path = [(hand, [card for cards in board[:k] for card in cards]) for k in range(street + 1)]
        return self.bot.cards.bucket(path)

    def _read(self, at, situation, street, bucket, act):
        found = {}
        for node, chance in self.bot.readings(at, act.kind, act.total, situation):
            found[node] = found.get(node, 0.0) + chance
        return found

    def _plays(self, at, situation, street, bucket, act):
        found = {}
        for chance, kind, amount, node in self.bot.actions(at, situation, street, bucket):
            if kind == act.kind and (kind != RAISE or amount == act.total):
                found[node] = found.get(node, 0.0) + chance
        return found

    def _seems(self, at, situation, street, bucket, act):
        """As the strategy would, had it bet what it would read the bet as."""
        graph = self.bot.graph
        read = self._read(at, situation, street, bucket, act)
        if graph.phase[at] != betting.BET:
            return read
        shares = self._shares(at, bucket)
        if shares is None:
            return read
        edges = list(self.bot.edges(at))
        found = {}
        for node, chance in read.items():
            taken = [k for k, edge in enumerate(edges) if graph.children[edge] == node]
            if act.kind == CALL:
                real = [self.bot._real(at, edge, situation)[0] for edge in edges]
                taken = [k for k, kind in enumerate(real) if kind in (CALL, None)]
            found[node] = chance * sum(shares[k] for k in taken)
        return found

    def _shares(self, at, bucket):
        """What is played at a node, with thresholds; None where nothing was trained."""
        edges = self.bot.edges(at)
        start = int(self.bot.game.node_offsets[at]) + len(edges) * bucket
        steps = self.bot.quantized[start : start + len(edges)].astype(float)
        if steps.sum() == 0:
            return None
        kept = [s if s > self.bot.threshold * steps.sum() else 0.0 for s in steps]
        if self.bot.purify or sum(kept) == 0:
            kept = [float(k == steps.argmax()) for k in range(len(edges))]
        return [s / sum(kept) for s in kept]


def _moved(readings, step):
    after = {}
    for at, weight in readings.items():
        for node, chance in step(at).items():
            after[node] = after.get(node, 0.0) + weight * chance
    return after
