"""Bots that search: legal, the same twice, told in the trace, and never without an answer."""

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count

import numpy as np
import pytest

from counterfold.bots import BASELINES, Hand, MatchInfo, first_view, shuffle
from counterfold.bots.played_run import bot_of
from counterfold.bots.trained_bot import TrainedBot
from counterfold.cards import parse_cards
from counterfold.errors import TooLargeError, UnsupportedGameError
from counterfold.games import parse_game
from counterfold.games.holdem import betting_kernels as betting
from counterfold.ranges.line_tree import find_lines
from counterfold.search import street_solver
from counterfold.search.hand_ranges import Act
from counterfold.search.search_bot import NO_TIME, SEARCHED, check_searchable
from counterfold.search.search_options import CFR_D, COMBINED, MODES, UNSAFE
from counterfold.search.search_speed import measure_work
from counterfold.search.search_trace import SearchTrace
from counterfold.search.searching_bot import with_search

ITERATIONS = 20


def searching(run, mode="unsafe", **options):
    return with_search(TrainedBot(run), mode, iterations=ITERATIONS, **options)


def play(variant, bots, n, seed=4):
    """Histories of hands between two bots, seats alternating."""
    histories = []
    for number in range(n):
        seats = bots if number % 2 == 0 else bots[::-1]
        hand = Hand(variant, shuffle(variant, seed, number))
        for seat, bot in enumerate(seats):
            bot.begin_hand(hand.view(seat))
        while hand.waits_for is not None:
            view = hand.view(hand.waits_for)
            action = seats[hand.waits_for].act(view)
            assert view.is_legal(action)
            hand.act(action)
        histories.append(hand.state.history)
    return histories


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ["nolimit", "limit"])
def test_bots_that_search_play_legally_and_twice_the_same(small_runs, name, mode):
    run = small_runs[name]
    played = []
    for _ in range(2):
        bot = searching(run, mode).player(3)
        bot.begin_match(MatchInfo(run.plan.variant))
        opponent = BASELINES["random"](5)
        opponent.begin_match(MatchInfo(run.plan.variant))
        played.append(play(run.plan.variant, [bot, opponent], 40))
        assert bot.searched[SEARCHED] > 10
        assert set(bot.searched) == {SEARCHED}
    assert played[0] == played[1]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ["nolimit", "limit"])
def test_earlier_streets_are_searched_if_asked(small_runs, name, mode):
    run = small_runs[name]
    played = []
    for _ in range(2):
        bot = searching(run, mode, streets=2).player(3)
        bot.begin_match(MatchInfo(run.plan.variant))
        opponent = BASELINES["random"](5)
        played.append(play(run.plan.variant, [bot, opponent], 25))
        assert set(bot.searched) == {SEARCHED}
    assert played[0] == played[1]


@pytest.fixture
def flops(small_runs, monkeypatch):
    """Bots by mode that search flops with little memory."""
    monkeypatch.setattr(street_solver, "_MOST_BYTES", 1 << 21)
    run = small_runs["short-deck"]

    def begin(mode=UNSAFE):
        bot = with_search(TrainedBot(run), mode, iterations=2, streets=3).player(3)
        bot.begin_match(MatchInfo(bot.variant))
        return bot

    return begin


def told_by_street(bot):
    """What the bot says of its decisions in a hand that it plays to the river."""
    bots = [bot, BASELINES["always-call"](5)]
    for seed in range(100):
        play(bot.variant, bots[:: 1 if seed % 2 else -1], 1, seed)
        told = {trace.view.street: "\n".join(trace.lines()) for trace in bot.traces}
        if set(told) >= {1, 2, 3}:
            return told
    raise AssertionError("no hand of a hundred was played to the river")


@pytest.mark.parametrize("mode", [UNSAFE, COMBINED])
def test_on_flops_that_are_too_large_the_river_is_checked_down(flops, mode):
    bot = flops(mode)
    told = told_by_street(bot)
    assert set(bot.searched) == {SEARCHED}
    assert "nobody bets on the last street of the solution" in told[1]
    assert "ranges from the solution of the street before" in told[3]


def test_nothing_is_promised_about_a_flop_without_bets_on_the_river(flops):
    told = told_by_street(flops(CFR_D))
    found = [k for k in told if "not searched: the search failed: the spot needs" in told[k]]
    assert found == [1]


def test_without_time_a_river_after_such_a_flop_begins_with_the_ranges_of_the_strategy(flops):
    bot = flops()
    plan = bot.solver.plan
    bot.solver.plan = lambda spot, left: None if spot.n_streets == 2 else plan(spot, left)
    told = told_by_street(bot)
    assert f"that solution is played on: {NO_TIME}" in told[2]
    assert "ends there: ranges of the strategy" in told[3]


