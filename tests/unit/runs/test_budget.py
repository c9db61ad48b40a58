from itertools import pairwise

import pytest

from counterfold.errors import BudgetError
from counterfold.runs import Budget, parse_seconds
from counterfold.runs.budget import evaluation_points


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("30", 30.0),
        ("30s", 30.0),
        ("0.5s", 0.5),
        ("10m", 600.0),
        ("1.5h", 5400.0),
        ("2d", 2 * 24 * 3600.0),
        (" 10 m ", 600.0),
    ],
)
def test_times(text, seconds):
    assert parse_seconds(text) == seconds


@pytest.mark.parametrize(
    "text", ["", "s", "-1s", "1e3", "10 minutes", "1:30", "nan", "inf", "1,5h"]
)
def test_what_is_no_time_is_refused(text):
    with pytest.raises(
        BudgetError, match=r"cannot read the time .*; write it like 30s, 10m or 1.5h"
    ):
        parse_seconds(text)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"iterations": 0}, "iterations must be at least 1, not 0"),
        ({"iterations": -5}, "iterations must be at least 1, not -5"),
        ({"until": 0.0}, "must be a number above 0, not 0.0"),
        ({"until": float("nan")}, "must be a number above 0, not nan"),
        ({"until": float("inf")}, "must be a number above 0, not inf"),
        ({"seconds": 0.0}, "must be a number of seconds above 0, not 0.0"),
        ({"seconds": float("nan")}, "must be a number of seconds above 0, not nan"),
    ],
)
def test_limits_that_cannot_be_kept_are_refused(limits, message):
    with pytest.raises(BudgetError, match=message):
        Budget(**limits)


def points_from(after, count):
    points = []
    for _ in range(count):
        after = evaluation_points(after)
        points.append(after)
    return points


def test_every_early_iteration_is_evaluated_and_later_ones_in_proportion():
    points = points_from(0, 120)
    assert points[:15] == list(range(1, 16))
    late = [(a, b) for a, b in pairwise(points) if a > 50]
    # The ratio is 1.1 but for rounding to an integer, which is at most half of one in fifty.
    assert all(abs(b / a - 1.1) <= 0.5 / 50 for a, b in late)
    # About 24 per factor of ten: ln 10 / ln 1.1 = 24.2.
    assert 23 <= sum(10_000 < point <= 100_000 for point in points_from(0, 120)) <= 25


@pytest.mark.parametrize("after", [0, 1, 7, 99, 100, 101, 5000, 5001])
def test_points_do_not_depend_on_where_a_run_was_interrupted(after):
    points = points_from(0, 100)
    assert evaluation_points(after) == next(point for point in points if point > after)
