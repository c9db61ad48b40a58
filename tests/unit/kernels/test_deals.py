import numpy as np
import pytest

from counterfold.cards import format_cards, parse_cards
from counterfold.kernels import deals as kernels
from public_games import discard_order

pytestmark = pytest.mark.kernel


def first_of(cards, board):
    first, second = parse_cards(cards)
    return (
        cards[:2]
        if kernels.comes_first(first, second, np.array(parse_cards(board), np.uint8))
        else cards[2:]
    )


@pytest.mark.parametrize(
    ("cards", "board", "first"),
    [
        ("AhKs", "", "Ah"),
        ("KsAh", "2s3s4s", "Ah"),
        ("2c2s", "AcKd3h", "2c"),  # clubs have the ace on the board
        ("2c2s", "AdKs3h", "2s"),
        ("2c2s", "Tc9sAd", "2c"),
        ("2c2s", "9c8cTs", "2s"),
        ("2c2s", "AdKdQd", "2s"),  # nothing tells them apart but the number of the suit
    ],
)
def test_which_card_is_the_first_of_a_discard(cards, board, first):
    assert first_of(cards, board) == first
    assert first_of(cards[2:] + cards[:2], board) == first


def test_the_order_survives_a_renaming_of_suits(rng):
    """Unless the board does not tell the suits of a pair apart."""
    for _ in range(500):
        cards = rng.choice(52, 5, replace=False)
        if rng.random() < 0.8:  # mostly pairs
            cards[1] = cards[0] ^ rng.integers(1, 4)
        if np.unique(cards).size < 5:
            continue
        renamed = rng.permutation(4)
        other = (cards & ~3) + renamed[cards & 3]
        hole, board = cards[:2], cards[2:]
        ranks = [sorted(board[board & 3 == card & 3] >> 2) for card in hole]
        if hole[0] >> 2 == hole[1] >> 2 and ranks[0] == ranks[1]:
            continue
        before = kernels.comes_first(hole[0], hole[1], board)
        assert kernels.comes_first(other[0], other[1], other[2:]) == before


def test_the_order_is_that_of_the_test_oracle(rng):
    for _ in range(300):
        cards = rng.choice(16, 5, replace=False)
        order = discard_order(format_cards(cards[:2]), format_cards(cards[2:]))
        assert first_of(format_cards(cards[:2]), format_cards(cards[2:])) == order[0]


def test_rows_are_picked_with_their_probabilities():
    weights = np.array([0.1, 0.0, 0.4, 0.2, 0.3])
    cumulative = np.cumsum(weights)
    rows = np.empty(100_000, np.int64)
    kernels.pick_rows(cumulative / cumulative[-1], 5, 0, rows)
    # Four standard deviations of a share of 100,000 are below 0.0064.
    assert np.bincount(rows, minlength=5) / rows.size == pytest.approx(weights, abs=0.0064)
    assert not (rows == 1).any()


def test_a_picked_row_depends_on_its_number_alone():
    cumulative = np.linspace(0.01, 1.0, 100)
    rows, part = np.empty(50, np.int64), np.empty(7, np.int64)
    kernels.pick_rows(cumulative, 3, 1000, rows)
    kernels.pick_rows(cumulative, 3, 1020, part)
    assert part.tolist() == rows[20:27].tolist()
    kernels.pick_rows(cumulative, 4, 1020, part)
    assert part.tolist() != rows[20:27].tolist()