def test_the_next_street_begins_with_the_ranges_of_the_solution(small_runs):
    run = small_runs["nolimit"]
    bot, variant = begun(run, 1, streets=2), run.plan.variant
    for _ in range(30):
        bot.begin_hand(first_view(variant, 1, parse_cards("KcQd")))
        if act(bot, variant, 1, "ck/") == "k":
            break
    turn = bot.last_trace.solution
    act(bot, variant, 1, "ck/kk/")
    river = bot.last_trace
    assert (turn.street, river.solution.street) == (1, 2)
    assert "ranges from the solution of the street before" in river.lines()
    reach = turn.deal((Act(betting.CALL, 0),) * 2, tuple(parse_cards("Jd"))).weights
    for seat in (0, 1):
        held = reach[seat] / reach[seat].max()
        assert river.solution.weights[seat] == pytest.approx(held, abs=1e-5)


def test_without_time_the_solution_of_the_street_before_is_played_on(small_runs):
    run = small_runs["nolimit"]
    bot, variant = begun(run, 1, streets=2), run.plan.variant
    for _ in range(30):
        bot.begin_hand(first_view(variant, 1, parse_cards("KcQd")))
        if act(bot, variant, 1, "ck/") == "k":
            break
    turn = bot.last_trace.solution
    bot.clock.seconds = 1e-12
    action = act(bot, variant, 1, "ck/kk/")
    trace = bot.last_trace
    assert river_view(variant, 1, "ck/kk/").is_legal(action)
    assert f"that solution is played on: {NO_TIME}" in trace.lines()
    assert trace.solution.tree is turn.tree
    assert trace.solution.board == turn.board + tuple(parse_cards("Jd"))
    assert bot.searched[SEARCHED] == bot.searched.total()


def test_fewer_bets_are_considered_where_time_is_short(small_runs):
    run = small_runs["nolimit"]
    bot, variant = begun(run, 1), run.plan.variant
    act(bot, variant, 1, "ck/kk/")
    full = bot.last_trace.solution
    lines = find_lines(full.tree)
    n_hands = [int(np.count_nonzero(weights)) for weights in full.weights]
    work = measure_work(lines, [1], n_hands)
    bot.solver.speed.expect = lambda n, asked, iterations: float(asked >= work)
    bot.clock.seconds = 0.5
    bot.begin_hand(first_view(variant, 1, parse_cards("KcQd")))
    act(bot, variant, 1, "ck/kk/")
    assert bot.last_trace.solution.tree.n_nodes < full.tree.n_nodes
    assert "solved with fewer bets" in "\n".join(bot.last_trace.lines())


def test_before_the_last_street_it_plays_its_strategy(small_runs):
    run = small_runs["nolimit"]
    variant = run.plan.variant
    bots = searching(run).player(3), bot_of(run, 3)
    for bot in bots:
        bot.begin_hand(first_view(variant, 0, parse_cards("KcQd")))
    view = first_view(variant, 0, parse_cards("KcQd"))
    assert bots[0].act(view) == bots[1].act(view)
    assert [trace.lines() for trace in bots[0].traces] == [t.lines() for t in bots[1].traces]


def river_view(variant, seat, history, hole="KcQd"):
    """What a seat sees on the last street, on Ac and Jd."""
    view, cards = first_view(variant, seat, parse_cards(hole)), [["Ac"], ["Jd"]]
    for event in re.findall(r"r\d+|.", history):
        view = view.after_board(parse_cards(cards.pop(0)[0])) if event == "/" else view.after(event)
    return view


def act(bot, variant, seat, history, **clock):
    view = river_view(variant, seat, history)
    return bot.act(view.with_clock(clock.get("left")))


def begun(run, seat, mode="unsafe", **options):
    bot = searching(run, mode, **options).player(3)
    bot.begin_match(MatchInfo(run.plan.variant))
    bot.begin_hand(first_view(run.plan.variant, seat, parse_cards("KcQd")))
    return bot


@pytest.mark.parametrize("mode", MODES)
def test_the_real_bet_is_in_the_spot(small_runs, mode):
    """Seat 1 bets three chips into four, which is not on the menu of 50% and 100%."""
    run = small_runs["nolimit"]
    bot = begun(run, 0, mode)
    act(bot, run.plan.variant, 0, "ck/kk/r3")
    trace = bot.last_trace
    assert isinstance(trace, SearchTrace)
    assert trace.solution.pot == 4
    assert 5 in trace.solution.tree.amounts[: trace.solution.tree.starts[1]]  # two and three
    assert 5 not in trace.solution.tree.amounts[trace.solution.tree.starts[1] :]


