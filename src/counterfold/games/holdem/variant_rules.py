"""The rules of a variant as the arrays of `betting_kernels`."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import Rules
from counterfold.games.holdem.street import Auction, Deal, Discard, Step, count_rounds

if TYPE_CHECKING:
    from counterfold.games.holdem.variant import Variant

BETTING = {
    "limit": betting.FIXED_LIMIT,
    "no-limit": betting.NO_LIMIT,
    "pot-limit": betting.POT_LIMIT,
}


def compile_rules(variant: "Variant") -> Rules:
    """The betting rules as arrays."""
    streets = np.zeros((len(variant.streets), betting.N_STREET_COLUMNS), np.int64)
    n_choices = 0
    for row, street in zip(streets, variant.streets, strict=True):
        row[betting.FIRST] = street.first
        row[betting.SIZE] = street.bet
        row[betting.MAX_BETS] = street.max_bets
        row[betting.FIRST_CHOICE] = n_choices
        row[betting.N_CHOICES] = len(street.choices)
        row[betting.HAS_BETTING] = street.betting
        n_choices += len(street.choices)
    table = np.zeros(betting.N_TABLE, np.int64)
    table[betting.BETTING] = BETTING[variant.betting]
    table[betting.STACK] = variant.stack
    table[betting.MIN_BET] = variant.min_bet or max(*variant.blinds, 1)
    table[betting.FOLD_FREE] = variant.fold_when_free
    table[betting.RUNS] = variant.max_runs
    table[betting.ANTE] = variant.ante
    table[betting.BLIND_0], table[betting.BLIND_1] = variant.blinds
    table[betting.KEEP_DRAWS] = 1
    return Rules(streets, _choice_rules(variant.steps, variant.hole_cards), table)


def round_bits(steps: Iterable[Step], of: Callable[[Step], bool]) -> int:
    """Bits of seat 0 in `betting_kernels.DREW`: the rounds of some of the steps."""
    bits = at = 0
    for step in steps:
        n = count_rounds(step)
        if of(step):
            bits |= sum(1 << 2 * later for later in range(at, at + n))
        at += n
    return bits


def _may_lack(step: Step) -> bool:
    """Whether a seat chooses with how many cards it is left."""
    return isinstance(step, Discard) and not step.forced and not step.redraw


def _choice_rules(steps: Sequence[Step], held: int) -> NDArray[np.int64]:
    """The choices of all streets as `Rules` has them."""
    rows: list[NDArray[np.int64]] = []
    rounds = 0
    for at, step in enumerate(steps):
        if isinstance(step, Deal):
            held += max(step.holes)
        if not isinstance(step, Discard | Auction):
            continue
        row = np.zeros(betting.N_CHOICE_COLUMNS, np.int64)
        row[betting.CHOOSER] = step.first
        row[betting.ROUND] = rounds
        rounds += count_rounds(step)
        if isinstance(step, Discard):
            row[betting.CHOICE_PHASE], row[betting.N_TURNS] = betting.DRAW, step.count
            row[betting.MUST_DISCARD], row[betting.N_HELD] = step.forced, held
            row[betting.MAY_LACK] = round_bits(steps[:at], _may_lack)
            held -= step.count * (step.forced and not step.redraw)
        else:
            row[betting.CHOICE_PHASE], row[betting.N_TURNS] = betting.AUCTION, 1
            row[betting.PAYS_SECOND] = step.price == "second"
        rows.append(row)
    return np.array(rows, np.int64).reshape(-1, betting.N_CHOICE_COLUMNS)
