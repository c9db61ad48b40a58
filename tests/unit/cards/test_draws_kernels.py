"""Backward induction over discards against plain enumeration in fractions, and on full boards."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfold.cards import (
    FULL,
    Deck,
    draws_kernels,
    parse_card,
    parse_cards,
    rank_hands,
    strength_kernels,
)
from counterfold.cards.draws import DrawStrength, DrawTables
from counterfold.cards.draws_kernels import KEEP_BOTH, comes_first
from counterfold.cards.ranking_kernels import rank_tables
from counterfold.cards.strength import StrengthTables
from helpers.naive.naive_strength import draws, options

FOUR_SUITS, THREE_SUITS, TWO_SUITS = Deck((2, 7, 12), 4), Deck((0, 5, 9, 12), 3), Deck(6, 2)
FLOAT32 = 6e-8  # half a unit in the last place, and some
TIE = 1e-9  # far more than sums of 49 doubles lose, far less than one showdown of any deck counts


def tabulate(street, deck, boards=None, scratch=None):
    """The table of a street, filled for `boards` or for all."""
    tables = DrawTables(deck)
    classes = tables.isomorphism(street)
    if boards is None:
        boards = StrengthTables(deck).boards(street)
    spec = tables.spec(street)
    arrays = {name: np.zeros(c.shape, c.dtype) for name, c in spec.columns.items()}
    kernel = (
        draws_kernels.tabulate_flop_draws if street == "flop" else draws_kernels.tabulate_turn_draws
    )
    kernel(
        np.array(boards, np.uint8),
        0,
        len(boards),
        deck.cards,
        rank_tables(),
        classes.tables,
        scratch or draws_kernels.make_draw_scratch(deck.n_cards),
        *arrays.values(),
    )
    after = arrays.get("after")
    return DrawStrength(street, classes, arrays["before"], after, arrays["choice"], arrays["outs"])


def check_class(table, deck, c):
    """Value, choice and outs of one class."""
    deal = tuple(table.isomorphism.unindex(c).tolist())
    hole, board = deal[:2], deal[2:]
    cards = tuple(deck.cards.tolist())
    values = options(hole, board, cards)
    keep, *discards = values
    assert table.before[c] == pytest.approx(float(max(values)), abs=FLOAT32)
    if table.after is not None:
        assert table.after[c] == pytest.approx(float(keep), abs=FLOAT32)

    swap = not comes_first(*hole, np.array(board, np.uint8))
    named = [keep, *(reversed(discards) if swap else discards)]  # as the kernel counts
    assert named[table.choice[c]] >= max(values) - TIE
    if keep >= max(discards):
        assert table.choice[c] == KEEP_BOTH or keep <= max(discards) + TIE

    # Of two discards that are equally good either may be the one whose outs are counted.
    bounds = []
    for card, value in zip(hole, discards, strict=True):
        if value >= max(discards) - TIE:
            drawn = draws(hole, board, cards, card)
            bounds.append((sum(v > keep + TIE for v in drawn), sum(v > keep - TIE for v in drawn)))
    assert any(low <= table.outs[c] <= high for low, high in bounds)


@pytest.mark.parametrize(
    ("street", "deck", "n"),
    [
        ("turn", FOUR_SUITS, 705),  # all
        ("turn", THREE_SUITS, 300),
        ("turn", TWO_SUITS, 300),
        ("turn", Deck(6, 3), 10),
        ("flop", FOUR_SUITS, 30),
        ("flop", THREE_SUITS, 10),
        ("flop", TWO_SUITS, 10),
    ],
    ids=lambda case: getattr(case, "name", str(case)).replace("/", "-"),
)
def test_values_choices_and_outs_are_those_of_plain_backward_induction(street, deck, n):
    table = tabulate(street, deck)
    classes = table.isomorphism
    assert n <= classes.size
    for c in np.random.default_rng(n).choice(classes.size, n, replace=False).tolist():
        check_class(table, deck, c)


@pytest.mark.slow
@pytest.mark.parametrize("deck", [FOUR_SUITS, THREE_SUITS], ids=lambda deck: str(deck.suits))
@pytest.mark.parametrize("street", ["flop", "turn"])
def test_all_classes_of_a_small_deck(street, deck):
    table = tabulate(street, deck)
    for c in range(table.isomorphism.size):
        check_class(table, deck, c)


@pytest.mark.parametrize("street", ["flop", "turn"])
def test_boards_leave_nothing_behind_in_scratch_memory(street):
    scratch = draws_kernels.make_draw_scratch(THREE_SUITS.n_cards)
    boards = StrengthTables(THREE_SUITS).boards(street)[:30]
    first = tabulate(street, THREE_SUITS, boards, scratch)
    again = tabulate(street, THREE_SUITS, boards[::-1], scratch)
    for name in ("before", "choice", "outs"):
        assert np.array_equal(getattr(first, name), getattr(again, name))
    assert not scratch.counts.any()
    assert not scratch.marks.any()


@st.composite
def deals(draw):
    """Two hole cards, often a pair, and a board."""
    hole = draw(st.permutations(range(8)))[:2] if draw(st.booleans()) else [0, 1]
    rank = draw(st.integers(0, 11))
    hole = [4 * rank + card for card in hole]
    others = st.lists(st.integers(0, 51), min_size=3, max_size=4, unique=True)
    return hole, draw(others.filter(lambda board: not set(board) & set(hole)))


@given(deals(), st.permutations(range(4)), st.randoms(use_true_random=False))
def test_which_card_comes_first_does_not_depend_on_the_names_of_suits(deal, suits, random):
    (a, b), board = deal

    def rename(card):
        return card // 4 * 4 + suits[card % 4]

    other = [rename(card) for card in board]
    random.shuffle(other)
    first = comes_first(a, b, np.array(board, np.uint8))
    assert comes_first(rename(a), rename(b), np.array(other, np.uint8)) == first

    # Asked the other way round, the answer is the other one, unless the cards are interchangeable.
    of_suit = [sorted(card // 4 for card in board if card % 4 == own % 4) for own in (a, b)]
    interchangeable = a // 4 == b // 4 and of_suit[0] == of_suit[1]
    assert (comes_first(b, a, np.array(board, np.uint8)) == first) == interchangeable
    if a // 4 != b // 4:
        assert first == (a // 4 < b // 4)


def full_turn_options(hole, board):
    """E[HS] of keeping and of either discard with 52 cards: one river after the other."""
    left = [card for card in range(52) if card not in (*hole, *board)]
    sums, counts = np.zeros(3), np.zeros(3)
    for river in left:
        rest = np.array([card for card in left if card != river])
        others = rest[np.array(list(combinations(range(len(rest)), 2)))]
        theirs = ranks_on((*board, river), others)
        own = ranks_on((*board, river), np.array([hole]))
        sums[0] += (np.sign(own - theirs) + 1).sum()
        counts[0] += 2 * len(others)
        for side in range(2):
            drawn = np.stack([np.full(len(rest), hole[1 - side]), rest], axis=1)
            points = np.sign(ranks_on((*board, river), drawn)[:, None] - theirs) + 1
            free = (rest[:, None, None] != others).all(axis=2)  # the drawn card is not theirs
            sums[1 + side] += points[free].sum()
            counts[1 + side] += 2 * free.sum()
    return sums / counts


def ranks_on(board, hands):
    return rank_hands(np.hstack([hands, np.tile(board, (len(hands), 1))])).astype(int)


@pytest.mark.parametrize(
    ("hand", "board"), [("2d7c", "QhKdAs9s"), ("8h9h", "2h7hTcTd"), ("6c6d", "5d8dJcJs")]
)
def test_a_turn_of_the_full_deck_against_all_draws_rivers_and_opponents(hand, board):
    hole, cards = parse_cards(hand), parse_cards(board)
    table = tabulate("turn", FULL, [cards])
    c = table.isomorphism.index([*hole, *cards])
    values = full_turn_options(hole, cards)
    assert table.before[c] == pytest.approx(values.max(), abs=FLOAT32)
    discard = table.discard(hole, cards)
    assert values[[None, *hole].index(discard)] == values.max()


FLOPS = ("AsKdQh", "7h8h9h", "Ah7c2d")


@pytest.fixture(scope="module")
def flops():
    return tabulate("flop", FULL, [parse_cards(board) for board in FLOPS])


@pytest.mark.parametrize(
    ("hand", "board", "discard"),
    [
        ("7c2d", "AsKdQh", "2d"),  # nothing: the lower card
        ("2d7c", "AsKdQh", "2d"),
        ("AcAd", "AsKdQh", None),  # three aces
        ("AcAd", "Ah7c2d", None),
        ("KcQd", "Ah7c2d", "Qd"),
        ("JhTh", "7h8h9h", None),  # a straight flush
        ("Ah2c", "7h8h9h", "2c"),  # four hearts, and a card that is no heart
        ("2cAh", "7h8h9h", "2c"),
    ],
)
def test_discards_on_full_flops_make_sense(flops, hand, board, discard):
    hole, cards = parse_cards(hand), parse_cards(board)
    assert flops.discard(hole, cards) == (parse_card(discard) if discard else None)


def test_the_best_possible_hand_is_kept_and_always_wins(flops):
    c = flops.isomorphism.index(parse_cards("JhTh7h8h9h"))
    assert (flops.before[c], flops.after[c], flops.outs[c]) == (1.0, 1.0, 0)


def test_values_on_full_flops_are_in_order(flops):
    """Before >= after >= E[HS], since whoever may discard may also keep."""
    tables = StrengthTables(bins=0)
    spec = tables.spec("flop")
    arrays = {name: np.zeros(c.shape, c.dtype) for name, c in spec.columns.items()}
    boards = np.array([parse_cards(board) for board in FLOPS], np.uint8)
    none = np.zeros(0, np.uint8)
    strength_kernels.tabulate_boards(
        boards,
        0,
        len(boards),
        FULL.cards,
        rank_tables(),
        tables.isomorphism("flop").tables,
        none,
        none,
        strength_kernels.make_scratch(52, 5, 0, none),
        arrays["sums"],
        arrays["squares"],
        np.zeros((0, 0), np.uint16),
        np.zeros((0, 0), np.float32),
    )
    known = np.flatnonzero(flops.before)
    assert len(known) == len(np.flatnonzero(arrays["sums"]))
    mean = arrays["sums"][known] / (2 * 1081 * 990)
    assert (flops.before[known] >= flops.after[known]).all()
    assert (flops.after[known] >= mean - FLOAT32).all()
    assert (flops.before[known] <= 1).all()
    kept = flops.choice[known] == KEEP_BOTH
    assert (flops.before[known] == flops.after[known])[kept].all()
    assert 0.1 < kept.mean() < 0.9
    assert (flops.outs[known] <= 47).all()
    assert (flops.outs[known] > 0)[~kept].all()  # who discards hopes for something
