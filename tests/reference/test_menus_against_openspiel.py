"""The menus `fcpa` and `fchpa` against OpenSpiel, over all betting of two streets.

OpenSpiel leaves out half the pot where the whole pot would be all-in; ours offers it as long as it
is less than all-in itself.
"""

import re

import pyspiel
import pytest

from counterfold.bets import PublicPlace, parse_menu
from counterfold.games.holdem import VARIANTS
from counterfold.games.holdem import betting_kernels as betting

FOLD, CALL, POT, ALL_IN, HALF = range(5)  # OpenSpiel's numbers
NUMBERS = {"fold": FOLD, "call": CALL, "check": CALL, "100%": POT, "allin": ALL_IN, "50%": HALF}


def load(name, stack):
    """Hold'em with one card each; OpenSpiel's second seat is our dealer."""
    return pyspiel.load_game(
        "universal_poker(betting=nolimit,numPlayers=2,numRounds=2,blind=2 1,firstPlayer=2 1,"
        "numSuits=4,numRanks=13,numHoleCards=1,numBoardCards=0 1,"
        f"stack={stack} {stack},bettingAbstraction={name})"
    )


def spent(twin):
    """Chips of our seats 0 and 1."""
    second, first = re.search(r"Spent: \[P0: (\d+)\s+P1: (\d+)", str(twin)).groups()
    return int(first), int(second)


def after(rules, situation, number, totals):
    if number == FOLD:
        return betting.after_fold(situation)
    if number == CALL:
        return betting.after_call(rules, situation)
    return betting.after_raise(situation, totals[number])


@pytest.mark.parametrize("stack", [7, 20, 37, 200])
@pytest.mark.parametrize("name", ["fcpa", "fchpa"])
def test_the_same_actions_and_chips_everywhere(name, stack):
    game, menu = VARIANTS["nolimit"](stack, board=(1,)), parse_menu(name)
    todo = [(betting.first_situation(game.rules), load(name, stack).new_initial_state())]
    n_decisions = 0
    while todo:
        situation, twin = todo.pop()
        while twin.is_chance_node():
            twin = twin.child(twin.legal_actions()[0])
        phase = situation[betting.PHASE]
        if phase == betting.DEAL:
            todo.append((betting.after_deal(game.rules, situation, False), twin))
            continue
        assert twin.is_terminal() == (phase in (betting.FOLDED, betting.SHOWDOWN))
        if twin.is_terminal():
            continue
        n_decisions += 1
        spot = PublicPlace(game, situation)
        ours = {NUMBERS[label] for label in menu.labels(spot)}
        totals = {NUMBERS[label]: total for label, total in menu.bets(spot)}
        theirs = set(twin.legal_actions())
        if name == "fchpa" and POT not in ours:
            assert HALF not in theirs
            ours -= {HALF}
        assert ours == theirs
        for number in theirs:
            child = after(game.rules, situation, number, totals)
            assert child[betting.SPENT_0 : betting.SPENT_1 + 1] == spent(twin.child(number))
            todo.append((child, twin.child(number)))
    assert n_decisions > 10
