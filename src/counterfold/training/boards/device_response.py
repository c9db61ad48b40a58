"""CFR-BR in batches of boards, on a GPU (`ranges.device.responding_pass`).

It fills the same tables as `best_response`. All boards of a batch meet the strategies that the
batch began with, and a responder answers on each board by itself.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, cast

from counterfold.ranges.device.board_pass import BoardPass, PlacedBoards
from counterfold.ranges.device.responding_pass import RespondingPass
from counterfold.training.boards.best_response import is_self_play
from counterfold.training.boards.device_chance import DeviceChanceSolver


@dataclass
class DeviceResponseSolver(DeviceChanceSolver):
    """Tables of one run, in the memory of `xp`'s device; `source` must give boards by hand."""

    self_play: float = 0.0  # share of the epochs

    passes: ClassVar[type[BoardPass]] = RespondingPass

    def __post_init__(self) -> None:
        super().__post_init__()
        self._responder_regrets = self.xp.zeros(self.game.n_slots, self.dtype)

    @property
    def _kept(self) -> dict[str, Any]:
        return {**super()._kept, "responding": self._responder_regrets}

    def _walk_batch(self, batch: PlacedBoards, first: int, thread: int) -> int:
        responding = not is_self_play(first // self.epoch, self.self_play)
        cast(RespondingPass, self._pass).walk(batch, self._kept, responding=responding)
        return (4 if responding else 2) * len(batch.buckets) * self.game.graph.n_nodes
