"""How long a bot may search, so that the time of a match suffices.

What is left of the clock, less a reserve, is shared out among the pots to come: a spot gets time in
proportion to its pot, and as many chips are expected per hand as were seen so far. Where a clock is
not told, as in the contests of the ACPC, the bot keeps one itself.
"""

import time
from collections.abc import Callable

from counterfold.bots.interface import MatchInfo
from counterfold.search.street_solver import Deadline

USUAL_HANDS = 1000  # of a match that does not tell

_RESERVE = 0.2  # of the whole clock, for all that is not search, and for a busy machine
_LARGEST_SHARE = 0.1  # of what is left above the reserve, for one search
_LARGEST_SHARE_OF_HANDS = 0.5  # of what the hands so far have left, for one search
_LONGEST = 5.0  # seconds for one search on a clock: engines wait ten for an answer
_UNLIMITED = 1e7  # seconds on a clock that is none
_USUAL_POT, _USUAL_SPOTS, _USUAL_WEIGHT = 6.0, 0.5, 10.0  # big blinds, per hand, hands


class SearchClock:
    """Shares out time; `now` is a clock in seconds, another one for tests.

    `hand_seconds` is the mean time of a hand that may be taken where nobody tells of a clock. It is
    never exceeded on the way, however long the match is.
    """

    def __init__(
        self,
        seconds: float | None = None,
        now: Callable[[], float] = time.perf_counter,
        hand_seconds: float | None = None,
    ) -> None:
        self.seconds, self.now, self.hand_seconds = seconds, now, hand_seconds
        self._match_seconds: float | None = None
        self.begin_match(None)

    def begin_match(self, match: MatchInfo | None) -> None:
        """Look at the clock of a match."""
        self._hands, self._pots, self._spent = 0, 0.0, 0.0
        self._n_hands = USUAL_HANDS
        if match is not None:
            self._n_hands, self._match_seconds = match.n_hands or USUAL_HANDS, match.clock_seconds

    @property
    def is_limited(self) -> bool:
        """Whether there is a clock."""
        told = self._match_seconds is not None and self._match_seconds < _UNLIMITED
        return told or self.hand_seconds is not None

    def begin_hand(self) -> None:
        """Count a hand."""
        self._hands += 1

    def meet(self, pot: float) -> None:
        """Count a spot that might be searched; `pot` is in big blinds."""
        self._pots += pot

    def spend(self, seconds: float) -> None:
        """Count time that a decision took."""
        self._spent += seconds

    def allow(self, left: float | None, pot: float) -> float:
        """Seconds for a spot with `left` on the clock and `pot` big blinds in the middle."""
        allowed = float("inf") if self.seconds is None else self.seconds
        if left is not None and left < _UNLIMITED:
            usable = max(left - _RESERVE * (self._match_seconds or left), 0.0)
            to_come = max(self._n_hands - self._hands, 0) * self._pots_per_hand() + pot
            share = usable * pot / max(to_come, 1e-9)
            allowed = min(allowed, share, usable * _LARGEST_SHARE, _LONGEST)
        elif self.hand_seconds is not None:
            usable = (1.0 - _RESERVE) * self.hand_seconds * self._hands - self._spent
            allowed = min(allowed, max(usable, 0.0) * _LARGEST_SHARE_OF_HANDS, _LONGEST)
        return allowed

    def _pots_per_hand(self) -> float:
        """Big blinds to expect, a usual figure until more is known."""
        usual = _USUAL_POT * _USUAL_SPOTS * _USUAL_WEIGHT
        return (self._pots + usual) / (self._hands + _USUAL_WEIGHT)

    def deadline(self, started: float, allowed: float, iterations: int) -> Deadline:
        """When a search that began at `started` must end."""
        return Deadline(iterations, started + allowed, self.now)
