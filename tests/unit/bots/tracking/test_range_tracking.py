"""Buckets of all hands on the boards of deals, against those of one hand at a time."""

import numpy as np
import pytest

from counterfold.bots.tracking.range_tracking import LabeledHands
from counterfold.public.deals_kernels import STAGE_BOARD, STAGE_STREET


@pytest.mark.parametrize(
    "name", ["nolimit", "nolimit-listed", "river-of-blood", "discard", "discard-tabled"]
)
def test_every_hand_has_its_bucket_as_long_as_it_is_possible(small_runs, name, rng):
    run = small_runs[name]
    dealer = run.plan.dealer
    deals = dealer.sample(1, 0, 12)
    labeled = LabeledHands(dealer, run.cards)
    h = dealer.layout.hole_cards
    boards = deals.cards[:, 2 * h :]
    labels, orders = labeled.label(boards, deals.lengths), labeled.order(boards)
    n_checked = 0
    for i in range(len(deals)):
        board = deals.cards[i, 2 * h :].tolist()
        for at, stage in enumerate(dealer.layout.stages.tolist()):
            if stage[STAGE_STREET] > deals.lengths[i]:
                continue
            here = board[: stage[STAGE_BOARD]]
            for k in rng.choice(len(labeled.hands.cards), 5):
                hand = labeled.hands.cards[k].tolist()
                if {*hand} & {*here}:
                    continue
                path = [(hand, board[: s[STAGE_BOARD]]) for s in dealer.layout.stages[: at + 1]]
                assert labels[i, at, k] == run.cards.bucket(path)
                if dealer.stages[at].before_draw:
                    assert orders[i, at, k] == dealer.order.first(hand, here)
                n_checked += 1
    assert n_checked > 50


def test_hands_are_numbered_in_the_order_of_their_cards(small_runs):
    hands = LabeledHands(small_runs["nolimit"].plan.dealer, small_runs["nolimit"].cards).hands
    assert hands.cards.tolist() == sorted(hands.cards.tolist())
    assert len(np.unique(hands.bits)) == len(hands.cards) == 28
