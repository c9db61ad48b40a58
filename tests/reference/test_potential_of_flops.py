"""What PsOpti's bucket for potential holds on the flops of a full deck: draws, and nothing made.

Draws are recognized by counting ranks and suits, without the package. On the flop a *flush draw* is
four cards of a suit, one of them in the hand; a *straight draw* lacks one rank, an *open* one can
be completed by two different ranks.
"""

import numpy as np
import pytest

from counterfold.buckets import StrengthLookup
from counterfold.buckets.bucketing import PsOpti
from counterfold.cards import StrengthTables, hand_category, rank_hands

pytestmark = pytest.mark.slow  # half a minute: the flop table of a full deck

N = 10
POTENTIAL = N - 1  # its label before buckets are ordered by strength


class Flops:
    """All classes of hand and flop, with what they have."""

    def __init__(self, source):
        classes = source.strength.isomorphism("flop")
        deals = classes.unindex_many(np.arange(classes.size))
        ranks, suits = (deals // 4).astype(int), deals % 4
        self.weights = classes.weights().astype(int)
        self.weak = source.mean("flop") < 0.5
        self.of_rank = rank_hands(deals)
        hole, board = ranks[:, :2], ranks[:, 2:]
        self.own_pair = (hole[:, 0] == hole[:, 1]) | (hole[:, :, None] == board[:, None]).any(
            (1, 2)
        )
        self.flush_draw = np.zeros(len(deals), bool)
        for suit in range(4):
            held = (suits == suit).sum(axis=1) == 4
            self.flush_draw |= held & (suits[:, :2] == suit).any(axis=1)
        self.straight_outs = count_straight_outs(ranks)

    def share(self, part, whole):
        return self.weights[part & whole].sum() / self.weights[whole].sum()


def count_straight_outs(ranks):
    """Ranks that would complete a straight; an ace is high and low."""
    held = np.zeros((len(ranks), 14), bool)
    np.put_along_axis(held, ranks + 1, True, axis=1)
    held[:, 0] = held[:, 13]
    missing = np.stack([5 - held[:, low : low + 5].sum(axis=1) for low in range(10)], axis=1)
    outs = np.zeros((len(ranks), 14), bool)
    for low in range(10):
        rows = np.flatnonzero(missing[:, low] == 1)
        places = low + np.argmin(held[rows, low : low + 5], axis=1)
        outs[rows, np.where(places == 0, 13, places)] = True
    outs[(missing == 0).any(axis=1)] = False  # made already
    return outs.sum(axis=1)


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    return StrengthLookup(StrengthTables(clusters=None, folder=folder), threads=2)


@pytest.fixture(scope="module")
def flops(source):
    return Flops(source)


def test_straight_outs_of_known_hands():
    ranks = np.array(
        [
            [5, 6, 7, 8, 12],  # 789T: a six and a jack
            [12, 0, 1, 2, 8],  # A234: a five
            [8, 9, 10, 11, 0],  # TJQK: a nine and an ace
            [4, 5, 7, 8, 0],  # 67 9T: an eight
            [5, 6, 7, 8, 9],  # a straight
            [0, 3, 6, 9, 12],
            [2, 4, 5, 6, 8],  # 4 678 T: a five and a nine
        ]
    )
    assert count_straight_outs(ranks).tolist() == [2, 1, 2, 1, 0, 0, 2]


@pytest.mark.parametrize("chance", [0.2, 0.25, 0.3])
def test_no_hand_with_potential_is_made(source, flops, chance):
    """Own cards pair nothing; at most the board has a pair, which all players share."""
    held = PsOpti(N, chance=chance).split(source, "flop") == POTENTIAL
    assert held.any()
    assert not (held & flops.own_pair).any()
    categories = {hand_category(int(rank)) for rank in np.unique(flops.of_rank[held])}
    assert categories == {"high card", "pair"}


def test_draws_have_potential_and_other_weak_hands_hardly(source, flops):
    """Without a draw only high cards are left, nine in ten of them two cards above the board."""
    held = PsOpti(N).split(source, "flop") == POTENTIAL
    draw = flops.flush_draw | (flops.straight_outs > 0)
    assert flops.share(held, flops.weak & (flops.straight_outs >= 2)) > 0.8
    assert flops.share(held, flops.weak & flops.flush_draw) > 0.5
    assert flops.share(held, flops.weak & ~draw) < 0.02
    assert flops.share(draw, held) > 0.75
    assert 0.03 < flops.share(held, np.ones_like(held)) < 0.05


def test_who_must_rise_three_times_in_ten_has_a_flush_or_straight_draw(source, flops):
    held = PsOpti(N, chance=0.3).split(source, "flop") == POTENTIAL
    assert not (held & ~flops.flush_draw & (flops.straight_outs == 0)).any()
    assert 0.3 < flops.share(flops.flush_draw, held) < 0.5
    assert flops.share(flops.straight_outs >= 2, held) > 0.5
