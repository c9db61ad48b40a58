"""When a run ends: after a number of iterations, below an exploitability, or after some time."""

import re
from dataclasses import dataclass
from math import inf

from counterfold.errors import BudgetError

_SECONDS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


@dataclass(frozen=True)
class Budget:
    """Limits of one run; the first one reached ends it, and None means no limit."""

    iterations: int | None = None  # in total, including those before a resumption
    until: float | None = None  # NashConv / 2, in the unit of the game
    seconds: float | None = None  # of this call

    def __post_init__(self) -> None:
        if self.iterations is not None and self.iterations < 1:
            raise BudgetError(f"iterations must be at least 1, not {self.iterations}")
        if self.until is not None and not 0 < self.until < inf:
            raise BudgetError(
                f"the target exploitability must be a number above 0, not {self.until}"
            )
        if self.seconds is not None and not 0 < self.seconds < inf:
            raise BudgetError(
                f"the time limit must be a number of seconds above 0, not {self.seconds}"
            )


def parse_seconds(text: str) -> float:
    """Read a time such as ``30s``, ``10m``, ``1.5h`` or plain seconds."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([smhd]?)\s*", text)
    if match is None:
        raise BudgetError(f"cannot read the time {text!r}; write it like 30s, 10m or 1.5h")
    return float(match[1]) * _SECONDS[match[2]]


def evaluation_points(after: int) -> int:
    """The first iteration beyond `after` at which a run is evaluated.

    About 24 per factor of ten, and the same even if the run was interrupted.
    """
    point = 1
    while point <= after:
        point = max(point + 1, round(point * 1.1))
    return point
