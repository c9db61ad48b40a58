"""Why a searching bot did what it did: the spot that it solved, both ranges, its shares."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from counterfold.bots.choices import write_action
from counterfold.bots.explain import DecisionTrace
from counterfold.cards.pairs import N_PAIRS, PAIR_HAND_CLASSES, format_hand_class
from counterfold.cards.text import format_card, format_cards
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import name_action
from counterfold.search.hand_ranges import Act, Values
from counterfold.search.hand_values import find_action_values
from counterfold.search.street_solution import StreetSolution

_MOST_SHOWN = 6  # classes of hands of a range


@dataclass(frozen=True)
class SearchTrace(DecisionTrace):
    """One decision that was searched: it has neither a bucket nor a node."""

    mode: str
    solution: StreetSolution
    notes: tuple[str, ...]  # what was assumed on the way
    acts: tuple[Act, ...] = ()  # from the root of the solution to this decision

    @property
    def _spent(self) -> tuple[int, int]:
        root = self.solution.root
        return root[betting.SPENT_0], root[betting.SPENT_1]

    @property
    def _opens(self) -> bool:
        return self.view.situation[betting.N_BETS] == 0

    def lines(self) -> list[str]:
        """The trace in words."""
        solution, seat = self.solution, self.view.seat
        variant = self.view.variant
        behind = f", {variant.stack - max(self._spent)} behind" * (variant.betting != "limit")
        shown = ", ".join(f"{name} {share:.0%}" for name, share in self.probabilities)
        return [
            f"{name_action(self.action, opens=self._opens)}, searched ({self.mode})",
            f"solved {format_cards(solution.board)}, pot {solution.pot}{behind}, in "
            f"{solution.iterations} iterations and {1000 * solution.seconds:.0f} ms: "
            f"{describe_quality(solution)}",
            f"own range: {describe_range(solution.weights[seat])}",
            f"opponent's: {describe_range(solution.weights[1 - seat])}",
            f"{shown}; drew {self.number:.3f}",
            *self.readings,
            *self.notes,
        ]

    def share_of(self, action: str) -> float | None:
        """How likely `action` was, as views write it; None if it was not considered."""
        return dict(self.probabilities).get(name_action(action, opens=self._opens))

    def action_values(self) -> dict[str, float] | None:
        """Chips that each action wins on average, if both play the solution."""
        solution, view = self.solution, self.view
        values = find_action_values(solution, self.acts, view.seat, view.hole)
        if values is None:
            return None
        acts = solution.acts(solution.find(self.acts).node)
        names = [write_action(view, act.kind, act.total, view.hole) for act in acts]
        return dict(zip(names, values.tolist(), strict=True))


def describe_quality(solution: StreetSolution) -> str:
    """How good a solution is."""
    if solution.exploitability is not None:
        share = 100 * solution.exploitability / solution.pot
        return f"exploitable for {solution.exploitability:.3g} chips ({share:.2g}% of the pot)"
    assert solution.margin is not None
    if solution.margin < 0:
        return f"a hand of the opponent gains up to {-solution.margin:.3g} chips by the search"
    return f"every hand of the opponent loses {solution.margin:.3g} chips or more by the search"


def describe_range(weights: Values) -> str:
    """How many hands there are, and which come most often."""
    total = float(weights.sum())
    held = np.count_nonzero(weights)
    if total <= 0:
        return "no hand"
    shares = weights / total
    if weights.size == N_PAIRS:
        shares = np.bincount(PAIR_HAND_CLASSES, shares).astype(np.float64)
    most = np.argsort(-shares, kind="stable")[:_MOST_SHOWN]
    name = format_hand_class if weights.size == N_PAIRS else format_card
    told = ", ".join(f"{name(int(k))} {shares[k]:.1%}" for k in most if shares[k] > 0)
    return f"{held} hands, most often {told}"


def describe_shares(names: Sequence[str], shares: Values) -> tuple[tuple[str, float], ...]:
    """Actions in words with their probabilities."""
    return tuple((name, float(share)) for name, share in zip(names, shares, strict=True))
