"""A response from the last street but one on: what solvers say, and unbiased by drawing boards."""

import numpy as np
import pytest

from counterfold.bets import parse_menu
from counterfold.bots import MatchInfo, first_view
from counterfold.bots.trained_bot import TrainedBot
from counterfold.cards import parse_cards
from counterfold.cards.pairs import PAIR_CARDS, index_pair
from counterfold.games.holdem import betting_kernels as betting
from counterfold.ranges.kept.kept_solvers import KeptSolvers
from counterfold.responses.river_response import RiverResponder, bot_range
from counterfold.responses.turn_response import TurnResponder
from counterfold.search.played_shares import play_shares
from counterfold.search.search_bot import SearchBot
from counterfold.search.searching_bot import with_search

HOLE, OWN = "KcQd", "AdQc"  # of the bot, and of the responder
ROUNDING = 2e-4  # chips; vectors of solvers are of 32 bits
ALL = 100  # boards, more than there are


def view_of(variant, seat, history="ck"):
    """What the bot sees when the street before the last one begins, on Ac."""
    view = first_view(variant, seat, parse_cards(HOLE))
    for event in history:
        view = view.after(event)
    return view.after_board(parse_cards("Ac"))


def compare(variant):
    """Results of a hand with all pairs, with the variant's own function."""

    def results(hole, board):
        dead, own = {*hole, *board}, variant.strength([*hole, *board])
        found = np.zeros(len(PAIR_CARDS))
        for number, cards in enumerate(PAIR_CARDS.tolist()):
            if not set(cards) & dead and set(cards) <= set(variant.deck.cards.tolist()):
                found[number] = np.sign(own - variant.strength([*cards, *board]))
        return found

    return results


def make_responder(run, mode="unsafe", menu=None, n_boards=ALL):
    bot = with_search(TrainedBot(run), mode, iterations=10, streets=2)
    player = bot.player(3)
    player.begin_match(MatchInfo(run.plan.variant))
    menu = menu or ("min" if run.plan.variant.betting == "limit" else "100%, allin")
    river = RiverResponder(player, parse_menu(menu), bot.blueprint_menu)
    return TurnResponder(river, compare(run.plan.variant), n_boards)


class Draws:
    """Draws these boards."""

    def __init__(self, *drawn):
        self.drawn = np.array(drawn)

    def choice(self, n, size, replace):
        return np.arange(n) if size == n else self.drawn


def respond(run, seat, *drawn, mode="unsafe", menu=None, hole=OWN):
    responder = make_responder(run, mode, menu, len(drawn) or ALL)
    return responder.respond(view_of(run.plan.variant, seat), parse_cards(hole), Draws(*drawn))


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("name", ["nolimit", "limit"])
def test_the_walk_is_worth_what_the_solver_says(small_runs, name, seat):
    """A hand at its best against all of the bot's, on all boards, if the solution is played on."""
    run = small_runs[name]
    responder = make_responder(run)
    bot, view, hole = responder.bot, view_of(run.plan.variant, seat), parse_cards(OWN)
    bot.begin_hand(view)
    reach, boards = bot_range(bot, view, hole), responder._list_boards(view, hole)
    with bot.supposing(view if view.my_turn else view.after("k")) as found:
        solution = found.solution
        walk = responder._hand_searched(view, boards, solution).walk
        hands = np.zeros_like(reach)
        hands[index_pair(*hole)] = 1.0
        weights = (reach, hands) if seat == 0 else (hands, reach)
        tree, solver = KeptSolvers(threads=1).solver(
            run.plan.variant, solution.root, bot.solver.menu, solution.board, weights
        )
        for b, listed in enumerate(solver.boards):
            dealt = tuple((card,) for card in listed.board[1:])
            for node in tree.decisions.tolist():
                street = tree.situations[node, betting.STREET] - 1
                if (street, tree.situations[node, betting.ACTOR]) == (listed.street, seat):
                    shares = solution.shares(node, dealt)
                    played = play_shares(shares, bot.policy.threshold, bot.policy.purify)
                    here = played[:, solver.hands_on(b, seat)]
                    solver.set_average(seat, b, int(solver.decisions[node]), here)
        met = solver.met_at_root(1 - seat)[0]
        best = solver.best_values(1 - seat)[0] / met
        assert walk.value(0, reach) == pytest.approx(best, abs=ROUNDING)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("name", "menu"), [("nolimit", "75%"), ("limit", "min")])
def test_boards_that_are_drawn_are_worth_all_of_them_on_average(small_runs, name, menu, seat):
    run, n = small_runs[name], 5  # eight cards, of which three are seen
    asked = {"menu": menu, "hole": "QcJc"}
    every = respond(run, seat, **asked)
    drawn = [respond(run, seat, board, **asked) for board in range(n)]
    assert every.is_searched
    for figure in ("alone", "searched"):
        values = [getattr(each, figure) for each in drawn]
        assert np.mean(values) == pytest.approx(getattr(every, figure), abs=1e-6)
        assert np.std(values) > 0.01
    two = respond(run, seat, 0, 3, **asked)
    assert two.searched == pytest.approx((drawn[0].searched + drawn[3].searched) / 2, abs=1e-6)


@pytest.mark.parametrize("seat", [0, 1])
def test_without_search_it_is_the_best_response(small_runs, seat):
    """With fixed bets the tree has all that may be done, so that the walk is the best response."""
    run = small_runs["limit"]
    responder, view, hole = make_responder(run), view_of(run.plan.variant, seat), parse_cards(OWN)
    responder.bot.begin_hand(view)
    reach, boards = bot_range(responder.bot, view, hole), responder._list_boards(view, hole)
    best = responder._hand_alone(view, boards).walk.value(0, reach)
    found = responder.respond(view, hole, Draws())
    assert found.alone == pytest.approx(best, abs=1e-5)


@pytest.mark.parametrize("name", ["nolimit", "limit"])
def test_a_bot_that_cannot_search_is_worth_the_same(small_runs, name, monkeypatch):
    monkeypatch.setattr(SearchBot, "_search", lambda bot, view: "no time")
    found = respond(small_runs[name], 0)
    assert not found.is_searched
    assert found.searched == pytest.approx(found.alone, abs=1e-9)


@pytest.mark.parametrize("mode", ["cfr-d", "maxmargin", "combined"])
def test_all_modes_are_responded_to(small_runs, mode):
    found = respond(small_runs["nolimit"], 1, 2, mode=mode)
    assert found.is_searched
    assert np.isfinite([found.alone, found.searched]).all()


def test_the_bets_of_a_hand_do_not_change_the_solution(small_runs):
    """So one solution says what the bot does after a check and after each bet in it."""
    run = small_runs["nolimit"]
    bot, view = make_responder(run).bot, view_of(run.plan.variant, 0)
    bot.begin_hand(view)
    first, second = (bot.foresee(view.after(act)).solution for act in ("k", "r4"))
    for node, shares in first.strategies.items():
        assert second.strategies[node] == pytest.approx(shares, abs=1e-6)
