"""What lines tell of an engine's chips, which they never name: its stack and its blinds."""

from dataclasses import dataclass, replace

from counterfold.games.holdem import Variant
from counterfold.games.holdem.payoff import MAX_STACK

_LARGE_BET = 10  # big blinds; a smaller raise may be refused because blinds are others
_UNKNOWN = MAX_STACK


@dataclass
class ToldChips:
    """The stack is at least what somebody has put in, and less than what the engine refused."""

    least: int = 0
    most: int = _UNKNOWN

    def put_in(self, total: int, variant: Variant) -> Variant:
        """The variant with a stack of which somebody has put `total` in."""
        if total >= MAX_STACK:
            return variant
        self.least, self.most = max(self.least, total), max(self.most, total)
        if total <= variant.stack:
            return variant
        if self.most < _UNKNOWN:  # then the stack was guessed, and whoever goes beyond is all-in
            return replace(variant, stack=total)
        times = -(-total // variant.stack)
        return replace(variant, stack=min(times * variant.stack, MAX_STACK - 1))

    def refuse(self, total: int, variant: Variant) -> Variant:
        """The variant with a stack of which nobody can put `total` in; the same if blinds alone
        may be why it was refused.
        """
        if total < _LARGE_BET * variant.big_blind:
            return variant
        self.most = total - 1
        if self.least >= total:  # what was told before was wrong
            self.least = 0
        least = max(self.least, variant.ante + max(variant.blinds) + 1)
        return replace(variant, stack=max(least, total // 2))

    def name(self, stack: int, variant: Variant) -> Variant:
        """The variant with a stack that the engine has named."""
        self.least = self.most = stack
        return replace(variant, stack=stack)


def with_blind(variant: Variant, seat: int, chips: int) -> Variant:
    """The variant in which a seat posts `chips`, ante included, and all else is in proportion."""
    posted = variant.blinds[seat] + variant.ante
    ante, min_bet, *blinds = (
        old * chips // posted for old in (variant.ante, variant.min_bet, *variant.blinds)
    )
    blinds[seat] = chips - ante
    return replace(variant, ante=ante, min_bet=min_bet, blinds=(blinds[0], blinds[1]))
