"""Bet menus read in plain Python from what players did, and the trees that they leave, by counting.

Only the steps from one situation to the next are those of the package.
"""

from collections import Counter
from fractions import Fraction
from functools import cache
from math import floor

from counterfold.bets.menu_kernels import ALL_IN, MINIMUM
from counterfold.games.holdem import HoldemState
from counterfold.games.holdem import betting_kernels as betting

BET, PASS = "bet", "pass"
DECISIONS, DRAWS, FOLDS, SHOWDOWNS, DEALS = "decisions", "draws", "folds", "showdowns", "deals"


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
    other = state.spent[1 - actor]
    found = {}
    for size in said.row(blind + len(bets)):
        pots = Fraction(size, 1000)
        total = {ALL_IN: high, MINIMUM: low}.get(size)
        if total is None:
            total = min(max(other + floor(pots * 2 * other + Fraction(1, 2)), low), high)
        if high == variant.stack and Fraction(total, high) >= Fraction(menu.all_in_from, 1000):
            total = high
        found.setdefault(total, ALL_IN if total == variant.stack else size)
    kept = []
    for total in sorted(found):
        near = kept and Fraction(total - other, kept[-1] - other) < 1 + Fraction(menu.merge, 1000)
        if near and total != variant.stack:
            continue
        if near:
            kept.pop()
        kept.append(total)
    return [(found[total], total) for total in kept]


def steps(variant, menu, situation, done):
    """The situations that follow, each with what was then done on its street."""
    rules, phase = variant.rules, situation[betting.PHASE]
    if phase == betting.DRAW:
        return [(betting.after_draw(rules, situation, drew), ()) for drew in (False, True)]
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
