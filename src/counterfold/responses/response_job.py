"""Best responses as work for a cluster: a piece is a board, its result the row of that board."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from counterfold.bets.spot_menu import SpotMenu
from counterfold.responses.exact_response import BoardRow, ExactResponder, NextBoard
from counterfold.training.run_parcel import RunParcel


@dataclass(frozen=True, eq=False)
class ResponseJob:
    """Responds to a run as a responder elsewhere does."""

    parcel: RunParcel
    menu: SpotMenu | None
    by_street: bool

    def prepare(self) -> Callable[[Any, NextBoard], BoardRow]:
        """Open the run, and build the betting of both seats."""
        responder = ExactResponder.of_run(self.parcel.open(), self.menu, by_street=self.by_street)

        def work(published: Any, board: NextBoard) -> BoardRow:
            return next(responder.respond([board], threads=1))

        return work
