from itertools import pairwise

import numpy as np
import pytest

from counterfold.errors import AbstractionError
from counterfold.public import deals_kernels
from counterfold.public.enumerated_cards import EnumeratedPercentile, parse_enumerated, remember
from helpers.small_recipes import DISCARD, RIVER_OF_BLOOD, plan

VARIANTS = ["leduc-variant", DISCARD, RIVER_OF_BLOOD]


def hand_cells_of(made, at):
    stage = made.dealer.layout.stages[at]
    first = int(stage[deals_kernels.STAGE_CELL])
    return slice(first, first + int(stage[deals_kernels.STAGE_PATHS]))


def test_names_are_read_back():
    for spec in (EnumeratedPercentile(4), EnumeratedPercentile(2, "sequence")):
        assert parse_enumerated(spec.name) == spec
    assert parse_enumerated(" listed-percentile( 3 , recall = sequence ) ").recall == "sequence"
    assert parse_enumerated("percentile(3)") is None


@pytest.mark.parametrize(
    "text", ["listed-percentile", "listed-percentile(0)", "listed-percentile(a)"]
)
def test_bad_names_are_refused(text):
    with pytest.raises(AbstractionError):
        parse_enumerated(text)


@pytest.mark.parametrize("variant", VARIANTS)
def test_buckets_follow_the_expected_result(variant):
    """Counted by hand, deal by deal, at the first stage: nobody has seen anything but its cards."""
    made = plan(variant=variant, cards="listed-percentile(3)")
    deals, exact = made.exact
    cards = made.cards()
    labels, known = cards.label(deals)[:, :, 0], exact.label(deals)[:, :, 0]
    sums, totals = {}, {}
    for deal in range(len(deals)):
        for seat in (0, 1):
            own, other = deals.strengths[deal, seat, 0], deals.strengths[deal, 1 - seat, 0]
            score = 0.5 if own == other else float(own > other)
            hand = int(known[deal, seat])
            sums[hand] = sums.get(hand, 0.0) + score * deals.weights[deal]
            totals[hand] = totals.get(hand, 0.0) + deals.weights[deal]
    bucket = {int(h): int(b) for h, b in zip(known.ravel(), labels.ravel(), strict=True)}
    results = sorted((sums[hand] / totals[hand], bucket[hand]) for hand in bucket)
    found = [number for _, number in results]
    assert found == sorted(found)
    for (low, one), (high, two) in pairwise(results):
        if high - low < 1e-9:
            assert one == two  # equal hands are not torn apart


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("recall", ["current", "sequence"])
def test_buckets_are_counted_and_coarser_than_exact_cards(variant, recall):
    made = plan(variant=variant, cards=f"listed-percentile(3, recall={recall})")
    deals, exact = made.exact
    cards = made.cards()
    labels, known = cards.label(deals), exact.label(deals)
    for at, (n, most) in enumerate(zip(cards.n_buckets, exact.n_buckets, strict=True)):
        dealt = deals.lengths >= made.dealer.layout.stages[at][deals_kernels.STAGE_STREET]
        found, fine = (
            labels[dealt][:, :, hand_cells_of(made, at)],
            known[dealt][:, :, hand_cells_of(made, at)],
        )
        np.testing.assert_array_equal(np.unique(found), np.arange(n))
        assert n <= most
        assert recall == "sequence" or n <= 3
        first = np.full(most, -1)
        first[fine.ravel()] = found.ravel()
        np.testing.assert_array_equal(first[fine], found)  # one bucket for what a player has seen


@pytest.mark.parametrize("variant", VARIANTS)
def test_exact_cards_have_nothing_more_to_remember(variant):
    made = plan(variant=variant)
    deals, exact = made.exact
    _, counts = remember(made.dealer, deals, exact.label(deals))
    assert counts == exact.n_buckets


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("recall", ["current", "sequence"])
def test_any_deals_are_labeled_like_the_listed_ones(variant, recall):
    made = plan(variant=variant, cards=f"listed-percentile(3, recall={recall})")
    deals, _ = made.exact
    cards = made.cards()
    rows = np.arange(0, len(deals), 7)
    some = made.dealer.complete(deals.cards[rows], deals.lengths[rows], deals.weights[rows])
    expected, found = cards.label(deals)[rows], cards.label(some)
    for at, stage in enumerate(made.dealer.layout.stages):
        dealt = some.lengths >= stage[deals_kernels.STAGE_STREET]
        hand_cells = hand_cells_of(made, at)
        np.testing.assert_array_equal(
            found[dealt][:, :, hand_cells], expected[dealt][:, :, hand_cells]
        )
