"""Re-solved streets: exact exploitability of the whole game on reduced decks."""

import numpy as np
import pytest

from counterfold.bets.spot_menu_text import parse_spot_menu
from counterfold.cards import parse_cards
from counterfold.cards.pairs import PAIR_CARDS
from counterfold.cards.ranges import parse_range
from counterfold.errors import TooLargeError
from counterfold.games import parse_game
from counterfold.games.holdem import betting_kernels as betting
from counterfold.ranges.betting_growth import CheckedDown
from counterfold.ranges.betting_tree import spot_root
from counterfold.ranges.board_cards import TreeBoard
from counterfold.ranges.kept.kept_solvers import KeptSolvers
from counterfold.ranges.spot import Spot
from counterfold.responses.river_response import OneBoard
from counterfold.search import street_solver
from counterfold.search.hand_ranges import Act
from counterfold.search.hand_walk import HandWalk
from counterfold.search.search_options import CFR_D, COMBINED, MAXMARGIN, UNSAFE, SearchOptions
from counterfold.search.smaller_menu import SmallerMenu
from counterfold.search.street_solver import Deadline, SearchPlan, StreetSolver, StreetSpot
from counterfold.tree import evaluate
from helpers.parameters import crossed
from helpers.searched_games import no_strategy, random_blueprint, search_all, solve_spot

ROUNDING = 2e-4  # chips; vectors are of 32 bits
TURN = "limit(bets=1, deck='QKA/cd', board=(1, 1), hole_cards=1)"
FLOP_BETS = parse_spot_menu("100%, allin")
FLOP = "limit(bets=1, deck='QKA/cd', board=(1, 1, 1), hole_cards=1)"
LIMIT = "limit(bets=2, deck='QKA/cd', board=(1, 1))"
NO_LIMIT = "nolimit(stack=5, deck='QKA/cd', board=(1,))"
ALL_BETS = "min, allin"  # that are legal with so few chips


def check_safe(variant, mode, seed, iterations, sharpness, *, bets="min", **streets):
    """No seat loses more by searching than by its blueprint, but for what hands gain."""
    rng = np.random.default_rng(seed)
    found = random_blueprint(variant, rng, bets=bets, sharpness=sharpness)
    before = evaluate(found.strategy()).responses
    searched, worst = search_all(found, mode, iterations, **streets)
    after = evaluate(searched).responses
    for seat in (0, 1):
        assert after[seat] <= before[seat] + worst + ROUNDING
    return before, after, worst


@pytest.mark.parametrize(("mode", "seed"), crossed([CFR_D, MAXMARGIN], [0, 1]))
def test_safe_modes_never_lose_more_than_the_blueprint(mode, seed):
    before, after, worst = check_safe("leduc-variant", mode, seed, 100, 1.0 + 2 * seed)
    assert worst < 0.2  # of a pot of two chips or more
    assert sum(after) < 0.8 * sum(before)  # a random strategy is easily improved


@pytest.mark.parametrize(("mode", "seed"), crossed([CFR_D, MAXMARGIN], [0, 1]))
def test_safe_modes_never_lose_more_without_limits(mode, seed):
    sharpness = 1.0 + 2 * seed
    before, after, worst = check_safe(NO_LIMIT, mode, seed, 100, sharpness, bets=ALL_BETS)
    assert worst < 0.3  # of a pot of four chips or more
    assert sum(after) < 0.95 * sum(before)  # most is lost before the flop


@pytest.mark.slow
@pytest.mark.parametrize("mode", [CFR_D, MAXMARGIN])
def test_safe_modes_never_lose_more_without_limits_from_the_turn_on(mode):
    variant = NO_LIMIT.replace("(1,)", "(1, 1)")
    before, after, worst = check_safe(variant, mode, 2, 100, 1.0, bets=ALL_BETS, streets=2)
    assert worst < 1.0  # both streets together
    assert sum(after) < 0.95 * sum(before)


@pytest.mark.slow
@pytest.mark.parametrize("mode", [CFR_D, MAXMARGIN])
@pytest.mark.parametrize("seed", range(6))
def test_safe_modes_never_lose_more_on_larger_decks(mode, seed):
    check_safe(LIMIT, mode, seed, 200, (0.5, 1.0, 3.0)[seed % 3])


