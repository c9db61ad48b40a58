import itertools

import numpy as np
import pytest

from counterfold.cards import format_card, parse_cards
from counterfold.games import parse_game
from counterfold.public import deals_kernels
from counterfold.public.deals import Dealer
from helpers.public_games import first_discards


def discard_first_of(hands):
    discard_first = np.empty(len(hands), np.int8)
    deals_kernels.order_by_rank(hands, 2, discard_first)
    return discard_first


@pytest.mark.parametrize(
    ("cards", "board", "first"),
    [
        ("AhKs", "", "Ks"),
        ("KsAh", "2s3s4s", "Ks"),
        ("2c2s", "AcKd3h", "2s"),  # clubs have the ace on the board
        ("2c2s", "AdKs3h", "2c"),
        ("2c2s", "Tc9sAd", "2s"),
        ("2c2s", "9c8cTs", "2c"),
    ],
)
def test_which_card_is_the_first_of_a_discard(cards, board, first):
    hole, board = parse_cards(cards), parse_cards(board)
    hands = np.array([[*hole, *board], [*hole[::-1], *board]], np.uint8)
    assert [
        format_card(hand[place]) for hand, place in zip(hands, discard_first_of(hands), strict=True)
    ] == [first] * 2


def test_the_order_survives_a_renaming_of_suits(rng):
    """Unless the board does not tell the suits of a pair apart."""
    hands = np.array([rng.choice(52, 5, replace=False) for _ in range(2000)], np.uint8)
    pairs = rng.random(len(hands)) < 0.7
    hands[pairs, 1] = hands[pairs, 0] ^ rng.integers(1, 4, pairs.sum())
    hands = hands[[np.unique(hand).size == 5 for hand in hands]]
    renamed = np.array([(hand & 252) + rng.permutation(4)[hand & 3] for hand in hands], np.uint8)
    places, others = discard_first_of(hands), discard_first_of(renamed)
    told = 0
    for hand, place, other in zip(hands, places, others, strict=True):
        possible = first_discards(hand[:2].tolist(), hand[2:].tolist())
        assert hand[place] in possible
        if len(possible) == 1:
            told += 1
            assert place == other
    assert told > 1000


def test_rows_are_picked_with_their_probabilities():
    weights = np.array([0.1, 0.0, 0.4, 0.2, 0.3])
    cumulative = np.cumsum(weights)
    rows = np.empty(100_000, np.int64)
    deals_kernels.pick_rows(cumulative / cumulative[-1], 5, 0, rows)
    # Four standard deviations of a share of 100,000 are below 0.0064.
    assert np.bincount(rows, minlength=5) / rows.size == pytest.approx(weights, abs=0.0064)
    assert not (rows == 1).any()


def test_a_picked_row_depends_on_its_number_alone():
    cumulative = np.linspace(0.01, 1.0, 100)
    rows, part = np.empty(50, np.int64), np.empty(7, np.int64)
    deals_kernels.pick_rows(cumulative, 3, 1000, rows)
    deals_kernels.pick_rows(cumulative, 3, 1020, part)
    assert part.tolist() == rows[20:27].tolist()
    deals_kernels.pick_rows(cumulative, 4, 1020, part)
    assert part.tolist() != rows[20:27].tolist()


def test_bounties_depend_on_the_number_of_a_deal_alone():
    ranks = np.arange(13, dtype=np.int64)
    whole, late = np.empty((60, 2), np.int8), np.empty((30, 2), np.int8)
    deals_kernels.draw_bounties(ranks, 7, 5, 0, whole)
    deals_kernels.draw_bounties(ranks, 7, 5, 30, late)
    assert (whole[30:] == late).all()
    assert (whole[:6:2] == whole[0]).all()  # the same pgivers, in the same seats
    assert (whole[1:7:2] == whole[0, ::-1]).all()  # and exchanged
    assert len(np.unique(whole[::14], axis=0)) > 1


@pytest.mark.parametrize("name", ["toss(deck='9TJQKA/cd', board=(2,))", "toss(hole_cards=4)"])
def test_who_lays_a_card_has_all_others_left_and_the_other_seat_all(name):
    dealer = Dealer(parse_game(name))
    deals = dealer.sample(3, 0, 20)
    n_held = {0: dealer.variant.hole_cards, 1: dealer.variant.hole_cards}
    n_checked = 0
    for before, row in itertools.pairwise(dealer.layout.stages):
        if row[deals_kernels.STAGE_GIVER] == deals_kernels.NO_SEAT:
            continue
        giver, n_choices = int(row[deals_kernels.STAGE_GIVER]), row[deals_kernels.STAGE_CHOICES]
        n_held[giver] -= 1
        for i, path in itertools.product(range(20), range(row[deals_kernels.STAGE_PATHS])):
            cell = row[deals_kernels.STAGE_CELL] + path
            parent = before[deals_kernels.STAGE_CELL] + path // n_choices
            gone = deals.laid[i, cell, row[deals_kernels.STAGE_LAID] - 1]
            assert gone == deals.holes[i, giver, parent, path % n_choices]
            for seat in (0, 1):
                old, new = held(deals.holes[i, seat, parent]), held(deals.holes[i, seat, cell])
                assert new == (old - {gone} if seat == giver else old)
                assert len(new) == n_held[seat]
            n_checked += 1
    assert n_checked > 100


def held(cards):
    return {*cards.tolist()} - {deals_kernels.NO_CARD}


@pytest.mark.parametrize("board", [0, 2])
def test_hands_are_joined_with_their_boards(board):
    rng = np.random.default_rng(2)
    cards = rng.integers(0, 52, (5, 9)).astype(np.uint8)
    holes = rng.integers(0, 52, (5, 2, 6, 3)).astype(np.uint8)[:, :, 1:4]  # cells of one stage
    hands = np.zeros((5, 2, 3, 3 + board), np.uint8)
    deals_kernels.join_cards(cards, holes, 4, hands)
    for n, seat, hand_cell in np.ndindex(5, 2, 3):
        expected = [*holes[n, seat, hand_cell], *cards[n, 4 : 4 + board]]
        assert hands[n, seat, hand_cell].tolist() == expected
