"""What a bot does in a real situation, for every bucket at once, and what it then believes.

A bot follows the real game on a node of its own graph (see `bots.follow_kernels`). The functions
here say the same as `decide`, `follow` and `follow_deal` there, with all probabilities instead of a
random number.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.bets.menu_kernels import total_of_size
from counterfold.bots.follow_kernels import find_readings, follow_deal
from counterfold.bots.policy_kernels import LOST, Policy, passive_edge
from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.situation import Situation
from counterfold.public.walk_kernels import (
    NODE_ACTOR,
    NODE_DEGREE,
    NODE_PHASE,
    NODE_SLOT,
    NODE_START,
)


class Answer(NamedTuple):
    """An action, the node on which the bot then is, and how likely that is by bucket."""

    kind: int
    total: int  # of a raise, else 0
    node: int
    row: int  # of `BotAnswers.rows`


@dataclass(eq=False)
class BotAnswers:
    """Answers of one bot; each is worked out once."""

    variant: Variant
    policy: Policy
    n_buckets: tuple[int, ...]  # by stage
    rows: list[NDArray[np.float32]] = field(default_factory=list)
    _known: dict[tuple[int, Situation], tuple[Answer, ...]] = field(default_factory=dict)

    def of(self, node: int, situation: Situation) -> tuple[Answer, ...]:
        """What the bot may do in `situation`, believing to be on `node`."""
        key = (node, situation)
        if key not in self._known:
            self._known[key] = self._answer(node, situation)
        return self._known[key]

    def after_action(
        self, node: int, kind: int, total: int, situation: Situation
    ) -> list[tuple[int, float]]:
        """Nodes on which the bot may be once the other has acted, with their probabilities."""
        low, high, share = find_readings(
            self.policy, node, kind, total, situation, self.variant.stack
        )
        found = ((int(low), share), (int(high), 1.0 - share))
        return [(after, chance) for after, chance in found if chance > 0.0]

    def after_deal(self, node: int, situation: Situation) -> int:
        """The node on which the bot is once a street has begun in `situation`."""
        return int(follow_deal(self.policy, node, situation))

    def _answer(self, node: int, situation: Situation) -> tuple[Answer, ...]:
        policy = self.policy
        found: dict[tuple[int, int, int], NDArray[np.float64]] = {}

        def add(kind: int, total: int, after: int, chance: NDArray[np.float64]) -> None:
            if chance.any():
                # After a fold nothing follows that could tell nodes apart.
                key = (kind, total, LOST if kind == betting.FOLD else after)
                found[key] = found[key] + chance if key in found else chance

        def add_by_odds(after: int, chance: NDArray[np.float64]) -> None:
            calls = self._calls_by_odds(situation)
            add(betting.CALL, 0, after, chance * calls)
            add(betting.FOLD, 0, after, chance * ~calls)

        on_tree = (
            node != LOST
            and policy.nodes[node, NODE_PHASE] == betting.BET
            and policy.nodes[node, NODE_ACTOR] == situation[betting.ACTOR]
        )
        n = self.n_buckets[situation[betting.STREET]]
        if not on_tree:
            add_by_odds(node, np.ones(n))
            return self._keep(found)
        chances = self._chances(node, n)
        passive = int(passive_edge(policy, node))
        untrained = 1.0 - chances.sum(axis=1).round()
        add_by_odds(int(policy.children[passive]), untrained)
        to_call = situation[betting.SPENT_0] != situation[betting.SPENT_1]
        for k, chance in enumerate(chances.T):
            edge = int(policy.nodes[node, NODE_START]) + k
            kind, after = int(policy.kinds[edge]), int(policy.children[edge])
            total = 0
            if kind == betting.RAISE:
                size = policy.labels[edge]
                total = int(total_of_size(self.variant.rules, policy.nearness, situation, size))
                kind = betting.RAISE if total else betting.CALL
            elif kind == betting.FOLD and not to_call:
                kind, after = betting.CALL, int(policy.children[passive])
            elif kind == betting.CALL and to_call and self._calls_nothing(node):
                add_by_odds(after, chance)
                continue
            add(kind, total, after, chance)
        return self._keep(found)

    def _keep(self, found: dict[tuple[int, int, int], NDArray[np.float64]]) -> tuple[Answer, ...]:
        answers = []
        for (kind, total, after), chance in found.items():
            answers.append(Answer(kind, total, after, len(self.rows)))
            self.rows.append(chance.astype(np.float32))
        return tuple(answers)

    def _calls_nothing(self, node: int) -> bool:
        spent = self.policy.spent[node]
        return bool(spent[0] == spent[1])

    def _chances(self, node: int, n_buckets: int) -> NDArray[np.float64]:
        """[buckets, edges] how often the strategy takes an edge; zeros where it is untrained."""
        policy = self.policy
        width, start = int(policy.nodes[node, NODE_DEGREE]), int(policy.nodes[node, NODE_SLOT])
        stored = policy.quantized[start : start + width * n_buckets]
        steps = stored.astype(np.float64).reshape(n_buckets, width)
        total = steps.sum(axis=1, keepdims=True)
        best = np.zeros_like(steps)
        best[np.arange(n_buckets), steps.argmax(axis=1)] = 1.0
        kept = np.where(steps > policy.threshold * total, steps, 0.0)
        sums = kept.sum(axis=1, keepdims=True)
        shares = np.where(sums > 0.0, kept / np.maximum(sums, 1.0), best)
        if policy.purify:
            shares = best
        return np.where(total > 0.0, shares, 0.0)

    def _calls_by_odds(self, situation: Situation) -> NDArray[np.bool_]:
        """[buckets] whether a hand beats more hands than the price of a call asks for."""
        stage = situation[betting.STREET]
        n = int(self.policy.last_buckets[stage])
        spent = situation[betting.SPENT_0], situation[betting.SPENT_1]
        to_call = abs(spent[0] - spent[1])
        buckets = np.arange(self.n_buckets[stage])
        if to_call == 0:
            return np.ones(buckets.size, bool)
        beaten = (buckets % n + 0.5) / n
        return np.asarray(beaten * (sum(spent) + to_call) >= to_call)
