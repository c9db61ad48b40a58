"""A best response on the last street, to a bot that searches and to its strategy."""

import re

import numpy as np
import pytest

from counterfold.bets import parse_menu
from counterfold.bots import MatchInfo, first_view
from counterfold.bots.trained_bot import TrainedBot
from counterfold.cards import parse_cards
from counterfold.cards.pairs import PAIR_CARDS, index_pair
from counterfold.games.holdem import betting_kernels as betting
from counterfold.ranges.kept.kept_solvers import KeptSolvers
from counterfold.responses.river_response import RiverResponder
from counterfold.search.searching_bot import with_search

HOLE, OWN = "KcQd", "AdQc"  # of the bot, and of the responder
BOARD = ("Ac", "Jd")
ROUNDING = 1e-4  # chips; vectors of solvers are of 32 bits


def view_of(variant, seat, history, hole=HOLE):
    """What the bot sees when the last street begins."""
    view, cards = first_view(variant, seat, parse_cards(hole)), [*BOARD]
    for event in re.findall(r"r\d+|.", history):
        view = view.after_board(parse_cards(cards.pop(0))) if event == "/" else view.after(event)
    return view


def make_bot(run, mode="unsafe", iterations=20):
    bot = with_search(TrainedBot(run), mode, iterations=iterations).player(3)
    bot.begin_match(MatchInfo(run.plan.variant))
    return bot


def compare(variant, hole=OWN):
    """[1326] results of the responder's hand, with the variant's own function."""
    dead = parse_cards(hole) + parse_cards("".join(BOARD))
    own = variant.strength(dead)
    results = np.zeros(len(PAIR_CARDS))
    for number, cards in enumerate(PAIR_CARDS.tolist()):
        known = set(cards) & set(dead) or not set(cards) <= set(variant.deck.cards.tolist())
        if not known:
            results[number] = np.sign(own - variant.strength([*cards, *dead[2:]]))
    return results


def respond(run, seat, history, menu, mode="unsafe"):
    bot = make_bot(run, mode)
    view = view_of(run.plan.variant, seat, history)
    own = with_search(TrainedBot(run), mode).blueprint_menu
    responder = RiverResponder(bot, parse_menu(menu), own)
    return responder.respond(view, parse_cards(OWN), compare(run.plan.variant)), bot, view


@pytest.mark.parametrize("mode", ["unsafe", "maxmargin"])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("name", "menu"), [("nolimit", "50%, 100%, allin"), ("limit", "min")])
def test_the_value_is_that_of_the_solver(small_runs, name, menu, seat, mode):
    """Bets of the tree alone: what the solver itself says of the hand, against the same range."""
    run = small_runs[name]
    found, bot, view = respond(run, seat, "ck/kk/", menu, mode)
    solution = bot.foresee(view if view.my_turn else view.after("k")).solution
    ranges = bot.ranges
    street = ranges.follow(run.plan.variant, view.board, view.history, seat)
    reach = ranges.weights(street.held[seat])
    hands = np.zeros_like(reach)
    hands[index_pair(*parse_cards(OWN))] = 1.0
    weights = (reach, hands) if seat == 0 else (hands, reach)
    tree, solver = KeptSolvers(threads=1).solver(
        run.plan.variant, solution.root, bot.solver.menu, solution.board, weights
    )
    purified = bot.policy.purify
    for node, shares in solution.strategies.items():
        if tree.situations[node, betting.ACTOR] == seat:
            played = (shares == shares.max(axis=0)) * 1.0 if purified else shares
            here = played[:, solver.hands_on(0, seat)]
            solver.set_average(seat, 0, int(solver.decisions[node]), here)
    met = solver.met_at_root(1 - seat)[0]
    best = solver.best_values(1 - seat)[0] / met
    assert found.is_searched
    assert found.searched == pytest.approx(best, abs=ROUNDING)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("history", ["ck/kk/", "r4c/kk/", "ck/kr2c/"])
def test_more_bets_win_no_less(small_runs, seat, history):
    run = small_runs["nolimit"]
    few, _, _ = respond(run, seat, history, "100%")
    more, _, _ = respond(run, seat, history, "33%, 75%, 100%, 200%")
    assert more.searched >= few.searched
    assert more.alone >= few.alone


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("mode", ["unsafe", "combined"])
def test_a_solution_does_not_depend_on_the_hand_that_the_bot_holds(small_runs, seat, mode):
    """So the one that it plays says what its other hands would do."""
    run = small_runs["nolimit"]
    variant, found = run.plan.variant, []
    for hole in (HOLE, "KdQc"):
        bot, view = make_bot(run, mode), view_of(variant, seat, "ck/kk/", hole)
        bot.begin_hand(view)
        solution = bot.foresee(view if view.my_turn else view.after("k")).solution
        # A hand that it never brings here would be given a weight, and be another spot.
        assert solution.weights[seat][index_pair(*parse_cards(hole))] > 1e-3
        found.append(solution)
    for other in found[1:]:
        for node, shares in found[0].strategies.items():
            assert other.strategies[node] == pytest.approx(shares, abs=1e-6)


def test_foreseeing_leaves_the_bot_as_it_was(small_runs):
    run = small_runs["nolimit"]
    variant = run.plan.variant
    actions = []
    for foresees in (False, True):
        bot, view = make_bot(run), view_of(variant, 1, "ck/kk/")
        bot.begin_hand(view)
        first = bot.act(view)
        if foresees:
            for bet in ("r3", "r7"):
                assert bot.foresee(view.after("k").after(bet)).node > 0
        last = view.after("k").after("r4")
        actions.append((first, bot.act(last), bot.last_trace.number))
    assert actions[0] == actions[1]
