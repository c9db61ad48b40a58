"""EVs of hands, against every pair of hands and every run-out one by one, through exact states."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from types import SimpleNamespace

import numpy as np
import pytest

from counterfold.blueprints.action_values import ActionValues, ValueEstimate
from counterfold.blueprints.runout_walk import RunoutWalk
from counterfold.bots.trained_bot import TrainedBot
from counterfold.cards import format_cards
from counterfold.cards.pairs import index_pair
from counterfold.errors import UnsupportedGameError
from counterfold.games.holdem import betting_kernels as betting
from counterfold.intervals import Estimate

SPENT = (betting.SPENT_0, betting.SPENT_1)


class Oracle:
    """Plays two hands against each other through all that may follow."""

    def __init__(self, bot):
        self.bot, self.graph = bot, bot.run.blueprint.game.graph
        self.shares = cache(self._shares)

    def play_out(self, node, hands, board):
        """What seat 0 wins in chips below a node, on average over the cards to come."""
        graph, variant = self.graph, self.bot.variant
        situation = graph.situations[node]
        spent = [int(situation[field]) for field in SPENT]
        actor, phase = int(situation[betting.ACTOR]), graph.phase[node]
        if phase == betting.FOLDED:
            return -spent[0] if actor == 0 else spent[1]
        if phase == betting.SHOWDOWN:
            first, second = (variant.strength([*hand, *board]) for hand in hands)
            return min(spent) * ((first > second) - (first < second))
        children = graph.children[graph.starts[node] : graph.starts[node + 1]].tolist()
        if phase == betting.DEAL:
            gone = {*board, *hands[0], *hands[1]}
            left = [card for card in variant.deck.cards.tolist() if card not in gone]
            won = [self.play_out(children[0], hands, (*board, card)) for card in left]
            return sum(won) / len(won)
        shares = self.shares(node, hands[actor], board)
        return sum(
            share * self.play_out(child, hands, board)
            for share, child in zip(shares, children, strict=True)
            if share
        )

    def _shares(self, node, hand, board):
        blueprint = self.bot.run.blueprint
        cards, boards = np.array([[hand]], np.uint8), np.array([board], np.uint8)
        labels = self.bot.run.cards.label_hands(cards, boards)[0]
        shares = blueprint.at_many(node, labels[int(blueprint.game.stage[node])])[0]
        return np.full(len(shares), 1 / len(shares)) if np.isnan(shares[0]) else shares


@pytest.fixture(scope="module")
def oracles(small_runs):
    return cache(lambda name: Oracle(TrainedBot(small_runs[name])))


def assert_values(oracle, line, step):
    """Compare the values of every `step`-th hand."""
    bot = oracle.bot
    table = bot.strategy(history=line)
    found, seat = bot.values(table), table.seat
    graph, node = oracle.graph, table.line.node
    children = graph.children[graph.starts[node] : graph.starts[node + 1]].tolist()
    theirs = bot.range(history=line, seat=1 - seat)
    spent = int(graph.situations[node, SPENT[seat]])
    assert found.means.shape == (len(table.rows), len(children))
    assert found.is_exact
    assert not found.intervals.any()
    for at in range(0, len(table.rows), step):
        mine = table.rows[at].hand
        others = [row.hand for row in table.rows if not {*row.hand} & {*mine}]
        weights = np.array([theirs[index_pair(*hand)] for hand in others])
        for edge, child in enumerate(children):
            won = [
                oracle.play_out(child, (mine, other) if seat == 0 else (other, mine), table.board)
                for other in others
            ]
            expected = (weights @ won) / weights.sum() * (1 if seat == 0 else -1) + spent
            assert found.means[at, edge] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("name", ["nolimit", "limit"])
@pytest.mark.parametrize(
    "line", ["c k | Ac | k k | Kd |", "c k | Ac | k k | Kd | k", "c k | Ac |", "c k | Ac | k"]
)
def test_values_are_those_of_all_pairs_of_hands(oracles, name, line):
    assert_values(oracles(name), line, 5)


@pytest.mark.parametrize(
    ("name", "line", "step"),
    [("nolimit", "", 13), ("nolimit", "allin", 9), ("limit", "r4", 13)],
)
def test_values_before_the_first_card_are_those_of_all_boards(oracles, name, line, step):
    assert_values(oracles(name), line, step)


def test_values_of_other_rankings_and_card_tables(oracles):
    assert_values(oracles("short-deck"), "c k | 6c8dTc | k k | Qd | k k | Ad | k", 30)


def test_a_fold_is_worth_nothing(small_runs):
    bot = TrainedBot(small_runs["limit"])
    for line in ("c k | Ac | k k | Kd | r4", "c k | Ac | r2", "r4"):
        table = bot.strategy(history=line)
        fold = [offer.word for offer in table.offered].index("f")
        assert bot.values(table).means[:, fold] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("line", ["", "c k | Ac | k", "c k | Ac | k k | Kd |"])
def test_a_hand_is_worth_what_its_actions_are(small_runs, line):
    bot = TrainedBot(small_runs["nolimit"])
    table = bot.strategy(history=line)
    found = bot.values(table)
    for at, row in enumerate(table.rows):
        even = np.full(len(table.offered), 1 / len(table.offered))
        shares = even if row.probabilities is None else row.probabilities
        assert found.mixed[at] == pytest.approx(shares @ found.means[at], abs=1e-9)


def test_values_print_and_are_data_and_a_frame(small_runs, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=list))
    bot = TrainedBot(small_runs["nolimit"])
    table = bot.strategy(history="c k | Ac | k k | Kd |")
    found = bot.values(table)
    labels = [offer.label for offer in table.offered]
    place, heads, *lines = str(found).splitlines()
    assert place.startswith(f"seat 0 {found.ranges[0].mean:.2f} and seat 1 ")
    assert place.endswith(" chips of the pot, exact")
    assert heads.split() == ["hand", "EV", *labels]
    assert [line.split()[0] for line in lines] == [format_cards(row.hand) for row in table.rows]
    assert repr(found) == f"<ActionValues of {len(lines)} hands, exact>"
    content = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    frame = found.to_frame()
    for at, (row, line) in enumerate(zip(content["hands"], lines, strict=True)):
        assert row["ev"] == found.mixed[at]
        assert line.split()[1] == f"{row['ev'] + 0.0:.2f}"
        assert list(row["actions"]) == labels
        assert [each["ev"] for each in row["actions"].values()] == found.means[at].tolist()
        assert frame[at][f"actions.{labels[-1]}.ev"] == found.means[at, -1]


def test_hands_that_meet_nobody_have_no_ev():
    nothing, none = np.full((1, 1), np.nan), np.full(1, np.nan)
    found = ActionValues(
        ((50, 51),), ("check",), nothing, nothing, none, none, (Estimate(1.0),) * 2, 3, None
    )
    assert str(found).splitlines()[-1].split() == ["AhAs", "-", "-"]
    ev = {"ev": None, "ev_interval": None}
    assert found.to_dict()["hands"] == [{"hand": "AhAs", **ev, "actions": {"check": ev}}]


@pytest.mark.parametrize("line", ["", "c k | Ac | k", "c k | Ac | k k | Kd |"])
@pytest.mark.parametrize("runouts", [None, 5])
def test_both_ranges_share_the_pot(small_runs, line, runouts):
    bot = TrainedBot(small_runs["nolimit"])
    table = bot.strategy(history=line)
    found = bot.values(table, runouts=runouts)
    first, second = found.ranges
    assert first.mean + second.mean == pytest.approx(int(table.situation.pot))
    assert first.interval == pytest.approx(second.interval)
    assert (first.interval > 0) == (runouts is not None and not found.is_exact)


def test_a_range_is_worth_what_its_hands_are(small_runs):
    bot = TrainedBot(small_runs["nolimit"])
    line = "c k | Ac | k"
    table = bot.strategy(history=line)
    found = bot.values(table)
    mine, theirs = (bot.range(history=line, seat=seat) for seat in (table.seat, 1 - table.seat))
    hands = [row.hand for row in table.rows]
    weights = []
    for hand in hands:
        met = sum(theirs[index_pair(*other)] for other in hands if not {*other} & {*hand})
        weights.append(mine[index_pair(*hand)] * met)
    expected = np.average(found.mixed, weights=weights)
    assert found.ranges[table.seat].mean == pytest.approx(expected)


def test_figures_of_a_hand_by_its_cards(small_runs):
    bot = TrainedBot(small_runs["nolimit"])
    table = bot.strategy(history="c k | Ac |")
    found = bot.values(table)
    figures = found.of(table.rows[3].hand)
    assert figures["evs"] == found.means[3].tolist()
    assert figures["ev"] == found.mixed[3]
    assert figures["ev_interval"] == 0.0


def test_hands_alike_up_to_suits_are_worth_the_same(small_runs):
    bot = TrainedBot(small_runs["short-deck"])
    table = bot.strategy()
    found = bot.values(table, runouts=10)
    rows = {row.hand: at for at, row in enumerate(table.rows)}
    for hand, at in rows.items():
        other = tuple(sorted((card ^ 1 for card in hand), reverse=True))  # clubs for diamonds
        np.testing.assert_array_equal(found.means[at], found.means[rows[other]])


@pytest.mark.parametrize("n", [10, 20, 40])
def test_intervals_of_a_sample_hold_the_exact_values(small_runs, monkeypatch, n):
    """A hand meets 30 of the 56 run-outs of so small a deck.

    Hands whose values are the same on every run-out are left out: their intervals always hold.
    """
    bot = TrainedBot(small_runs["nolimit"])
    table = bot.strategy(history="c")
    walked = cache(partial(RunoutWalk.value, bot.estimate_values(table)._walk))
    monkeypatch.setattr(RunoutWalk, "value", lambda _, dealt: walked(dealt))
    exact = bot.values(table)
    errors, intervals = [], []
    for seed in range(150):
        found = bot.values(table, runouts=n, seed=seed)
        assert (found.is_exact, found.n_runouts) == (False, n)
        errors.append(found.means - exact.means)
        intervals.append(found.intervals)
    varies = np.nanstd(errors, axis=0) > 1e-9
    errors, intervals = (np.array(each)[:, varies] for each in (errors, intervals))
    met = ~np.isnan(errors)
    held = np.abs(errors[met]) <= intervals[met]
    assert 0.95 <= held.mean() < 0.99
    size = np.sqrt(np.mean(np.square(errors[met])))
    told = np.median(intervals[met])
    assert told / size < 4.0  # no wider than that


def test_all_run_outs_in_any_order_are_exact(small_runs):
    bot = TrainedBot(small_runs["nolimit"])
    table = bot.strategy(history="c k | Ac |")
    first, second = (bot.values(table, seed=seed) for seed in (0, 1))
    np.testing.assert_allclose(first.means, second.means, atol=1e-12)
    assert (first.describe(), first.n_runouts) == ("exact, over all 7 run-outs", 7)


def test_many_threads_find_the_same_values(small_runs):
    bot = TrainedBot(small_runs["nolimit"])
    lines = ["r4", "c", "c k | Ac |", "c k | Ac | k"]
    expected = [bot.values(bot.strategy(history=line)) for line in lines]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda line: bot.values(bot.strategy(history=line)), lines * 3))
    for at, values in enumerate(found):
        np.testing.assert_array_equal(values.means, expected[at % len(lines)].means)


def test_one_run_out_says_nothing_about_others(small_runs):
    bot = TrainedBot(small_runs["nolimit"])
    found = bot.values(bot.strategy(), runouts=1)
    assert np.isinf(found.intervals).all()


def test_who_watches_may_stop(small_runs):
    bot = TrainedBot(small_runs["nolimit"])
    seen = []

    def watch(done, wanted):
        seen.append((done, wanted))
        return done < 3

    found = bot.values(bot.strategy(), progress=watch)
    assert seen == [(1, 56), (2, 56), (3, 56)]
    assert found.n_runouts == 3
    assert found.describe() == "estimated from 3 of 56 run-outs, with 95% intervals"


def test_more_run_outs_than_there_are_end(small_runs):
    bot = TrainedBot(small_runs["nolimit"])
    estimate = bot.estimate_values(bot.strategy(history="c k | Ac | k k | Kd |"))
    assert isinstance(estimate, ValueEstimate)
    assert estimate.add_runout()
    assert not estimate.add_runout()
    assert estimate.values().describe() == "exact"


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("discard", "c k | Ac | s s"),
        ("river-of-blood", ""),
        ("bounty", ""),
        ("permuted", ""),
        ("swap", ""),
    ],
)
def test_values_are_not_known_elsewhere(small_runs, name, line):
    bot = TrainedBot(small_runs[name])
    table = bot.strategy(history=line)
    with pytest.raises(UnsupportedGameError, match="EV needs"):
        bot.values(table)
