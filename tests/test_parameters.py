"""Thinned parameters: the fast tests meet every value, the slow ones what is left."""

from itertools import product

from helpers.parameters import crossed, thinned


def fast(parameters):
    return [each.values for each in parameters if not each.marks]


def test_every_value_of_a_crossing_is_met_by_a_fast_test():
    lists = [*"abcde"], [1, 2], [None]
    parameters = crossed(*lists)
    assert [each.values for each in parameters] == [*product(*lists)]
    found = fast(parameters)
    assert len(found) == 5
    assert [{*column} for column in zip(*found, strict=True)] == [{*each} for each in lists]


def test_cases_are_fast_by_their_places():
    assert fast(thinned(["a", "b", ("c", "d")], fast=(0, 2))) == [("a",), ("c", "d")]