@pytest.mark.parametrize("mode", MODES)
def test_a_bet_that_is_not_in_the_solution_is_solved_again(small_runs, mode):
    run = small_runs["nolimit"]
    bot = begun(run, 1, mode)
    variant = run.plan.variant
    for _ in range(30):
        bot.begin_hand(first_view(variant, 1, parse_cards("KcQd")))
        action = act(bot, variant, 1, "ck/kk/")
        first = bot.last_trace.solution
        if action == "k":
            answer = act(bot, variant, 1, "ck/kk/kr7")
            later = bot.last_trace
            assert later.solution is not first
            assert later.solution.root[:5] == (2, betting.BET, 0, 2, 2)
            assert "solved again with bet 7" in "\n".join(later.lines())
            assert river_view(variant, 1, "ck/kk/kr7").is_legal(answer)
            return
    raise AssertionError("it never checked")


def test_later_decisions_come_from_the_same_solution(small_runs):
    run = small_runs["limit"]
    bot = begun(run, 1)
    act(bot, run.plan.variant, 1, "ck/kk/")
    first = bot.last_trace.solution
    act(bot, run.plan.variant, 1, "ck/kk/kr4")
    assert bot.last_trace.solution is first
    assert bot.searched == {SEARCHED: 2}


def test_all_ins_are_answered(small_runs):
    run = small_runs["nolimit"]
    bot = begun(run, 0)
    assert act(bot, run.plan.variant, 0, "ck/kk/r38") in ("f", "c")
    assert {name for name, _ in bot.last_trace.probabilities} == {"fold", "call"}


def test_ranges_that_cannot_meet_are_told(small_runs):
    """Every hand of the opponent's range has a card that the bot holds."""
    run = small_runs["nolimit"]
    bot = begun(run, 0)
    hands, follow = bot.ranges.labeled.hands, bot.ranges.follow
    apart = (hands.bits & sum(1 << card for card in parse_cards("KcQd"))) == 0

    def follow_and_forget(*where):
        street = follow(*where)
        street.held[1].weights[:, apart] = 0.0
        return street

    bot.ranges.follow = follow_and_forget
    act(bot, run.plan.variant, 0, "ck/kk/r4")
    assert bot.searched == {SEARCHED: 1}
    assert "no hand of the opponent would come here" in "\n".join(bot.last_trace.lines())


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("whose", [(0,), (1,), (0, 1)])
def test_ranges_that_die_out_are_searched_all_the_same(small_runs, mode, whose):
    """No hand is left: the bot has its own, and the opponent any that can be held."""
    run = small_runs["nolimit"]
    for streets, history in ((1, "ck/kk/r4"), (2, "ck/r2")):
        bot = begun(run, 0, mode, streets=streets)
        follow = bot.ranges.follow

        def follow_and_forget(*where, follow=follow):
            street = follow(*where)
            for seat in whose:
                street.held[seat].weights[:] = 0.0
            return street

        bot.ranges.follow = follow_and_forget
        action = act(bot, run.plan.variant, 0, history)
        assert river_view(run.plan.variant, 0, history).is_legal(action)
        assert bot.searched == {SEARCHED: 1}
        told = "no hand of the opponent would come here" in "\n".join(bot.last_trace.lines())
        assert told == (1 in whose)


def test_without_time_it_plays_its_strategy_and_says_so(small_runs):
    run = small_runs["nolimit"]
    for tick, expected in ((5.0, NO_TIME), (1e-9, SEARCHED)):
        ticks = count()
        bot = searching(run).player(3, now=lambda tick=tick, ticks=ticks: tick * next(ticks))
        bot.begin_match(MatchInfo(run.plan.variant, n_hands=1000, clock_seconds=30.0))
        for history in ("ck/kk/r3", "ck/kr3c/r3"):
            bot.begin_hand(first_view(run.plan.variant, 0, parse_cards("KcQd")))
            act(bot, run.plan.variant, 0, history, left=20.0)
        assert bot.searched == {expected: 2}
    bot.solver.speed.note(1, 1.0, 1.0, 1.0, 1.0)
    bot.begin_hand(first_view(run.plan.variant, 0, parse_cards("KcQd")))
    act(bot, run.plan.variant, 0, "ck/kk/r3", left=20.0)
    assert f"not searched: {NO_TIME}" in "\n".join(bot.last_trace.lines())


@pytest.mark.parametrize(("reached", "is_played"), [(9, False), (10, True)])
def test_a_solution_of_a_few_iterations_is_not_played(small_runs, reached, is_played):
    """Time ran out sooner than was expected."""
    run = small_runs["nolimit"]
    bot, variant = begun(run, 0), run.plan.variant
    solve = bot.solver.solve
    bot.solver.solve = lambda *arguments: replace(solve(*arguments), iterations=reached)
    action = act(bot, variant, 0, "ck/kk/r3")
    assert river_view(variant, 0, "ck/kk/r3").is_legal(action)
    assert bot.searched == {SEARCHED if is_played else NO_TIME: 1}
    told = f"not searched: {NO_TIME}: it ended after 9 iterations"
    assert (told in bot.last_trace.lines()) == (not is_played)


