"""How large a variant without fixed limits is: its information sets, all legal raises included.

There are far too many histories to walk, but on a street they continue alike if both players have
put in the same chips. So histories are counted by chips, street after street, as Johanson did
(Measuring the Size of Large No-Limit Poker Games, 2013), and what a player may see of the cards is
counted apart. Counts are floating-point numbers: they have up to a few hundred digits.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import comb

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.text import SUITS
from counterfold.games.holdem.street import Discard, Swap
from counterfold.games.holdem.variant import Variant

MAX_STACK = 2000  # chips; time and memory grow with its square


def count_open_infosets(variant: Variant) -> float | None:
    """Information sets of the exact game, or None where they cannot be counted here: where bets are
    capped or left out, a street has other steps than a swap and a draw of a card, or a run comes
    with any.
    """
    if not _is_counted(variant):
        return None
    total, ways = 0.0, None
    views = _Views(variant, {0: 1.0}).deal(variant.hole_cards)
    last = len(variant.streets) - 1
    for at in range(last + 1 + variant.max_runs):
        street = variant.streets[min(at, last)]
        before, views = views, views.deal(street.cards)
        if street.swap:
            for _ in range(variant.hole_cards):
                views = views.move(1)
        if street.draw is not None:
            arrived = 1.0 if ways is None else float(ways.sum())
            # The first to draw knows nothing of this round, the second whether the first did.
            total += arrived * (1 + 2) * views.total
            # The opponent draws or not, and that is seen.
            views = views.move(variant.hole_cards).times(2)
        decisions, ways = _count_street(variant, ways)
        total += decisions * views.total
        if at >= last and variant.max_runs:
            views = before.deal(1, running=True)
    return total if variant.bounty is None else total * len(variant.deck.ranks)


def _is_counted(variant: Variant) -> bool:
    if variant.betting == "limit" or variant.stack > MAX_STACK:
        return False
    steps = [step for street in variant.streets for step in street.steps]
    known = all(isinstance(step, Swap) or step in (Discard(0), Discard(1)) for step in steps)
    known = known and all(street.n_swaps <= 1 for street in variant.streets)
    plain = all(street.betting and not street.max_bets for street in variant.streets)
    return known and plain and not (variant.max_runs and steps)


def _count_street(
    variant: Variant, ways: NDArray[np.float64] | None
) -> tuple[float, NDArray[np.float64]]:
    """Histories that end in a decision on a street, and, by chips, those that reach the next one.

    `ways[x]` is how many histories begin the street with x chips of each player; None stands for
    the first street, which begins with the blinds.
    """
    stack, low, high = variant.stack, *sorted(variant.ante + blind for blind in variant.blinds)
    decisions, on = 0.0, np.zeros(stack + 1)
    opens = np.zeros(stack + 1) if ways is None else ways.copy()
    if ways is None and low == high:
        opens[low] = 1.0
    on[stack], opens[stack] = opens[stack], 0.0  # all in: nobody bets
    # [own, other] who faces a raise; filled by differences along a row, for raises are ranges.
    facing = np.zeros((stack + 1, stack + 2))
    for most in range(stack + 1):
        acting = np.zeros(stack + 1)  # by what the player who acts has put in
        acting[:most] = facing[:most, most]
        on[most] += acting.sum()  # by a call
        seconds = opens[most]  # who may check, as the first has checked or called the blind
        if ways is None and low < most == high:
            acting[low] += 1.0
            if most == stack:
                on[most] += 1.0
            else:
                seconds += 1.0
        on[most] += seconds
        acting[most] = opens[most] + seconds
        decisions += acting.sum()
        if most < stack:
            _add_raises(variant, acting, most, facing[most])
    return decisions, on


def _add_raises(
    variant: Variant, acting: NDArray[np.float64], most: int, row: NDArray[np.float64]
) -> None:
    """Overwrite `row`, all zeros, with all raises over `most` chips, by what they raise to."""
    stack, least = variant.stack, variant.min_bet or max(*variant.blinds, 1)
    high = min(stack, 3 * most) if variant.betting == "pot-limit" else stack
    own = np.flatnonzero(acting)
    low = np.minimum(most + np.maximum(most - own, least), high)
    np.add.at(row, low, acting[own])
    row[high + 1] -= acting.sum()
    np.cumsum(row, out=row)


@dataclass(frozen=True)
class _Views:
    """What a player may have seen so far, except bets: counts by a number that matters later.

    Where a street may run that is how many cards of the running suits it has seen; elsewhere how
    many cards came to its hand in draws and swaps.
    """

    variant: Variant
    ways: Mapping[int, float]
    n_dealt: int = 0  # hole cards and board

    @property
    def total(self) -> float:
        """All views."""
        return sum(self.ways.values())

    def deal(self, n_cards: int, *, running: bool = False) -> "_Views":
        """Deal cards to hand or board, all of them of the running suits if `running`."""
        deck = self.variant.deck
        dealt: dict[int, float] = {}
        for n, ways in self.ways.items():
            if not self.variant.max_runs:
                dealt[n] = ways * comb(deck.n_cards - self.n_dealt - n, n_cards)
                continue
            suits = sum(SUITS.index(suit) < deck.suits for suit in self.variant.run_suits)
            left = suits * len(deck.ranks) - n
            others = deck.n_cards - self.n_dealt - left
            for more in range(n_cards if running else 0, min(n_cards, left) + 1):
                found = ways * comb(left, more) * comb(others, n_cards - more)
                dealt[n + more] = dealt.get(n + more, 0.0) + found
        return replace(self, ways=dealt, n_dealt=self.n_dealt + n_cards)

    def move(self, places: int) -> "_Views":
        """The hand stays, or a new card comes to one of its places."""
        moved: dict[int, float] = {}
        for came, ways in self.ways.items():
            unseen = self.variant.deck.n_cards - self.n_dealt - came
            moved[came] = moved.get(came, 0.0) + ways
            moved[came + 1] = moved.get(came + 1, 0.0) + ways * places * unseen
        return replace(self, ways=moved)

    def times(self, factor: int) -> "_Views":
        """Multiply the number of views."""
        return replace(self, ways={n: factor * ways for n, ways in self.ways.items()})
