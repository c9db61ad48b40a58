"""Parameters of tests of which the fast tests take some and the slow ones the rest."""

from itertools import product

import pytest


def crossed(*lists):
    """Every combination of a value of each list.

    The fast tests take as few as let every value occur.
    """
    fast = {
        tuple(at % len(values) for values in lists)
        for at in range(max(len(each) for each in lists))
    }
    places = product(*(range(len(values)) for values in lists))
    return [
        _param([values[at] for values, at in zip(lists, place, strict=True)], place in fast)
        for place in places
    ]


def thinned(cases, fast):
    """Every case; the fast tests take those at the places in `fast`."""
    return [
        _param(case if isinstance(case, tuple) else [case], at in fast)
        for at, case in enumerate(cases)
    ]


def _param(values, is_fast):
    return pytest.param(*values, marks=[] if is_fast else [pytest.mark.slow])
