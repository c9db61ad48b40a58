"""What nature deals in a hand: sets of cards, and what it owes before play continues."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from counterfold.cards import format_cards
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.situation import Situation, choice_place, ends_choice
from counterfold.games.holdem.street import Auction, Deal, Discard, Swap
from counterfold.games.protocol import Outcomes

if TYPE_CHECKING:
    from counterfold.games.holdem.variant import Variant

MOST_LISTED = 1000  # outcomes of one deal; with more the game is too large for a tree anyway

# What nature must deal before play continues: a hole card in a place, perhaps a swap of one, a card
# more for a seat, cards for the board, a look at a card of the opponent's.
OWED_DRAW, OWED_SWAP, OWED_HOLE, OWED_BOARD, OWED_LOOK = "draw", "swap", "hole", "board", "look"
Debt = tuple[str, int, int]  # kind, seat, place or number of cards
FIRST_SWAP: Debt = (OWED_SWAP, 0, 0)  # with which every swap begins

# How its deals begin in the notation of a state; cards of hands and boards stand alone.
DRAWN, SWAPPED, UNSWAPPED, LOOKED, BOUNTY = "+", "~", "=", "?", "#"


@dataclass(frozen=True, slots=True)
class SetDeal:
    """`n` cards of `deck`, as a set."""

    deck: tuple[int, ...]
    n: int

    def sample(self, rng: np.random.Generator) -> str:
        """One set of cards."""
        chosen = rng.choice(len(self.deck), self.n, replace=False)
        return format_set(self.deck[place] for place in chosen)


@dataclass(frozen=True, slots=True)
class ListedDeal(SetDeal):
    """A deal with few enough outcomes to list them."""

    def outcomes(self) -> Sequence[tuple[str, float]]:
        """All sets of cards, equally often."""
        deals = [format_set(cards) for cards in combinations(self.deck, self.n)]
        return Outcomes.uniform(deals).outcomes()  # type: ignore[return-value]


def chance_steps(
    variant: "Variant", street: int, place: int, held: tuple[int, int]
) -> tuple[Debt, ...]:
    """What chance brings on `street` after `place` choices, up to the next one.

    `held` are the cards of each hand before that; swaps are of all that it has by then.
    """
    owed: list[Debt] = []
    passed, n_held = 0, [*held]
    for step in variant.streets[min(street, len(variant.streets) - 1)].steps:
        if isinstance(step, Discard | Auction):
            passed += 1
        elif passed == place and isinstance(step, Swap):
            owed += [(OWED_SWAP, seat, hole) for seat in (0, 1) for hole in range(n_held[seat])]
        elif passed == place and isinstance(step, Deal):
            owed += [(OWED_HOLE, seat, 1) for seat in (0, 1) for _ in range(step.holes[seat])]
            owed += [(OWED_BOARD, 0, step.board)] * (step.board > 0)
            n_held = [n + more for n, more in zip(n_held, step.holes, strict=True)]
    return tuple(owed)


def chance_after_choice(
    variant: "Variant", before: Situation, after: Situation, held: tuple[int, int]
) -> tuple[Debt, ...]:
    """What chance brings if the choice that `before` waits for is over in `after`."""
    if not ends_choice(before, after):
        return ()
    return chance_steps(variant, before[betting.STREET], choice_place(before) + 1, held)


def format_set(cards: Iterable[int]) -> str:
    """Cards as a set, highest first."""
    return format_cards(sorted(cards, reverse=True))
