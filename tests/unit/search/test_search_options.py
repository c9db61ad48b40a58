import pytest

from counterfold.errors import CounterfoldError
from counterfold.search.search_options import MODES, SearchOptions


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"mode": "safe"}, "unknown mode of search 'safe'"),
        ({"iterations": 0}, "iterations must be 1 to"),
        ({"seconds": 0.0}, "seconds must be a time above 0, not 0.0"),
        ({"seconds": float("nan")}, "not nan"),
        ({"bets": "half"}, "half"),
    ],
)
def test_what_cannot_be_is_refused(given, told):
    with pytest.raises(CounterfoldError, match=told):
        SearchOptions(**given)


def test_modes_without_alternatives_are_unsafe():
    assert [mode for mode in MODES if not SearchOptions(mode).is_safe] == ["unsafe"]


def test_what_is_promised_has_alternatives_for_every_hand():
    assert [mode for mode in MODES if SearchOptions(mode).has_promise] == ["cfr-d", "maxmargin"]
