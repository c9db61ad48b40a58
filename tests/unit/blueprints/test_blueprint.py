import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from counterfold.blueprints.blueprint import LEVELS, Blueprint, quantize
from counterfold.blueprints.blueprint_kernels import N_TRAINED, N_VISITED, count_reached
from counterfold.errors import StrategyError
from counterfold.public.infosets import SlotLayout
from helpers.small_recipes import plan

GAME = plan().game(plan().cards().n_buckets)
SUMS = arrays(
    np.float32,
    GAME.n_slots,
    elements=st.floats(0, 1e6, width=32),
    fill=st.sampled_from([0.0, 1.0, 3.0]),
)


def by_infoset(game, values):
    """Rows of slots, information set by information set, in plain Python."""
    for c in range(game.n_classes):
        width = int(game.n_actions[c])
        for start in range(int(game.offsets[c]), int(game.offsets[c + 1]), width):
            yield values[start : start + width]


@given(SUMS, st.sampled_from([8, 16]))
def test_steps_add_up_and_lose_less_than_a_step(sums, bits):
    blueprint, loss = quantize(GAME, sums, bits)
    errors, trained = [], 0
    rows = zip(by_infoset(GAME, blueprint.quantized), by_infoset(GAME, sums), strict=True)
    for quantized, totals in rows:
        total = totals.sum(dtype=np.float64)
        if total == 0.0:
            assert not quantized.any()
            continue
        trained += 1
        assert quantized.sum(dtype=np.int64) == LEVELS[bits]
        errors += abs(quantized / LEVELS[bits] - totals / total).tolist()
    assert blueprint.n_trained == trained
    assert blueprint.coverage == trained / GAME.n_infosets
    if errors:
        assert max(errors) < 1.0 / LEVELS[bits]
        assert loss.largest == pytest.approx(max(errors), abs=1e-6)


def test_probabilities_are_those_of_single_look_ups(rng):
    sums = rng.exponential(size=GAME.n_slots).astype(np.float32)
    sums[: GAME.n_slots // 2] = 0.0
    blueprint = quantize(GAME, sums, 16)[0]
    whole = blueprint.probabilities()
    for node in GAME.graph.decisions:
        c = GAME.classes[node]
        for bucket in range(int(GAME.n_buckets[c])):
            width = int(GAME.n_actions[c])
            start = int(GAME.offsets[c]) + width * bucket
            known = blueprint.at(int(node), bucket)
            expected = np.full(width, 1.0 / width) if known is None else known
            np.testing.assert_allclose(whole[start : start + width], expected)


def test_what_is_no_strategy_of_the_game_is_refused():
    with pytest.raises(StrategyError, match="do not fit"):
        Blueprint(GAME, np.zeros(3, np.uint8), 0)
    with pytest.raises(StrategyError, match="do not fit"):
        Blueprint(GAME, np.zeros(GAME.n_slots), 0)
    with pytest.raises(StrategyError, match="8 or 16 bits, not 7"):
        quantize(GAME, np.zeros(GAME.n_slots, np.float32), 7)


def test_visited_is_what_has_regrets_and_trained_what_has_averages():
    regrets = np.array([0, 0, -1, 0, 0, 0], np.float32)
    averages = np.array([0, 0, 0, 0, 0, 2], np.float32)
    counts = np.zeros(2, np.int64)
    starts, widths, steps = np.array([0, 2, 4]), np.array([2, 2, 2]), np.array([1, 1, 1])
    count_reached(regrets, averages, starts, widths, steps, counts)
    assert counts[N_VISITED] == 2
    assert counts[N_TRAINED] == 1


def test_actions_that_lie_apart_belong_together():
    # Slots 0 and 3, 1 and 4, 2 and 5 are information sets; the second has a regret alone.
    regrets = np.array([0, 0, 0, 0, -1, 0], np.float32)
    averages = np.array([0, 0, 0, 0, 0, 2], np.float32)
    counts = np.zeros(2, np.int64)
    starts, widths, steps = np.array([0, 1, 2]), np.array([2, 2, 2]), np.array([3, 3, 3])
    count_reached(regrets, averages, starts, widths, steps, counts)
    assert counts[N_VISITED] == 2
    assert counts[N_TRAINED] == 1


def test_averages_may_lie_action_by_action(rng):
    sums = rng.random(GAME.n_slots)
    moved = np.empty_like(sums)
    steps = GAME.n_buckets
    for c, first in enumerate(GAME.offsets[:-1]):
        rows = slice(first, GAME.offsets[c + 1])
        moved[rows] = sums[rows].reshape(-1, GAME.n_actions[c]).T.reshape(-1)
    layout = SlotLayout(GAME.offsets[:-1], np.ones_like(steps), steps)
    one, other = quantize(GAME, sums), quantize(GAME, moved, layout=layout)
    assert (one[0].quantized == other[0].quantized).all()
    assert (one[0].visits == other[0].visits).all()
    assert one[1] == other[1]