@pytest.mark.parametrize("kind", [TooLargeError, MemoryError, IndexError])
def test_a_solve_that_fails_is_told_and_the_hand_goes_on(small_runs, kind):
    run = small_runs["nolimit"]
    bot, variant = begun(run, 0), run.plan.variant
    solve = bot.solver.solve

    def fail(*arguments):
        raise kind("no room")

    bot.solver.solve = fail
    action = act(bot, variant, 0, "ck/kk/r3")
    assert river_view(variant, 0, "ck/kk/r3").is_legal(action)
    assert re.search("not searched: the search failed: .*no room", bot.last_trace.lines()[-1])
    bot.solver.solve = solve
    bot.begin_hand(first_view(variant, 0, parse_cards("KcQd")))
    act(bot, variant, 0, "ck/kk/r3")
    assert bot.searched == {"the search failed": 1, SEARCHED: 1}


@pytest.mark.parametrize("stack", [3, 5, 2000])
@pytest.mark.parametrize("mode", ["unsafe", "maxmargin"])
def test_tiny_and_huge_stacks_are_played(small_runs, stack, mode):
    """The engine has other chips than the bot was trained for."""
    run = small_runs["nolimit"]
    variant = replace(run.plan.variant, stack=stack)
    bot = searching(run, mode, streets=2).player(3)
    bot.begin_match(MatchInfo(variant))
    opponent = BASELINES["random"](5)
    play(variant, [bot, opponent], 12)
    assert set(bot.searched) <= {SEARCHED}


def test_ten_matches_at_once_play_as_each_would_alone(small_runs):
    """Bots share nothing that they change."""
    run = small_runs["limit"]
    variant = run.plan.variant

    def match(seed):
        bot = searching(run).player(seed)
        bot.begin_match(MatchInfo(variant))
        return play(variant, [bot, BASELINES["always-call"](5)], 4, seed)

    alone = [match(seed) for seed in range(10)]
    with ThreadPoolExecutor(10) as pool:
        assert list(pool.map(match, range(10))) == alone


def test_an_action_of_its_own_that_no_solution_offers_is_told(small_runs):
    run = small_runs["limit"]
    bot = begun(run, 1)
    act(bot, run.plan.variant, 1, "ck/kk/")
    bot._solution.tree.kinds[:] = -1  # as if the tree offered nothing of what was done
    act(bot, run.plan.variant, 1, "ck/kk/kr4")
    assert "the solution does not offer what the bot did" in "\n".join(bot.last_trace.lines())


def test_the_trace_shows_the_spot_and_both_ranges(small_runs):
    run = small_runs["nolimit"]
    for mode, told in (("unsafe", "exploitable for"), ("maxmargin", "of the opponent")):
        bot = begun(run, 0, mode)
        act(bot, run.plan.variant, 0, "ck/kk/r4")
        first, spot, own, other, shares, *_ = bot.last_trace.lines()
        assert first.endswith(f"searched ({mode})")
        assert spot.startswith("solved AcJd, pot 4, 38 behind, in 20 iterations")
        assert told in spot
        assert re.match(r"own range: \d+ hands, most often [AKQJ2-9TscdhO, .%o]+", own)
        assert other.startswith("opponent's: ")
        assert re.search(r"call \d+%.*; drew 0\.\d{3}", shares)


def test_the_first_bet_of_a_street_is_told_as_a_bet(small_runs):
    run = small_runs["nolimit"]
    bot, variant = begun(run, 1), run.plan.variant
    view = river_view(variant, 1, "ck/kk/", "AdJc")  # two pair
    for _ in range(100):
        bot.begin_hand(first_view(variant, 1, view.hole))
        if (action := bot.act(view)) != "k":
            break
    assert bot.last_trace.lines()[0] == f"bet {action[1:]}, searched (unsafe)"


def test_variants_whose_hands_change_are_refused(small_runs):
    for name in ("discard", "river-of-blood"):
        with pytest.raises(UnsupportedGameError, match="search in play needs two hole cards"):
            with_search(TrainedBot(small_runs[name]))


def test_other_bets_are_considered_if_given(small_runs):
    run = small_runs["nolimit"]
    bot = begun(run, 1, bets="75%")
    act(bot, run.plan.variant, 1, "ck/kk/")
    assert [name for name, _ in bot.last_trace.probabilities] == ["check", "bet 3"]


@pytest.mark.parametrize("name", ["bounty", "permuted(order='32456789TJQKA')"])
def test_bounties_and_other_orders_of_ranks_are_not_searched(name):
    with pytest.raises(UnsupportedGameError, match="has bounties or another order of ranks"):
        check_searchable(parse_game(name))
