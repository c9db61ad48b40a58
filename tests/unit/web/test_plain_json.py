import json
import math

from counterfold.web.plain_json import as_plain


def test_numbers_are_rounded_wherever_they_are():
    content = {"a": [1.23456, (2, "x")], "b": {"c": 0.99999}}
    assert as_plain(content, 3) == {"a": [1.235, [2, "x"]], "b": {"c": 1.0}}


def test_numbers_keep_all_digits_unless_told_otherwise():
    assert as_plain({"a": (1 / 3,)}) == {"a": [1 / 3]}


def test_numbers_that_json_does_not_have_become_null():
    content = [math.nan, math.inf, -math.inf, 0.5, None, True]
    assert (
        json.dumps(as_plain(content, 2), allow_nan=False) == "[null, null, null, 0.5, null, true]"
    )
