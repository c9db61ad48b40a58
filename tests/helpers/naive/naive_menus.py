"""Bet menus read in plain Python from what players did, and the trees that they leave, by counting.

Only the steps from one situation to the next are those of the package. Menus of spots are read from
pots and chips behind, with rules of betting of their own.
"""

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import floor, isclose

from counterfold.bets.menu_kernels import ALL_IN, MINIMUM, NOTHING
from counterfold.games.holdem import HoldemState
from counterfold.games.holdem import betting_kernels as betting

BET, PASS = "bet", "pass"
DECISIONS, DRAWS, FOLDS, SHOWDOWNS, DEALS = "decisions", "draws", "folds", "showdowns", "deals"
BIDS = "bids"


def read_bets(variant, menu, situation, done):
    """Labels and totals that `menu` offers after `done`, the seats and kinds of this street."""
    state = HoldemState(variant, (), tuple(situation))
    bounds = state.raise_bounds()
    street, actor = situation[betting.STREET], situation[betting.ACTOR]
    said = menu.streets[4 if street >= len(variant.streets) else min(street, 3)]
    blind = int(street == 0 and variant.blinds[0] != variant.blinds[1])
    bets = [seat for seat, kind in done if kind == BET]
    acted = [seat for seat, _ in done]
    if bounds is None:
        return []
    if said.cap and blind + len(bets) >= said.cap:
        return []
    if said.rounds and bets.count(actor) >= said.rounds:
        return []
    if said.actions and max(acted.count(actor), acted.count(1 - actor)) >= said.actions:
        return []

    low, high = (bound + situation[betting.BASE] for bound in bounds)
    other = situation[(betting.SPENT_0, betting.SPENT_1)[1 - actor]]
    paid = situation[betting.PAID_0], situation[betting.PAID_1]
    stack = variant.stack - max(paid)
    found = {}
    for size in said.row(blind + len(bets)):
        pots = Fraction(size, 1000)
        total = {ALL_IN: high, MINIMUM: low}.get(size)
        if total is None:
            total = min(
                max(other + floor(pots * (2 * other + sum(paid)) + Fraction(1, 2)), low), high
            )
        if high == stack and Fraction(total, high) >= Fraction(menu.all_in_from, 1000):
            total = high
        found.setdefault(total, ALL_IN if total == stack else size)
    kept = []
    for total in sorted(found):
        near = kept and Fraction(total - other, kept[-1] - other) < 1 + Fraction(menu.merge, 1000)
        if near and total != stack:
            continue
        if near:
            kept.pop()
        kept.append(total)
    return [(found[total], total) for total in kept]


def read_bids(variant, menu, situation):
    """Labels and chips of the bids that `menu` offers."""
    state = HoldemState(variant, (), tuple(situation))
    most = variant.stack - state.spent[state.actor]
    found = {0: NOTHING}
    for size in menu.streets[min(situation[betting.STREET], 3)].bids:
        bid = floor(Fraction(size * sum(state.spent), 1000) + Fraction(1, 2))
        bid = most if size == ALL_IN else min(bid, most)
        found.setdefault(bid, ALL_IN if bid == most else size)
    return [(found[bid], bid) for bid in sorted(found)]


def steps(variant, menu, situation, done):
    """The situations that follow, each with what was then done on its street."""
    rules, phase = variant.rules, situation[betting.PHASE]
    if phase == betting.DRAW:
        return [(betting.after_draw(rules, situation, drew), ()) for drew in (False, True)]
    if phase == betting.AUCTION:
        bids = read_bids(variant, menu, situation)
        return [(betting.after_bid(rules, situation, bid), ()) for _, bid in bids]
    if phase == betting.DEAL:
        last = situation[betting.STREET] + 1 >= len(variant.streets) - 1
        ways = (False, True) if last and variant.max_runs else (False,)
        after = dict.fromkeys(betting.after_deal(rules, situation, way) for way in ways)
        return [(each, ()) for each in after]
    if phase != betting.BET:
        return []
    actor = situation[betting.ACTOR]
    found = [(betting.after_call(rules, situation), (*done, (actor, PASS)))]
    if situation[betting.SPENT_0] != situation[betting.SPENT_1] or variant.fold_when_free:
        found.append((betting.after_fold(situation), ()))
    found += [
        (betting.after_raise(situation, total), (*done, (actor, BET)))
        for _, total in read_bets(variant, menu, situation, done)
    ]
    return found


_NAMES = {
    betting.AUCTION: BIDS,
    betting.DRAW: DRAWS,
    betting.BET: DECISIONS,
    betting.DEAL: DEALS,
    betting.FOLDED: FOLDS,
    betting.SHOWDOWN: SHOWDOWNS,
}


def walk(variant, menu):
    """How many nodes the public tree has, by kind and street; cards are not told apart.

    A draw has two children, a deal one, or two where it decides whether a run goes on.
    """

    @cache
    def count(situation, done):
        total = Counter({(_NAMES[situation[betting.PHASE]], situation[betting.STREET]): 1})
        for after, then in steps(variant, menu, situation, done):
            total.update(count(after, then))
        return total

    return count(betting.first_situation(variant.rules), ())


