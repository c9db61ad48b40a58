"""Counterfactual regret minimization as the papers write it: recursion over histories.

Nothing here uses the package's arrays. A game is unfolded once from its protocol states into nested
`Node`s, and every table is a dictionary from an information set to a list, one entry per action.
"""

from dataclasses import dataclass, field
from math import prod

from counterfold.games import Infoset


@dataclass
class Node:
    """A history: over (`utilities`), or nature's (`odds`), or a player's (`infoset`)."""

    utilities: tuple | None = None
    odds: tuple | None = None
    infoset: Infoset | None = None
    children: list["Node"] = field(default_factory=list)


def unfold(state):
    """The whole tree below `state`."""
    if state.utilities is not None:
        return Node(utilities=state.utilities)
    if state.chance is not None:
        outcomes = state.chance.outcomes()
        children = [unfold(state.child(outcome)) for outcome, _ in outcomes]
        return Node(odds=tuple(p for _, p in outcomes), children=children)
    infoset = state.infoset
    children = [unfold(state.child(action)) for action in infoset.actions]
    return Node(infoset=infoset, children=children)


def expected_values(node, strategy, n_players):
    """Expected utility of each player; `strategy` maps an infoset to probabilities."""
    if node.utilities is not None:
        return list(node.utilities)
    odds = node.odds or strategy[node.infoset]
    values = [expected_values(child, strategy, n_players) for child in node.children]
    return [
        sum(p * v[seat] for p, v in zip(odds, values, strict=True)) for seat in range(n_players)
    ]


@dataclass
class Sums:
    """What one traversal adds up, per infoset of the traverser."""

    regrets: dict = field(default_factory=dict)  # counterfactual regret of each action
    reach: dict = field(default_factory=dict)  # probability that the traverser plays to the infoset
    visits: dict = field(default_factory=dict)  # Σ over histories of nature's and its own reach


def traverse(node, strategy, player, sums, nature=1.0, own=1.0, others=1.0):
    """Counterfactual regret minimization's walk for `player` (Zinkevich et al. 2007).

    Returns the value of `node` to `player` under `strategy`.
    """
    if node.utilities is not None:
        return node.utilities[player]
    if node.odds is not None:
        return sum(
            p * traverse(child, strategy, player, sums, nature * p, own, others)
            for p, child in zip(node.odds, node.children, strict=True)
        )
    infoset = node.infoset
    sigma = strategy[infoset]
    if infoset.player != player:
        return sum(
            p * traverse(child, strategy, player, sums, nature, own, others * p)
            for p, child in zip(sigma, node.children, strict=True)
        )
    values = [
        traverse(child, strategy, player, sums, nature, own * p, others)
        for p, child in zip(sigma, node.children, strict=True)
    ]
    value = sum(p * v for p, v in zip(sigma, values, strict=True))
    regrets = sums.regrets.setdefault(infoset, [0.0] * len(values))
    for k, v in enumerate(values):
        regrets[k] += nature * others * (v - value)
    sums.reach[infoset] = own
    sums.visits[infoset] = sums.visits.get(infoset, 0.0) + nature * own
    return value


def match(regrets):
    """Regret matching: in proportion to positive regret, uniform if there is none."""
    positive = [max(regret, 0.0) for regret in regrets]
    total = sum(positive)
    return [p / total for p in positive] if total > 0 else [1 / len(positive)] * len(positive)


def infosets(node, found=None):
    """All infosets below `node`."""
    found = {} if found is None else found
    if node.infoset is not None:
        found[node.infoset] = None
    for child in node.children:
        infosets(child, found)
    return found


class Textbook:
    """CFR with alternating updates; a variant overrides what the papers say differs."""

    def __init__(self, root, n_players):
        self.root, self.n_players, self.t = root, n_players, 0
        self.regrets = {i: [0.0] * len(i.actions) for i in infosets(root)}
        self.averages = {i: [0.0] * len(i.actions) for i in self.regrets}
        self.strategy = {i: match(regrets) for i, regrets in self.regrets.items()}

    def iterate(self):
        self.t += 1
        for player in range(self.n_players):
            sums = Sums()
            traverse(self.root, self.strategy, player, sums)
            for i, instant_regrets in sums.regrets.items():
                weighted = [sums.reach[i] * p for p in self.strategy[i]]
                self.average(i, weighted)
                self.regrets[i] = self.add(self.regrets[i], instant_regrets)
                self.strategy[i] = self.next_strategy(self.regrets[i], instant_regrets)

    def average(self, i, played):
        """All iterations weigh alike (Zinkevich et al. 2007)."""
        self.averages[i] = [a + p for a, p in zip(self.averages[i], played, strict=True)]

    def add(self, regrets, instant_regrets):
        return [r + s for r, s in zip(regrets, instant_regrets, strict=True)]

    def next_strategy(self, regrets, instant_regrets):
        return match(regrets)

    def final_weight(self):
        """What the package's averages are multiplied by to be the paper's sums."""
        return 1.0


class TextbookPlus(Textbook):
    """CFR+ (Tammelin 2014): regrets cut at zero, iteration t weighs t."""

    power = 1

    def average(self, i, played):
        super().average(i, [self.t**self.power * p for p in played])

    def add(self, regrets, instant_regrets):
        return [max(r, 0.0) for r in super().add(regrets, instant_regrets)]

    def final_weight(self):
        # The package fades old sums by (t / (t + 1)) ^ power instead of weighing new ones by
        # t ^ power; the product of the factors from s to t is (s / (t + 1)) ^ power.
        return float(self.t + 1) ** self.power


class TextbookPredictivePlus(TextbookPlus):
    """Predictive CFR+ (Farina, Kroer and Sandholm 2021): the last regret is expected again."""

    power = 2

    def next_strategy(self, regrets, instant_regrets):
        return match([r + s for r, s in zip(regrets, instant_regrets, strict=True)])


class TextbookDiscounted(Textbook):
    """Discounted CFR (Brown and Sandholm 2019) with its α, β and γ."""

    def __init__(self, root, n_players, alpha, beta, gamma):
        super().__init__(root, n_players)
        self.alpha, self.beta, self.gamma = alpha, beta, gamma

    def average(self, i, played):
        super().average(i, played)
        self.averages[i] = [a * (self.t / (self.t + 1)) ** self.gamma for a in self.averages[i]]

    def add(self, regrets, instant_regrets):
        up, down = self.t**self.alpha, self.t**self.beta
        return [
            r * (up / (up + 1) if r > 0 else down / (down + 1))
            for r in super().add(regrets, instant_regrets)
        ]


def best_response_value(node, strategy, player, n_players):
    """The best that `player` gets against the others, by trying all its pure strategies."""
    own = [i for i in infosets(node) if i.player == player]
    best = -float("inf")
    for code in range(prod(len(i.actions) for i in own)):
        pure = dict(strategy)
        for i in own:
            code, k = divmod(code, len(i.actions))
            pure[i] = [float(a == k) for a in range(len(i.actions))]
        best = max(best, expected_values(node, pure, n_players)[player])
    return best
