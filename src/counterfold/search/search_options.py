"""How a bot searches: in which mode, how long, with which bets."""

from dataclasses import dataclass
from math import isfinite

from counterfold.bets.spot_menu import SpotMenu
from counterfold.bets.spot_menu_text import parse_spot_menu
from counterfold.errors import BudgetError, UnknownNameError

UNSAFE, CFR_D, MAXMARGIN, COMBINED = "unsafe", "cfr-d", "maxmargin", "combined"
MODES = (UNSAFE, CFR_D, MAXMARGIN, COMBINED)
DEFAULT_MODE = COMBINED  # the least exploitable where that was measured
DEFAULT_ITERATIONS = 100
MOST_ITERATIONS = 100_000
DEFAULT_STREETS = 1
MOST_STREETS = 3  # nothing is known about the cards on the first one


@dataclass(frozen=True)
class SearchOptions:
    """What a searching bot is told."""

    mode: str = DEFAULT_MODE
    iterations: int = DEFAULT_ITERATIONS  # for a spot, unless time runs out
    seconds: float | None = None  # for a spot; None for as long as it takes
    bets: str | None = None  # of the spots, as in `bets.spot_menu_text`; None for the bot's own
    streets: int = DEFAULT_STREETS  # that may be searched: the last ones of the hand
    hand_seconds: float | None = None  # mean time of a hand, where an engine tells of no clock

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise UnknownNameError("mode of search", self.mode, MODES)
        if not 1 <= self.iterations <= MOST_ITERATIONS:
            raise BudgetError(
                f"iterations must be 1 to {MOST_ITERATIONS:,}, not {self.iterations!r}"
            )
        for name in ("seconds", "hand_seconds"):
            seconds = getattr(self, name)
            if seconds is not None and not (isfinite(seconds) and seconds > 0):
                raise BudgetError(f"{name} must be a time above 0, not {seconds!r}")
        if not 1 <= self.streets <= MOST_STREETS:
            raise BudgetError(f"streets must be 1 to {MOST_STREETS}, not {self.streets!r}")
        self.spot_menu()

    @property
    def is_safe(self) -> bool:
        """Whether the opponent's hands have alternatives."""
        return self.mode != UNSAFE

    @property
    def has_promise(self) -> bool:
        """Whether no hand of the opponent may do better than against the bot's own strategy."""
        return self.mode in (CFR_D, MAXMARGIN)

    def spot_menu(self) -> SpotMenu | None:
        """The menu that `bets` describes."""
        return None if self.bets is None else parse_spot_menu(self.bets)