@pytest.mark.parametrize(("mode", "again"), crossed([CFR_D, MAXMARGIN], [True, False]))
def test_safe_modes_never_lose_more_from_the_turn_on(mode, again):
    """Two streets, solved to the end: the last one solved again with its cards, or played on."""
    before, after, worst = check_safe(TURN, mode, 1, 200, 1.0, streets=2, again=again)
    assert worst < 0.5
    assert sum(after) < 0.8 * sum(before)


@pytest.mark.slow
@pytest.mark.parametrize("mode", [CFR_D, MAXMARGIN])
@pytest.mark.parametrize("seed", range(4))
def test_safe_modes_never_lose_more_from_the_turn_on_with_larger_decks(mode, seed):
    sharpness, again = (0.5, 1.0, 3.0)[seed % 3], seed % 2 == 0
    before, after, worst = check_safe(LIMIT, mode, seed, 100, sharpness, streets=2, again=again)
    assert worst < 2.0  # of pots of 4 to 28 chips, both streets together
    assert sum(after) < 0.8 * sum(before)


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "again"), crossed([CFR_D, MAXMARGIN], [True, False]))
def test_safe_modes_never_lose_more_from_the_flop_on(mode, again):
    """Three streets: flop, turn and river, solved to the end."""
    before, after, worst = check_safe(FLOP, mode, 2, 100, 1.0, streets=3, again=again)
    assert worst < 2.0  # of pots of 4 to 28 chips, all streets together
    assert sum(after) < 0.8 * sum(before)


def test_unsafe_search_finds_an_equilibrium_of_the_spot():
    """Between its own ranges, whatever the blueprint was."""
    spot = _river(UNSAFE, 300)
    assert spot.exploitability < 0.002 * spot.pot
    assert spot.margin is None


def test_it_is_solved_as_a_spot_is():
    weights = [parse_range(text).weights for text in ("AA,QQ,T9s", "KK,JJ")]
    variant, root, _ = spot_root(parse_game("limit"), 5, 20, 90)
    start = StreetSpot(
        variant, root, tuple(parse_cards("Kd7c2h3s4s")), tuple(weights), 0, None, no_strategy
    )
    found = solve_spot(SearchOptions(UNSAFE, 40), start)
    spot = Spot("Kd7c2h3s4s", oop="KK,JJ", ip="AA,QQ,T9s", pot=20, stack=90, game="limit")
    solver = spot.solver(threads=1)
    solver.run(40)
    assert found.exploitability == pytest.approx(solver.evaluate().exploitability, abs=1e-6)
    for node, shares in found.strategies.items():
        actor = int(spot.tree.situations[node, betting.ACTOR])
        expected = solver.average(actor, 0, int(spot.lines.decisions[node]))
        assert shares[:, solver.hands_on(0, actor)] == pytest.approx(expected, abs=1e-6)


def _river(mode, iterations):
    variant, root, _ = spot_root(parse_game("limit"), 5, 20, 90)
    rng = np.random.default_rng(2)
    weights = tuple(rng.random(1326) * (rng.random(1326) < 0.3) for _ in (0, 1))
    start = StreetSpot(
        variant, root, tuple(parse_cards("Kd7c2h3s4s")), weights, 0, None, no_strategy
    )
    return solve_spot(SearchOptions(mode, iterations), start)


@pytest.mark.parametrize("mode", [CFR_D, MAXMARGIN])
def test_no_hand_gains_against_a_full_range(mode):
    """The strategy before is to choose evenly, which is easily improved for every hand."""
    found = _river(mode, 200)
    assert found.margin > -0.02 * found.pot


def test_a_deadline_stops_the_solver():
    times = iter(np.arange(0.0, 1000.0, 1.0))
    variant, root, _ = spot_root(parse_game("limit"), 5, 20, 90)
    start = StreetSpot(
        variant,
        root,
        tuple(parse_cards("Kd7c2h3s4s")),
        (np.ones(1326), np.ones(1326)),
        0,
        None,
        no_strategy,
    )
    deadline = Deadline(500, 10.0, lambda: float(next(times)))
    found = solve_spot(SearchOptions(UNSAFE, 500), start, deadline=deadline)
    assert 1 <= found.iterations < 100


