"""Betting trees of no-limit spots in plain Python, from pots and chips behind instead of totals.

Written from the description of the options alone; not even the rules of betting are the package's.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor, isclose

OOP, IP = 0, 1


@dataclass(frozen=True)
class Options:
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
class Node:
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


def rounded(x):
    return floor(x + Fraction(1, 2)) if isinstance(x, Fraction) else floor(x + 0.5)


def amounts(node, options):
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
            to = facing + rounded(pot * number)
        elif kind == "times":
            to = rounded(facing * number)
        elif kind == "chips":
            to = number
        elif kind == "min":
            to = 0
        elif kind == "allin":
            to = node.behind
        else:
            share = fraction_that_is_all_in(pot, left, number or node.streets)
            to = facing + rounded(pot * share)
        least = min(facing + max(facing - own, options.min_bet), node.behind)
        found.append(min(max(to, least), node.behind))
    if left <= rounded(pot * options.add):
        found.append(node.behind)
    for at, to in enumerate(found):
        if node.behind - to <= rounded((node.pot + 2 * to) * options.force):
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


def fraction_that_is_all_in(pot, behind, n_streets):
    """By bisection: betting this share of the pot on each street, called, leaves nothing."""
    low, high = 0.0, behind / pot
    while not isclose(low, high, rel_tol=1e-14):
        middle = (low + high) / 2
        grown = pot * (1 + 2 * middle) ** n_streets
        low, high = (middle, high) if grown < pot + 2 * behind else (low, middle)
    return high


def children(node, options):
    """The nodes below a node; an end of the hand has none, and no deal is a node."""
    me, other = node.actor, 1 - node.actor
    facing, own = node.put[other], node.put[me]
    found = []
    if facing > own:
        found.append(node.then("fold", streets=0))
        found.append(finish(node.then("call"), facing, me))
    elif node.acted:
        found.append(finish(node.then("check"), facing, None))
    else:
        found.append(node.then("check", actor=other, acted=1))
    for to in amounts(node, options):
        word = "allin" if to == node.behind else "raise" if node.n_bets else "bet"
        put = (to, node.put[1]) if me == 0 else (node.put[0], to)
        found.append(
            node.then(
                f"{word} {to}", put=put, actor=other, acted=node.acted + 1, n_bets=node.n_bets + 1
            )
        )
    return found


def finish(node, put, caller):
    """The next street, or the end."""
    if node.streets == 1 or put == node.behind:
        return replace(node, streets=0)
    return Node(
        node.streets - 1, node.pot + 2 * put, node.behind - put, caller=caller, line=node.line
    )


def lines(pot, stack, streets, options):
    """Every line from the root, with the actions that follow it."""
    found, waiting = {}, [Node(streets, pot, stack)]
    while waiting:
        node = waiting.pop()
        below = children(node, options) if node.streets else []
        found[node.line] = tuple(child.line[-1] for child in below)
        waiting += below
    return found
