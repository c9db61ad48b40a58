"""Targets give a bot the time that the engine of its contest gives it."""

import pytest

from counterfold.contest.export.targets import TARGETS
from counterfold.contest.wire.protocols import PROTOCOLS


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_the_clock_is_that_of_the_protocol(target):
    """A searching bot that takes seven seconds a hand must not be tried on a clock of thirty."""
    assert target.game_seconds == pytest.approx(PROTOCOLS[target.protocol].game_seconds)
    if target.hand_seconds is not None:
        assert 1000 * target.hand_seconds <= target.game_seconds
