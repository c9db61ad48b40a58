"""Made and drawing hands against plain Python, and as players name them."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterfold.cards import index_pair, parse_cards
from counterfold.cards.pairs import N_PAIRS, PAIR_CARDS
from counterfold.errors import CardError, UnknownNameError
from counterfold.ranges.made_hands import (
    BLOCKED,
    DRAWING_HANDS,
    MADE_HANDS,
    filter_hands,
    find_drawing_hands,
    find_made_hands,
    format_drawing_hand,
)

DECK = range(52)
KINDS = ("straight", "flush", "full house", "quads", "straight flush")


def straight_top(cards):
    """The highest rank of a straight, or None."""
    ranks = {card // 4 for card in cards}
    ranks |= {-1} if 12 in ranks else set()
    tops = [low + 4 for low in range(-1, 9) if {*range(low, low + 5)} <= ranks]
    return max(tops, default=None)


def best_five(cards):
    """The kind of the best five cards if it is a straight or better, by looking at all fives."""
    best = None
    for five in combinations(cards, 5):
        counts = sorted(Counter(card // 4 for card in five).values())
        flush = len({card % 4 for card in five}) == 1
        straight = len(counts) == 5 and straight_top(five) is not None
        found = [straight, flush, counts == [2, 3], counts[-1] == 4, straight and flush]
        kinds = [at for at, true in enumerate(found) if true]
        best = max([at for at in (best, *kinds) if at is not None], default=None)
    return None if best is None else KINDS[best]


def made_hand(hole, board):
    """The name of what `hole` makes."""
    if kind := best_five([*hole, *board]):
        return kind
    own, ranks = [card // 4 for card in hole], [card // 4 for card in board]
    if own[0] == own[1]:
        if own[0] in ranks:
            return "set"
        return "overpair" if own[0] > max(ranks) else "underpair"
    hits = [rank for rank in own if rank in ranks]
    if not hits:
        return "high card"
    if any(ranks.count(rank) == 2 for rank in hits):
        return "trips"
    if len(hits) == 2:
        return "two pair"
    if hits[0] == max(ranks):
        return "top pair"
    return "bottom pair" if hits[0] == min(ranks) else "middle pair"


def has_flush(cards):
    return max(Counter(card % 4 for card in cards).values()) >= 5


def drawing_hand(hole, board):
    """The names of what `hole` may still make, by dealing cards that nobody sees."""
    if len(board) == 5 or best_five([*hole, *board]):
        return set()
    unseen = [card for card in DECK if card not in (*hole, *board)]
    found = set()
    if any(has_flush([*hole, *board, c]) and not has_flush([*board, c]) for c in unseen):
        found.add("flush draw")
    elif len(board) == 3 and any(
        has_flush([*hole, *board, c, d]) and not has_flush([*board, c, d])
        for c, d in combinations(unseen, 2)
        if c % 4 == d % 4
    ):
        found.add("backdoor flush draw")
    completing = set()
    for card in unseen:
        top, shared = straight_top([*hole, *board, card]), straight_top([*board, card])
        if top is not None and (shared is None or top > shared):
            completing.add(card // 4)
    if completing:
        found.add("gutshot" if len(completing) == 1 else "open-ended")
    own, ranks = [card // 4 for card in hole], [card // 4 for card in board]
    if own[0] != own[1] and min(own) > max(ranks):
        found.add("overcards")
    return found


# Close ranks, so that straights, pairs and flushes are common.
BOARDS = st.integers(3, 5).flatmap(
    lambda n: st.lists(st.integers(0, 51), min_size=n, max_size=n, unique=True)
)
CLOSE_BOARDS = st.integers(3, 5).flatmap(
    lambda n: st.lists(st.integers(20, 43), min_size=n, max_size=n, unique=True)
)


@settings(deadline=None, max_examples=40)
@given(BOARDS | CLOSE_BOARDS, st.data())
def test_hands_are_named_as_in_plain_python(board, data):
    made, drawing = find_made_hands(board), find_drawing_hands(board)
    for pair in data.draw(st.lists(st.integers(0, N_PAIRS - 1), min_size=20, max_size=20)):
        hole = PAIR_CARDS[pair].tolist()
        if {*hole} & {*board}:
            assert made[pair] == drawing[pair] == BLOCKED
            continue
        assert MADE_HANDS[made[pair]] == made_hand(hole, board)
        names = {word for word, bit in DRAWING_HANDS.items() if drawing[pair] & bit}
        assert names == drawing_hand(hole, board)


@pytest.mark.parametrize("board", ["Td9d6h", "Td9d6hQc", "Td9d6hQc7s", "9s9h4d", "5s6s7s8s"])
def test_whole_boards_are_named_as_in_plain_python(board):
    cards = parse_cards(board)
    made = find_made_hands(cards)
    for pair in range(0, N_PAIRS, 7):
        hole = PAIR_CARDS[pair].tolist()
        if not {*hole} & {*cards}:
            assert MADE_HANDS[made[pair]] == made_hand(hole, cards)
    assert (made == BLOCKED).sum() == N_PAIRS - (52 - len(cards)) * (51 - len(cards)) // 2


@pytest.mark.parametrize(
    ("hand", "board", "made", "drawing"),
    [
        ("AhKs", "Qd7c2s", "high card", "overcards"),
        ("AhQs", "Qd7c2s", "top pair", "no draw"),
        ("Ah7s", "Qd7c2s", "middle pair", "no draw"),
        ("Ah2h", "Qd7c2s", "bottom pair", "no draw"),
        ("AhAs", "Qd7c2s", "overpair", "no draw"),
        ("9h9s", "Qd7s2s", "underpair", "backdoor flush draw"),
        ("Qh7s", "Qd7c2s", "two pair", "no draw"),
        ("7h7s", "Qd7c2s", "set", "no draw"),
        ("Ah9c", "9s9h4d", "trips", "no draw"),
        ("AhKc", "9s9h4d", "high card", "overcards"),
        ("Ac4c", "9s9h4d", "bottom pair", "no draw"),
        ("TcTd", "9s9h4d", "overpair", "no draw"),
        ("8c8d", "9s9h4d", "underpair", "no draw"),
        ("9c4c", "9s9h4d", "full house", "no draw"),
        ("9c9d", "9s9h4d", "quads", "no draw"),
        ("JhTh", "9h8h2c", "high card", "flush draw, open-ended, overcards"),
        ("QhJh", "9h8h2c", "high card", "flush draw, gutshot, overcards"),
        ("JcTd", "9h8h7c", "straight", "no draw"),
        ("Ac2d", "3h4h9c", "high card", "gutshot"),
        ("AcTd", "KhQh9c", "high card", "gutshot"),
        ("9cTd", "7hJhKc", "high card", "open-ended"),
        ("Ac2d", "KhQhJcTs9d", "straight", "no draw"),
        ("AhKh", "2h7h9h", "flush", "no draw"),
        ("AhKs", "2h7h9h", "high card", "flush draw, overcards"),
        ("8h9h", "5h6h7h", "straight flush", "no draw"),
        ("AcKd", "5s6h7d8c", "high card", "overcards"),
        ("AcTd", "5s6h7d8c", "high card", "gutshot, overcards"),
    ],
)
def test_what_players_call_them(hand, board, made, drawing):
    cards, pair = parse_cards(board), index_pair(*parse_cards(hand))
    assert MADE_HANDS[find_made_hands(cards)[pair]] == made
    assert format_drawing_hand(int(find_drawing_hands(cards)[pair])) == drawing


def named(board, text):
    return {
        frozenset(PAIR_CARDS[pair].tolist()) for pair in np.flatnonzero(filter_hands(board, text))
    }


def hands(*texts):
    return {frozenset(parse_cards(text)) for text in texts}


def test_filters_join_words():
    board = parse_cards("Qd7c2s")
    assert named(board, "set") == hands(
        *("QcQh", "QcQs", "QhQs", "7d7h", "7d7s", "7h7s", "2c2d", "2c2h", "2d2h")
    )
    assert named(board, "Set, Two Pair") == named(board, "set") | named(board, "two pair")
    assert named(board, "top pair+") == set().union(
        *(named(board, word) for word in MADE_HANDS[MADE_HANDS.index("top pair") :])
    )
    suited = parse_cards("Qd7d2s")
    top = named(suited, "top pair with flush draw")
    assert top == named(suited, "top pair") & named(suited, "flush draw")
    assert frozenset(parse_cards("QhAd")) not in top
    assert named(board, "no draw") & named(board, "overcards") == set()
    assert filter_hands(board, "high card, underpair+").sum() == 49 * 48 // 2


@pytest.mark.parametrize("text", ["top pairs", "", "flush draw+", "set,", "top pair & set"])
def test_words_that_are_not_known(text):
    with pytest.raises(UnknownNameError, match="unknown made hand, draw or suit"):
        filter_hands(parse_cards("Qd7c2s"), text)


@pytest.mark.parametrize("board", ["", "Qd7c", "Qd7c2s3h4h5h"])
def test_boards_that_make_no_hands(board):
    with pytest.raises(CardError, match="cards makes no hands; it must have 3, 4 or 5"):
        find_made_hands(parse_cards(board))


def test_hands_are_filtered_by_suit_and_by_card():
    board = parse_cards("Td9d6h")

    def found(text, board=board):
        return {tuple(cards) for cards in PAIR_CARDS[filter_hands(board, text)].tolist()}

    free = [pair for pair in combinations(DECK, 2) if not {*pair} & {*board}]
    assert found("suited") == {pair for pair in free if pair[0] % 4 == pair[1] % 4}
    assert found("offsuit") == {pair for pair in free if pair[0] % 4 != pair[1] % 4}
    for number, suit in enumerate(("clubs", "diamonds", "hearts", "spades")):
        assert found(suit) == {pair for pair in free if number in (pair[0] % 4, pair[1] % 4)}
    (ace,) = parse_cards("Ah")
    assert found("Ah") == {pair for pair in free if ace in pair}
    both = {pair for pair in found("set") if any(card % 4 == 2 for card in pair)}
    assert found("set with hearts") == both
    assert len(found("suited", ())) == 4 * 78  # before the flop, too
    with pytest.raises(CardError, match="makes no hands"):
        filter_hands((), "set with hearts")
