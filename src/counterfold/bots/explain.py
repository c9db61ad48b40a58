"""Why a strategy bot did what it did: its hand, its node, how likely each action was."""

from dataclasses import dataclass

from counterfold.bets.menu_kernels import ALL_IN, MINIMUM, bid_of_size, total_of_size
from counterfold.bots.choices import write_actions
from counterfold.bots.policy_kernels import FORCED, LOST, OFF_TREE, TRAINED, UNTRAINED, Policy
from counterfold.bots.view import View
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import RAISE as RAISE_LETTER
from counterfold.games.holdem.action_words import WORDS, letter_of, name_action
from counterfold.games.holdem.betting_kernels import BID, DISCARD, RAISE
from counterfold.public.walk_kernels import NODE_DEGREE, NODE_SLOT, NODE_START

SEARCHED = 1 + max(TRAINED, UNTRAINED, OFF_TREE, FORCED)  # beside those of `bots.policy_kernels`

HOWS = {
    TRAINED: "from the strategy",
    UNTRAINED: "training never came here: decided by pot odds, without a bet",
    OFF_TREE: "the hand has left the game it knows: decided by pot odds, without a bet",
    FORCED: "there is nothing to call in its own game: decided by pot odds",
    SEARCHED: "by search",
}
_SIZES = {ALL_IN: "all-in", MINIMUM: "smallest"}


@dataclass(frozen=True)
class DecisionTrace:
    """One decision."""

    view: View
    action: str
    how: int  # a key of `HOWS`
    bucket: int
    n_buckets: int  # of one street; with recall, a bucket includes earlier ones
    node: int  # of the abstract game, or LOST
    spent: tuple[int, int] | None  # chips that the seats have put in at that node
    probabilities: tuple[tuple[str, float], ...]  # of actions in words; empty where untrained
    number: float  # the random number that decided between them
    readings: tuple[str, ...]  # how it read the opponent's bets of this hand

    def lines(self) -> list[str]:
        """The trace in words."""
        known = f"bucket {self.bucket}"
        if self.bucket < self.n_buckets:
            known += f" of {self.n_buckets} (0 is the weakest)"
        lines = [f"{name_action(self.action)}, {HOWS[self.how]}; {known}"]
        if self.spent is not None:
            lines.append(f"node {self.node}, {self.spent[0]} and {self.spent[1]} chips in")
        if self.probabilities:
            shown = ", ".join(f"{name} {share:.0%}" for name, share in self.probabilities)
            lines.append(f"{shown}; drew {self.number:.3f}")
        return [*lines, *self.readings]

    def share_of(self, action: str) -> float | None:
        """How likely `action` was, as views write it; None if it was not considered."""
        raises = action[0] == RAISE_LETTER
        name = f"to {action[1:]} (" if raises else name_action(action)
        for text, share in self.probabilities:
            if text.startswith(name) if raises else text == name:
                return share
        return None

    def action_values(self) -> dict[str, float] | None:
        """Chips that each action wins on average, by its notation; None where nobody knows."""
        return None


def describe_edges(
    policy: Policy, view: View, node: int, bucket: int, hole: tuple[int, ...]
) -> tuple[tuple[str, float], ...]:
    """Each action of a node in words, with its probability before thresholds.

    `hole` is the hand in the order in which discards are named.
    """
    if node == LOST:
        return ()
    first, width = int(policy.nodes[node, NODE_START]), int(policy.nodes[node, NODE_DEGREE])
    slot = int(policy.nodes[node, NODE_SLOT]) + width * bucket
    quantized = [int(step) for step in policy.quantized[slot : slot + width]]
    total = sum(quantized)
    if total == 0:
        return ()
    names = [describe_edge(policy, view, edge, hole) for edge in range(first, first + width)]
    return tuple((name, step / total) for name, step in zip(names, quantized, strict=True))


def describe_edge(policy: Policy, view: View, edge: int, hole: tuple[int, ...]) -> str:
    """What the edge of its own decision does in the situation of `view`."""
    kind = int(policy.kinds[edge])
    if kind == DISCARD:
        words = write_actions(view, kind, int(policy.amounts[edge]), hole)
        cards = [word[1:] for word in words if word[0] == letter_of(kind, 0)]
        return " ".join([WORDS[letter_of(kind, 0)], *cards])
    size = int(policy.labels[edge])
    if kind == BID:
        bid = bid_of_size(view.variant.rules, view.situation, size)
        return f"{WORDS[letter_of(kind, 0)]} {bid}"
    if kind != RAISE:
        return WORDS[letter_of(kind, view.to_call)]
    total = total_of_size(view.variant.rules, policy.nearness, view.situation, size)
    return f"to {total - view.situation[betting.BASE]} ({describe_size(size)})"


def describe_size(size: int) -> str:
    """A size of a menu, such as ``50%`` of the pot."""
    return _SIZES.get(size) or f"{size / 10:g}%"


def describe_reading(policy: Policy, node: int, child: int, total: int) -> str:
    """How a raise of the opponent to `total` chips over the hand was read."""
    read_at = int(policy.raise_nodes[node])
    edge = int(policy.nodes[node if read_at == LOST else read_at, NODE_START])
    while policy.children[edge] != child:
        edge += 1
    if policy.kinds[edge] != RAISE:
        return f"read the opponent's raise to {total} in total as a check or call"
    amount = int(policy.amounts[edge])
    return f"read the opponent's raise to {total} in total as one to {amount} in its own game"
