"""Joint tables of listed deals, and sequences from labels."""

import numpy as np
import pytest

from counterfold.buckets.histories.history import History
from counterfold.buckets.joint_tables import JointTable, JointTables, build_joint
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards import Deck, StrengthTables
from counterfold.cards.streets import STREETS
from counterfold.errors import AbstractionError
from counterfold.games.holdem import VARIANTS
from counterfold.public.card_maps import TabledCards
from counterfold.public.deals import Dealer
from counterfold.ranges.joint.joint_of_deals import joint_of_deals, number_sequences
from helpers.joint_games import SMALL, small_game


@pytest.mark.parametrize("name", SMALL)
def test_tables_of_deals_are_probabilities(name):
    joint = small_game(name).joint
    for table in (each.values for each in joint.probabilities):
        assert table.sum() == pytest.approx(1.0)
        assert (table >= 0.0).all()
        assert table == pytest.approx(table.T)  # hands may be exchanged
    assert joint.net.values == pytest.approx(-joint.net.values.T)
    assert (np.abs(joint.net.values) <= joint.probabilities[-1].values + 1e-15).all()


@pytest.mark.parametrize("name", SMALL)
def test_a_street_sums_up_to_the_one_before(name):
    joint = small_game(name).joint
    tables = [table.values for table in joint.probabilities]
    for before, table, n in zip(tables, tables[1:], joint.n_buckets[1:], strict=False):
        width = before.shape[0]
        sums = table.reshape(width, n, width, n).sum(axis=(1, 3))
        assert sums == pytest.approx(before)


def test_kuhn_by_hand():
    # Three cards, six deals; the higher card wins.
    joint = small_game("kuhn").joint
    assert joint.probabilities[0].values == pytest.approx((1 - np.eye(3)) / 6)
    assert joint.net.values == pytest.approx(np.sign(np.subtract.outer(range(3), range(3))) / 6)


def test_listed_deals_and_joint_tables_agree(tmp_path):
    # Ten cards, two buckets a street: both count the same deals in their own ways.
    deck = Deck(5, 2)
    history = History(2).build(StrengthLookup(StrengthTables(deck, bins=0, folder=tmp_path)))
    counted = build_joint(history, tmp_path)
    dealer = Dealer(VARIANTS["limit"](deck=deck.name))
    deals = dealer.enumerate()
    listed = joint_of_deals(deals, TabledCards(dealer, history).label(deals), counted.n_buckets)
    assert listed.n_buckets == (2,) * len(STREETS)
    for one, other in zip(listed.probabilities, counted.probabilities, strict=True):
        assert one.values == pytest.approx(other.values, abs=1e-12)
    assert listed.net.values == pytest.approx(counted.net.values, abs=1e-12)


def test_sequences_leave_room_where_a_bucket_has_few_children():
    first = [0, 0, 0, 2, 2]
    second = [9, 4, 4, 7, 7]  # two go on from 0, one from 2
    third = [3, 1, 0, 2, 5]
    labels = np.array([first, second, third], np.int32).T[:, None].repeat(2, axis=1)
    sequences, n_buckets = number_sequences(labels)
    assert n_buckets == (2, 2, 2)
    assert sequences[:, 0].tolist() == [[0, 1, 2], [0, 0, 1], [0, 0, 0], [1, 2, 4], [1, 2, 5]]
    assert (sequences[:, 0] == sequences[:, 1]).all()


def test_sequences_need_labels_that_tell_the_earlier_ones():
    labels = np.array([[[0, 0]], [[1, 0]]], np.int32)
    with pytest.raises(AbstractionError, match="1 labels do not determine the 2"):
        number_sequences(labels)


def test_tables_of_other_sizes_are_refused():
    table = JointTable(np.full((2, 2), 0.25))
    with pytest.raises(AbstractionError, match=r"need tables of 4 by 4, not \(2, 2\)"):
        JointTables((2, 2), (table, table), table)
    with pytest.raises(AbstractionError, match="1 joint tables for 2 streets"):
        JointTables((2, 2), (table,), table)