def test_solutions_say_where_actions_lead():
    found = _river(UNSAFE, 4)
    bet = Act(betting.RAISE, 14)
    assert found.find([Act(betting.CALL, 0)]).left == ()
    assert found.find([Act(betting.CALL, 0), bet]).left == ()
    assert found.find([Act(betting.RAISE, 15)]) == (0, (Act(betting.RAISE, 15),))
    reach = found.reach([Act(betting.CALL, 0), bet])
    assert all((reach[seat] <= found.weights[seat]).all() for seat in (0, 1))
    again = found.below(found.tree, [TreeBoard(0, -1, found.board, (), ())], [])
    assert {each.node for each in again} == found.strategies.keys()


@pytest.fixture(scope="module")
def flop():
    """A flop of a short deck, between few hands."""
    variant, root, _ = spot_root(parse_game("nolimit(stack=40, deck='9TJQKA/cd')"), 3, 8, 20)
    weights = np.zeros(1326)
    weights[parse_range("AA-TT,AK,QJ,T9").weights > 0] = 1.0
    board = tuple(parse_cards("AcTd9c"))
    return StreetSpot(variant, root, board, (weights, weights), 0, None, no_strategy)


@pytest.mark.parametrize("mode", [CFR_D, MAXMARGIN, COMBINED])
@pytest.mark.parametrize("seat", [0, 1])
def test_alternatives_are_what_hands_win_from_the_earlier_solution(mode, seat):
    """The turn was solved with fewer bets on the river than are considered there."""
    variant, root, _ = spot_root(parse_game("nolimit(stack=40, deck='9TJQKA/cd')"), 4, 8, 20)
    board, every = tuple(parse_cards("AcTd9cKd")), np.ones(1326)
    turn = StreetSpot(variant, root, board, (every, every), seat, None, no_strategy)
    menu = parse_spot_menu("50%, 100%, allin")
    solver = StreetSolver(SearchOptions(mode, 20), KeptSolvers(threads=1), menu)
    plan = SearchPlan(SmallerMenu(menu, 3), 1.0, True)
    earlier = solver.solve(turn, plan, Deadline(20))
    check = Act(betting.CALL, 0)
    dealt = earlier.deal((check, check), tuple(parse_cards("Jc")))
    river = StreetSpot(
        variant, dealt.root, dealt.board, dealt.weights, seat, None,
        lambda tree, boards: dealt.below(tree, boards, ()), dealt,
    )  # fmt: skip
    ready, entering = solver.plan(river, float("inf")), solver._entering(river)
    assert ready.menu == menu
    found = solver._alternatives(river, ready.menu, entering)
    hands = solver._solver(river, menu, entering, ())[1].hands_on(0, 1 - seat).tolist()
    assert len(hands) == 21  # of the seven cards that are left
    assert found == pytest.approx([_win_at_best(dealt, seat, hand) for hand in hands], abs=1e-4)


def _win_at_best(solution, seat, hand):
    """What a hand wins from the range of a seat that plays a solution on, in its tree."""
    cards, board = PAIR_CARDS[hand].tolist(), solution.board
    strength, results = solution.tree.variant.strength, np.zeros(1326)
    possible = ~np.isin(PAIR_CARDS, [*cards, *board]).any(axis=1)
    for other in np.flatnonzero(possible).tolist():
        difference = strength([*cards, *board]) - strength([*PAIR_CARDS[other].tolist(), *board])
        results[other] = np.sign(difference)
    reach = possible * solution.weights[seat] / solution.weights[seat].max()
    walk = HandWalk(solution.tree, solution.strategies, 1 - seat, results)
    return float(walk.value(solution.first, reach))