def situations(variant, menu):
    """The different public situations, each with one way in which its street came to it."""
    root = betting.first_situation(variant.rules)
    found, stack = {root: ()}, [root]
    while stack:
        situation = stack.pop()
        for after, done in steps(variant, menu, situation, found[situation]):
            if after not in found:
                found[after] = done
                stack.append(after)
    return found


def by_street(counts, kind):
    """The counts of one kind, street after street."""
    streets = 1 + max(street for _, street in counts)
    return [counts[kind, street] for street in range(streets)]


OOP, IP = 0, 1


@dataclass(frozen=True)
class SpotOptions:
    """Sizes are pairs of a kind and a number; `donk` is for the streets it names."""

    bets: tuple = ()
    raises: tuple = ()
    donk: dict | None = None  # by streets left
    add: Fraction = Fraction(0)
    force: Fraction = Fraction(0)
    merge: Fraction = Fraction(0)
    min_bet: int = 2
    cap: int = 0


@dataclass(frozen=True)
class SpotNode:
    """A place of the betting; `put` is what each has put in on this street."""

    streets: int  # left, this one included
    pot: int  # when the street began
    behind: int  # of each, when the street began
    put: tuple = (0, 0)
    actor: int = OOP
    acted: int = 0
    n_bets: int = 0
    caller: int | None = None  # who called the last bet of the street before
    line: tuple = ()

    def then(self, word, **changes):
        return replace(self, line=(*self.line, word), **changes)


def _rounded(x):
    return floor(x + Fraction(1, 2)) if isinstance(x, Fraction) else floor(x + 0.5)


def spot_amounts(node, options):
    """What the actor may bet or raise to, on this street."""
    facing, own = node.put[1 - node.actor], node.put[node.actor]
    if facing == node.behind or (options.cap and node.n_bets >= options.cap):
        return []
    pot = node.pot + 2 * facing
    left = node.behind - facing
    opening = node.acted == 0 and node.caller == node.actor
    sizes = options.raises if node.n_bets else options.bets
    if opening and options.donk and node.streets in options.donk:
        sizes = options.donk[node.streets]
    found = []
    for kind, number in sizes:
        if kind == "pot":
            to = facing + _rounded(pot * number)
        elif kind == "times":
            to = _rounded(facing * number)
        elif kind == "chips":
            to = number
        elif kind == "min":
            to = 0
        elif kind == "allin":
            to = node.behind
        else:
            share = _share_that_is_all_in(pot, left, number or node.streets)
            to = facing + _rounded(pot * share)
        least = min(facing + max(facing - own, options.min_bet), node.behind)
        found.append(min(max(to, least), node.behind))
    if left <= _rounded(pot * options.add):
        found.append(node.behind)
    for at, to in enumerate(found):
        if node.behind - to <= _rounded((node.pot + 2 * to) * options.force):
            found[at] = node.behind
    kept = []
    for to in sorted(set(found), reverse=True):
        if not kept:
            kept.append(to)
            continue
        larger, smaller = Fraction(kept[-1] - facing, pot), Fraction(to - facing, pot)
        if (1 + larger) / (1 + smaller) > 1 + options.merge:
            kept.append(to)
    return kept[::-1]


def _share_that_is_all_in(pot, behind, n_streets):
    """By bisection: betting this share of the pot on each street, called, leaves nothing."""
    low, high = 0.0, behind / pot
    while not isclose(low, high, rel_tol=1e-14):
        middle = (low + high) / 2
        grown = pot * (1 + 2 * middle) ** n_streets
        low, high = (middle, high) if grown < pot + 2 * behind else (low, middle)
    return high


def spot_children(node, options):
    """The nodes below a node; an end of the hand has none, and no deal is a node."""
    me, other = node.actor, 1 - node.actor
    facing, own = node.put[other], node.put[me]
    found = []
    if facing > own:
        found.append(node.then("fold", streets=0))
        found.append(_finish_street(node.then("call"), facing, me))
    elif node.acted:
        found.append(_finish_street(node.then("check"), facing, None))
    else:
        found.append(node.then("check", actor=other, acted=1))
    for to in spot_amounts(node, options):
        word = "allin" if to == node.behind else "raise" if node.n_bets else "bet"
        put = (to, node.put[1]) if me == 0 else (node.put[0], to)
        found.append(
            node.then(
                f"{word} {to}", put=put, actor=other, acted=node.acted + 1, n_bets=node.n_bets + 1
            )
        )
    return found


def _finish_street(node, put, caller):
    """The next street, or the end."""
    if node.streets == 1 or put == node.behind:
        return replace(node, streets=0)
    return SpotNode(
        node.streets - 1, node.pot + 2 * put, node.behind - put, caller=caller, line=node.line
    )


def spot_lines(pot, stack, streets, options):
    """Every line from the root, with the actions that follow it."""
    found, waiting = {}, [SpotNode(streets, pot, stack)]
    while waiting:
        node = waiting.pop()
        below = spot_children(node, options) if node.streets else []
        found[node.line] = tuple(child.line[-1] for child in below)
        waiting += below
    return found
