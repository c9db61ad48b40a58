"""How good a person's decision was: by the chips that it cost where they are known, else by how
often the bot does the same.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from counterfold.bots.explain import DecisionTrace

BEST, GOOD, RARE, NEVER, UNKNOWN = "best", "good", "rare", "never", "unknown"
WORDS = (BEST, GOOD, RARE, NEVER, UNKNOWN)
_GOOD_SHARE, _NEVER_SHARE = 0.1, 0.01


@dataclass(frozen=True)
class Grade:
    """One decision."""

    word: str  # one of `WORDS`
    share: float | None = None  # how often the bot does that; None if it never considered it
    ev_lost: float | None = None  # chips against the best action; None where EV is not known

    def to_dict(self) -> dict[str, Any]:
        """All fields by name."""
        return asdict(self)


def grade(trace: DecisionTrace, action: str, known: Mapping[str, float] | None = None) -> Grade:
    """The grade of `action` where the bot would have decided as `trace` says.

    `known` are the chips that each action wins, where the trace does not tell.
    """
    share, values = trace.share_of(action), trace.action_values() or known
    lost = None
    if values and action in values:
        lost = max(values.values()) - values[action]
    if not trace.probabilities or share is None:
        return Grade(UNKNOWN, None, lost)
    most = max(each for _, each in trace.probabilities)
    if share >= most:
        return Grade(BEST, share, lost)
    word = GOOD if share >= _GOOD_SHARE else NEVER if share < _NEVER_SHARE else RARE
    return Grade(word, share, lost)


@dataclass(frozen=True)
class GradeTotals:
    """The grades of a session, added up."""

    counts: dict[str, int]  # by word
    agreement: float | None  # mean share of what was done, where the bot considered it
    ev_lost: float  # chips, where EV is known
    ev_known: int  # decisions of which it is


def add_grades(grades: Iterable[Grade]) -> GradeTotals:
    """Add up grades."""
    listed = list(grades)
    shares = [each.share for each in listed if each.share is not None]
    lost = [each.ev_lost for each in listed if each.ev_lost is not None]
    return GradeTotals(
        {word: sum(each.word == word for each in listed) for word in WORDS},
        sum(shares) / len(shares) if shares else None,
        sum(lost),
        len(lost),
    )
