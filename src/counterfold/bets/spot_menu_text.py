"""Menus of spots as text, such as ``bets: 60%, e, allin; raises: 2.5x; river: donk: 50%``.

``docs/reference/bet-menus.md`` has the grammar.
"""

from counterfold.bets.menu_grammar import DONK, MenuReader, Piece
from counterfold.bets.spot_menu import (
    MAX_OPTION,
    OPTIONS,
    SEATS,
    SPOT_STREETS,
    SeatBets,
    SpotMenu,
    SpotStreet,
)
from counterfold.games.holdem.bet_size import SIZE_FORMS, SIZE_WORDS, TIMES, BetSize, read_size

_CAP = "cap"


def parse_spot_menu(text: str) -> SpotMenu:
    """The menu of a spot that `text` writes out."""
    return _Reader(text).menu()


class _Reader(MenuReader[BetSize]):
    """Sizes are those of `games.holdem.bet_size`, by seat."""

    streets = SPOT_STREETS
    seats = SEATS
    levels = {"bets": 0, "raises": 1, "donk": DONK}  # noqa: RUF012
    caps = (_CAP,)
    shares = dict.fromkeys(OPTIONS, MAX_OPTION)
    size_words = (*SIZE_WORDS, "e")
    order = "write the streets first, then oop: or ip:, then bets:, raises: or donk:, then sizes"

    def menu(self) -> SpotMenu:
        """Read everything."""
        self.read()
        for seat in SEATS:
            if not self.streets_with_sizes(seat):
                self.fail(Piece("", 0), f"no sizes for {seat}; write some, or {seat}: none")
        preflop, flop, turn, river = map(self._street, SPOT_STREETS)
        return SpotMenu(
            (preflop, flop, turn, river), *(self.said_shares.get(o, 0) for o in OPTIONS)
        )

    def read_size(self, piece: Piece) -> BetSize:
        """A size of any kind."""
        size = read_size(piece.text)
        if size is None:
            self.fail(piece, f"a size is {SIZE_FORMS}, not {piece.text!r}")
        return size

    def check_level(self, size: BetSize, level: int, piece: Piece) -> None:
        """Multiples of a bet need a bet."""
        if size.kind == TIMES and level < 1:
            self.fail(piece, f"{piece.text} multiplies the bet before it; write it after raises:")

    def _street(self, street: str) -> SpotStreet:
        oop, ip = (SeatBets(self.rows(street, seat), self.donk(street, seat)) for seat in SEATS)
        return SpotStreet(oop, ip, self.cap(street, _CAP))