def test_flops_that_fit_are_solved_to_the_end(flop):
    solver = StreetSolver(SearchOptions(UNSAFE, 5), KeptSolvers(threads=1), FLOP_BETS)
    plan = solver.plan(flop, float("inf"))
    assert (plan.menu, plan.notes) == (FLOP_BETS, ())


@pytest.mark.parametrize("mode", [CFR_D, MAXMARGIN])
def test_flops_that_are_too_large_are_refused_where_something_is_promised(flop, mode, monkeypatch):
    monkeypatch.setattr(street_solver, "_MOST_BYTES", 1 << 17)
    solver = StreetSolver(SearchOptions(mode, 5), KeptSolvers(threads=1), FLOP_BETS)
    with pytest.raises(TooLargeError, match="the spot needs"):
        solver.plan(flop, float("inf"))


@pytest.mark.parametrize("mode", [UNSAFE, COMBINED])
def test_on_flops_that_are_too_large_the_river_is_checked_down(flop, mode, monkeypatch):
    monkeypatch.setattr(street_solver, "_MOST_BYTES", 1 << 17)
    monkeypatch.setattr(street_solver, "_MOST_WORK", 1.0)
    solver = StreetSolver(SearchOptions(mode, 5), KeptSolvers(threads=1), FLOP_BETS)
    plan = solver.plan(flop, float("inf"))
    assert plan.menu == CheckedDown(SmallerMenu(FLOP_BETS), 3)
    assert "nobody bets on the last street of the solution" in plan.notes
    found = solver.solve(flop, plan, Deadline(5))
    check = Act(betting.CALL, 0)
    on_turn = found.deal((check, check), tuple(parse_cards("9d")))
    assert on_turn.street == 2
    assert all(
        shares.sum(axis=0).max() == pytest.approx(1) for shares in on_turn.strategies.values()
    )
    assert on_turn.deal((check, check), tuple(parse_cards("Kc"))) is None
    # As a strategy before, it has an answer to every bet of its own tree.
    tree = solver.tree(flop.variant, on_turn.root, on_turn.menu)
    below = on_turn.below(tree, [OneBoard(on_turn.board)], ())
    assert {each.node for each in below} == set(tree.decisions.tolist())


def test_a_flop_that_is_checked_down_needs_time_for_more_than_a_few_iterations(flop, monkeypatch):
    monkeypatch.setattr(street_solver, "_MOST_BYTES", 1 << 17)
    solver = StreetSolver(SearchOptions(UNSAFE, 100), KeptSolvers(threads=1), FLOP_BETS)
    work = solver.plan(flop, float("inf")).work
    solver.speed.note(3, work, 0.0, 1.0, 0.0)  # a second for each iteration
    assert solver.plan(flop, 29.0) is None
    assert solver.plan(flop, 31.0).work == work
    assert solver.plan(flop, 31.0).least == 30
    assert SearchPlan(FLOP_BETS, work, False).least == 10


def test_a_river_that_is_checked_down_is_one_without_bets(flop):
    """The same strategies as with a menu that offers none there."""
    menus = CheckedDown(FLOP_BETS, 3), parse_spot_menu("flop: 100%, allin; river: none")
    solver = StreetSolver(SearchOptions(UNSAFE, 20), KeptSolvers(threads=1), FLOP_BETS)
    first, second = (
        solver.solve(flop, SearchPlan(menu, 1.0, True), Deadline(20)) for menu in menus
    )
    assert first.exploitability == pytest.approx(second.exploitability, abs=1e-5)
    assert first.strategies.keys() == second.strategies.keys()
    for node, shares in first.strategies.items():
        assert shares == pytest.approx(second.strategies[node], abs=1e-4)


def test_only_hands_that_can_be_held_are_counted(flop):
    """In the safe modes the opponent may hold every one of them: 36 of nine cards."""
    work = {}
    for mode in (UNSAFE, CFR_D):
        solver = StreetSolver(SearchOptions(mode, 5), KeptSolvers(threads=1), FLOP_BETS)
        work[mode] = solver.plan(flop, float("inf")).work
    held = np.count_nonzero(flop.weights[0]) - 68  # of this deck, beside the board
    assert work[CFR_D] / work[UNSAFE] == (36 + held) / (2 * held)
