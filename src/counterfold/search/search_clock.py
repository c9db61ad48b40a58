"""How long a bot may search, so that the time of a match suffices.

What is left of the clock, less a reserve, is shared out among the searches to come: as many per
hand as there have been so far. A search that could not be finished in its share is not begun.
"""

import time
from collections.abc import Callable

from counterfold.bots.interface import MatchInfo
from counterfold.search.street_solver import Deadline

LEAST_ITERATIONS = 10  # fewer say nothing
USUAL_HANDS = 1000  # of a match that does not tell

_RESERVE = 0.2  # of the whole clock, for all that is not search, and for a busy machine
_LARGEST_SHARE = 0.1  # of what is left above the reserve, for one search
_UNLIMITED = 1e7  # seconds on a clock that is none


class SearchClock:
    """Shares out time; `now` is a clock in seconds, another one for tests."""

    def __init__(
        self, seconds: float | None = None, now: Callable[[], float] = time.perf_counter
    ) -> None:
        self.seconds, self.now = seconds, now
        self.least_seconds = 0.0  # for a search with few iterations, as measured
        self._hands = self._searches = 0
        self._n_hands, self._reserve = USUAL_HANDS, 0.0
        self._match_seconds: float | None = None

    def begin_match(self, match: MatchInfo) -> None:
        """Look at the clock of a match."""
        self._hands = self._searches = 0
        self._n_hands, self._match_seconds = match.n_hands or USUAL_HANDS, match.clock_seconds
        self._reserve = _RESERVE * (match.clock_seconds or 0.0)

    @property
    def is_limited(self) -> bool:
        """Whether the match has a clock."""
        return self._match_seconds is not None and self._match_seconds < _UNLIMITED

    def begin_hand(self) -> None:
        """Count a hand."""
        self._hands += 1

    def allow(self, left: float | None) -> float | None:
        """Seconds for a search with `left` on the clock; None if it should not be begun."""
        allowed = float("inf") if self.seconds is None else self.seconds
        if left is not None and left < _UNLIMITED:
            usable = max(left - self._reserve, 0.0)
            to_come = max(self._n_hands - self._hands, 0) * self._rate() + 1.0
            allowed = min(allowed, usable / to_come, usable * _LARGEST_SHARE)
        if allowed < self.least_seconds:
            self.least_seconds *= 0.99  # it may have been measured when others were busy
            return None
        return allowed

    def _rate(self) -> float:
        """Searches per hand to expect: one in two hands until more is known."""
        return (self._searches + 5.0) / (self._hands + 10.0)

    def deadline(self, started: float, allowed: float, iterations: int) -> Deadline:
        """When a search that began at `started` must end."""
        return Deadline(iterations, started + allowed, self.now)

    def note(self, seconds: float, iterations: int) -> None:
        """Count a search, and learn from it how long one takes at least."""
        self._searches += 1
        self.measure(seconds, iterations, kept=0.9)

    def measure(self, seconds: float, iterations: int, kept: float = 0.0) -> None:
        """Take it that a search takes as long as this, or `kept` of what was measured before."""
        least = seconds * min(1.0, LEAST_ITERATIONS / max(iterations, 1))
        self.least_seconds = max(least, kept * self.least_seconds)
