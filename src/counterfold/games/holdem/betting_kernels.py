"""The betting of one hand between two players: who acts, what is legal, what follows.

These are the only rules of betting in the package: exact states in Python and the public graph,
which expands millions of situations, call the same functions. A public situation is a tuple of
integers; the rules are three small arrays. Chips are integers. Both seats begin with the same
stack, so that a bet can always be called in full, and with two players the last raise is always
what is left to call: the smallest legal raise follows from the chips alone. What a seat pays at an
auction is kept apart from its bets, which therefore stay equal between the streets.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.jit.compiler import inlined_kernel, kernel

# Kinds of actions.
FOLD, CALL, RAISE, KEEP, DISCARD, BID = range(6)

# What a situation waits for; a player acts up to `BET`.
AUCTION, DRAW, BET, DEAL, FOLDED, SHOWDOWN = range(6)

# Fields of a situation. Where no one acts, those that no longer matter are 0: equal is equal.
STREET = 0  # of the betting; runs count on beyond the last row of the rules
PHASE = 1
ACTOR = 2  # seat that acts; at `FOLDED` the seat that folded; else 0
SPENT_0 = 3  # chips that seat 0 has put in by betting, blinds and antes, over the whole hand
SPENT_1 = 4
BASE = 5  # what each seat had put in when the street began, antes included
N_BETS = 6  # bets and raises on this street; the big blind is the first of its street
N_ACTIONS = 7  # of betting on this street, blinds not counted; before that see `TURNS`
# Bit 2 * round + seat of the rounds in which a seat discarded or won an auction. Of several cards
# that a seat may discard each is a round of its own.
DREW = 8
FINAL = 9  # 1 once no street can follow
PAID_0 = 10  # chips that seat 0 has put in for what it won at auctions
PAID_1 = 11
FIRST_BID = 12  # 1 + the first bid of an auction while it waits for the second; else 0
N_FIELDS = 13

# Columns of `Rules.streets`.
FIRST = 0  # seat that bets first
SIZE = 1  # of a bet with fixed limit
MAX_BETS = 2  # 0 for no limit to their number
FIRST_CHOICE = 3  # row of `Rules.choices`
N_CHOICES = 4  # rows of the street, in the order of play
HAS_BETTING = 5
N_STREET_COLUMNS = 6

# Columns of `Rules.choices`: discards and auctions before the betting of a street.
CHOICE_PHASE = 0  # `DRAW` or `AUCTION`
CHOOSER = 1  # seat that chooses first
N_TURNS = 2  # cards that a seat may discard, one after another
ROUND = 3  # the first of its rounds: how many came before, on all streets
PAYS_SECOND = 4  # 1 where an auction's winner pays the lower bid
MUST_DISCARD = 5  # 1 where a seat must discard
N_HELD = 6  # most cards that a seat has before it discards, if it has won none at an auction
MAY_LACK = 7  # bits of seat 0 in `DREW`: rounds that left a seat with a card less
N_CHOICE_COLUMNS = 8
# Before the betting `N_ACTIONS` is TURNS times the choices of the street that are over, plus the
# turns of the one that is not.
TURNS = 16

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
    choices: NDArray[np.int64]  # [choices of all streets, N_CHOICE_COLUMNS]
    table: NDArray[np.int64]  # [N_TABLE]


@inlined_kernel
def _row(streets, street):
    return min(street, streets.shape[0] - 1)


@inlined_kernel
def _stack(table, paid_0, paid_1):
    """The most that either seat can put in by betting: the smaller stack limits both."""
    return table[STACK] - max(paid_0, paid_1)


@inlined_kernel
def _begin(
    rules, street, choice, turn, spent_0, spent_1, base, n_bets, drew, final, paid_0, paid_1, bid
):  # fmt: skip
    """The situation at a turn of a choice of `street`, or of its betting after the last choice.

    No one bets when the stacks are in.
    """
    row = _row(rules.streets, street)
    if choice < rules.streets[row, N_CHOICES]:
        rule = rules.choices[rules.streets[row, FIRST_CHOICE] + choice]
        actor = rule[CHOOSER] if turn < rule[N_TURNS] else 1 - rule[CHOOSER]
        n_actions = TURNS * choice + turn
        return (
            street, rule[CHOICE_PHASE], actor, spent_0, spent_1, base, n_bets, n_actions, drew,
            final, paid_0, paid_1, bid,
        )  # fmt: skip
    all_in = spent_0 == spent_1 and spent_0 == _stack(rules.table, paid_0, paid_1)
    if all_in or rules.streets[row, HAS_BETTING] == 0:
        phase = SHOWDOWN if final == 1 else DEAL
        return (street, phase, 0, spent_0, spent_1, 0, 0, 0, drew, final, paid_0, paid_1, 0)
    actor = rules.streets[row, FIRST]
    return (
        street, BET, actor, spent_0, spent_1, base, n_bets, 0, drew, final, paid_0, paid_1, 0,
    )  # fmt: skip


@inlined_kernel
def _next_turn(rules, situation, turn, drew, paid_0, paid_1, bid):
    """The situation at `turn` of the choice that `situation` waits for, or of what follows it."""
    street, _, _, spent_0, spent_1, base, n_bets, n_actions, _, final, _, _, _ = situation
    choice = n_actions // TURNS
    row = _row(rules.streets, street)
    if turn >= 2 * rules.choices[rules.streets[row, FIRST_CHOICE] + choice, N_TURNS]:
        choice += 1
        turn = 0
    return _begin(
        rules, street, choice, turn, spent_0, spent_1, base, n_bets, drew, final, paid_0, paid_1,
        bid,
    )  # fmt: skip


@kernel
def first_situation(rules):
    """The situation after antes and blinds."""
    table = rules.table
    ante = table[ANTE]
    spent_0, spent_1 = ante + table[BLIND_0], ante + table[BLIND_1]
    n_bets = 1 if spent_0 != spent_1 else 0
    final = 1 if rules.streets.shape[0] == 1 and table[RUNS] == 0 else 0
    return _begin(rules, 0, 0, 0, spent_0, spent_1, ante, n_bets, 0, final, 0, 0, 0)


@kernel
def raise_bounds(rules, situation):
    """Smallest and largest total over the hand that the actor may raise to; 0, 0 if it may not.

    Totals are those of betting; what was paid at auctions is not among them.
    """
    streets, table = rules.streets, rules.table
    row = _row(streets, situation[STREET])
    actor = situation[ACTOR]
    own = situation[SPENT_0] if actor == 0 else situation[SPENT_1]
    other = situation[SPENT_1] if actor == 0 else situation[SPENT_0]
    stack = _stack(table, situation[PAID_0], situation[PAID_1])
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
    # The pot after the call is twice what the other has put in, and what auctions brought.
    high = min(stack, 3 * other + situation[PAID_0] + situation[PAID_1])
    return min(low, high), high


@kernel
def after_fold(situation):
    """The situation once the actor has folded."""
    street, _, actor, spent_0, spent_1, _, _, _, drew, final, paid_0, paid_1, _ = situation
    return (street, FOLDED, actor, spent_0, spent_1, 0, 0, 0, drew, final, paid_0, paid_1, 0)


@kernel
def after_call(rules, situation):
    """The situation once the actor has checked or called."""
    street, _, actor, spent_0, spent_1, base, n_bets, n_actions, drew, final, paid_0, paid_1, _ = (
        situation
    )
    spent = max(spent_0, spent_1)
    # Everyone has acted, or the other has nothing left to act with.
    if n_actions > 0 or spent == _stack(rules.table, paid_0, paid_1):
        phase = SHOWDOWN if final == 1 else DEAL
        return (street, phase, 0, spent, spent, 0, 0, 0, drew, final, paid_0, paid_1, 0)
    return (
        street, BET, 1 - actor, spent, spent, base, n_bets, n_actions + 1, drew, final, paid_0,
        paid_1, 0,
    )  # fmt: skip


@kernel
def after_raise(situation, total):
    """The situation once the actor has bet or raised to `total` chips over the hand."""
    street, _, actor, spent_0, spent_1, base, n_bets, n_actions, drew, final, paid_0, paid_1, _ = (
        situation
    )
    if actor == 0:
        spent_0 = total
    else:
        spent_1 = total
    return (
        street, BET, 1 - actor, spent_0, spent_1, base, n_bets + 1, n_actions + 1, drew, final,
        paid_0, paid_1, 0,
    )  # fmt: skip


@kernel
def after_draw(rules, situation, discarded):
    """The situation once the actor has discarded a card, or keeps those that it still has."""
    row = _row(rules.streets, situation[STREET])
    choice, turn = situation[N_ACTIONS] // TURNS, situation[N_ACTIONS] % TURNS
    rule = rules.choices[rules.streets[row, FIRST_CHOICE] + choice]
    drew = situation[DREW]
    turns = rule[N_TURNS]
    if discarded and rules.table[KEEP_DRAWS] == 1:
        drew |= 1 << (2 * (rule[ROUND] + turn % turns) + situation[ACTOR])
    turn = turn + 1 if discarded else (turns if turn < turns else 2 * turns)
    return _next_turn(rules, situation, turn, drew, situation[PAID_0], situation[PAID_1], 0)


@kernel
def choice_rule(rules, situation, column):
    """What `Rules.choices` has in `column` for the choice that `situation` waits for."""
    row = _row(rules.streets, situation[STREET])
    choice = situation[N_ACTIONS] // TURNS
    return rules.choices[rules.streets[row, FIRST_CHOICE] + choice, column]


@kernel
def count_held(rules, situation):
    """How many cards the actor has before it discards; auctions are not asked."""
    held = choice_rule(rules, situation, N_HELD)
    lacks = (situation[DREW] >> situation[ACTOR]) & choice_rule(rules, situation, MAY_LACK)
    while lacks > 0:
        lacks &= lacks - 1
        held -= 1
    return held


@kernel
def after_discards(rules, situation, n_cards):
    """The situation once the actor, whose turn begins, has discarded so many cards and no more."""
    turns = choice_rule(rules, situation, N_TURNS)
    for _ in range(n_cards):
        situation = after_draw(rules, situation, True)
    return after_draw(rules, situation, False) if n_cards < turns else situation


@kernel
def after_bid(rules, situation, bid):
    """The situation once the actor has bid `bid` chips; the second bid settles the auction."""
    paid_0, paid_1, drew = situation[PAID_0], situation[PAID_1], situation[DREW]
    if situation[FIRST_BID] == 0:
        return _next_turn(rules, situation, 1, drew, paid_0, paid_1, bid + 1)
    row = _row(rules.streets, situation[STREET])
    choice = situation[N_ACTIONS] // TURNS
    rule = rules.choices[rules.streets[row, FIRST_CHOICE] + choice]
    earlier = situation[FIRST_BID] - 1
    bid_0 = bid if situation[ACTOR] == 0 else earlier
    bid_1 = bid if situation[ACTOR] == 1 else earlier
    price = min(bid_0, bid_1) if rule[PAYS_SECOND] == 1 else max(bid_0, bid_1)
    if bid_0 >= bid_1:
        paid_0 += price
        drew |= 1 << (2 * rule[ROUND])
    if bid_1 >= bid_0:
        paid_1 += price
        drew |= 1 << (2 * rule[ROUND] + 1)
    return _next_turn(rules, situation, 2, drew, paid_0, paid_1, 0)


@kernel
def after_deal(rules, situation, goes_on):
    """The situation once the next street is dealt.

    `goes_on` matters from the last row of the rules on: whether the card calls for another street.
    """
    spent_0, spent_1, drew = situation[SPENT_0], situation[SPENT_1], situation[DREW]
    street = situation[STREET] + 1
    last = rules.streets.shape[0] - 1
    final = 0
    if street >= last and (not goes_on or street >= last + rules.table[RUNS]):
        final = 1
    return _begin(
        rules, street, 0, 0, spent_0, spent_1, spent_0, 0, drew, final, situation[PAID_0],
        situation[PAID_1], 0,
    )  # fmt: skip
