"""A responder takes the action that gained most, if that is no accident."""

import numpy as np
import pytest

from counterfold.training.frozen_kernels import find_better


@pytest.mark.parametrize(
    ("gains", "squares", "evidence", "expected"),
    [
        ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1.0, -1),
        ((-1.0, 3.0, 2.0), (1.0, 4.0, 0.1), 1.0, 1),
        ((-1.0, 3.0, 2.0), (1.0, 4.0, 0.1), 1.5, -1),
        ((-1.0, -3.0, -2.0), (0.0, 0.0, 0.0), 0.0, -1),
        ((5.0, 3.0, 2.0), (24.9, 9.0, 4.0), 1.0, 0),
        ((5.0, 3.0, 2.0), (25.1, 9.0, 4.0), 1.0, -1),
    ],
)
@pytest.mark.parametrize("step", [1, 7])
def test_what_is_better_gained_most_and_by_more_than_its_error(
    gains, squares, evidence, expected, step
):
    first, last = 4, 4 + 3 * step
    tables = np.full((2, 40), 99.0)
    tables[:, first:last:step] = gains, squares
    found = find_better(*tables, first, last, step, evidence)
    assert found == (-1 if expected < 0 else first + expected * step)
