from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfold import discounting
from counterfold.discounting import Discounting, Exponent

VARIANTS = {
    name: value for name, value in vars(discounting).items() if isinstance(value, Discounting)
}
HORIZON = 40


@pytest.fixture(params=VARIANTS)
def variant(request):
    return VARIANTS[request.param]


def test_cfr_forgets_nothing():
    assert (discounting.CFR.weights(1, 50, HORIZON) == 1.0).all()


@pytest.mark.parametrize("name", ["CFR_PLUS", "PCFR_PLUS", "HS_PCFR_PLUS"])
def test_regret_matching_plus_keeps_positive_regrets_and_cuts_negative_ones(name):
    weights = VARIANTS[name].weights(1, 50, HORIZON)
    assert (weights[:, 0] == 1.0).all()
    assert (weights[:, 1] == 0.0).all()


@pytest.mark.parametrize(
    ("name", "alpha", "beta", "gamma"),
    [("LINEAR", 1.0, 1.0, 1.0), ("DCFR", 1.5, 0.0, 2.0)],  # REFERENCE.md
)
def test_discounts_are_those_of_the_paper(name, alpha, beta, gamma):
    for t, row in enumerate(VARIANTS[name].weights(1, 50, HORIZON), start=1):
        expected = t**alpha / (t**alpha + 1), t**beta / (t**beta + 1), (t / (t + 1)) ** gamma
        assert row == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize(
    ("name", "power"), [("CFR", 0), ("CFR_PLUS", 1), ("LINEAR", 1), ("DCFR", 2), ("PCFR_PLUS", 2)]
)
def test_the_average_weighs_iteration_t_by_a_power_of_t(name, power):
    """The factors from t on multiply to (t / (n + 1)) ^ power."""
    n = 30
    factors = VARIANTS[name].weights(1, n, HORIZON)[:, 2]
    final = np.cumprod(factors[::-1])[::-1]
    assert final == pytest.approx((np.arange(1, n + 1) / (n + 1)) ** power, rel=1e-13)


def test_a_schedule_goes_linearly_to_its_end_and_stays():
    schedule = Discounting(Exponent(1.0, 5.0), Exponent(0.0, -2.0), Exponent(10.0, 6.0))
    weights = schedule.weights(1, 2 * HORIZON, HORIZON)
    for t, row in enumerate(weights, start=1):
        progress = min(t / HORIZON, 1.0)
        alpha, beta, gamma = 1 + 4 * progress, -2 * progress, 10 - 4 * progress
        expected = t**alpha / (t**alpha + 1), t**beta / (t**beta + 1), (t / (t + 1)) ** gamma
        assert row == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("name", "field", "start", "stop"),
    # arXiv 2404.09097: α = 1 + 3 t/T, β = -1 - 2 t/T, γ = 30 - 5 t/T.
    [
        ("HS_DCFR", "alpha", 1.0, 4.0),
        ("HS_DCFR", "beta", -1.0, -3.0),
        ("HS_DCFR", "gamma", 30.0, 25.0),
        ("HS_PCFR_PLUS", "gamma", 30.0, 25.0),
    ],
)
def test_published_schedules(name, field, start, stop):
    assert getattr(VARIANTS[name], field) == Exponent(start, stop)


@given(st.integers(1, 60), st.integers(0, 60), st.integers(0, 60))
def test_weights_do_not_depend_on_how_iterations_are_grouped(first, more, most):
    for variant in VARIANTS.values():
        middle, last = first + more, first + more + most
        together = variant.weights(first, last, HORIZON)
        parts = variant.weights(first, middle, HORIZON), variant.weights(middle + 1, last, HORIZON)
        np.testing.assert_array_equal(together, np.concatenate(parts))


def test_weights_are_finite_and_never_amplify(variant):
    weights = variant.weights(1, 100_000, HORIZON)
    assert weights.shape == (100_000, 3)
    assert ((weights >= 0.0) & (weights <= 1.0)).all()


def test_infinite_exponents_hold_at_the_first_iteration_too():
    assert Discounting(inf, -inf, 0.0).weights(1, 1, HORIZON).tolist() == [[1.0, 0.0, 1.0]]
    assert Discounting(-inf, inf, 0.0).weights(1, 1, HORIZON).tolist() == [[0.0, 1.0, 1.0]]
