"""The interface of a bot, and the one way to ask it for an action.

A bot learns when a match and a hand begin and end, and answers a view with an action, written as in
`games.holdem`: `f`, `k`, `c`, `r12`, `s`, `dAh`. Baselines, strategies and programs behind a wire
all look the same to a dealer.
"""

import traceback
from abc import ABC, abstractmethod
from dataclasses import dataclass

from counterfold.bots.view import View
from counterfold.games.holdem import Variant


@dataclass(frozen=True)
class MatchInfo:
    """What a bot knows before the first hand."""

    variant: Variant
    names: tuple[str, str] = ("me", "opponent")  # the bot's own first
    n_hands: int | None = None  # None where the protocol does not say
    clock_seconds: float | None = None  # for the whole match; None for no clock
    under_way: bool = False  # whether hands were played, of which only the chips were others


@dataclass(frozen=True)
class HandResult:
    """How a hand ended for one seat."""

    view: View
    chips: int  # won by this seat
    opponent_hole: tuple[int, ...] = ()  # empty unless shown


class Bot(ABC):
    """A player of hold'em-like variants."""

    def begin_match(self, match: MatchInfo) -> None:
        """Get ready; raise a `CounterfoldError` for a variant that this bot cannot play."""
        return

    def begin_hand(self, view: View) -> None:
        """Look at the hole cards of a new hand; the seat is in the view."""
        return

    @abstractmethod
    def act(self, view: View) -> str:
        """A legal action of `view`, in which it is this seat's turn."""

    def end_hand(self, result: HandResult) -> None:
        """Look at how a hand ended."""
        return


def decide(bot: Bot, view: View) -> tuple[str, str]:
    """A legal action, and what was wrong with the bot's answer if anything was.

    A bot that raises an error or answers with what is not legal keeps, checks, or else folds.
    """
    try:
        action = bot.act(view)
    except Exception:
        return view.passive_action, traceback.format_exc()
    if view.is_legal(action):
        return action, ""
    return view.passive_action, f"answered {action!r}, which is not legal in {view}"
