"""Bet menus as text, such as ``flop: 50%, 100%, allin; raises: 100%, allin; cap 2``.

``docs/reference/bet-menus.md`` has the grammar.
"""

import re

from counterfold.bets.menu import CAPS, MAX_SIZE, SIZE_WORDS, STREETS, BetMenu, StreetBets
from counterfold.bets.menu_grammar import BIDS, BIDS_WORD, MenuReader, Piece
from counterfold.bets.menu_kernels import MINIMUM
from counterfold.errors import UnknownNameError

_ALL_IN_FROM, _MERGE = "allin from", "merge"

# Systems of the literature and of OpenSpiel; limit menus are for games with fixed bets.
MENUS: dict[str, str] = {
    "limit-4": "min; cap 4",
    "limit-3": "min; cap 3",
    "pineapple": "50%, 100%, allin; rounds 2",
    "discard-winner": (
        "preflop: raises: 167%, allin; raise 2: 238%, allin; raise 3: allin; cap 4; actions 2; "
        "flop: bets: 66%, allin; raises: 100%, allin"
    ),
    "ep-white": "preflop: 50%, 100%, allin; cap 9; flop: cap 8",
    "fcpa": "100%, allin",
    "fchpa": "50%, 100%, allin",
}


def parse_menu(text: str) -> BetMenu:
    """The menu that `text` names or writes out."""
    word = text.strip()
    if word in MENUS:
        return _Reader(MENUS[word]).menu()
    if re.fullmatch(r"[a-z]+(-\w+)+|fc\w*", word):
        raise UnknownNameError("bet menu", word, MENUS)
    return _Reader(text).menu()


class _Reader(MenuReader[int]):
    """Sizes are per mille of the pot, or words."""

    streets = STREETS
    levels = {"bets": 0, "raises": 1, BIDS_WORD: BIDS}  # noqa: RUF012
    caps = CAPS
    shares = {_ALL_IN_FROM: 1000, _MERGE: 1000}  # noqa: RUF012
    size_words = (*SIZE_WORDS, *MENUS)

    def menu(self) -> BetMenu:
        """Read everything."""
        self.read()
        streets = [self._street(street) for street in STREETS]
        return BetMenu(
            (streets[0], streets[1], streets[2], streets[3], streets[4]),
            self.said_shares.get(_ALL_IN_FROM, 1000),
            self.said_shares.get(_MERGE, 0),
        )

    def _street(self, street: str) -> StreetBets:
        caps = {cap: self.cap(street, cap) for cap in CAPS}
        return StreetBets(self.rows(street), bids=self.bids(street), **caps)

    def read_size(self, piece: Piece) -> int:
        """A word or a percentage."""
        if piece.text in SIZE_WORDS:
            return SIZE_WORDS[piece.text]
        wanted = "a size is a percentage of the pot after the call such as 50%"
        return self.percent(piece, wanted, MAX_SIZE)

    def check_level(self, size: int, level: int, piece: Piece) -> None:
        """A bid has no smallest size but nothing."""
        if level == BIDS and size == MINIMUM:
            self.fail(piece, "a bid of nothing is always offered; write a percentage or allin")
