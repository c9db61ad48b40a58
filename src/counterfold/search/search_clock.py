"""How long a bot may search, so that the time of a match suffices.

What is left of the clock, less a reserve, is shared out among the spots to come whose pots are as
large or larger, as many per hand as were seen so far. So a bot that has time for few searches takes
the largest pots, and one that has time for all gets to all. Where a clock is not told, as in the
contests of the ACPC, the bot keeps one itself.
"""

import time
from bisect import bisect_left, insort
from collections.abc import Callable
from math import exp

from counterfold.bots.interface import MatchInfo
from counterfold.search.street_solver import Deadline

USUAL_HANDS = 1000  # of a match that does not tell

_RESERVE = 0.2  # of the whole clock, for all that is not search, and for a busy machine
_LEAST_RESERVE, _CAUTION = 0.05, 1.3  # if more is known: a share, and times what was seen
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
        self._hands, self._spent, self._searching = 0, 0.0, 0.0
        self._pots: list[float] = []  # of spots that were met, ascending
        self._first: tuple[float, int] | None = None  # what was left at first, and in which hand
        self._n_hands = USUAL_HANDS
        if match is not None:
            self._n_hands, self._match_seconds = match.n_hands or USUAL_HANDS, match.clock_seconds

    @property
    def longest(self) -> float:
        """Seconds that no search of a match exceeds; infinite without a clock and a limit."""
        longest = float("inf") if self.seconds is None else self.seconds
        if self._match_seconds is not None and self._match_seconds < _UNLIMITED:
            usable = (1.0 - _RESERVE) * self._match_seconds
            return min(longest, usable * _LARGEST_SHARE, _LONGEST)
        return longest if self.hand_seconds is None else min(longest, _LONGEST)

    def begin_hand(self) -> None:
        """Count a hand."""
        self._hands += 1

    def meet(self, pot: float) -> None:
        """Count a spot that might be searched; `pot` is in big blinds."""
        insort(self._pots, pot)

    def spend(self, seconds: float) -> None:
        """Count time that a decision took."""
        self._spent += seconds

    def search(self, seconds: float) -> None:
        """Count time that a search took."""
        self._searching += seconds

    def allow(self, left: float | None, pot: float) -> float:
        """Seconds for a spot with `left` on the clock and `pot` big blinds in the middle."""
        allowed = float("inf") if self.seconds is None else self.seconds
        if left is not None and left < _UNLIMITED:
            usable = max(left - self._find_reserve(left), 0.0)
            to_come = max(self._n_hands - self._hands, 0) * self._larger_per_hand(pot)
            allowed = min(allowed, usable / (to_come + 1.0), usable * _LARGEST_SHARE, _LONGEST)
        elif self.hand_seconds is not None:
            usable = (1.0 - _RESERVE) * self.hand_seconds * self._hands - self._spent
            allowed = min(allowed, max(usable, 0.0) * _LARGEST_SHARE_OF_HANDS, _LONGEST)
        return allowed

    def _find_reserve(self, left: float) -> float:
        """A share of the clock, or what the hands to come will take beside searches, if more.

        That is more than a bot's own decisions: on a busy machine messages wait, too. What the
        start took is not counted: it does not come again.
        """
        if self._first is None:
            self._first = left, self._hands
        first_left, first_hand = self._first
        n_hands = self._hands - first_hand + _USUAL_WEIGHT
        beside = max(first_left - left - self._searching, 0.0) / n_hands
        to_come = max(self._n_hands - self._hands, 0)
        total = self._match_seconds or left
        return max(_RESERVE * total, _CAUTION * beside * to_come + _LEAST_RESERVE * total)

    def _larger_per_hand(self, pot: float) -> float:
        """Spots with as large a pot to expect, a usual figure until more is known."""
        usual = _USUAL_SPOTS * exp(-pot / _USUAL_POT) * _USUAL_WEIGHT
        seen = len(self._pots) - bisect_left(self._pots, pot)
        return (seen + usual) / (self._hands + _USUAL_WEIGHT)

    def deadline(self, started: float, allowed: float, iterations: int) -> Deadline:
        """When a search that began at `started` must end."""
        return Deadline(iterations, started + allowed, self.now)
