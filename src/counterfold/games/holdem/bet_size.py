"""Sizes of bets as players write them: ``50%``, ``2.5x``, ``120``, ``e``, ``min``, ``allin``.

A size says what a bet or raise comes to in a public situation. Chips are rounded, half up, and
brought between the smallest and the largest legal raise.
"""

import re
from typing import NamedTuple

from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.payoff import MAX_STACK
from counterfold.games.holdem.situation import Situation
from counterfold.games.holdem.variant import Variant

# Kinds of sizes, in the order in which a menu lists them.
MINIMUM, CHIPS, TIMES, POT, GEOMETRIC, ALL_IN = range(6)

MAX_SHARE = 100_000  # per mille of the pot
MAX_TIMES = 1_000_000  # per mille of the bet that is raised
MAX_STREETS = 9  # of a geometric size
SIZE_FORMS = "50% of the pot, 2.5x the bet, 120 chips, e, 2e, min or allin"

_SHARE = re.compile(r"(\d{1,5})(?:\.(\d))?\s*%")
_MULTIPLE = re.compile(r"(\d{1,4})(?:\.(\d{1,3}))?\s*x")
_STREETS = re.compile(r"([1-9]?)e")


class BetSize(NamedTuple):
    """A size: its kind, and the number that belongs to it."""

    kind: int
    # POT: per mille of the pot after the call. TIMES: per mille of the bet that is raised. CHIPS:
    # chips on this street. GEOMETRIC: streets on which equal shares of the pot make all-in, 0 for
    # all that are left.
    amount: int = 0

    def __str__(self) -> str:
        """The text that `read_size` reads back."""
        if self.kind == POT:
            return f"{_format_thousandths(self.amount, 10)}%"
        if self.kind == TIMES:
            return f"{_format_thousandths(self.amount, 1000)}x"
        if self.kind == GEOMETRIC:
            return f"{self.amount or ''}e"
        return {MINIMUM: "min", ALL_IN: "allin"}.get(self.kind, str(self.amount))


SIZE_WORDS = {"min": BetSize(MINIMUM), "allin": BetSize(ALL_IN)}


def read_size(text: str) -> BetSize | None:
    """The size that `text` writes, or None if it is not one."""
    if text in SIZE_WORDS:
        return SIZE_WORDS[text]
    if found := _STREETS.fullmatch(text):
        return BetSize(GEOMETRIC, int(found[1] or 0))
    if found := _SHARE.fullmatch(text):
        return _within(POT, 10 * int(found[1]) + int(found[2] or 0), 1, MAX_SHARE)
    if found := _MULTIPLE.fullmatch(text):
        thousandths = 1000 * int(found[1]) + int((found[2] or "0").ljust(3, "0"))
        return _within(TIMES, thousandths, 1001, MAX_TIMES)
    if re.fullmatch(r"\d{1,7}", text):
        return _within(CHIPS, int(text), 1, MAX_STACK)
    return None


def raise_total(variant: Variant, situation: Situation, size: BetSize, dead: int = 0) -> int:
    """The legal total over the hand that `size` comes to; 0 if the actor may not bet or raise.

    `dead` chips are in the pot beside what the seats have put in.
    """
    low, high = map(int, betting.raise_bounds(variant.rules, situation))
    return min(max(_wanted(variant, situation, size, dead, (low, high)), low), high)


def round_share(chips: int, per_mille: int) -> int:
    """A share of `chips`, rounded half up."""
    return (chips * per_mille + 500) // 1000


def pot_after_call(situation: Situation, dead: int = 0) -> int:
    """The pot once the actor has called."""
    return 2 * max(situation[betting.SPENT_0], situation[betting.SPENT_1]) + dead


def _wanted(
    variant: Variant, situation: Situation, size: BetSize, dead: int, bounds: tuple[int, int]
) -> int:
    """What `size` comes to, legal or not."""
    other = max(situation[betting.SPENT_0], situation[betting.SPENT_1])
    base = situation[betting.BASE]
    kind, amount = size
    if kind == POT:
        return other + round_share(pot_after_call(situation, dead), amount)
    if kind == TIMES:
        return base + round_share(other - base, amount)
    if kind == CHIPS:
        return base + amount
    if kind == GEOMETRIC:
        n_streets = amount or len(variant.streets) - situation[betting.STREET]
        pot = pot_after_call(situation, dead)
        growth = (1 + 2 * (variant.stack - other) / pot) ** (1 / n_streets)
        return other + int(pot * (growth - 1) / 2 + 0.5)
    return bounds[0] if kind == MINIMUM else bounds[1]


def _within(kind: int, amount: int, low: int, high: int) -> BetSize | None:
    return BetSize(kind, amount) if low <= amount <= high else None


def _format_thousandths(amount: int, unit: int) -> str:
    """`amount` divided by `unit`, without zeros at the end: ``2.5``."""
    whole, rest = divmod(amount, unit)
    digits = f"{rest:0{len(str(unit)) - 1}d}".rstrip("0")
    return f"{whole}.{digits}" if digits else str(whole)
