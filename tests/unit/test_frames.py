"""Data frames from whichever library is installed; stand-ins take the place of both."""

import sys
from types import SimpleNamespace

import pytest

from counterfold.errors import MissingLibraryError
from counterfold.frames import LIBRARIES, make_frame

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
