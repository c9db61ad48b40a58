"""CFR-BR: training against a responder that answers the last street as well as can be.

Johanson, Bard, Burch and Bowling 2012. Two players that learn inside an abstraction find a strategy
that no player *of the abstraction* can exploit. A responder sees more: against it, a player finds
the strategy of its abstraction that loses least in the real game. A best response of the whole game
would take hours an iteration. So the responder is a hybrid, as theirs is: before the last street it
learns, with regrets of its own and the buckets of the player; on the last street, where a board of
public chance sampling leaves no chance, it holds exact hands and answers the player's current
strategy best.

A board is walked four times, with a number for each hand instead of each type of hand: for each
player once for the responder that it meets, which finds the answers, and once for itself.

A share of the epochs may be *self-play*: there the two players meet each other, as in plain public
chance sampling, and learn in the same tables. Against responders alone a player learns nothing of
opponents who make the mistakes of its own abstraction.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from counterfold.errors import UnsupportedGameError
from counterfold.public.boards import most_hands
from counterfold.public.boards_kernels import Boards
from counterfold.ranges.device.board_pass import walks_in_batches
from counterfold.training.boards.line_walks import LineWalks
from counterfold.training.boards.public_chance import PublicChanceSolver
from counterfold.training.boards.public_chance_kernels import Answers


def is_self_play(epoch: int, share: float) -> bool:
    """Whether players meet each other in an epoch, counted from 0, as a `share` of them do."""
    return int((epoch + 1) * share) > int(epoch * share)


@dataclass
class BestResponseSolver(PublicChanceSolver):
    """Tables of one run; `source` must give boards by hand."""

    self_play: float = 0.0  # share of the epochs

    def __post_init__(self) -> None:
        graph = self.game.graph
        if graph.count_tree() != graph.n_nodes:
            raise UnsupportedGameError(
                "cfr-br needs the feature history: a responder knows all of the betting"
            )
        self._lines: LineWalks | None = None
        super().__post_init__()
        if walks_in_batches(self.game):
            self._lines = LineWalks(self.game, self.dealer, self._n_threads)
        self._responder_regrets = np.zeros_like(self.regrets)

    @property
    def tables(self) -> dict[str, NDArray[np.floating]]:
        """All that the next board depends on; regrets of the responders, too."""
        return {**super().tables, "responding": self._responder_regrets}

    def _responders(self, epoch: int) -> NDArray[np.floating]:
        together = is_self_play(epoch, self.self_play)
        return super()._responders(epoch) if together else self._responder_regrets

    def _walk_batch(self, batch: Boards, first: int, thread: int) -> int:
        if self._lines is None:
            return super()._walk_batch(batch, first, thread)
        tables = self.regrets, self.averages, self._responders(first // self.epoch)
        return self._lines.walk(batch, self.seed + 1, first, tables, thread)

    def _make_answers(self) -> Answers:
        if walks_in_batches(self.game):  # walks along lines have their own
            return super()._make_answers()
        n = self.game.graph.n_nodes
        return Answers(np.zeros(n, np.bool_), np.zeros((n, most_hands(self.dealer)), np.uint8))

    def _regret_tables(self) -> tuple[NDArray[np.floating], ...]:
        return (self.regrets, self._responder_regrets)
