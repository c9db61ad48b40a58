"""Data frames from whichever library is installed; stand-ins take the place of both."""

import sys
from types import SimpleNamespace

import pytest

from counterfold.errors import MissingLibraryError
from counterfold.frames import LIBRARIES, NamedFigures, make_frame, name_figures

ROWS = [{"hand": "AhKh", "fold": 0.25}, {"hand": "7c2d", "fold": 1.0}]


def library(name):
    return SimpleNamespace(DataFrame=lambda rows: (name, rows))


@pytest.mark.parametrize(
    ("installed", "used"), [(LIBRARIES, "pandas"), (("pandas",), "pandas"), (("polars",), "polars")]
)
def test_pandas_comes_first(monkeypatch, installed, used):
    for name in LIBRARIES:
        monkeypatch.setitem(sys.modules, name, library(name) if name in installed else None)
    assert make_frame(ROWS) == (used, ROWS)


def test_neither_is_an_error_that_names_both(monkeypatch):
    for name in LIBRARIES:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingLibraryError, match=r"pandas or polars.*to_dict"):
        make_frame(ROWS)


def test_figures_of_parts_are_named_by_the_way_to_them():
    content = {
        "value": 0.5,
        "exact": {"nash_conv": 0.1},
        "values": (0.5, -0.5),
        "streets": [{"n": 3}],
    }
    assert dict(name_figures(content)) == {
        "value": 0.5,
        "exact.nash_conv": 0.1,
        "values.0": 0.5,
        "values.1": -0.5,
        "streets.0.n": 3,
    }


def test_a_result_with_named_figures_is_one_row(monkeypatch):
    class Found(NamedFigures):
        def to_dict(self):
            return {"win": 0.25, "seats": [1, 2]}

    monkeypatch.setitem(sys.modules, "pandas", library("pandas"))
    assert Found().to_frame() == ("pandas", [{"win": 0.25, "seats.0": 1, "seats.1": 2}])
