"""What the end of a hand pays: the pot, and a bounty where a variant has one."""

from dataclasses import dataclass
from math import ceil, floor

from counterfold.errors import GameError
from counterfold.games.protocol import check_parameter

MAX_STACK = 1_000_000  # chips; a stack that fixed limits never exhaust
MAX_FACTOR = 100  # of a bounty

Chips = tuple[int, int]  # by seat
NOBODY = -1  # loses at a tie


@dataclass(frozen=True)
class Bounty:
    """A secret rank for each player, and what a win is worth with it in hand or on the board.

    The winner gets `factor` times what the other has put in, and `extra` chips. In a tie, a player
    whose bounty alone is hit gets `factor - 1` times half of what each has put in, and `extra`.
    New ranks are drawn after `rounds` hands of a match.
    """

    factor: float = 1.5
    extra: int = 10  # chips
    rounds: int = 25

    def check(self) -> None:
        """Raise `GameError` for what makes no sense."""
        if not isinstance(self.factor, int | float) or not 1 <= self.factor <= MAX_FACTOR:
            raise GameError(f"factor of bounty must be from 1 to {MAX_FACTOR}, not {self.factor!r}")
        check_parameter("extra of bounty", self.extra, 0, MAX_STACK)
        check_parameter("rounds of bounty", self.rounds, 1, MAX_STACK)


def settle(spent: Chips, loser: int) -> int:
    """Chips that seat 0 wins when `loser` loses, or nobody; an odd chip of a tie is seat 1's."""
    if loser == NOBODY:
        return (spent[1] - spent[0]) // 2
    return -spent[0] if loser == 0 else spent[1]


def settle_bounty(
    bounty: Bounty, spent: Chips, loser: int, hit: tuple[bool, bool], *, rounds_up: bool
) -> int:
    """Chips that seat 0 wins where players have bounties, `hit` or not.

    What is not whole is rounded from seat 0's view, up or down.
    """
    if loser == NOBODY:
        if hit[0] == hit[1]:
            return settle(spent, loser)
        winner = 0 if hit[0] else 1
        won = (bounty.factor - 1) / 2 * spent[1 - winner] + bounty.extra
    else:
        winner = 1 - loser
        won = float(spent[loser])
        if hit[winner]:
            won = bounty.factor * won + bounty.extra
    signed = won if winner == 0 else -won
    return ceil(signed) if rounds_up else floor(signed)
