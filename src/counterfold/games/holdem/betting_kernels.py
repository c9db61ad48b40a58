"""The betting of one hand between two players: who acts, what is legal, what follows.

These are the only rules of betting in the package: exact states in Python and the public graph,
which expands millions of situations, call the same functions. A public situation is a tuple of
integers; the rules are two small arrays. Chips are integers. Both seats begin with the same stack,
so that a bet can always be called in full, and with two players the last raise is always what is
left to call: the smallest legal raise follows from the chips alone.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.jit.compiler import inlined_kernel, kernel

# Kinds of actions.
FOLD, CALL, RAISE, KEEP, DISCARD = range(5)

# What a situation waits for.
DRAW, BET, DEAL, FOLDED, SHOWDOWN = range(5)

# Fields of a situation. Where no one acts, those that no longer matter are 0: equal is equal.
STREET = 0  # of the betting; runs count on beyond the last row of the rules
PHASE = 1
ACTOR = 2  # seat that draws or bets; at `FOLDED` the seat that folded; else 0
SPENT_0 = 3  # chips that seat 0 has put in, over the whole hand
SPENT_1 = 4
BASE = 5  # what each seat had put in when the street began, antes included
N_BETS = 6  # bets and raises on this street; the big blind is the first of its street
N_ACTIONS = 7  # of betting on this street, blinds not counted
DREW = 8  # bit 2 * round + seat of the drawing rounds in which a seat discarded
FINAL = 9  # 1 once no street can follow
N_FIELDS = 10

# Columns of `Rules.streets`.
FIRST = 0  # seat that bets first
SIZE = 1  # of a bet with fixed limit
MAX_BETS = 2  # 0 for no limit to their number
DRAWER = 3  # seat that draws first, or `NO_DRAW`
DRAW_ROUND = 4  # how many drawing rounds came before
N_STREET_COLUMNS = 5
NO_DRAW = -1

# Entries of `Rules.table`.
BETTING = 0  # one of the three below
STACK = 1
MIN_BET = 2
FOLD_FREE = 3  # 1 where folding is legal with nothing to call
RUNS = 4  # how many streets may follow the last row; with 0 the last row is the last street
ANTE = 5
BLIND_0 = 6
BLIND_1 = 7
KEEP_DRAWS = 8  # 1 if situations tell apart who discarded when
N_TABLE = 9

FIXED_LIMIT, NO_LIMIT, POT_LIMIT = range(3)


class Rules(NamedTuple):
    """The betting rules of a variant."""

    streets: NDArray[np.int64]  # [S, N_STREET_COLUMNS]
    table: NDArray[np.int64]  # [N_TABLE]


@inlined_kernel
def _row(streets, street):
    return min(street, streets.shape[0] - 1)


@inlined_kernel
def _begin(rules, street, phase, drawer, spent_0, spent_1, base, n_bets, drew, final):
    """The situation once the cards of `street` lie; no one bets when the stacks are in.

    `phase` and `drawer` say where on the street it stands: `DRAW` for a seat that draws, or `BET`.
    """
    streets, table = rules
    row = _row(streets, street)
    if phase == DRAW:
        return (street, DRAW, drawer, spent_0, spent_1, base, n_bets, 0, drew, final)
    if spent_0 == spent_1 and spent_0 == table[STACK]:
        phase = SHOWDOWN if final == 1 else DEAL
        return (street, phase, 0, spent_0, spent_1, 0, 0, 0, drew, final)
    actor = streets[row, FIRST]
    return (street, BET, actor, spent_0, spent_1, base, n_bets, 0, drew, final)


@kernel
def first_situation(rules):
    """The situation after antes and blinds."""
    streets, table = rules
    ante = table[ANTE]
    spent_0, spent_1 = ante + table[BLIND_0], ante + table[BLIND_1]
    n_bets = 1 if spent_0 != spent_1 else 0
    final = 1 if streets.shape[0] == 1 and table[RUNS] == 0 else 0
    drawer = streets[0, DRAWER]
    phase = BET if drawer == NO_DRAW else DRAW
    return _begin(rules, 0, phase, drawer, spent_0, spent_1, ante, n_bets, 0, final)


@kernel
def raise_bounds(rules, situation):
    """Smallest and largest total over the hand that the actor may raise to; 0, 0 if it may not."""
    streets, table = rules
    row = _row(streets, situation[STREET])
    actor = situation[ACTOR]
    own = situation[SPENT_0] if actor == 0 else situation[SPENT_1]
    other = situation[SPENT_1] if actor == 0 else situation[SPENT_0]
    stack = table[STACK]
    max_bets = streets[row, MAX_BETS]
    if other >= stack or (max_bets > 0 and situation[N_BETS] >= max_bets):
        return 0, 0
    if table[BETTING] == FIXED_LIMIT:
        total = min(stack, other + streets[row, SIZE])
        return total, total
    cost = other - own
    low = min(stack, other + max(cost, table[MIN_BET]))
    if table[BETTING] == NO_LIMIT:
        return low, stack
    # The pot after the call is twice what the other has put in.
    high = min(stack, 3 * other)
    return min(low, high), high


@kernel
def after_fold(situation):
    """The situation once the actor has folded."""
    street, _, actor, spent_0, spent_1, _, _, _, drew, final = situation
    return (street, FOLDED, actor, spent_0, spent_1, 0, 0, 0, drew, final)


@kernel
def after_call(rules, situation):
    """The situation once the actor has checked or called."""
    street, _, actor, spent_0, spent_1, base, n_bets, n_actions, drew, final = situation
    spent = max(spent_0, spent_1)
    # Everyone has acted, or the other has nothing left to act with.
    if n_actions > 0 or spent == rules.table[STACK]:
        phase = SHOWDOWN if final == 1 else DEAL
        return (street, phase, 0, spent, spent, 0, 0, 0, drew, final)
    return (street, BET, 1 - actor, spent, spent, base, n_bets, n_actions + 1, drew, final)


@kernel
def after_raise(situation, total):
    """The situation once the actor has bet or raised to `total` chips over the hand."""
    street, _, actor, spent_0, spent_1, base, n_bets, n_actions, drew, final = situation
    if actor == 0:
        spent_0 = total
    else:
        spent_1 = total
    return (street, BET, 1 - actor, spent_0, spent_1, base, n_bets + 1, n_actions + 1, drew, final)


@kernel
def after_draw(rules, situation, discarded):
    """The situation once the actor has discarded, or kept its cards."""
    streets, table = rules
    street, _, actor, spent_0, spent_1, base, n_bets, _, drew, final = situation
    row = _row(streets, street)
    if discarded and table[KEEP_DRAWS] == 1:
        drew |= 1 << (2 * streets[row, DRAW_ROUND] + actor)
    phase = DRAW if actor == streets[row, DRAWER] else BET
    return _begin(rules, street, phase, 1 - actor, spent_0, spent_1, base, n_bets, drew, final)


@kernel
def after_deal(rules, situation, goes_on):
    """The situation once the next street is dealt.

    `goes_on` matters from the last row of the rules on: whether the card calls for another street.
    """
    streets, table = rules
    spent_0, spent_1, drew = situation[SPENT_0], situation[SPENT_1], situation[DREW]
    street = situation[STREET] + 1
    last = streets.shape[0] - 1
    final = 0
    if street >= last and (not goes_on or street >= last + table[RUNS]):
        final = 1
    drawer = streets[_row(streets, street), DRAWER]
    phase = BET if drawer == NO_DRAW else DRAW
    return _begin(rules, street, phase, drawer, spent_0, spent_1, spent_0, 0, drew, final)
