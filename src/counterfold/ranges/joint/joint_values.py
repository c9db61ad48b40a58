"""Exact value, best responses and exploitability in a game with joint tables.

Exact in the abstract game: all sums are in double precision and over all pairs of bucket sequences.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from counterfold.buckets.joint_tables import JointTables
from counterfold.frames import NamedFigures
from counterfold.games.holdem import Variant
from counterfold.public.infosets import PublicGame
from counterfold.ranges.joint.joint_pass import JointPass
from counterfold.ranges.joint.traversal import Array, Traversal


@dataclass(frozen=True)
class JointEvaluation(NamedFigures):
    """Figures of a profile, in chips per hand."""

    value: float  # to seat 0; seat 1 wins the negative
    responses: tuple[float, float]  # what each seat wins with its best response to the other
    big_blind: int  # chips

    @property
    def nash_conv(self) -> float:
        """What both gain by best responses."""
        return sum(self.responses)

    @property
    def exploitability(self) -> float:
        """What a best response wins on average over both seats."""
        return self.nash_conv / 2

    @property
    def exploitability_mb(self) -> float:
        """The same in thousandths of a big blind, mb/g."""
        return 1000 * self.exploitability / self.big_blind

    def to_dict(self) -> dict[str, Any]:
        """All figures by name."""
        return {
            "value": self.value,
            "best_responses": self.responses,
            "nash_conv": self.nash_conv,
            "exploitability": self.exploitability,
            "exploitability_mb": self.exploitability_mb,
        }


def evaluate_joint(
    game: PublicGame, joint: JointTables, weights: Array, *, threads: int | None = None
) -> JointEvaluation:
    """Evaluate the profile in proportion to `weights`, which are probabilities or averages.

    `weights` go over the slots of `game`; an information set without any is played uniformly.
    """
    passes = JointPass(game, joint, np.float64, threads)
    moved = passes.slots.from_classes(game, weights.astype(np.float64))
    return evaluate_with(passes, game.graph.variant, moved)


def evaluate_with(passes: Traversal, variant: Variant, weights: Array) -> JointEvaluation:
    """Evaluate with an existing traversal, in its precision and the order of its slots."""
    reach = [passes.reach(seat, weights) for seat in (0, 1)]
    value = passes.value(0, reach[1], weights)
    responses = passes.value(0, reach[1], None), passes.value(1, reach[0], None)
    return JointEvaluation(value, responses, variant.big_blind)
