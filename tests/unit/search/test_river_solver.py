"""Rivers by NumPy against the same by kernels."""

import numpy as np
import pytest

from counterfold.bets.menu_text import parse_menu
from counterfold.cards import parse_cards
from counterfold.cards.pairs import PAIR_CARDS
from counterfold.contest.exported.exported_strength import HandStrength
from counterfold.errors import CardError
from counterfold.games import parse_game
from counterfold.games.holdem import betting_kernels as betting
from counterfold.ranges.betting_tree import spot_root
from counterfold.ranges.kept.kept_solvers import KeptSolvers
from counterfold.search.blueprint_menu import BlueprintMenu
from counterfold.search.river_solver import RiverSolvers
from counterfold.search.search_options import MODES, SearchOptions
from counterfold.search.street_solver import StreetSpot
from helpers.parameters import crossed
from helpers.searched_games import no_strategy, solve_spot

ROUNDING = 1e-7  # both count in double precision, in another order
HANDS = HandStrength(range(52))


def river_of(seed, *, share=0.3, stack=90, bet=None):
    variant, root, _ = spot_root(parse_game(f"nolimit(stack={stack + 10})"), 5, 20, stack)
    rng = np.random.default_rng(seed)
    board = tuple(rng.choice(52, 5, replace=False).tolist())
    weights = tuple(rng.random(1326) * (rng.random(1326) < share) for _ in (0, 1))
    return StreetSpot(variant, root, board, weights, seed % 2, bet, no_strategy)


MENU = BlueprintMenu(parse_menu("50%, 100%, allin; cap 3"))
SPOTS = {
    "narrow": river_of(1),
    "every hand": river_of(2, share=2.0),
    "few hands": river_of(3, share=0.01),
    "off the menu": river_of(4, bet=37),
    "huge stack": river_of(5, stack=20_000),
    "one chip": river_of(6, stack=1),
}


def solvers_of(spot):
    """One by NumPy and one by kernels."""
    asked = spot.variant, spot.root, MENU, spot.board, spot.weights
    added = spot.added(MENU)
    return [
        solvers.solver(*asked, added=added)
        for solvers in (RiverSolvers(HANDS.rank_pairs), KeptSolvers(threads=1, dtype=np.float64))
    ]


def check_alike(ask, solvers, close=ROUNDING):
    """Figures by hand agree; equally strong hands may stand in another order."""
    for seat in (0, 1):
        found = []
        for _, solver in solvers:
            by_hand = np.zeros(1326)
            by_hand[solver.hands_on(0, seat)] = ask(solver, seat)
            found.append(by_hand)
        assert found[0] == pytest.approx(found[1], abs=close, rel=close)


@pytest.mark.parametrize("name", SPOTS)
def test_strategies_are_worth_what_kernels_say(name):
    """Of any strategies: values of best responses, and their mean."""
    spot, rng = SPOTS[name], np.random.default_rng(7)
    solvers = solvers_of(spot)
    for node in solvers[0][0].decisions.tolist():
        seat = int(solvers[0][0].situations[node, betting.ACTOR])
        n_actions = int(np.diff(solvers[0][0].starts[node : node + 2])[0])
        shares = rng.random((n_actions, 1326)) * (rng.random((n_actions, 1326)) < 0.8)
        for _, solver in solvers:
            hands = solver.hands_on(0, seat)
            solver.set_average(seat, 0, int(solver.decisions[node]), shares[:, hands])
    check_alike(lambda solver, seat: solver.met_at_root(seat), solvers)
    check_alike(lambda solver, seat: solver.best_values(seat), solvers)
    exploitable = [solver.exploitability() for _, solver in solvers]
    assert exploitable[0] == pytest.approx(exploitable[1], rel=ROUNDING)


@pytest.mark.parametrize("name", SPOTS)
def test_iterations_learn_what_kernels_learn(name):
    """Two of them: later, rounding decides for hands to whom two actions are worth the same."""
    solvers = solvers_of(SPOTS[name])
    for _, solver in solvers:
        solver.run(2)
    for node in solvers[0][0].decisions.tolist():
        actor = int(solvers[0][0].situations[node, betting.ACTOR])
        decisions = [int(solver.decisions[node]) for _, solver in solvers]
        averages = []
        for (_, solver), decision in zip(solvers, decisions, strict=True):
            by_hand = np.zeros((int(np.diff(solvers[0][0].starts[node : node + 2])[0]), 1326))
            by_hand[:, solver.hands_on(0, actor)] = solver.average(actor, 0, decision)
            averages.append(by_hand)
        differ = np.abs(averages[0] - averages[1]).max(axis=0) > ROUNDING
        assert np.count_nonzero(differ) <= 0.01 * differ.size


@pytest.mark.parametrize(("name", "mode"), crossed(list(SPOTS), list(MODES)))
def test_solutions_are_as_good_as_those_of_kernels(name, mode):
    options = SearchOptions(mode, 100)
    found = [
        solve_spot(options, SPOTS[name], menu=MENU, solvers=solvers)
        for solvers in (RiverSolvers(HANDS.rank_pairs), KeptSolvers(threads=1, dtype=np.float64))
    ]
    assert found[0].strategies.keys() == found[1].strategies.keys()
    # A margin is that of one hand, and moves more while the solution is not exact: rounding, which
    # differs from machine to machine, decides how often that hand meets a bet of the whole stack.
    stack = int(SPOTS[name].variant.stack)
    for quality, close in (
        ("exploitability", 0.01 * found[0].pot),
        ("margin", 0.1 * found[0].pot + 0.001 * stack),
    ):
        by_numpy, by_kernels = (getattr(each, quality) for each in found)
        if by_kernels is not None:
            assert by_numpy == pytest.approx(by_kernels, abs=close)


def test_ranges_that_cannot_meet_are_refused():
    spot = river_of(1)
    weights = np.zeros(1326)
    weights[np.flatnonzero(np.isin(PAIR_CARDS, parse_cards("As")).any(axis=1))] = 1.0
    board = tuple(parse_cards("2c3d4h5s7c"))
    with pytest.raises(CardError, match="no two hands"):
        RiverSolvers(HANDS.rank_pairs).solver(
            spot.variant, spot.root, MENU, board, (weights, weights)
        )
