"""AIVAT of players that search: known, unbiased, and in step with their random numbers."""

from math import sqrt

import numpy as np
import pytest

from counterfold.bots import Hand, shuffle
from counterfold.bots.trained_bot import TrainedBot
from counterfold.errors import MatchError, TooLargeError
from counterfold.matches import hosted_match
from counterfold.matches.aivat import hosted_luck, value_fit
from counterfold.matches.aivat.hosted_luck import HostedLuck
from counterfold.matches.aivat.searched_decisions import list_searched, read_decisions
from counterfold.matches.aivat.worth_kernels import ValueFunction
from counterfold.matches.entrants import baseline_entrant, run_entrant, search_entrant
from counterfold.matches.hosted_match import IN_PROCESS, play_hosted
from counterfold.search.searching_bot import with_search
from counterfold.search.street_solver import StreetSolver


def searching(run, mode="unsafe", **options):
    return search_entrant(with_search(TrainedBot(run), mode, iterations=10, **options), "a")


def wrong_fit(variant, entrants, seed):
    """Values of random numbers, fixed before the first hand like any others."""
    rng = np.random.default_rng(1)
    n_nodes = len(entrants[0].policy.policy.nodes)
    values = (rng.normal(size=each.shape) for each in value_fit.checked_down(n_nodes))
    return value_fit.FittedValues(ValueFunction(*values), 0, "")


class KeptLuck(HostedLuck):
    """Remembers what player 0 won in each hand, and itself."""

    last = None

    def __init__(self, *given):
        super().__init__(*given)
        self.won = []
        KeptLuck.last = self

    def begin_match(self):
        super().begin_match()
        self.won.append([])

    def add(self, hand, swapped, traces=((), ())):
        super().add(hand, swapped, traces)
        self.won[-1].append(hand.chips[1 if swapped else 0])


@pytest.fixture
def wrong_values(monkeypatch):
    monkeypatch.setattr(hosted_luck, "fit_values", wrong_fit)
    monkeypatch.setattr(hosted_match, "HostedLuck", KeptLuck)


@pytest.mark.parametrize(
    ("name", "mode", "streets", "searchers"),
    [
        ("nolimit-listed", "unsafe", 1, (0,)),
        ("nolimit-listed", "maxmargin", 1, (1,)),
        ("nolimit-listed", "unsafe", 2, (0, 1)),
        ("limit", "unsafe", 1, (0,)),
    ],
)
def test_wrong_values_do_not_bias(small_runs, wrong_values, name, mode, streets, searchers):
    run = small_runs[name]
    players = [run_entrant(run, "a"), run_entrant(run, "b")]
    for player in searchers:
        players[player] = searching(run, mode, streets=streets)
    n = 1200
    result = play_hosted(run.plan.variant, tuple(players), n, IN_PROCESS, aivat=True, seed=3)
    assert len(result.aivat.known) == 2
    assert sum(result.sides[player].searched for player in searchers) > n // 20
    luck = KeptLuck.last
    difference = luck.correct() - np.sum(luck.won, axis=0)
    assert difference.std() > 0.1
    assert abs(difference.mean()) < 4.5 * difference.std() / sqrt(difference.size)


def test_known_search_has_less_variance_than_unknown(small_runs):
    run = small_runs["nolimit-listed"]
    players = searching(run), run_entrant(run, "b")
    result = play_hosted(run.plan.variant, players, 800, IN_PROCESS, aivat=True)
    assert result.aivat.known == ("a", "b")
    assert result.aivat.chips_interval < 0.5 * result.plain_interval
    assert abs(result.aivat.chips - result.plain_chips) < 2.3 * result.plain_interval


def test_a_search_that_always_fails_has_the_luck_of_its_strategy(small_runs, monkeypatch):
    run = small_runs["nolimit"]
    other = run_entrant(run, "b")
    options = {"aivat": True, "seed": 4}
    expected = play_hosted(
        run.plan.variant, (run_entrant(run, "a"), other), 120, IN_PROCESS, **options
    )
    monkeypatch.setattr(StreetSolver, "solve", refuse)
    result = play_hosted(run.plan.variant, (searching(run), other), 120, IN_PROCESS, **options)
    assert result.sides[0].searched == 0
    assert result.aivat == expected.aivat


@pytest.mark.parametrize("searcher", [0, 1])
def test_decisions_between_searches_are_traced(small_runs, monkeypatch, searcher):
    """Every other search fails, so that its strategy goes on where its solution has led."""
    solve, n_asked = StreetSolver.solve, 0

    def fail_now_and_then(*given):
        nonlocal n_asked
        n_asked += 1
        return solve(*given) if n_asked % 2 else refuse()

    monkeypatch.setattr(StreetSolver, "solve", fail_now_and_then)
    run = small_runs["nolimit"]
    players = [baseline_entrant("random", run.plan.variant)] * 2
    players[searcher] = searching(run, streets=2)
    result = play_hosted(run.plan.variant, tuple(players), 400, IN_PROCESS, aivat=True)
    side = result.sides[searcher]
    assert min(side.searched, side.unsearched) > 20
    assert result.aivat.known == ("a",)
    assert np.isfinite(result.aivat.chips)


def refuse(*given):
    raise TooLargeError("no room")


def searched_hand(run):
    """A hand in which seat 1 searched, the bot, and its traces."""
    bot = with_search(TrainedBot(run), "unsafe", iterations=10).player(3)
    for number in range(40):
        hand = Hand(run.plan.variant, shuffle(run.plan.variant, 4, number))
        bot.begin_hand(hand.view(1))
        while hand.waits_for is not None:
            view = hand.view(hand.waits_for)
            plain = next(action for action in view.plain_actions() if action[0] in "kc")
            hand.act(bot.act(view) if hand.waits_for == 1 else plain)
        if bot.searched.total():
            return hand, bot
    raise AssertionError("it never came to the last street")


def test_imagined_hands_act_by_the_solution(small_runs):
    hand, bot = searched_hand(small_runs["nolimit"])
    holes = np.array([hand.view(1).hole, hand.view(1).hole], np.uint8)
    found = dict(read_decisions(hand, 1, bot.traces, holes, bot.policy))
    assert found
    for decision in found.values():
        assert decision.shares.sum(axis=1) == pytest.approx(1.0)
        assert decision.shares[0].tolist() == decision.shares[1].tolist()
    told = [share for _, share in bot.last_trace.probabilities]
    assert found[max(found)].shares[0] == pytest.approx(told)
    steps = list_searched([{}, found], 2)
    assert steps.rows[0].max() == -1
    assert sorted(steps.rows[1][list(found)].tolist()) == list(range(len(found)))


def test_an_action_that_was_not_the_searched_one_is_refused(small_runs):
    hand, bot = searched_hand(small_runs["nolimit"])
    object.__setattr__(bot.traces[-1], "action", "r39")
    holes = np.array([hand.view(1).hole], np.uint8)
    with pytest.raises(MatchError, match="so its luck is unknown"):
        dict(read_decisions(hand, 1, bot.traces, holes, bot.policy))
