"""Margins of a hand over all others, against equities."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from counterfold.bots.tracking.deck_hands import list_hands
from counterfold.cards import equity, format_cards, parse_cards, rank
from counterfold.games.holdem import VARIANTS
from counterfold.jit.random import stream_key
from counterfold.public.choices_kernels import count_choices
from counterfold.responses.responder import run_out_room, showdowns_of
from counterfold.responses.run_out_kernels import (
    N_DRAWN_BOARDS,
    draw_board,
    find_margins,
    list_left,
)

VARIANT = VARIANTS["nolimit"]()
HANDS, SHOWDOWNS = list_hands(VARIANT), showdowns_of(VARIANT)


def number(text):
    cards = sorted(parse_cards(text))
    return next(h for h, hand in enumerate(HANDS.cards.tolist()) if hand == cards)


def margins(hole, board, key=5, n_draws=0):
    cards = np.array(parse_cards(board), np.uint8)
    held = np.array(parse_cards(hole), np.uint8)
    masks = sum(1 << (16 * (card & 3) + (card >> 2)) for card in held.tolist())
    seen = sum(1 << card for card in [*held.tolist(), *cards.tolist()])
    found = np.full(len(HANDS.cards), np.nan)
    room = run_out_room(HANDS, SHOWDOWNS)
    find_margins(
        HANDS, SHOWDOWNS, cards, cards.size, masks, n_draws, seen, np.uint64(key), room, found
    )
    return found


def exact(hole, other, board):
    found = equity(hole, other, board)
    return found.win - found.lose


@pytest.mark.parametrize("board", ["2h7hTcJd", "2h7hTcJdTd", "AcAdAhAs"])
@pytest.mark.parametrize("other", ["QcQd", "9h8h", "KsKc", "Ts2s"])
def test_margins_of_few_boards_are_exact(board, other):
    found = margins("KhQh", board)
    assert found[number(other)] == pytest.approx(exact("KhQh", other, board), abs=1e-12)


def test_hands_with_a_card_that_was_seen_have_no_margin():
    found = margins("KhQh", "2h7hTcJd")
    assert found[number("Kh5c")] == found[number("Tc9c")] == 0


@pytest.mark.parametrize("board", ["", "2h7hTc"])
def test_margins_of_drawn_boards_are_right_on_average(board):
    """Where boards are drawn from one shuffle, too, each is as likely as any."""
    assert count_choices(50 - len(board) // 2, 5 - len(board) // 2) > N_DRAWN_BOARDS
    others = ["QcQd", "9h8h", "KsKc"]
    found = np.array(
        [margins("KhQh", board, key)[[number(o) for o in others]] for key in range(300)]
    )
    errors = found.std(axis=0) / np.sqrt(len(found))
    for mean, error, other in zip(found.mean(axis=0), errors, others, strict=True):
        assert mean == pytest.approx(exact("KhQh", other, board), abs=4 * error)
    independent = np.sqrt(1 / N_DRAWN_BOARDS)  # at most
    assert found.std(axis=0).max() < independent


def test_a_card_that_is_drawn_first_is_any_card_left():
    """A lone king that draws a card for the river's showdown: the mean over the cards."""
    board = "2h7hTcJdTd"
    left = [c for c in range(52) if c not in parse_cards(f"{board}KhQcQd")]
    expected = np.mean([exact(f"Kh{format_cards([c])}", "QcQd", board) for c in left])
    found = np.mean([margins("Kh", board, key, 1)[number("QcQd")] for key in range(200)])
    assert found == pytest.approx(expected, abs=0.02)


def drawn_margins(showdowns, hole, board, others, key):
    """Board by board and hand by hand, on the boards that are drawn."""
    held, cards = parse_cards(hole), parse_cards(board)
    room = run_out_room(HANDS, showdowns)
    seen = sum(1 << card for card in [*held, *cards])
    n_left = list_left(HANDS, seen, room.left)
    room.board[: len(cards)] = cards
    results = {other: [] for other in others}
    n_drawn = shuffle = 0
    for _ in range(N_DRAWN_BOARDS):
        if n_drawn + showdowns.most_cards - len(cards) > n_left:
            n_drawn, shuffle = 0, shuffle + 1
        shuffled = np.uint64(stream_key(np.uint64(key), shuffle))
        size, n_drawn = draw_board(showdowns, len(cards), n_left, n_drawn, shuffled, room)
        full = room.board[:size].tolist()
        for other, found in results.items():
            theirs = parse_cards(other)
            if not set(theirs) & set(full):
                mine, their = (
                    rank([*hand, *full], first_flush_suit_only=showdowns.first_flush_suit_only)
                    for hand in (held, theirs)
                )
                found.append((mine > their) - (mine < their))
    return [np.mean(found) if found else 0.0 for found in results.values()]


@pytest.mark.parametrize("variant", ["nolimit", "river-of-blood"])
@pytest.mark.parametrize("board", ["2h7hTc", "ThTdTc", "9h9dTh", "4h4d4cKc"])
def test_margins_of_drawn_boards_are_those_of_their_hands(variant, board):
    """Three of a rank and long boards are ranked in another way than most."""
    showdowns = showdowns_of(VARIANTS[variant]())
    if variant == "nolimit" and len(board) > 6:
        pytest.skip("all boards are enumerated")
    held, cards = parse_cards("KhQh"), np.array(parse_cards(board), np.uint8)
    masks = sum(1 << (16 * (card & 3) + (card >> 2)) for card in held)
    seen = sum(1 << card for card in [*held, *cards.tolist()])
    found, room = np.full(len(HANDS.cards), np.nan), run_out_room(HANDS, showdowns)
    find_margins(HANDS, showdowns, cards, cards.size, masks, 0, seen, np.uint64(3), room, found)
    others = ["QcQd", "9s8s", "KsKc", "Ts2s", "4s3d", "AdAc", "Js9c"]
    expected = drawn_margins(showdowns, "KhQh", board, others, 3)
    assert found[[number(other) for other in others]] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("hole_cards", "hole"), [(1, "Kc"), (2, "KcQd")])
def test_margins_of_short_hands_are_those_of_all_boards(hole_cards, hole):
    """Hands of one card, and boards of fewer than three, are compared one by one."""
    variant = replace(VARIANTS["nolimit"](deck="JQKA/cd", board=(1, 1)), hole_cards=hole_cards)
    hands, showdowns = list_hands(variant), showdowns_of(variant)
    held = parse_cards(hole)
    masks = sum(1 << (16 * (card & 3) + (card >> 2)) for card in held)
    found, room = np.full(len(hands.cards), np.nan), run_out_room(hands, showdowns)
    seen, board = sum(1 << card for card in held), np.zeros(0, np.uint8)
    find_margins(hands, showdowns, board, 0, masks, 0, seen, np.uint64(3), room, found)
    for other, margin in zip(hands.cards.tolist(), found, strict=True):
        left = [card for card in hands.deck.tolist() if card not in held and card not in other]
        boards = combinations(left, 2)
        strengths = [[variant.strength([*hand, *two]) for hand in (held, other)] for two in boards]
        wanted = np.mean([np.sign(mine - theirs) for mine, theirs in strengths])
        assert margin == pytest.approx(0.0 if {*held} & {*other} else wanted, abs=1e-12)
