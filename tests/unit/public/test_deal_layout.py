"""Where the cards of a deal lie, and every way to deal them."""

from math import comb, perm

import pytest

from counterfold.games.holdem import VARIANTS, Auction, Deal, Discard, Street, Swap, Variant
from counterfold.public import deals_kernels
from counterfold.public.deal_layout import SWAPPED, deal_groups, lay_out, list_groups
from counterfold.public.stages import card_stages


def layout_of(variant):
    return lay_out(variant, card_stages(variant))


def variant(*steps, hole_cards=2):
    streets = (Street(first=0), Street(3, steps=steps), Street(1))
    return Variant("made", streets, stack=20, hole_cards=hole_cards)


def test_hole_cards_and_board_come_first():
    layout = layout_of(VARIANTS["nolimit"]())
    assert (layout.n_columns, layout.hole_cards, layout.board_cards) == (9, 2, 5)
    assert layout.swaps.size == 0


def test_a_run_has_a_column_for_each_card_that_may_come():
    made = VARIANTS["river-of-blood"](deck="QKA/cd", board=(1,))
    assert layout_of(made).n_columns == 4 + 1 + made.max_runs


@pytest.mark.parametrize(
    ("made", "odds"),
    [
        (VARIANTS["discard"](), [1.0] * 4),  # a card for each seat at each draw
        (VARIANTS["swap"](), [0.1] * 4 + [0.05] * 4),
        (VARIANTS["auction"](), [1.0] * 2),
        (VARIANTS["toss"](), []),
        (variant(Deal(holes=(1, 2))), [1.0] * 3),
        (variant(Auction(prize="look")), []),
        (variant(Discard(count=2), hole_cards=3), [1.0] * 4),
    ],
    ids=lambda each: each.name if isinstance(each, Variant) else "",
)
def test_cards_that_may_come_later_have_their_chances(made, odds):
    layout = layout_of(made)
    assert layout.swaps.tolist() == odds
    assert layout.n_columns == 2 * made.hole_cards + made.board_cards_dealt + len(odds)


def test_hand_cells_are_counted_over_stages():
    stages = card_stages(VARIANTS["discard"]())
    layout = lay_out(VARIANTS["discard"](), stages)
    assert layout.stages[:, deals_kernels.STAGE_PATHS].tolist() == [1, 1, 3, 3, 9, 9]
    assert layout.stages[:, deals_kernels.STAGE_CELL].tolist() == [0, 1, 2, 5, 8, 17]


@pytest.mark.parametrize(
    ("made", "groups"),
    [
        (VARIANTS["nolimit"](), []),
        (VARIANTS["discard"](), [1, 1, 1, 1]),
        (variant(Swap(0.1)), [SWAPPED] * 4),
        (variant(Deal(holes=(1, 2))), [1, 2]),
        (variant(Discard(count=2), hole_cards=3), [1, 1, 1, 1]),
        (variant(Discard(count=2, forced=True), hole_cards=3), [2, 2]),
    ],
    ids=["plain", "draws", "swaps", "deal", "up to two", "two"],
)
def test_cards_that_come_together_are_a_group(made, groups):
    assert list_groups(layout_of(made)) == groups


@pytest.mark.parametrize(
    ("groups", "n"),
    [
        ([1, 1, 1], perm(6, 3)),
        ([2, 1], comb(6, 2) * 4),
        ([2, 2], comb(6, 2) * comb(4, 2)),
        ([SWAPPED, 1], 6 + 6 * 5),
        ([SWAPPED, SWAPPED], 1 + 6 + 6 + 6 * 5),
    ],
)
def test_every_way_to_deal_is_listed_once(groups, n):
    dealt = [tuple(cards) for cards in deal_groups(list(range(6)), groups)] if groups else []
    assert len(dealt) == len({*dealt}) == n
    for cards in dealt:
        real = [card for card in cards if card != deals_kernels.NO_CARD]
        assert len({*real}) == len(real)
