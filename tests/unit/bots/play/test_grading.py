"""Grades of decisions: by what they cost where that is known, else by how often the bot does so."""

import pytest

from counterfold.bots.play.grading import Grade, add_grades, grade
from counterfold.bots.play.play_session import PlaySession
from counterfold.bots.trained_bot import TrainedBot


class Trace:
    """A decision with given shares and values."""

    def __init__(self, shares, values=None):
        self.probabilities, self.values = tuple(shares.items()), values

    def share_of(self, action):
        return dict(self.probabilities).get(action)

    def action_values(self):
        return self.values


@pytest.mark.parametrize(
    ("action", "word"),
    [("a", "best"), ("b", "good"), ("c", "rare"), ("d", "never"), ("e", "unknown")],
)
def test_grades_go_by_how_often_the_bot_does_the_same(action, word):
    trace = Trace({"a": 0.7, "b": 0.25, "c": 0.045, "d": 0.005})
    assert grade(trace, action).word == word


def test_an_action_as_likely_as_the_likeliest_is_best_too():
    assert grade(Trace({"a": 0.5, "b": 0.5}), "b").word == "best"


def test_what_an_action_costs_is_told_where_it_is_known():
    trace = Trace({"a": 0.9, "b": 0.1}, {"a": 3.0, "b": 1.5})
    assert grade(trace, "b") == Grade("good", 0.1, 1.5)
    assert grade(trace, "a").ev_lost == 0.0
    assert grade(trace, "c").ev_lost is None


def test_where_training_never_came_nothing_is_graded():
    assert grade(Trace({}), "a") == Grade("unknown")


def test_grades_add_up():
    totals = add_grades([Grade("best", 0.8, 0.0), Grade("never", 0.0, 2.5), Grade("unknown")])
    assert totals.counts == {"best": 1, "good": 0, "rare": 0, "never": 1, "unknown": 1}
    assert totals.agreement == pytest.approx(0.4)
    assert (totals.ev_lost, totals.ev_known) == (2.5, 2)
    assert add_grades([]).agreement is None


def test_what_the_bot_does_itself_is_best_or_mixed(small_runs):
    bot = TrainedBot(small_runs["nolimit"])
    session = PlaySession(bot.variant, bot.player(1), bot.player(2), 3)
    for _ in range(10):
        while not session.over:
            hint = session.hint()
            given = grade(hint, hint.action)
            assert given.share == max(hint.share_of(hint.action), 0.0)
            assert given.word != "never"
            session.act(hint.action)
        session.next_hand()
