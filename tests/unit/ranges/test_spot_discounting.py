import numpy as np
import pytest

from counterfold.discounting import CFR, DCFR, LINEAR
from counterfold.ranges.spot_discounting import SPOT_DISCOUNTING, find_fading


@pytest.mark.parametrize("discounting", [SPOT_DISCOUNTING, DCFR, LINEAR])
def test_factors_are_those_of_the_paper_one_and_two_iterations_late(discounting):
    """``t^x / (t^x + 1)`` and ``(t / (t + 1))^gamma`` (Brown and Sandholm 2019)."""
    rows = find_fading(discounting, 6)
    assert rows[0].tolist() == [0.0, 0.0, 0.0]
    assert rows[1, :2].tolist() == [0.0, 0.0]
    alpha, beta, gamma = discounting.alpha, discounting.beta, discounting.gamma
    for before in range(2, 6):  # iterations that are done
        t = before - 1
        assert rows[before, 0] == pytest.approx(t**alpha / (t**alpha + 1))
        assert rows[before, 1] == pytest.approx(t**beta / (t**beta + 1))
    for before in range(1, 6):
        assert rows[before, 2] == pytest.approx((before / (before + 1)) ** gamma)


def test_plain_cfr_forgets_the_first_regrets_alone():
    assert np.array_equal(find_fading(CFR, 5)[2:], np.ones((3, 3)))
