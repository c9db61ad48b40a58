"""The bookkeeping that the contest describes to its players, beside our own.

A button counter starts at 0, grows with every action and is 1 when a street begins; its parity is
the seat that acts. Bounds follow from what each seat has put in on this street and has left.
"""

import pytest

from counterfold.bots import Hand, shuffle
from counterfold.bots.baselines import Random
from counterfold.contest.wire import PROTOCOLS
from counterfold.contest.wire.mit_clauses import PLAIN, YEAR_2022, parse_message

BIG_BLIND = 2
DIALECTS = {"mit-2022": YEAR_2022}


class Book:
    """One player's books, kept from the clauses of its messages alone."""

    def __init__(self, stack):
        self.button, self.n_board = 0, 0
        self.pips = [1, BIG_BLIND]
        self.left = [stack - 1, stack - BIG_BLIND]
        self.delta = None

    @property
    def seat(self):
        return self.button % 2

    def legal(self):
        """The letters that may be answered, and the bounds of a raise."""
        me, other = self.seat, 1 - self.seat
        cost = self.pips[other] - self.pips[me]
        most = min(self.left[me], self.left[other] + cost)
        least = min(most, cost + max(cost, BIG_BLIND))
        bounds = self.pips[me] + least, self.pips[me] + most
        if cost == 0:
            return ("k", bounds) if min(self.left) > 0 else ("k", None)
        no_raise = cost == self.left[me] or self.left[other] == 0
        return "cf", None if no_raise else bounds

    def follow(self, kind, value):
        me = self.seat
        if kind == "board":
            assert len(value) > self.n_board
            self.n_board, self.button, self.pips = len(value), 1, [0, 0]
        elif kind in ("call", "check", "raise"):
            target = {"call": self.pips[1 - me], "check": self.pips[me], "raise": value}[kind]
            self.left[me] -= target - self.pips[me]
            self.pips[me] = target
            self.button += 1
        elif kind == "won":
            self.delta = value


@pytest.mark.parametrize("name", ["mit-plain", "mit-2022", "mit-2023"])
def test_our_engine_agrees_with_the_books_of_its_players(name):
    protocol = PROTOCOLS[name]
    variant = protocol.variant()
    bot, n_forced = Random(4), 0
    for number in range(200):
        hand = Hand(variant, shuffle(variant, 9, number), number, checks_when_all_in=True)
        engines = [protocol.engine_session(), protocol.engine_session()]
        books = [Book(variant.stack), Book(variant.stack)]
        for seat in (0, 1):
            engines[seat].begin_hand(hand, seat, 30.0)

        def tell(seat, lines, books=books):
            for kind, value in parse_message(lines[0], DIALECTS.get(name, PLAIN))[1:]:
                books[seat].follow(kind, value)

        while (seat := hand.waits_for) is not None:
            tell(seat, engines[seat].prompt(hand, seat, 30.0))
            assert books[seat].seat == seat
            letters, bounds = books[seat].legal()
            view = hand.view(seat)
            if hand.forced:
                n_forced += 1
                assert (letters, bounds) == ("k", None)
                hand.act("k")
                continue
            assert "".join(sorted(view.plain_actions())) == letters
            assert view.raise_bounds() == bounds
            hand.act(bot.act(view))
        for seat in (0, 1):
            tell(seat, engines[seat].end_hand(hand, seat, 30.0))
            assert books[seat].delta == hand.chips[seat]
    assert n_forced > 20
